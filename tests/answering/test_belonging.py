"""Which sentences of a section belong to an answer that explains, and how many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.evidence import page_of, passage_of

from answerable.answering.belonging import MOST, OF_SECTION, belonging, chance_each, chosen, of_section
from answerable.answering.candidates import Candidate, candidates_of
from answerable.answering.weighing import Judges, Wanted, wanted_of
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Evidence, Plan

READ = Judges(MiniLMReranker(), CrossEncoder())
TEXT = (
    "The lake of Orra turned pink in the summer of 2024. The colour comes from an alga that makes a red pigment when "
    "the water is very salty. Three dry summers had cut the bay off from the lake, so that the salt was left behind. "
    "Boats for hire lie at the northern pier. The pier was built of larch in 1911. A kiosk sells postcards there."
)
QUESTION = "Why did the lake of Orra turn pink?"


def asked(language: str = "en") -> tuple[list[Candidate], Wanted]:
    page = page_of(TEXT, title="Orra")
    evidence = Evidence((page,), (passage_of(page),), (0.9,))
    candidates = candidates_of(evidence, language)
    return candidates, wanted_of(QUESTION, Plan(QUESTION, (), language=language), evidence, candidates)


async def test_the_cause_belongs_to_the_answer_and_the_kiosk_does_not() -> None:
    candidates, wanted = asked()
    lead = next(c for c in candidates if "alga" in c.text)

    told = [c.text for c in await belonging(lead, candidates, wanted, READ)]

    assert any("alga" in text for text in told)
    assert any("salt was left behind" in text for text in told)
    assert not any("kiosk" in text for text in told)
    assert told == [c.text for c in candidates if c.text in told]  # in the order of the page


async def test_without_the_models_and_in_other_languages_nothing_is_told() -> None:
    candidates, wanted = asked()
    german, wanted_in_german = asked("de")

    assert not await belonging(candidates[0], candidates, wanted, Judges())
    assert not await belonging(german[0], german, wanted_in_german, READ)


@pytest.mark.parametrize(
    ("chances", "places"),
    [
        ([0.9, 0.1, 0.1], {0}),
        ([0.1, 0.9, 0.8, 0.1], {1, 2}),
        ([0.5, 0.5, 0.5], {0, 1, 2}),
        ([0.02], {0}),
    ],
)
def test_as_many_are_chosen_as_make_the_expected_f_greatest(chances: list[float], places: set[int]) -> None:
    assert chosen(np.array(chances)) == places


@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=20))
def test_the_likeliest_are_chosen_at_least_one_and_never_too_many(chances: list[float]) -> None:
    found = chosen(np.array(chances))

    assert 1 <= len(found) <= MOST
    assert min(chances[k] for k in found) >= max((c for k, c in enumerate(chances) if k not in found), default=0.0)


async def test_the_weights_that_ship_fit_the_figures() -> None:
    candidates, wanted = asked()
    rows = of_section(candidates, wanted, [0.5] * len(candidates), [0.5] * len(candidates))

    assert rows.shape == (len(candidates), 1 + len(OF_SECTION))
    assert ((chance_each(rows) > 0) & (chance_each(rows) < 1)).all()

"""Which of the sentences that were read answers, and whether any does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.fakes.evidence import evidence_of, page_of, passage_of

from answerable.answering import choosing
from answerable.answering.candidates import candidates_of
from answerable.answering.choosing import BrokenChoice, chance_of_answer, choose
from answerable.answering.differing import ready
from answerable.answering.enough import Signs
from answerable.answering.extracting import extractive_answer
from answerable.answering.weighing import Judges, wanted_of, weigh
from answerable.types import Block, Evidence, Plan

SIGNS = Signs(passage=1.0, window=1.0, names=0, coverage=0.8)


class Reads:
    """A model of sentences that gives each the chance of the first of its words that it holds."""

    def __init__(self, **chances: float) -> None:
        self.chances = chances

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [next((c for word, c in self.chances.items() if word in text), 0.05) for text in texts]


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the weights that may be spoilt."""
    path = tmp_path / "weights.json"
    path.write_bytes(choosing.WEIGHTS.read_bytes())
    monkeypatch.setattr(choosing, "WEIGHTS", path)
    choosing.fitted.cache_clear()
    yield path
    choosing.fitted.cache_clear()


async def _choice(question: str, evidence: Evidence, judges: Judges) -> choosing.Choice:
    candidates = candidates_of(evidence, "en")
    wanted = wanted_of(question, Plan(question, (question,)), evidence, candidates)
    return choose(await weigh(candidates, wanted, judges), wanted)


BRIDGE = (
    "The Orra Bridge is 312 metres long. The Vess Bridge is 90 metres long. Both are painted green every ten years."
)


async def test_the_chances_of_those_that_were_read_are_shares_of_one() -> None:
    choice = await _choice("How long is the Orra Bridge?", evidence_of(BRIDGE), Judges(None, Reads(Orra=0.9)))

    assert sum(c.likely or 0.0 for c, _ in choice.ranked) == pytest.approx(1.0)
    assert [c.likely for c, _ in choice.ranked] == sorted((c.likely for c, _ in choice.ranked), reverse=True)
    assert "312" in choice.ranked[0][0].text


async def test_what_no_model_read_keeps_its_order_and_gets_no_chances() -> None:
    choice = await _choice("How long is the Orra Bridge?", evidence_of(BRIDGE), Judges())

    assert all(c.likely is None for c, _ in choice.ranked)
    assert chance_of_answer(choice, SIGNS) is None


async def test_nothing_to_choose_from_is_no_fault() -> None:
    choice = await _choice("How long is it?", evidence_of("Menu"), Judges(None, Reads()))

    assert choice.ranked == []
    assert chance_of_answer(choice, SIGNS) is None


async def test_an_answer_is_likelier_where_a_sentence_gives_it_than_where_none_does() -> None:
    question, judges = "How long is the Orra Bridge?", Judges(None, Reads(Orra=0.9))
    told = await _choice(question, evidence_of(BRIDGE), judges)
    untold = await _choice(question, evidence_of("Bridges are painted every ten years. They rust by the sea."), judges)

    chances = [chance_of_answer(choice, SIGNS) or 0.0 for choice in (told, untold)]

    assert chances[0] > 0.5 > chances[1]


async def test_the_row_that_a_superlative_asks_for_leads_whatever_the_model_prefers() -> None:
    table = "Reader | Price | Waterproof\nLagoon | 219 | yes\nLeaf | 169 | yes\nMini | 119 | no\nFolio | 379 | no"
    page = page_of(table, title="Readers compared", blocks=(Block("table", 0, len(table)),))
    evidence = Evidence((page,), (passage_of(page, kind="table"),), (0.8,))

    answer = await extractive_answer(
        Plan("which is the cheapest waterproof reader", ()), evidence, Judges(None, Reads(Lagoon=0.8, Leaf=0.6))
    )

    assert answer.startswith("Leaf")


async def test_the_row_of_a_superlative_is_read_however_long_the_table_is() -> None:
    rows = [f"Reader {n} | {200 + n} | the screen of reader {n}" for n in range(60)]
    table = "\n".join(["Model | Price | Notes", *rows[:50], "Brasko | 90 | none", *rows[50:]])
    page = page_of(table, title="Readers compared", blocks=(Block("table", 0, len(table)),))
    evidence = Evidence((page,), (passage_of(page, kind="table"),), (0.8,))

    answer = await extractive_answer(Plan("which reader is the cheapest", ()), evidence, Judges(None, Reads()))

    assert answer.startswith("Brasko")


async def test_where_two_are_as_likely_both_are_shown_and_where_one_is_sure_it_stands_alone() -> None:
    text = "The old mill opened in 1871. The new mill opened in 1902. Millers eat at noon."
    question = Plan("When did the mill open?", ())

    either = await extractive_answer(question, evidence_of(text), Judges(None, Reads(old=0.9, new=0.9)))
    sure = await extractive_answer(
        Plan("When did the new mill open?", ()), evidence_of(text), Judges(None, Reads(new=0.97))
    )

    assert "1871" in either
    assert "1902" in either
    assert "1902" in sure
    assert "1871" not in sure


@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_table_whose_first_column_has_no_name_is_read_with_the_names_of_the_others(language: str) -> None:
    table = "Rill 9 | Rill 14\nNoise | 46 dB | 44 dB\nPrice | 398 marks | 529 marks"
    page = page_of(table, title="Dishwashers", blocks=(Block("table", 0, len(table)),))

    rows = candidates_of(Evidence((page,), (passage_of(page, kind="table"),), (0.8,)), language)

    assert [row.header for row in rows] == [("", "Rill 9", "Rill 14")] * 2


async def test_the_weights_that_ship_fit_the_figures() -> None:
    choice = await _choice("How long is the Orra Bridge?", evidence_of(BRIDGE), Judges(None, Reads(Orra=0.9)))

    assert set(choosing.fitted("choice").names) <= choice.best.keys()
    assert set(choosing.fitted("enough").names) == choosing.enough_figures(choice, SIGNS).keys()
    ready()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda held: None,
        lambda held: {"choice": held["choice"]},
        lambda held: held | {"choice": held["choice"] | {"names": ["unheard", *held["choice"]["names"][1:]]}},
        lambda held: held | {"enough": held["enough"] | {"weights": held["enough"]["weights"][1:]}},
        lambda held: held | {"enough": held["enough"] | {"mean": ["a", "b"]}},
        lambda held: held | {"sides": held["sides"] | {"names": ["unheard", *held["sides"]["names"][1:]]}},
    ],
    ids=["no object", "half of it", "other figures", "too few weights", "no numbers", "other figures of pairs"],
)
def test_damaged_weights_are_told_before_they_are_needed(weights: Path, spoil: object) -> None:
    weights.write_text(json.dumps(spoil(json.loads(weights.read_text("utf-8")))), "utf-8")  # type: ignore[operator]

    with pytest.raises(BrokenChoice, match=r"weights\.json"):
        ready()


def test_missing_weights_are_told_with_their_cure(weights: Path) -> None:
    weights.unlink()

    with pytest.raises(BrokenChoice) as fault:
        ready()

    assert "Install the package again" in fault.value.hint

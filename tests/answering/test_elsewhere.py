"""What stands on a page that never names the thing asked about does not answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from tests.fakes.evidence import evidence_of, page_of

from answerable.answering.extracting import extractive_answer
from answerable.answering.weighing import Judges
from answerable.text.answertypes import asked_for
from answerable.types import Plan

VIADUCT = page_of("The Orra Viaduct has 27 arches and took 7 million bricks to build.", number=1, title="Orra Viaduct")


class Chances:
    """A model of sentences that gives each its chance by words in it."""

    def __init__(self, chances: Mapping[str, float]) -> None:
        self.chances = chances

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [max([c for word, c in self.chances.items() if word in text], default=0.02) for text in texts]


async def _answer(question: str, *others: str, **chances: float) -> str:
    pages = (page_of(text, number=n, title="Town news") for n, text in enumerate(others, start=2))
    evidence = evidence_of(VIADUCT, *pages)
    return await extractive_answer(Plan(question, (question,)), evidence, Judges(answers=Chances(chances)))


LIBRARY = "Building the new library will cost 3 million pounds, the council heard."


async def test_the_price_of_another_thing_is_none_where_the_page_of_the_thing_gives_none() -> None:
    assert await _answer("How much did it cost to build the Orra Viaduct?", LIBRARY, library=0.55) == ""


async def test_a_thing_in_small_letters_is_known_by_the_title_of_its_page() -> None:
    assert await _answer("how much did it cost to build the orra viaduct?", LIBRARY, library=0.55) == ""


async def test_a_page_that_names_the_thing_once_may_answer_of_it_by_any_word() -> None:
    told = "The Orra Viaduct opened in 1870. Building it cost 90,000 pounds."
    assert "90,000" in await _answer("How much did it cost to build the Orra Viaduct?", told, Building=0.55)


async def test_where_the_thing_itself_is_told_of_that_leads() -> None:
    own = "The Orra Viaduct cost 90,000 pounds to build."
    answer = await _answer(
        "How much did it cost to build the Orra Viaduct?", LIBRARY, own, library=0.6, own=0.5, cost=0.58
    )
    assert "90,000" in answer
    assert "library" not in answer


async def test_a_sentence_that_the_model_is_sure_of_needs_no_name() -> None:
    told = "The long row of arches cost 90,000 pounds to build."
    assert "90,000" in await _answer("How much did it cost to build the Orra Viaduct?", told, row=0.9)


async def test_why_is_not_answered_with_what_gives_no_cause() -> None:
    assert await _answer("Why has the Orra Viaduct 27 arches?", arches=0.3) == ""


async def test_why_is_answered_with_a_cause_however_unlikely() -> None:
    told = "The Orra Viaduct is red because of its bricks."
    assert "because" in await _answer("Why is the Orra Viaduct red?", told, because=0.3)


@pytest.mark.parametrize("question", ["which country are orra lamps made in?", "Which town does the Orra flow to?"])
def test_which_country_with_its_preposition_behind_asks_for_a_place(question: str) -> None:
    assert "place" in asked_for(question)


def test_which_country_did_something_asks_for_no_place_it_stands_in() -> None:
    assert "place" not in asked_for("Which country won the most medals?")

"""What was read and not taken for evidence is looked at sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.fakes.evidence import evidence_of, page_of, passage_of

from answerable.answering.weighing import Judges
from answerable.answering.widening import widened
from answerable.protocols import Limits
from answerable.types import Evidence, Page, Passage, Plan

HELD = page_of("The Orra Bridge is green. It is a bridge of steel.", number=1)
ROW = page_of("Fares are due at once. A new season ticket costs 25 francs.", number=2)
OTHER = page_of("The harbour was dug in 1803. Boats lie there.", number=3)


class Sure:
    """A model that is sure of the texts with these words and of no other, and remembers what it was asked."""

    def __init__(self, *right: str) -> None:
        self.right, self.read = right, list[str]()

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read += texts
        return [0.9 if any(words in text for words in self.right) else 0.05 for text in texts]


async def wide(question: str, sure: Sure | None, language: str = "en", limits: Limits | None = None) -> list[str]:
    """The passages of the evidence, which held only the first page."""
    everything: list[Passage] = [passage_of(page) for page in (HELD, ROW, OTHER)]
    pages: dict[str, Page] = {page.page_id: page for page in (HELD, ROW, OTHER)}
    plan = Plan(question, (question,), language=language)
    found: Evidence = await widened(plan, evidence_of(HELD), everything, pages, Judges(None, sure), limits or Limits())
    assert len(found.scores) == len(found.passages)
    assert {passage.page_id for passage in found.passages} == {page.page_id for page in found.pages}
    return [passage.text for passage in found.passages]


async def test_the_passage_of_a_sentence_that_answers_is_added_behind_the_others() -> None:
    texts = await wide("what does a new season ticket cost", Sure("25 francs"))

    assert [text[:8] for text in texts] == ["The Orra", "Fares ar"]


async def test_nothing_is_added_where_no_sentence_answers() -> None:
    assert len(await wide("what does a new season ticket cost", Sure())) == 1


async def test_a_part_of_the_question_is_looked_for_by_itself() -> None:
    texts = await wide("what does a new season ticket cost and when was the harbour dug", Sure("25 francs", "1803"))

    assert len(texts) == 3


async def test_the_budget_of_the_evidence_holds() -> None:
    assert len(await wide("what does a new season ticket cost", Sure("25"), limits=Limits(evidence_chars=60))) == 1


@pytest.mark.parametrize(("sure", "language"), [(None, "en"), (Sure("25 francs"), "de")])
async def test_without_a_model_that_knows_the_language_the_evidence_stays(sure: Sure | None, language: str) -> None:
    assert len(await wide("what does a new season ticket cost", sure, language)) == 1


async def test_what_is_evidence_already_is_not_read_again() -> None:
    sure = Sure()

    await wide("is the Orra Bridge green", sure)

    assert sure.read
    assert not any("Orra" in text for text in sure.read)

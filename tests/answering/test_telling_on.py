"""Explanations with what stands around the sentence that answers."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.evidence import page_of, passage_of

from answerable.answering.candidates import Candidate, candidates_of
from answerable.answering.extracting import extractive_answer
from answerable.answering.selecting import Selection
from answerable.answering.telling_on import with_context
from answerable.answering.weighing import Judges
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Block, Evidence, Page, Plan

READ = Judges(MiniLMReranker(), CrossEncoder())

CAP = (
    "Hold the same card at every gate and you never pay more than a day ticket. "
    "The cap works from four in the morning. It does not work for reduced prices.\n\n"
    "Whoever has no valid ticket pays the increased fare at once. Appeals go to the ombudsman of the passengers."
)
STEPS = [
    "Get the brass key from the chapel.",
    "Go to the stairs and ring the bells: low, high, middle.",
    "Wait until the fountain is empty.",
    "Climb down and use the key.",
]


def prose() -> tuple[Page, list[Candidate]]:
    page = page_of(CAP, title="Fares")
    return page, candidates_of(Evidence((page,), (passage_of(page),), (0.9,)), "en")


def steps(items: list[str]) -> tuple[Page, list[Candidate]]:
    text = "\n".join(["The library is under the stairs of the old town.", *items])
    starts = [text.index(line) for line in text.split("\n")]
    ends = [start + len(line) for start, line in zip(starts, text.split("\n"), strict=True)]
    kinds = ["paragraph", *("list_item" for _ in items)]
    blocks = tuple(Block(kind, s, e) for kind, s, e in zip(kinds, starts, ends, strict=True))  # type: ignore[arg-type]
    page = page_of(text, title="Guide", blocks=blocks)
    return page, candidates_of(Evidence((page,), (passage_of(page),), (0.9,)), "en")


def told(lead: Candidate, candidates: list[Candidate], page: Page) -> list[str]:
    selection = with_context(Selection((), None, (lead,)), lead, candidates, page)
    return [c.text for c in sorted(selection.rest, key=lambda c: c.start)]


def test_what_stands_before_and_after_the_sentence_is_told() -> None:
    page, candidates = prose()
    lead = next(c for c in candidates if "four in the morning" in c.text)

    assert told(lead, candidates, page)[:3] == [c.text for c in candidates[:3]]


def test_a_step_comes_with_all_steps_of_its_list_and_nothing_else() -> None:
    page, candidates = steps(STEPS)
    lead = next(c for c in candidates if "fountain" in c.text)

    assert told(lead, candidates, page) == STEPS


def test_of_a_long_list_the_steps_from_the_one_found_on_are_told() -> None:
    page, candidates = steps([f"Turn the wheel with the number {n} to the left side." for n in range(1, 21)])
    lead = next(c for c in candidates if "number 7 " in c.text)

    found = told(lead, candidates, page)

    assert found[0] == lead.text
    assert len(found) == 9


async def test_steps_are_written_as_a_list() -> None:
    page, _ = steps(STEPS)
    question = "how do i get into the library under the stairs"

    answer = await extractive_answer(Plan(question, (question,)), Evidence((page,), (passage_of(page),), (0.9,)), READ)

    assert "\n".join(f"- {step[:-1]} [1]." for step in STEPS) in answer


def test_nothing_is_told_twice_and_a_row_stands_alone() -> None:
    page, candidates = prose()
    every = Selection((), None, tuple(candidates[:3]))
    row = replace(candidates[0], cells=("a", "b"))

    assert [c.start for c in with_context(every, candidates[1], candidates, page).rest[:3]] == [
        c.start for c in candidates[:3]
    ]
    assert with_context(Selection((), None, (row,)), row, candidates, page).rest == (row,)

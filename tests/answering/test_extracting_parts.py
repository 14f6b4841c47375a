"""Answers that need what stands around a sentence: the heading above it, the part of the question it answers."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.evidence import evidence_of, page_of, passage_of

from answerable.answering.extracting import extractive_answer
from answerable.types import Block, Evidence, Plan


def plan(question: str) -> Plan:
    return Plan(question, (question,))


async def test_a_change_is_told_with_the_version_and_the_day_that_stand_above_it() -> None:
    items = ["Lost context sheets are found again.", "The ruler snaps to the grid."]
    text = "\n".join(items)
    blocks = tuple(Block("list_item", text.index(item), text.index(item) + len(item)) for item in items)
    page = page_of(text, title="Stratagraph changes", blocks=blocks)
    passage = replace(passage_of(page), headings=("Stratagraph changes", "6.1.2 (1 June 2026)"))
    found = Evidence((page,), (passage,), (0.9,))

    version = await extractive_answer(plan("Which version of Stratagraph found lost context sheets again?"), found)
    other = await extractive_answer(plan("What does the ruler of Stratagraph do?"), found)

    assert version.startswith("6.1.2 (1 June 2026): Lost context sheets are found again")
    assert "6.1.2" not in other


async def test_a_row_for_each_part_shows_what_that_part_asks() -> None:
    rows = ["Ship | Built | Passengers | Price", "Gannet | 2019 | 210 | 48 marks", "Tern | 2007 | 90 | 30 marks"]
    table = "\n".join(rows)
    page = page_of(table, title="Ships", blocks=(Block("table", 0, len(table)),))

    answer = await extractive_answer(
        plan("When was the Gannet built and how many passengers does the Tern carry?"), evidence_of(page)
    )

    assert "Gannet – Built: 2019" in answer
    assert "Tern – Passengers: 90" in answer

"""Comparisons in which each source puts another side first."""

from __future__ import annotations

import pytest
from tests.fakes.evidence import evidence_of

from answerable.answering.extracting import extract
from answerable.types import Plan


async def sides_of(question: str, *texts: str) -> tuple[str, ...]:
    evidence = evidence_of(*texts, scores=tuple(0.9 for _ in texts))
    return tuple(side.text for side in (await extract(Plan(question, (question,)), evidence)).sides)


@pytest.mark.parametrize(
    ("question", "one", "other", "sides"),
    [
        (
            "Is the Orra or the Elsa longer?",
            "The Orra is 812 km long. The Elsa is 790 km long.",
            "With its upper course the Elsa is 840 km long. The Orra is 815 km long.",
            {"The Orra is 812 km long.", "With its upper course the Elsa is 840 km long."},
        ),
        (
            "Which is older, Harrow Hall or Osk Hall?",
            "Harrow Hall was built in 1640. Osk Hall was built in 1655.",
            "Harrow Hall was built in 1660. Osk Hall was built in 1655.",
            {"Osk Hall was built in 1655.", "Harrow Hall was built in 1660."},
        ),
    ],
)
async def test_two_sources_that_put_another_first_differ(question: str, one: str, other: str, sides: set[str]) -> None:
    assert set(await sides_of(question, one, other)) == sides


@pytest.mark.parametrize(
    "other",
    [
        "The Orra is 820 km long. The Elsa is 780 km long.",
        "The Elsa is 840 km long.",
        "The Orra and the Elsa are 815 km and 840 km long.",
    ],
)
async def test_two_sources_with_one_order_or_half_of_it_do_not(other: str) -> None:
    one = "The Orra is 812 km long. The Elsa is 790 km long."

    assert await sides_of("Is the Orra or the Elsa longer?", one, other) == ()

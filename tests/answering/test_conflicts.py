"""Conflicts are found where sources give different values for one thing, and nowhere else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from answerable.answering.checking import CheckedAnswer
from answerable.answering.conflicts import find_conflicts
from answerable.answering.fold import count_support
from answerable.types import Citation, Plan, Sentence

PLAN = Plan("How tall is the Eiffel Tower?", ())


def checked(*claims: tuple[str, str]) -> CheckedAnswer:
    """Claims with the page each is cited by."""
    sentences, citations, at = [], [], 0
    for index, (text, page) in enumerate(claims):
        sentences.append(Sentence(index, text, at, at + len(text), (index + 1,), "supported"))
        date = datetime(2019 + index, 1, 1, tzinfo=UTC)
        citations.append(
            Citation(
                index + 1, page, f"http://{page}.example/", page, "", date, index, text, 0, len(text), "supported", "",
                "page", "",
            )
        )  # fmt: skip
        at += len(text) + 1
    answer = " ".join(text for text, _ in claims)
    return CheckedAnswer(
        answer,
        tuple(sentences),
        tuple(citations),
        tuple(page for _, page in claims),
        count_support(sentences, citations),
    )


def test_two_sources_with_two_values_are_a_conflict_with_both_sides() -> None:
    found = find_conflicts(
        PLAN,
        checked(
            ("The Eiffel Tower is 330 metres tall[1].", "new"),
            ("The Eiffel Tower is 324 metres tall in all[2].", "old"),
        ),
    )

    assert [[side.value for side in conflict.sides] for conflict in found] == [["330 metres", "324 metres"]]
    assert [side.page_ids for side in found[0].sides] == [("new",), ("old",)]
    assert found[0].about == "How tall is the Eiffel Tower?"


@pytest.mark.parametrize(
    "claims",
    [
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower is 330 m tall with its mast[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("Tokyo Tower is 333 metres tall[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower weighs 10,100 tonnes[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower is 312 metres tall without it[2].", "a")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower was opened in 1889[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"),),
        (),
    ],
    ids=["the same value", "another thing", "another measure", "the same page", "a year", "one claim", "none"],
)
def test_what_is_no_conflict_is_not_called_one(claims: tuple[tuple[str, str], ...]) -> None:
    assert find_conflicts(PLAN, checked(*claims)) == ()

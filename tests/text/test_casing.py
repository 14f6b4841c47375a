"""Names in a question typed without capitals, written as the pages write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.casing import with_capitals

PAGE = (
    "Small Harbour came out in May. The game Small Harbour sold well; a small boat is in it.\n"
    "The yard lies on Lake Mora, and the Siren 3 was made there. Its harbour is small.\n"
    "Weight | Price\nSiren 3 Plus | 40\nThe Skarre Bridge is old; the bridge leads to Senn."
)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("when did small harbour come out", "when did Small Harbour come out"),
        ("how deep is lake mora's small harbour", "how deep is Lake Mora's Small Harbour"),
        ("what does the siren 3 weigh", "what does the Siren 3 weigh"),
        ("price of the siren 3 plus", "price of the Siren 3 Plus"),
        ("is the harbour small", "is the harbour small"),  # the words, not the name
        ("which bridge leads to senn", "which bridge leads to Senn"),  # no name by itself
        ("weight and price", "weight and price"),  # the capital only opens a cell
        ("How long is lake mora?", "How long is Lake Mora?"),
        ("how far is Senn from lake mora", "how far is Senn from lake mora"),  # who uses capitals is taken at his word
        ("I know lake mora, do I", "I know Lake Mora, do I"),
        ("", ""),
    ],
)
def test_names_are_written_as_the_pages_write_them(typed: str, written: str) -> None:
    assert with_capitals(typed, [PAGE]) == written


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3))
def test_nothing_but_capitals_changes(question: str, texts: list[str]) -> None:
    assert with_capitals(question, texts).casefold() == question.casefold()

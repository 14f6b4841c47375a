"""A turn told in words."""

from __future__ import annotations

import pytest

from answerable.text.telling import is_built_in, support_in_words, work_in_words
from answerable.types import Source, SupportCounts


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (SupportCounts(), ""),
        (SupportCounts(claims=1, supported=1), "1 of 1 claim supported"),
        (SupportCounts(claims=6, supported=3, partly=1, unsupported=2), "3 of 6 claims supported, 1 in part"),
        (SupportCounts(claims=2, partly=2), "0 of 2 claims supported, 2 in part"),
    ],
)
def test_the_partly_supported_are_not_counted_in(counts: SupportCounts, words: str) -> None:
    assert support_in_words(counts) == words


@pytest.mark.parametrize(
    ("url", "built_in"),
    [
        ("http://towers.example/a", True),
        ("https://towers.example/", True),
        ("https://other.example/towers.example", False),
        ("javascript://towers.example/", False),
        ("http://[towers.example", False),
    ],
)
def test_a_page_of_the_collection_is_known_by_its_host(url: str, built_in: bool) -> None:
    assert is_built_in(url, {"towers.example"}) is built_in


@pytest.mark.parametrize(
    ("authors", "year", "venue", "told"),
    [
        ((), None, "", ""),
        (("A. Turing",), 1950, "Mind", "A. Turing, Mind, 1950"),
        (("A", "B"), None, "Mind", "A and B, Mind"),
        (("A", "B", "C"), 2019, "", "A, B and C, 2019"),
        (("A", "B", "C", "D", "E"), 2019, "", "A, B and 3 others, 2019"),
    ],
)
def test_a_work_is_told_by_its_authors_venue_and_year(
    authors: tuple[str, ...], year: int | None, venue: str, told: str
) -> None:
    source = Source("p", "https://a.example/", "T", "a.example", None, "page", authors=authors, year=year, venue=venue)
    assert work_in_words(source) == told

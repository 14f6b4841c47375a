"""Copies of a text on other hosts are one source; independent reports of one event are two."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from answerable.text.copies import clusters, is_copy, page_shingles, repeats, shingles

CASE = Path(__file__).parents[1] / "data" / "cases" / "search" / "search-syndicated.json"
TEXT = "The council voted on Tuesday to open line 4 of the tram in March after two years of delay and a new budget."


def test_an_agencys_text_on_three_hosts_is_one_source() -> None:
    pages = [page["text"] for page in json.loads(CASE.read_text("utf-8"))["pages"]]
    found = clusters(pages)

    assert found[0] == [0, 1, 2]
    assert all(len(members) == 1 for members in found[1:])


def test_a_copy_may_have_a_frame_of_its_own() -> None:
    assert clusters([TEXT, f"HARBOUR (agency) - {TEXT} Read more in our paper.", TEXT.upper()]) == [[0, 1, 2]]


def test_short_texts_are_alike_by_chance_and_other_words_are_another_text() -> None:
    assert clusters(["Opening hours and prices", "Opening hours and prices"]) == [[0], [1]]
    other = "Line 4 of the tram opens in March, the mayor told us; the budget was raised twice."
    assert clusters([TEXT, other]) == [[0], [1]]
    assert clusters(["", ""]) == [[0], [1]]


def test_a_short_passage_repeats_another_though_it_is_no_copy_of_a_page() -> None:
    one, other = shingles(["opening", "hours"]), shingles(["opening", "hours"])

    assert repeats(one, other)
    assert not is_copy(one, other)


@given(st.lists(st.text(max_size=60) | st.just(TEXT) | st.just(TEXT[:60]), max_size=8))
def test_every_text_is_in_one_cluster(texts: list[str]) -> None:
    found = clusters(texts)

    assert sorted(position for members in found for position in members) == list(range(len(texts)))
    assert [members[0] for members in found] == sorted(members[0] for members in found)


@given(st.text(max_size=200), st.text(max_size=200))
def test_being_a_copy_is_mutual(one: str, other: str) -> None:
    assert is_copy(page_shingles(one), page_shingles(other)) == is_copy(page_shingles(other), page_shingles(one))

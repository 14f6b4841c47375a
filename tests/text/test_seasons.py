"""The months that a text speaks of."""

from __future__ import annotations

import pytest

from answerable.text.seasons import in_season, months_in


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("April to October", set(range(4, 11))),
        ("November–March", {11, 12, 1, 2, 3}),
        ("1 Nov to 31 March", {11, 12, 1, 2, 3}),
        ("from 15 May until 14 September", {5, 6, 7, 8, 9}),
        ("Last ride uphill, Feb to Apr", {2, 3, 4}),
        ("Dec and Jan", {12, 1}),
        ("in winter", {12, 1, 2}),
        ("vom 1. Mai bis zum 30. September", {5, 6, 7, 8, 9}),
        ("open all year round", set(range(1, 13))),
        ("when is it open in march", {3}),
        ("they march on; it may rain and the leaves fall", set()),
        ("You may park here", set()),
        ("May", {5}),
        ("Monday to Friday", set()),
    ],
)
def test_months_are_told(text: str, months: set[int]) -> None:
    assert months_in(text) == months


def test_a_season_is_held_by_a_span_with_most_of_its_months() -> None:
    winter, summer = months_in("in winter"), months_in("in summer")

    assert in_season(winter, months_in("November to March")) is True
    assert in_season(winter, months_in("April to October")) is False
    assert in_season(summer, months_in("June to September")) is True
    assert in_season(summer, months_in("Monday")) is None
    assert in_season(frozenset(), winter) is None

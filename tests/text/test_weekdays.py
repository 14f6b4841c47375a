"""The days of the week that a text speaks of."""

from __future__ import annotations

import pytest

from answerable.text.weekdays import weekdays_in


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Monday to Friday", {0, 1, 2, 3, 4}),
        ("Mon–Wed, Sat", {0, 1, 2, 5}),
        ("Friday to Sunday", {4, 5, 6}),
        ("Saturday to Monday", {5, 6, 0}),
        ("Sundays and bank holidays", {6}),
        ("on weekdays", {0, 1, 2, 3, 4}),
        ("dienstags und donnerstags", {1, 3}),
        ("du mardi au jeudi", {1, 2, 3}),
        ("los sábados", {5}),
        ("am Wochenende", {5, 6}),
        ("daily", set(range(7))),
        ("they sat in the sun", set()),
        ("in March", set()),
    ],
)
def test_days_are_told(text: str, days: set[int]) -> None:
    assert weekdays_in(text) == days

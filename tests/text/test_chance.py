from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.text.chance import beyond_chance, covered_by

RARITIES = [0.9, 0.8, 0.4]


def figures(held: list[list[bool]], window: range = range(1), size: int = 6) -> dict[str, float]:
    return beyond_chance(held, RARITIES, [size] * len(held), window)


def test_the_same_share_says_less_the_more_sentences_it_was_the_best_of() -> None:
    half, none = [True, False, True], [False, False, False]

    short, long = figures([half]), figures([half, *[none] * 99])

    assert long["gain_anywhere_1"] < short["gain_anywhere_1"]
    assert long["score_anywhere_3"] < short["score_anywhere_3"]


def test_words_that_stand_everywhere_on_a_page_say_less_than_words_of_one_sentence() -> None:
    everywhere = figures([[True, True, True]] * 20)
    once = figures([[True, True, True], *[[False, False, False]] * 19])

    assert once["gain_here_1"] > everywhere["gain_here_1"]
    assert once["before_second_1"] == pytest.approx(1.0)
    assert everywhere["before_second_1"] == pytest.approx(0.0)


def test_rare_words_together_are_told_from_rare_words_apart() -> None:
    together = figures([[True, True, False], [False, False, False], [False, False, True]])
    apart = beyond_chance([[True, False], [False, False], [False, False], [False, True]], [0.9, 0.9], [4] * 4, range(1))

    assert together["rare_in_window"] == 1.0
    assert apart["rare_in_window"] == 0.5


def test_a_quote_full_of_other_things_is_less_precise() -> None:
    assert figures([[True] * 3], size=3)["window_precision"] > figures([[True] * 3], size=30)["window_precision"]


def test_a_claim_without_words_and_a_text_without_sentences_have_figures_too() -> None:
    empty = beyond_chance([], RARITIES, [], range(0))

    assert empty.keys() == beyond_chance([[], []], [], [3, 3], range(0)).keys() == figures([[True] * 3]).keys()


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=12), st.data())
def test_every_figure_is_a_number_whatever_the_window(held: list[list[bool]], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(held)))
    window = range(first, data.draw(st.integers(first, len(held))))

    found = beyond_chance(held, RARITIES, [5] * len(held), window)

    assert all(abs(value) < 1_000 for value in found.values())


def test_runs_of_sentences_hold_what_their_sentences_hold() -> None:
    table = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]], bool)

    assert covered_by(table, 3).astype(int).tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 1]]
    assert covered_by(table[:1], 3).astype(int).tolist() == [[1, 0, 0]]

"""BM25 in memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.bm25 import BM25

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    index = BM25([["tower", "tall"], ["tower", "old"], ["tower", "red"]])

    assert index.scores(["tall"])[0] > index.scores(["tower"])[0] > 0


def test_repeats_count_less_and_less() -> None:
    once, twice, thrice = BM25([["a", "x", "x"], ["a", "a", "x"], ["a", "a", "a"]]).scores(["a"])

    assert twice > once
    assert twice - once > thrice - twice > 0


def test_the_shorter_of_two_texts_with_the_word_is_first() -> None:
    short, long = BM25([["a", "b"], ["a", *"bcdefgh"]]).scores(["a"])

    assert short > long


@pytest.mark.parametrize(("texts", "query"), [([], ["a"]), ([["a"]], []), ([[], []], ["a"])])
def test_nothing_asked_or_nothing_held_scores_zero(texts: list[list[str]], query: list[str]) -> None:
    assert BM25(texts).scores(query).tolist() == [0.0] * len(texts)


@given(texts=st.lists(WORDS, min_size=1, max_size=8), query=WORDS)
def test_scores_are_finite_and_positive_exactly_where_a_word_is_held(texts: list[list[str]], query: list[str]) -> None:
    scores = BM25(texts).scores(query)

    assert np.isfinite(scores).all()
    assert [score > 0 for score in scores] == [bool(set(text) & set(query)) for text in texts]


@given(texts=st.lists(WORDS, min_size=1, max_size=8), query=WORDS, seed=st.randoms())
def test_scores_do_not_depend_on_the_order_of_the_texts(texts: list[list[str]], query: list[str], seed) -> None:
    order = list(range(len(texts)))
    seed.shuffle(order)

    assert BM25([texts[i] for i in order]).scores(query) == pytest.approx(BM25(texts).scores(query)[order])

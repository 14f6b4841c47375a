"""The names above a block and its own words, as signs, and what signs are worth."""

from __future__ import annotations

import pytest

from answerable.providers.reading.htmltree import parse_html
from answerable.providers.reading.vocabulary import Vocabulary, name_signs, word_signs
from answerable.providers.reading.walker import Raw, walk


def blocks_of(html: str) -> list[Raw]:
    tree = parse_html(html)
    assert tree is not None
    return walk(tree)


def test_a_block_is_worth_the_sum_of_the_signs_that_are_known() -> None:
    vocabulary = Vocabulary({"says tide": 1.5, "under related": -2.0}, -0.25)
    signs = [frozenset({"says tide", "under related"}), frozenset({"says tide", "says moon"}), frozenset[str]()]

    assert vocabulary.worth(signs).tolist() == pytest.approx([-0.75, 1.25, -0.25])
    assert vocabulary.worth([]).tolist() == []


def test_names_are_told_apart_by_how_far_above_they_stand() -> None:
    inner = '<div class="postBody"><div><div><p id=lead>The sea rises.</p></div></div></div>'
    (signs,) = name_signs(blocks_of(f"<html><body><div class=side-rail role=note><div><div>{inner}</div></div></div>"))

    assert {"own lead", "own <p>", "over post", "over body", "ever side", "ever rail", "ever note"} <= signs
    assert not {"own post", "near post", "over side", "near rail"} & signs


def test_words_are_told_apart_by_where_they_stand() -> None:
    blocks = blocks_of("<body><h2>Related posts</h2><p>Tide tables for 2024</p>")
    heading, text = word_signs(blocks, [["related", "posts"], ["tide", "tables", "for", "2024"]], [-1, 0])

    assert {"kind heading", "says related posts", "short related"} <= heading
    assert {"kind paragraph", "says tide", "says tide tables", "says #", "under related", "short for"} <= text
    assert "under related" not in heading
    assert "says related" not in text


def test_a_page_of_ever_new_names_costs_what_its_elements_cost() -> None:
    letters = str.maketrans("0123456789", "abcdefghij")
    words = [f"w{i}".translate(letters) for i in range(1600)]
    deep = "".join(f"<div class='{' '.join(words[i : i + 8])}'>" for i in range(0, 1600, 8))
    (signs,) = name_signs(blocks_of(f"<body>{deep}The sea rises."))

    assert 300 < len(signs) < 500

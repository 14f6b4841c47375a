"""What a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.asking import Bag, lists_keywords, terms_of


def words(question: str, language: str = "en") -> list[str]:
    return [term.word for term in terms_of(question, language) if term.specific]


@pytest.mark.parametrize(
    ("question", "language", "left"),
    [
        ("How tall is the Eiffel Tower?", "en", ["eiffel", "tower"]),
        ("In which journal was the double helix published?", "en", ["double", "helix", "published"]),
        ("Quelle est la hauteur du viaduc de Millau ?", "fr", ["viaduc", "millau"]),
        ("长江有多长？", "zh", ["长江"]),
        ("富士山は何メートルですか。", "ja", ["富士山"]),
    ],
)
def test_words_that_only_ask_are_left_out(question: str, language: str, left: list[str]) -> None:
    assert words(question, language) == left


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("Who won the cup?", "They win every cup.", "en"),
        ("Who wrote the painter's letters?", "Letters that painters write.", "en"),
        ("How much are five tickets?", "5 tickets cost 10 euros", "en"),
        ("埃菲尔铁塔是什么时候建成的？", "埃菲尔铁塔于1889年建成", "zh"),
    ],
)
def test_a_word_is_held_in_its_other_forms(question: str, text: str, language: str) -> None:
    bag = Bag.of(text, language)

    assert all(term.held(bag) > 0.5 for term in terms_of(question, language))


def test_names_are_told_from_other_words() -> None:
    named = {term.word for term in terms_of("When did Velden United win 3 cups?", "en") if term.name}

    assert named == {"velden", "united", "3"}


@given(st.text(max_size=80), st.sampled_from(["en", "de", "zh", "ja", "hi", "xx"]))
def test_any_question_holds_its_own_words(question: str, language: str) -> None:
    bag = Bag.of(question, language)
    shares = [term.held(bag) for term in terms_of(question, language)]

    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize(
    ("question", "is_list"),
    [
        ("ferry resolver nameserver TCP mode queries per connection", True),
        ("tide scale filter width height range default", True),
        ("depth of lake ansel", False),  # short: it can be read as a question
        ("how deep is lake ansel at its lowest point", False),
        ("tell me about the lamps that were put on the north quay", False),
        ("which harbour lamp range nautical miles", False),
        ("Second prize main competition lantern festival?", False),
    ],
)
def test_a_row_of_words_for_a_search_is_no_question(question: str, is_list: bool) -> None:
    assert lists_keywords(question, "en") == is_list

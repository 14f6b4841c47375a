"""Which questions are answered by telling."""

from __future__ import annotations

import pytest

from answerable.text.explaining import always_explains, asks_to_explain


@pytest.mark.parametrize(
    "question",
    [
        "why is the sky blue",
        "my bin was not emptied, what do I do",
        "a drum of chips has got warm, what should i do?",
        "Hollow Tides makes me feel sick how do i stop the rocking",
        "what made Ilka Sennet invent the language",
        "what's wrong with the batteries of the S5",
        "what can you do against moss",
        "whats the difference between RoamPass and RoamPass Local",
        "warum ist der Himmel blau",
    ],
)
def test_a_reason_a_way_or_a_difference_is_told(question: str) -> None:
    assert asks_to_explain(question)


@pytest.mark.parametrize(
    "question",
    [
        "why do web sockets drop after 55 seconds at Cribhouse",
        "how does the daily cap work when i pay by bank card",
        "what is the difference between withdrawing and removing a version",
        "where does the Marrow Line get its name from",
        "where does the name bell-goat come from",
    ],
)
def test_words_that_seem_to_ask_for_a_number_or_a_place_change_nothing(question: str) -> None:
    assert always_explains(question)


@pytest.mark.parametrize(
    "question",
    [
        "how tall is the tower",
        "how many people live in Obersorne",
        "when was the first hotel opened",
        "where does the train to Vesk stop",
        "how long does the Owl stand still",
        "what does it cost to leave a tyre at the yard",
    ],
)
def test_a_fact_is_named(question: str) -> None:
    assert not always_explains(question)


def test_a_number_of_things_is_no_way_of_doing() -> None:
    assert not asks_to_explain("how many people live in Obersorne")
    assert not asks_to_explain("how much is the ticket")

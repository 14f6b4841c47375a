"""What is a claim, and what only asks, leads on, or speaks about the sources."""

from __future__ import annotations

import pytest

from answerable.text.claims import states_fact


@pytest.mark.parametrize(
    "text",
    [
        "The Eiffel Tower is 330 metres tall.",
        "Sources of funding were mixed and mostly private.",
        "Die Quellen der Donau liegen im Schwarzwald bei Donaueschingen.",
        "The passage between the islands is 12 km wide.",
        "该水库于1998年蓄水。",
        "海鳴橋は1931年に完成した。",
    ],
)
def test_a_statement_is_a_claim(text: str) -> None:
    assert states_fact(text)


@pytest.mark.parametrize(
    "text",
    [
        "Yes.",
        "はい。",
        "It is.",
        "Is the Eiffel Tower really 330 metres tall?",
        "塔の高さは何メートルですか？",
        "The repair kit contains these things:",
        "The sources do not say when the tower was painted.",
        "The provided sources don't mention its opening hours.",
        "None of the sources gives the height of the tower.",
        "The opening hours are not mentioned in the sources provided.",
        "I could not find the height of the tower.",
        "The sources disagree about the height of the tower.",
        "Die Quellen nennen die Höhe des Turms nicht.",
        "Les sources ne précisent pas la hauteur de la tour.",
        "资料中没有提到塔的高度。",
        "",
    ],
)
def test_questions_stems_short_remarks_and_words_about_the_sources_are_no_claims(text: str) -> None:
    assert not states_fact(text)


def test_what_the_writer_cited_needs_fewer_words() -> None:
    assert states_fact("The city paid half.", cited=True)
    assert not states_fact("The city paid half.")
    assert not states_fact("Yes.", cited=True)


def test_a_cited_statement_about_evidence_in_the_world_is_a_claim() -> None:
    text = "The available evidence does not support a link between the two."

    assert states_fact(text, cited=True)
    assert not states_fact(text)


def test_an_item_counts_the_words_of_its_stem() -> None:
    assert states_fact("a foot pump", context="The repair kit contains")
    assert not states_fact("a foot pump")

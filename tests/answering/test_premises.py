"""Questions that rest on something false, or on the future."""

from __future__ import annotations

import pytest

from answerable.answering.premises import denial, unforeseen
from answerable.text.asking import terms_of


def denied(question: str, *texts: str) -> str:
    return denial(question, "en", terms_of(question, "en"), texts)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("In what year did Velden United win the National Cup?", "No club of Velden has ever won the National Cup."),
        ("Why is honey safe for babies?", "Do not give honey to a baby before the age of 12 months."),
        ("Who bought the Ardle Mill?", "The Ardle Mill was never bought."),
    ],
)
def test_a_denial_is_seen(question: str, text: str) -> None:
    assert denied(question, text) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Did the Ardle Bridge collapse?", "The Ardle Bridge has not collapsed."),
        ("How many moons does Venus have?", "Venus has no moons."),
        ("When did the Ardle Bridge not open?", "The Ardle Bridge did not open."),
        ("When did the Ardle Bridge open?", "The Ardle Bridge did not open until 3 May 1931."),
        ("When did the Ardle Bridge open?", "The mill does not grind."),
    ],
)
def test_a_denial_that_answers_or_speaks_of_something_else_is_none(question: str, text: str) -> None:
    assert denied(question, text) == ""


def test_a_source_that_affirms_outweighs_a_denial() -> None:
    texts = ("The Ardle Bridge has not collapsed.", "The Ardle Bridge collapsed on 3 May 2024.")

    assert denied("When did the Ardle Bridge collapse?", *texts) == ""


def test_only_a_question_far_ahead_needs_a_forecast() -> None:
    rate = ["The account pays 2 per cent."]

    assert unforeseen("What will the account pay in five years?", rate)
    assert not unforeseen("What will the account pay in five years?", ["It is expected to pay 3 per cent."])
    assert unforeseen("What will the account pay in five years?", ["We do not forecast rates."])
    assert not unforeseen("When will the new bridge open?", ["The bridge opens on 3 May."])
    assert not unforeseen("How many goals did they score in two years?", ["They scored 40 goals."])

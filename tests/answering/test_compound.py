"""The parts of a question, each as a question of its own."""

from __future__ import annotations

import pytest

from answerable.answering.compound import asked_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "When was Ladle Bridge opened and what did it cost?",
            ("When was Ladle Bridge opened", "what did Ladle Bridge cost?"),
        ),
        (
            "who wrote Slag and Sugar and who put it on stage",
            ("who wrote Slag and Sugar", "who put Slag and Sugar on stage"),
        ),
        (
            "when did the second opera house open and who was its architect",
            ("when did the second opera house open", "who was the second opera house’s architect"),
        ),
        (
            "where is the Grand Hotel and how many rooms does it have and who owns it",
            ("where is the Grand Hotel", "how many rooms does the Grand Hotel have", "who owns the Grand Hotel"),
        ),
        ("How long is the Rhine?", ("How long is the Rhine?",)),
        ("Who sang and danced in Slag and Sugar?", ("Who sang and danced in Slag and Sugar?",)),
    ],
)
def test_what_a_later_part_points_to_is_named_by_the_first(question: str, parts: tuple[str, ...]) -> None:
    assert asked_parts(question) == parts

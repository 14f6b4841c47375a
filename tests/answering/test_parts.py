"""The things that a comparison names, and what it asks of each."""

from __future__ import annotations

import pytest

from answerable.answering.parts import compared, names_of, of_side
from answerable.answering.selecting import parts_of
from answerable.types import Plan


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Which was climbed first, Arvel Top or Mount Orrin, and in which years?", ("Arvel Top", "Mount Orrin")),
        ("Which weighs less, the Dry 12 or the Dry 20, and what's the difference?", ("the Dry 12", "the Dry 20")),
        (
            "Is the tunnel through Sarn longer than the one through Vale, and how long is each?",
            ("the tunnel through Sarn", "the tunnel through Vale"),
        ),
        (
            "How many years lie between the opening of the Elsa Bridge and that of the Orrin Bridge?",
            ("the opening of the Elsa Bridge", "the opening of the Orrin Bridge"),
        ),
        ("Who built the Elsa Bridge, and when did it open?", ()),
        ("Where can I eat or drink, and when?", ()),
    ],
)
def test_a_comparison_names_its_things_whatever_is_asked_besides(question: str, sides: tuple[str, ...]) -> None:
    assert compared(question) == sides


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which was climbed first, Arvel Top or Mount Orrin, and in which years?", "When was Arvel Top first climbed?"),
        ("Which opened first, Arvel Top or Mount Orrin?", "When was Arvel Top first opened?"),
        ("How many years lie between Arvel Top and Mount Orrin?", "When was Arvel Top?"),
        ("Which has more iron per cup, Arvel Top or Mount Orrin?", "How much iron per cup has Arvel Top?"),
        ("Which weighs less, Arvel Top or Mount Orrin?", "How much does Arvel Top weigh?"),
        ("Is Arvel Top higher than Mount Orrin?", "How high is Arvel Top?"),
        ("What is the difference between Arvel Top and Mount Orrin?", ""),
    ],
)
def test_what_is_asked_of_each_thing_is_a_question_of_its_own(question: str, asked: str) -> None:
    assert of_side(question, "Arvel Top") == asked


def test_each_thing_gets_a_part_of_its_own() -> None:
    question = "Is the tunnel through Sarn longer than the one through Vale, and how long is each?"

    assert parts_of(Plan(question, (question,))) == (
        ("How long is the tunnel through Sarn?", "the tunnel through Sarn"),
        ("How long is the tunnel through Vale?", "the tunnel through Vale"),
    )


def test_a_thing_is_told_by_its_names_and_figures_where_it_has_any() -> None:
    assert names_of("the waterway through Sarn 2") == "Sarn 2"
    assert names_of("raw peanuts") == "raw peanuts"

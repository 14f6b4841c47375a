"""What a question asks for is told by its words, in the languages we know."""

from __future__ import annotations

import pytest

from answerable.text.answertypes import asked_for, holds, measures


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How tall is it?", ("number",)),
        ("Who built it, and when?", ("date", "person")),
        ("Wie hoch ist der Turm?", ("number",)),
        ("Quand le pont a-t-il ouvert ?", ("date",)),
        ("¿Dónde está el museo?", ("place",)),
        ("埃菲尔铁塔有多高？", ("number",)),
        ("なぜ空は青いのですか", ("reason",)),
        ("What is a lock?", ("definition",)),
        ("What is the elevation of the pass?", ("number",)),
        ("Is it open?", ("yes_no",)),
        ("Tell me more.", ()),
    ],
)
def test_the_words_of_a_question_tell_what_it_asks_for(question: str, kinds: tuple[str, ...]) -> None:
    assert asked_for(question) == kinds


@pytest.mark.parametrize(
    ("sentence", "kind", "held"),
    [
        ("It is 330 metres tall.", "number", True),
        ("It opened in 1889.", "number", False),
        ("It opened in 1889.", "date", True),
        ("The boat leaves at 17:30.", "date", True),
        ("It was designed by Stephen Sauvestre.", "person", True),
        ("It was designed by many.", "person", False),
        ("It stands in Paris.", "place", True),
        ("It rusts because it is iron.", "reason", True),
    ],
)
def test_a_sentence_holds_such_an_answer_or_not(sentence: str, kind: str, held: bool) -> None:
    assert holds(sentence, kind) is held  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "fits", "other"),
    [
        ("How many feathers has it?", "It has 16 feathers.", "It weighs 5 grams."),
        ("How tall is it?", "It is 330 metres tall.", "It cost 8 million euros."),
        ("How much does it cost?", "It is 3.50 euros.", "It is 3 metres."),
        ("How many months does it last?", "It lasts six months.", "It lasts long."),
    ],
)
def test_a_figure_must_stand_with_its_measure(question: str, fits: str, other: str) -> None:
    measure = measures(question)

    assert measure is not None
    assert measure.search(fits)
    assert not measure.search(other)


def test_a_span_between_two_things_is_no_figure_of_a_sentence() -> None:
    assert measures("How many years lie between the two openings?") is None


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How old was Ada Orra when she died?", "Ada Orra, who has died aged 91, carved heads."),
        ("How old is she?", "She is 91 years old."),
        ("How old is he?", "Reto Brand, 47, has led it since October."),
        ("How old is he?", "Its head is Reto Brand (47)."),
        ("Wie alt wurde er?", "Er starb im Alter von 91 Jahren."),
        ("How big is Lake Orra?", "It has a surface of 41 km²."),
        ("How big is Lake Orra?", "It covers 16 square miles."),
        ("How big is Pell?", "Pell is 940 kilometres across."),
    ],
)
def test_an_age_and_a_size_are_measured(question: str, told: str) -> None:
    measure = measures(question)
    assert measure is not None
    assert measure.search(told)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How old was Ada Orra?", "For eleven years she was a weaver."),
        ("How big is Lake Orra?", "It lies nine kilometres north of Pell."),
    ],
)
def test_another_measure_is_no_age_and_no_size(question: str, told: str) -> None:
    measure = measures(question)
    assert measure is not None
    assert not measure.search(told)


def test_a_day_to_come_is_a_date() -> None:
    assert holds("The doors open on the first Saturday of next month.", "date")
    assert holds("It is to open in early spring.", "date")
    assert not holds("It is the first shop of the town.", "date")

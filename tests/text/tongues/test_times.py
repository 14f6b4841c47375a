"""Which time is asked for, and what tells it."""

from __future__ import annotations

import pytest

from answerable.text.answertypes import asked_for, holds
from answerable.text.tongues.times import asks_the_end, tells_a_span, tells_time, time_asked


@pytest.mark.parametrize(
    ("language", "question", "time"),
    [
        ("de", "Um wie viel Uhr beginnt das Konzert?", "clock"),
        ("fr", "La piscine ferme à quelle heure ?", "clock"),
        ("es", "¿Qué día es el mercado?", "day"),
        ("nl", "Welke dag is de markt?", "day"),
        ("de", "Wann hat die Bücherei auf?", "hours"),
        ("it", "Quando apre il museo?", "hours"),
        ("de", "Wann wurde das Museum geöffnet?", ""),
        ("fr", "Quand le pont a-t-il ouvert ?", ""),
        ("en", "When does the museum open?", ""),
    ],
)
def test_the_clock_a_day_or_opening_hours_are_asked_for(language: str, question: str, time: str) -> None:
    assert time_asked(question, language) == time


def test_a_year_tells_no_hours_and_a_weekday_no_clock() -> None:
    assert not tells_time("Das Museum wurde 1962 gegründet.", "hours")
    assert tells_time("Samstag: 8 bis 13 Uhr", "hours")
    assert not tells_time("Fermée le dimanche", "clock")
    assert tells_time("Samedi : 9 h - 17 h 30", "clock")
    assert tells_time("Lunes cerrado", "day")


def test_until_when_is_answered_by_a_span() -> None:
    assert asks_the_end("Bis wann ist es offen?")
    assert not asks_the_end("Wann ist es offen?")
    assert tells_a_span("täglich von 9 bis 20 Uhr")
    assert not tells_a_span("ab 6:30 Uhr")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("C'est quel jour le marché ?", "Le marché se tient le jeudi matin."),
        ("Wann ist der Markt?", "Der Markt ist samstags von 7 bis 13 Uhr."),
        ("В какие дни открыт музей?", "Понедельник и воскресенье – выходные дни."),
        ("बाज़ार किस दिन लगता है?", "बाज़ार शुक्रवार को लगता है।"),
    ],
)
def test_a_day_is_a_date_for_who_asks_when(question: str, text: str) -> None:
    assert "date" in asked_for(question)
    assert holds(text, "date")


def test_where_a_name_comes_from_asks_for_a_reason() -> None:
    assert asked_for("D'où vient le nom du pont ?") == ("reason",)
    assert holds("Son nom vient du brouillard.", "reason")
    assert asked_for("D'où vient le train ?") == ("place",)

"""The age a question is about, and the ages a price is for."""

from __future__ import annotations

import pytest

from answerable.text.tongues.ages import age_asked, age_fits


@pytest.mark.parametrize(
    ("question", "age"),
    [
        ("Was kostet es für ein zehnjähriges Kind?", 10),
        ("Combien pour un enfant de 8 ans ?", 8),
        ("¿Cuánto paga un niño de diez años?", 10),
        ("Quanto paga un bambino di 7 anni?", 7),
        ("Quanto paga uma criança de 5 anos?", 5),
        ("Wat kost het voor een twaalfjarige?", 12),
        ("Сколько стоит билет для ребёнка 9 лет?", 9),
        ("10 साल के बच्चे का टिकट कितने का है?", 10),
        ("¿Cuántos años duró la guerra?", None),
        ("Wie lange dauert der Kurs?", None),
    ],
)
def test_the_age_of_a_person_is_read(question: str, age: int | None) -> None:
    assert age_asked(question) == age


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Kinder und Jugendliche von 6 bis 17 Jahren | 2,20 Euro", True),
        ("Jugendliche (11–16 Jahre)", False),
        ("Kinder unter zwölf Jahren", True),
        ("de 4 à 15 ans", True),
        ("moins de 4 ans", False),
        ("menores de 6 años", False),
        ("ragazzi fino a 14 anni", True),
        ("crianças dos 5 aos 11 anos", True),
        ("kinderen van 4 t/m 12 jaar", True),
        ("65 jaar en ouder", False),
        ("для детей до 14 лет", True),
        ("5 से 12 साल के बच्चे", True),
        ("von 9 bis 20 Uhr", None),
        ("Erwachsene | 4 Euro", None),
    ],
)
def test_a_span_of_ages_holds_the_age_or_not(text: str, fits: bool | None) -> None:
    assert age_fits(text, 10) is fits

"""Numbers with their formats, units and scales."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.numbers import quantities, unmatched


def holds(claim: str, source: str) -> bool:
    return not [found for found in unmatched(quantities(claim), quantities(source)) if found.stated.hard]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("16,181 users", "16.181 users"),
        ("2.5%", "2,5 %"),
        ("1,500,000", "1 500 000"),
        ("1'500", "1500"),
        ("1234.5", "1.234,5"),
        ("1931年", "１９３１年"),
        ("123", "١٢٣"),
        ("$1,500 million", "$1.5 billion"),
        ("$50k", "50,000 dollars"),
        ("4.2亿", "420,000,000"),
        ("3 million", "3 Millionen"),
        ("about 7.5 miles", "12 km"),
        ("12 kilometres", "a 12-km trail"),
        ("93 °C", "93 degrees Celsius"),
        ("199.4 °F", "93 °C"),
        ("9-3", "9–3"),
        ("9-3", "9 to 3"),
        ("sixty tonnes", "60 tonnes"),
        ("every 7 years", "every seven years"),
        ("twenty-five", "25"),
        ("2½ km", "2.5 km"),
        ("3 May 2020", "2020-05-03"),
        ("5 October", "05.10.2021"),
        ("about 330 m", "329.6 m"),
        ("1.5 billion", "1,478,000,000"),
        ("half past 9:30", "9:30"),
        ("two of them", "nothing of the kind"),  # a writer's own count
        ("410m", "４１０ｍである"),
        ("-5 °C", "−5 °C"),
    ],
)
def test_the_same_number_in_another_dress_holds(claim: str, source: str) -> None:
    assert holds(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("300 metres", "330 metres"),
        ("16 users", "16.181 users"),
        ("25%", "2,5 %"),
        ("$5 million", "$50 million"),
        ("$50 billion", "$50 million"),
        ("$150 million", "$1.5 billion"),
        ("12 miles", "12 km"),
        ("600 feet", "600 m"),
        ("93 °F", "93 °C"),
        ("5%", "5 km"),
        ("3-9", "9-3"),
        ("2022", "2023"),
        ("1951年", "1931年"),
        ("seven years", "five years"),
        ("March 2020", "May 2020"),
        ("1", "1,000"),
        ("2.5", "2,500"),
        ("9:30", "10:30"),
        ("5 °C", "-5 °C"),
    ],
)
def test_another_number_does_not(claim: str, source: str) -> None:
    assert not holds(claim, source)


def test_the_reason_names_both_sides() -> None:
    (mismatch,) = unmatched(quantities("It is 300 m tall"), quantities("It is 330 m tall and opened in 1889"))

    assert mismatch.reason == "the source says 330 m, the claim says 300 m"


@given(st.text())
def test_a_text_holds_its_own_numbers(text: str) -> None:
    assert holds(text, text)


@given(st.integers(0, 10**12))
def test_grouping_never_changes_a_number(value: int) -> None:
    assert holds(f"{value:,} people", f"{value} people")
    assert holds(f"{value} people", f"{value:,} people".replace(",", "\u202f"))

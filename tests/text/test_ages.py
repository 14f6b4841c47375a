"""Ages as providers write them, in many languages, and relative days in a dated text."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.ages import provider_date
from answerable.text.dates import parse_date
from answerable.text.relative import relative_dates

CASES = Path(__file__).parents[1] / "data" / "cases"
NOW = datetime(2031, 2, 3, 10, 0, tzinfo=UTC)


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    rows = map(json.loads, (CASES / "cases-search.jsonl").read_text("utf-8").splitlines())
    row = next(row for row in rows if row["id"] == name)
    return json.loads((CASES / row["file"]).read_text("utf-8")), row["expected"]


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("3 hours ago", 3),
        ("3 hrs. ago", 3),
        ("vor 2 Tagen", 48),
        ("il y a 3 jours", 72),
        ("hace 5 días", 120),
        ("un'ora fa", 1),
        ("för 3 timmar sedan", 3),
        ("for 2 dager siden", 48),
        ("2 tuntia sitten", 2),
        ("2 dni temu", 48),
        ("před 3 dny", 72),
        ("3 gün önce", 72),
        ("2 ngày trước", 48),
        ("قبل ساعتين", 2),
        ("منذ 3 أيام", 72),
        ("3 दिन पहले", 72),
        ("3 hari yang lalu", 72),
        ("πριν από 2 ώρες", 2),
        ("昨天", 24),
        ("2시간 전", 2),
        ("igår", 24),
        ("wczoraj", 24),
        ("1.5 hours ago", 1.5),
        ("half an hour ago", 0.5),
        ("Published 3 days ago", 72),
        ("Updated: 2 hours ago", 2),
        ("2 days ago - Reuters", 48),
        ("3 hours ago · BBC", 3),
    ],
)
def test_an_age_is_understood_in_the_providers_language(text: str, hours: float) -> None:
    assert provider_date(text, NOW) == NOW - timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Nov 20", "2030-11-20"),
        ("20. Januar", "2031-01-20"),
        ("11月20日", "2030-11-20"),
        ("29 Feb", "2028-02-29"),
        ("Feb 4", "2031-02-04"),
        ("20 November 2026 at 10:30", "2026-11-20"),
        ("Nov 20, 2026 — The tower", "2026-11-20"),
    ],
)
def test_a_day_without_a_year_is_its_last_occurrence(text: str, day: str) -> None:
    found = provider_date(text, NOW)
    assert found is not None
    assert found.date().isoformat() == day


@pytest.mark.parametrize("value", ["in 3 hours", "-3 hours ago", "30 Feb", "soon", "Reuters", "", None, True, "· ·"])
def test_what_is_no_age_stays_unknown(value: object) -> None:
    assert provider_date(value, NOW) is None


@given(st.text(max_size=60))
def test_no_text_breaks_it_and_what_is_known_stays_known(text: str) -> None:
    found = provider_date(text, NOW)
    assert found is None or found.tzinfo is not None
    known = parse_date(text, NOW)
    if known is not None and known <= NOW:
        assert found == known


@pytest.mark.parametrize("value", ["2099-01-01", "Feb 6, 2031", 4_000_000_000])
def test_a_page_that_was_found_is_not_from_the_future(value: object) -> None:
    assert provider_date(value, NOW) is None
    assert provider_date("Feb 5, 2031", NOW) is not None, "it may be tomorrow elsewhere"


def test_the_readers_clock_says_what_yesterday_was() -> None:
    there = datetime.fromisoformat("2031-02-03T00:30:00+13:00")
    found = provider_date("yesterday", there)
    assert found is not None
    assert found.date().isoformat() == "2031-02-02"


def test_relative_words_are_counted_from_the_day_of_the_page() -> None:
    given_, expected = case("fresh-relative-in-page")
    written = datetime.fromisoformat(given_["published"])
    for words, wanted in zip(given_["items"], expected["dates"], strict=True):
        assert [one.meaning for one in relative_dates(f"It was {words}.", written)] == [wanted]
    found = relative_dates(given_["text"], written)
    assert [given_["text"][one.start : one.end] for one in found] == ["yesterday", "last Friday", "next Tuesday"]


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("Hier begann es, gestern.", []),
        ("three months ago and a year earlier", ["2023-12", "2023"]),
        ("last month, next year", ["2024-02", "2025"]),
        ("next Sunday, last Sunday", ["2024-03-17", "2024-03-03"]),
        ("in two weeks, they said", ["2024-03-24"]),
        ("It opens in 3 days of work", []),
        ("on Friday", []),
        ("yesterdays and the-day-before", []),
        ("999 years ago", ["1025"]),
    ],
)
def test_only_what_is_sure_is_given_a_date(text: str, meanings: list[str]) -> None:
    assert [one.meaning for one in relative_dates(text, datetime(2024, 3, 10, tzinfo=UTC))] == meanings


@pytest.mark.parametrize(
    ("language", "text", "meanings"),
    [
        ("de", "Gestern begann es hier, morgen früh endet es.", ["2024-03-09"]),
        ("fr", "Hier, la grève a commencé ; elle finit après-demain.", ["2024-03-09", "2024-03-12"]),
        ("es-MX", "Ayer empezó la huelga.", ["2024-03-09"]),
        ("ja", "yesterday 昨日", []),
    ],
)
def test_a_word_means_what_it_means_in_its_language(language: str, text: str, meanings: list[str]) -> None:
    assert [one.meaning for one in relative_dates(text, datetime(2024, 3, 10, tzinfo=UTC), language)] == meanings


@given(st.text(max_size=80), st.datetimes(), st.sampled_from(["en", "de", "fr", "es", "xx", ""]))
def test_any_text_of_any_day_can_be_read(text: str, written: datetime, language: str) -> None:
    for one in relative_dates(text, written, language):
        assert text[one.start : one.end] == one.words

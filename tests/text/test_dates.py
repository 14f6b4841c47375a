"""Dates as pages and search providers write them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.dates import parse_age, parse_date

CASES = Path(__file__).parents[1] / "data" / "cases"
NOW = datetime(2031, 2, 3, 10, 0, tzinfo=UTC)
moments = st.datetimes(datetime(1980, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)).map(
    lambda m: m.replace(microsecond=0)
)


def case(name: str) -> tuple[dict[str, object], dict[str, object]]:
    lines = (CASES / "cases-search.jsonl").read_text("utf-8").splitlines()
    row = next(row for row in map(json.loads, lines) if row["id"] == name)
    return json.loads((CASES / row["file"]).read_text("utf-8")), row["expected"]


def test_ages_are_read_as_providers_write_them() -> None:
    given_, expected = case("fresh-age-strings")
    now = datetime.fromisoformat(str(given_["now"]))
    for text, wanted in zip(given_["values"], expected["dates"], strict=True):
        found = parse_date(text, now)
        if wanted is None:
            assert found is None
        else:
            assert found is not None, text
            day = datetime.fromisoformat(wanted).replace(tzinfo=UTC).date()
            assert abs((found.astimezone(UTC).date() - day).days) <= expected["tolerance_days"], text


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("3 hours ago", timedelta(hours=3)),
        ("3h", timedelta(hours=3)),
        ("an hour ago", timedelta(hours=1)),
        ("45 min ago", timedelta(minutes=45)),
        ("just now", timedelta()),
        ("vor einer Stunde", timedelta(hours=1)),
        ("hace 3 días", timedelta(days=3)),
        ("3 giorni fa", timedelta(days=3)),
        ("há 2 dias", timedelta(days=2)),
        ("2 dagen geleden", timedelta(days=2)),
        ("2 дня назад", timedelta(days=2)),
        ("3小时前", timedelta(hours=3)),
        ("3日前", timedelta(days=3)),
        ("3일 전", timedelta(days=3)),
        ("hier", timedelta(days=1)),
        ("1 year ago", timedelta(days=365)),
    ],
)
def test_an_age_is_a_moment_before_now(text: str, ago: timedelta) -> None:
    assert parse_date(text, NOW) == NOW - ago


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2031-02-01", "2031-02-01"),
        ("2031/02/01", "2031-02-01"),
        ("2031年2月1日", "2031-02-01"),
        ("01.02.2031", "2031-02-01"),
        ("13/02/2031", "2031-02-13"),
        ("02/13/2031", "2031-02-13"),
        ("February 1st, 2031", "2031-02-01"),
        ("Sat, 1 Feb 2031", "2031-02-01"),
        ("1. März 2030", "2030-03-01"),
        ("1 de febrero de 2031", "2031-02-01"),
        ("1 août 2030", "2030-08-01"),
        ("Sat, 01 Feb 2031 23:30:00 GMT", "2031-02-01"),
        (1927756800, "2031-02-02"),
        ("1927756800000", "2031-02-02"),
    ],
)
def test_a_written_day_is_that_day(value: object, day: str) -> None:
    found = parse_date(value, NOW)
    assert found is not None
    assert found.date().isoformat() == day


@pytest.mark.parametrize(
    "value",
    [
        "",
        "  ",
        None,
        "soon",
        "02/03/2031",
        "2031-13-45",
        "3",
        3,
        True,
        [],
        "vor langer Zeit",
        "32 Feb 2031",
        "99999999999999 days ago",
    ],
)
def test_what_cannot_be_told_is_unknown(value: object) -> None:
    assert parse_date(value, NOW) is None


def test_the_last_day_of_a_month_has_no_twin_in_a_shorter_one() -> None:
    assert parse_age("1 month ago", datetime(2031, 3, 31, tzinfo=UTC)) == datetime(2031, 2, 28, tzinfo=UTC)


@given(moments, st.integers(-12, 14))
def test_any_moment_survives_iso_mail_and_unix_form(moment: datetime, hours: int) -> None:
    there = moment.astimezone(timezone(timedelta(hours=hours)))
    for form in (there.isoformat(), format_datetime(there), int(moment.timestamp())):
        assert parse_date(form, NOW) == moment


@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    found = parse_date(text, NOW)
    assert found is None or found.tzinfo is not None

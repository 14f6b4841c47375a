"""What "yesterday", "last Friday" and "two weeks ago" mean in a text of a known date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache

from answerable.text.dates import before

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
}  # fmt: skip
_DAYS: dict[str, dict[str, int]] = {  # a language each: "hier" is yesterday in French and here in German
    "en": {
        "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
        "this afternoon": 0, "this evening": 0, "tomorrow": 1, "the day after tomorrow": 2,
    },
    "de": {"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2},  # "morgen" may be a morning
    "fr": {"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1, "après-demain": 2},
    "es": {"anteayer": -2, "ayer": -1, "hoy": 0, "pasado mañana": 2},
}  # fmt: skip
_PATTERN = (
    rf"(?P<which>last|next|this|on) (?P<weekday>{'|'.join(_WEEKDAYS)})"
    rf"|(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>day|week|month|year)s? (?P<way>ago|earlier)"
    r"|in (?P<ahead>\d{1,3}|" + "|".join(_NUMBERS) + r") (?P<ahead_unit>day|week)s?(?= time\b|[,.;]|$)"
    r"|(?P<of>last|this|next) (?P<period>year|month)"
)


@dataclass(frozen=True, slots=True)
class RelativeDate:
    """`text[start:end]` and what it means: `2024-03-09`, or `2024-03` or `2024` where only that much is said."""

    start: int
    end: int
    words: str
    meaning: str


def relative_dates(text: str, written: datetime, language: str = "en") -> list[RelativeDate]:
    """In the order of the text, as read on the day on which it was written. Weekdays and spans in English only."""
    return list(_found(text, written, language.split("-")[0].lower()))


def _found(text: str, written: datetime, language: str) -> Iterator[RelativeDate]:
    for match in _pattern(language).finditer(text):
        if (meaning := _meaning(match, written, language)) is not None:
            yield RelativeDate(match.start(), match.end(), match[0], meaning)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    days = "|".join(sorted(_DAYS.get(language, {"": 0}), key=len, reverse=True)) or "(?!)"
    more = f"|{_PATTERN}" if language == "en" else ""
    return re.compile(rf"(?<![\w-])(?:(?P<day>{days}){more})(?![\w-])", re.IGNORECASE)


def _meaning(match: re.Match[str], written: datetime, language: str) -> str | None:
    day = written.date()
    try:
        if match["day"]:
            return (day + timedelta(days=_DAYS[language][match["day"].lower()])).isoformat()
        if match["weekday"]:
            return _weekday(day, match["which"].lower(), _WEEKDAYS.index(match["weekday"].lower()))
        if match["unit"]:
            then = before(written, _number(match["number"]), match["unit"].lower())
            return {"month": f"{then:%Y-%m}", "year": f"{then:%Y}"}.get(match["unit"].lower(), then.date().isoformat())
        if match["ahead_unit"]:
            days = 7 if match["ahead_unit"].lower() == "week" else 1
            return (day + timedelta(days=days * _number(match["ahead"]))).isoformat()
        return _period(day, match["of"].lower(), match["period"].lower())
    except (ValueError, OverflowError):  # before the first year or after the last
        return None


def _weekday(day: date, which: str, weekday: int) -> str | None:
    """ "last" lies before the day of writing, "next" after it; "this" and "on" say no direction."""
    if which == "last":
        return (day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)).isoformat()
    if which == "next":
        return (day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)).isoformat()
    return None


def _period(day: date, which: str, period: str) -> str:
    step = {"last": -1, "this": 0, "next": 1}[which]
    if period == "year":
        return str(day.year + step)
    months = day.year * 12 + day.month - 1 + step
    return f"{months // 12}-{months % 12 + 1:02d}"


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)

"""Which time a question in another language than English asks for, and whether a text tells it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from answerable.text.analysis import base, fold, stems
from answerable.text.tongues.likes import matters_of, spelled_out
from answerable.text.tongues.patterns import ASKED_CLOCK, ASKED_DAY, CLOCK, HOURS, MONTHS, WEEKDAYS

Time = Literal["", "clock", "day", "hours"]
_CLOCK_ASKED = re.compile(ASKED_CLOCK)
_DAY_ASKED = re.compile(ASKED_DAY)
_WEEKDAY = re.compile(WEEKDAYS)
_CLOCK = re.compile(rf"{CLOCK}|{HOURS}|\b\d{{1,2}}[:.]\d\d\b|\b\d{{1,2}} ?h\b")
_SEASON = re.compile(rf"{MONTHS}|\d{{1,2}}\.\d{{1,2}}\.")

_HAPPENED = re.compile(
    r"\b(?:wurden?|war|waren|(?:a|ont)(?:-t-(?:il|elle|on)|-ils|-elles)? (?:été|ouvert|fermé)|ha (?:aperto"
    r"|chiuso)|fut|fue|fueron|è stat[oa]|fu|foi"
    r"|foram|werd|werden"
    r"|был[аои]?)\b"
)

_END_ASKED = re.compile(
    r"\bbis wann\b|\bbis wie ?viel uhr\b|\bjusqu['’]à (?:quelle heure|quand)\b|\bhasta (?:qué hora|cuándo)\b"
    r"|\bfino a (?:che ora|quando)\b|\baté (?:que horas?|quando)\b|\btot (?:hoe laat|wanneer)\b|\bдо"
    r" (?:скольк[иоа]|которого)\b"
    r"|कब तक|कितने बजे तक"
)
_SPAN = re.compile(HOURS)


def asks_the_end(question: str) -> bool:
    """Whether it asks until when."""
    return bool(_END_ASKED.search(fold(question)))


def tells_a_span(text: str) -> bool:
    """Whether it gives a time from and to."""
    return bool(_SPAN.search(fold(text)))


@lru_cache(maxsize=256)
def time_asked(question: str, language: str) -> Time:
    """By the clock, a day, or when something is open; "" when any date will do, or none is asked for."""
    if base(language) == "en":
        return ""
    asked = fold(question)
    if _CLOCK_ASKED.search(asked):
        return "clock"
    if _DAY_ASKED.search(asked):
        return "day"
    if _HAPPENED.search(asked):
        return ""
    matters = {
        matter for one in stems(spelled_out(question, language), language) for matter in matters_of(one, language)
    }
    return "hours" if matters & {"opening", "closing"} else ""


def tells_time(text: str, time: Time) -> bool:
    """Whether it tells such a time."""
    said = fold(text)
    if time == "clock":
        return bool(_CLOCK.search(said))
    if time == "day":
        return bool(_WEEKDAY.search(said) or _SEASON.search(said))
    return not time or bool(_CLOCK.search(said) or _WEEKDAY.search(said) or _SEASON.search(said))

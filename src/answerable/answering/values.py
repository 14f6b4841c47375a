"""What a sentence gives for an answer (figures, a date, names, yes or no), and whether two such answers can both be
true. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answerable.answering.candidates import Candidate, figures_of, stems_of
from answerable.answering.weighing import Wanted, sought_columns, spoken
from answerable.text.analysis import fold
from answerable.text.numbers import Quantity, matches, quantities_of_folded
from answerable.text.opposites import negated
from answerable.text.statements import ABOUT_SHARE, RANGE, Day, day_in

_DENIED = re.compile(
    r"\b(?:not(?! more| less| fewer)|rather than|instead of|nicht|statt|et non|y no|non|не)\b[^.,;]{0,15}$",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"(?:(?<!no )(?<!not )\b(?:more than|over|above|exceed\w*|mehr als|plus de|más de)|\bno (?:less|fewer) than"
    r"|\bat least|\bminimum(?: of)?|\bmindestens)\W{1,2}$"
)
_AT_MOST = re.compile(
    r"(?:(?<!no )(?<!not )\b(?:less than|fewer than|under|below|moins de|menos de)|\bnot? more than|\bat most|\bup to"
    r"|\bmaximum(?: of)?|\bhöchstens)\W{1,2}$"
)
_STEP = re.compile(r"\b(?:every|each|another)\W{1,2}$")  # "every 4 hours" counts nothing
_UNIT_AFTER = re.compile(r"\s?([^\W\d_aeiouy]{1,4}|iu|lux|bar|psi|m?ah|k?cal)\b")  # "dB", "rpm", needed in no table
_CLAUSE = re.compile(r"[,;(]| [–—-] |\b(?:where|which|who|when|while|whereas|although|though|but)\b")
_NAME = re.compile(r"[A-ZÀ-ÞА-Я][\w’'-]*(?: (?:(?:of|de|von|van) )?[A-ZÀ-ÞА-Я][\w’'-]*)*")
_PLACED = re.compile(r"\b(?:in|from|at|near|to|of|on) (?:the )?$")
_DATED = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs"
    r"|Fri|Satur|Sun)day)$"
)
_NO_EFFECT = re.compile(
    r"\b(?:no|not any|little|hardly any) (?:\w+ )?(?:difference|effect|benefit|evidence|change|reduction|increase|link"
    r"|proof|sign)\b|\b(?:myth|untrue|false|debunked|found nothing|made no|in vain)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure or a range of them, in the base unit; `key` says of what kind: figures of two kinds are not compared."""

    low: float
    high: float
    key: str
    quantity: Quantity


def values_of(candidate: Candidate, wanted: Wanted) -> frozenset[str]:
    """What it gives for an answer: its figures, or its names, that the question does not hold."""
    text = spoken(candidate)
    if candidate.is_row:
        columns = sought_columns(candidate, wanted) or range(1, len(candidate.cells))
        text = " ".join(candidate.cells[i] for i in columns)
    if {"number", "date"} & set(wanted.kinds) or wanted.measure:
        text = _measured(text, wanted.measure) if wanted.measure and not candidate.is_row else text
        return figures_of(text) - figures_of(wanted.question)
    known = wanted.question.casefold()
    return frozenset(name for name in re.findall(r"[A-ZÀ-ÞА-Я][\w’'-]+", text) if name.casefold() not in known)


def _measured(text: str, measure: re.Pattern[str]) -> str:
    """The figures that stand with the measure; the whole text when none does."""
    spans = [found.span() for found in measure.finditer(text)]
    words = [w for w in re.finditer(r"\S+", text) if any(w.start() < end and start < w.end() for start, end in spans)]
    return " ".join(word[0] for word in words) or text


def denies(candidate: Candidate, values: frozenset[str]) -> bool:
    """Whether it says that it is none of these ("in 1871, not 1874")."""
    said = candidate.text.replace(",", "")
    return any(
        re.search(
            rf"\b(?:not|rather than|instead of|nicht|statt|et non|y no|non|не)\b[^.]{{0,15}}\b{re.escape(v)}\b", said
        )
        for v in values
    )


def figures_in(candidate: Candidate, wanted: Wanted) -> tuple[Figure, ...]:
    """The figures it states for an answer: of those that stand with what is measured, else all; none that it denies,
    that is a bound, or that the question holds."""
    text = fold(spoken(candidate))
    asked = quantities_of_folded(fold(wanted.question))
    found = [q for q in quantities_of_folded(text) if q.hard and q.dimension not in {"month", "clock"}]
    found = [
        q for q in found
        if not q.is_year and len(q.values) == 1 and not any(matches(q, a) or matches(a, q) for a in asked)
        and not _DENIED.search(text[: q.start]) and not _STEP.search(text[max(0, q.start - 10) : q.start])
    ]  # fmt: skip
    spans = [m.span() for m in wanted.measure.finditer(text)] if wanted.measure else []
    figures = tuple(_ranges(found, text))
    measured = [f for f in figures if any(f.quantity.start < end and start < f.quantity.end for start, end in spans)]
    return tuple(measured or figures)


def _ranges(found: Sequence[Quantity], text: str) -> Iterator[Figure]:
    for last, q, after in zip((None, *found), found, (*found[1:], None), strict=False):
        if after is not None and _joined(q, after, text):
            continue  # the lower end of a range
        size, key = q.values[0] * q.size, q.dimension or _unit_after(q, text)
        before = text[max(0, q.start - 16) : q.start]
        if last is not None and _joined(last, q, text):
            low = last.values[0] * (last.size if last.dimension else q.size)
            yield Figure(min(low, size), max(low, size), key, q)
        elif _AT_LEAST.search(before):
            yield Figure(size, math.inf, key, q)
        elif _AT_MOST.search(before):
            yield Figure(0.0, size, key, q)
        else:
            yield Figure(size, size, key, q)


def _joined(one: Quantity, other: Quantity, text: str) -> bool:
    """Whether they are the ends of a range ("7 to 9 minutes"); "and" joins two values as often."""
    joint = text[one.end : other.start]
    return bool(RANGE.match(joint)) and joint.strip() not in {"and", "or"}


def _unit_after(q: Quantity, text: str) -> str:
    after = _UNIT_AFTER.match(text, q.end)
    return after[1] if after else ""


def apart(ones: Sequence[Figure], others: Sequence[Figure]) -> float | None:
    """How many times as much the one is as the other, by the pair that lies nearest; None when some agree or none can
    be compared."""
    pairs = [(one, other) for one in ones for other in others if one.key == other.key]
    if not pairs or any(_meet(one, other) for one, other in pairs):
        return None
    sizes = [sorted(abs(figure.quantity.values[0] * figure.quantity.size) for figure in pair) for pair in pairs]
    return min((high / low for low, high in sizes if low), default=None)


def some_agree(ones: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether both give one value, in whatever unit."""
    return any(one.key == other.key and _meet(one, other) for one in ones for other in others)


def _meet(one: Figure, other: Figure) -> bool:
    if one.low <= other.high and other.low <= one.high:
        return True
    if math.inf in {one.high, other.high} or 0.0 in {one.low, other.low}:
        return False
    if matches(one.quantity, other.quantity) or matches(other.quantity, one.quantity):
        return True
    about = one.quantity.about or other.quantity.about
    return about and abs(one.high - other.high) <= ABOUT_SHARE * max(abs(one.high), abs(other.high))


def dates_apart(one: Candidate, other: Candidate) -> bool:
    """Whether they state other dates: other days where each states one, else other years."""
    day, another = date_in(one), date_in(other)
    if day and another:
        return not day.agrees(another)
    years, others = years_in(one), years_in(other)
    return bool(years and others) and not years & others


def date_in(candidate: Candidate) -> Day | None:
    """The one date that it states; None with several."""
    found, text = _told(candidate)
    return day_in(found, text)


def years_in(candidate: Candidate) -> frozenset[int]:
    return frozenset(int(q.values[0]) for q in _told(candidate)[0] if q.is_year)


def _told(candidate: Candidate) -> tuple[list[Quantity], str]:
    """Its numbers, without those that it denies."""
    text = fold(spoken(candidate))
    return [q for q in quantities_of_folded(text) if not _DENIED.search(text[: q.start])], text


def names_in(candidate: Candidate, wanted: Wanted) -> frozenset[str]:
    """The names of its main clause that the question does not hold; for a place, those that something is in or from."""
    text = main_clause(candidate, wanted)
    return frozenset(name for name, at in _named(text, wanted) if not _DENIED.search(text[:at]))


def main_clause(candidate: Candidate, wanted: Wanted) -> str:
    """Its words up to where the clause with the first such name ends."""
    text = spoken(candidate)
    found = _named(text, wanted)
    end = next((m.start() for m in _CLAUSE.finditer(text) if any(at < m.start() for _, at in found)), len(text))
    return text[:end]


def _named(text: str, wanted: Wanted) -> list[tuple[str, int]]:
    known = wanted.question.casefold()
    found = [(m[0], m.start()) for m in _NAME.finditer(text) if not _DATED.match(m[0]) and not _opens(m)]
    found = [(n, at) for n, at in found if any(word.casefold() not in known for word in n.split())]
    if "place" in wanted.kinds:
        found = [(n, at) for n, at in found if _PLACED.search(text[:at])]
    return found


def _opens(found: re.Match[str]) -> bool:
    """Whether only the start of the sentence makes it large."""
    return found.start() == 0 and " " not in found[0]


def stated(candidate: Candidate, wanted: Wanted) -> frozenset[str]:
    """What it answers, in the spellings that another sentence with this answer would hold; none for yes and no."""
    kinds = set(wanted.kinds)
    if "number" in kinds or not kinds & {"date", "person", "place", "yes_no"}:
        return frozenset().union(*(figures_of(figure.quantity.text) for figure in figures_in(candidate, wanted)))
    if "date" in kinds:
        return frozenset(map(str, years_in(candidate)))
    return frozenset(word for name in names_in(candidate, wanted) for word in name.split())


def share_a_name(ones: frozenset[str], others: frozenset[str]) -> bool:
    words = {word for name in ones for word in name.split()}
    return bool(words & {word for name in others for word in name.split()})


def says_no(candidate: Candidate, wanted: Wanted) -> bool:
    """Whether it denies what is asked."""
    asked = stems_of(wanted.question, wanted.language)
    text = fold(candidate.text)
    return bool(_NO_EFFECT.search(text) or negated(text, wanted.language, asked).denied)

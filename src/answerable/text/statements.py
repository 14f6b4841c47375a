"""What a sentence says of one thing in a form that can be compared: a measure, a count, or the day of an event. Pure.

Made for finding sources that contradict each other, so it would rather see too little than too much: what has several
values, is a bound ("more than 300 m") or speaks of another time, part or place is not compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from answerable.text.analysis import content_of_folded, fold, stem
from answerable.text.measures import MONTH, SHORT_MONTH
from answerable.text.numbers import Quantity, matches, quantities_of_folded, shown

ABOUT_SHARE = 0.1  # what "about" on either side leaves open
CLAUSE = re.compile(
    r"[;:]|,? (?:which|while|whereas|but|although|though)\b|, (?:and|or|with|of|including|making|up|down|from)\b| [–—] "
)
PARENTHESIS = re.compile(r"\s?[(\[][^()\[\]]*[)\]]")
DATELINE = re.compile(r"^[A-Z][A-Z .]{2,30} [–—-] ")
BOUND = re.compile(
    r"\b(?:than|least|most|up to|over|under|below|above|beyond|exceed\w*|minimum|maximum|max|min|every|each|another|"
    r"by|mehr als|mindestens|höchstens|plus de|moins de|más de|menos de)\W{1,3}$"
)
RANGE = re.compile(r"^\s*(?:-|–|to|bis|à|a|and|or)\s*$")
NUMBERED = re.compile(r"\b([A-Z][\w’'-]*|[Nn]o\.?) (\d{1,4})\b(?!\.\d)")
NAMES = re.compile(r"\b[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]*")
POINTING = re.compile(r"(?:It|Its|They|He|She|His|Her|This|The (?:tower|bridge|building|company|city|river|lake))\b")
OPEN_YEAR = re.compile(r"\b(?:since|from|after|as of|today|now|seit|ab|depuis|desde|dal)\W{1,3}(?:\w+ )?$")
_CLASSES = {
    "height": "tall height high hoch höhe haut hauteur altura",
    "length": "long length lang länge longueur largo",
    "width": "wide width broad breit breite large largeur ancho",
    "depth": "deep depth tief tiefe profond profondeur",
    "weight": "weigh weighs weighed weight heavy wiegt gewicht pèse poids pesa",
    "diameter": "diameter durchmesser diamètre diámetro",
    "thickness": "thick thickness dick dicke",
    "elevation": "elevation altitude",
    "cost": "cost costs price kostet preis coûte prix cuesta precio",
}
ATTRIBUTE = {word: name for name, words in _CLASSES.items() for word in words.split()}
_ONCE = {
    "opened": "opened opens inaugurated eröffnet inauguré inaugurado",
    "founded": "founded established gegründet fondé fundado fundada",
    "built": "built constructed erected gebaut erbaut construit construido",
    "finished": "completed finished fertiggestellt vollendet achevé",
    "born": "born geboren né née nació",
    "died": "died gestorben starb mort morte murió",
    "invented": "invented erfunden inventé inventado",
    "discovered": "discovered entdeckt découvert descubierto",
    "launched": "launched introduced released",
    "signed": "signed unterzeichnet signé",
    "dissolved": "dissolved abolished demolished aufgelöst",
}
ONCE = {word: name for name, words in _ONCE.items() for word in words.split()}
SAME_COUNT = dict.fromkeys(("people", "inhabitants", "residents", "citizens"), "people")
_NEUTRAL = """about according actually already amount approximately build built contain count cover currently estimate
    estimated exactly figure give gives has have hold holds know known large located make measure measured measures
    measuring meanwhile now number official officially order put puts quite reach reaches really recommend recommended
    recommends record report reported reports rise rises roughly run runs say says size span spans stand standing
    stands still stretch stretches today total totals value"""
NEUTRAL = frozenset(_NEUTRAL.split())  # neither make a thing another thing nor say what of it is measured
_TELLING = """half quarter third double upper lower inner outer first second last north south east west northern
    southern eastern western average mean median maximum minimum male female man woman men women boy girl child
    children adult adults baby infant summer winter spring autumn night morning day week month year old new former
    original early late planned proposed only alone roof top base foot deck floor arch main"""
TELLING = frozenset(stem(word, "en") for word in _TELLING.split())
LIMITING = re.compile(
    r"\b(?:without|excluding|except|including|with|before|after|until|per|not|no|ohne|mit|vor|nach|sans|avec|sin|con)\b"
)


@dataclass(frozen=True, slots=True)
class Day:
    year: int
    month: int = 0  # 0: not said
    day: int = 0

    def agrees(self, other: Day) -> bool:
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(one == two or not one or not two for one, two in pairs)


@dataclass(frozen=True, slots=True)
class Statement:
    """`kind` says what is given: a dimension of measure, what is counted, or an event. `around`: words of title and
    headings, which say what "it" is."""

    kind: str
    value: str  # as it is written
    low: float  # in the kind's base unit
    high: float
    about: bool
    quantity: Quantity | None
    day: Day | None
    order: tuple[str, ...]  # stems of the clause, without the value
    attribute: str
    years: frozenset[int]
    open_year: bool
    pointing: bool
    around: frozenset[str]
    names: frozenset[str]  # stems that are written large
    limits: frozenset[str]  # "without", "before": what leaves a part out

    @property
    def core(self) -> frozenset[str]:
        return frozenset(self.order)


def statements_of(sentence: str, language: str = "en", around: str = "") -> Iterator[Statement]:
    """What a sentence states, one for each clause with one value of a kind."""
    bare = DATELINE.sub("", PARENTHESIS.sub("", sentence), count=1)
    above = frozenset(stem(word, language) for word in content_of_folded(fold(around), language))
    years, open_year = _years(fold(sentence))
    ends = [*(match.start() for match in CLAUSE.finditer(bare)), len(bare)]
    start = 0
    for end in ends:
        clause, first = bare[start:end], start == 0
        start = end
        if first or NAMES.search(clause):  # "…, or 1,083 ft" says nothing of its own
            yield from _of_clause(clause, language, above, years, open_year)


def _of_clause(
    clause: str, language: str, above: frozenset[str], years: frozenset[int], open_year: bool
) -> Iterator[Statement]:
    folded = fold(clause)
    numbered = {match[2] for match in NUMBERED.finditer(clause) if match[1].lower() not in {*MONTH, *SHORT_MONTH}}
    found = [q for q in quantities_of_folded(folded) if q.text not in numbered]
    order = _order(folded, found, language, numbered)
    words = content_of_folded(folded, language)
    names = frozenset(stem(fold(name), language) for name in NAMES.findall(clause))
    attribute = next((ATTRIBUTE[word] for word in words if word in ATTRIBUTE), "")
    pointing = POINTING.match(clause.strip()) is not None
    limits = frozenset(LIMITING.findall(folded))
    by_kind: dict[str, list[Quantity]] = {}
    for quantity in found:
        if kind := _kind(quantity, language):
            by_kind.setdefault(kind, []).append(quantity)
    for kind, given in by_kind.items():
        if (span := _span(given, found, folded)) is not None:
            low, high, value, about = span
            yield Statement(
                kind, value, low, high, about, given[-1], None, order, attribute, years, open_year, pointing, above,
                names, limits,
            )  # fmt: skip
    event = [ONCE[word] for word in words if word in ONCE]
    if len(event) == 1 and not by_kind and (day := day_in(found, folded)) is not None:
        yield Statement(
            f"event:{event[0]}", _shown_day(day), 0, 0, False, None, day, order, "", frozenset(), False, pointing,
            above, names, limits,
        )  # fmt: skip


def _kind(quantity: Quantity, language: str) -> str:
    if not quantity.hard or quantity.dimension in {"month", "clock"}:
        return ""
    if quantity.dimension:
        return quantity.dimension
    if quantity.of in {"", "year", *MONTH, *SHORT_MONTH} or quantity.is_year:
        return ""
    return "count:" + (SAME_COUNT.get(quantity.of) or stem(quantity.of, language))


def _span(given: list[Quantity], found: list[Quantity], folded: str) -> tuple[float, float, str, bool] | None:
    """Lowest and highest in the base unit, as written, and whether it is about; None for several values and bounds."""
    last = given[-1]
    at = found.index(last)
    lower = found[at - 1] if at and RANGE.match(folded[found[at - 1].end : last.start]) else None
    others = [q for q in given[:-1] if q is not lower and not (matches(q, last) or matches(last, q))]
    first = lower or last
    if others or BOUND.search(folded[max(0, first.start - 16) : first.start]):
        return None
    if len(last.values) != 1 or (lower and len(lower.values) != 1):
        return None
    high = last.values[0] * last.size
    low = lower.values[0] * (lower.size if lower.dimension else last.size) if lower else high
    value = folded[first.start : last.end] if lower else last.text
    if value.endswith(last.text) and last.of:
        value = f"{value} {last.of}"
    return min(low, high), max(low, high), shown(value.strip()), last.about or first.about


def _years(folded: str) -> tuple[frozenset[int], bool]:
    found = [q for q in quantities_of_folded(folded) if q.is_year and (q.of in {"", "year"})]
    closed = [q for q in found if not OPEN_YEAR.search(folded[max(0, q.start - 24) : q.start])]
    return frozenset(int(q.values[0]) for q in found), bool(found) and not closed


def day_in(found: list[Quantity], folded: str) -> Day | None:
    """The one day, month or year that is given; None when there are several."""
    years = {int(q.values[0]) for q in found if q.is_year}
    months = [q for q in found if q.dimension == "month"]
    if len(years) != 1 or len(months) > 1:
        return None
    if BOUND.search(folded[: next(q.start for q in found if q.is_year)][-16:]):
        return None
    day = 0
    if months:
        beside = [
            q for q in found
            if not q.dimension and not q.is_year and 1 <= q.values[0] <= 31
            and min(abs(q.start - months[0].end), abs(months[0].start - q.end)) <= 4
        ]  # fmt: skip
        day = int(beside[0].values[0]) if len(beside) == 1 else 0
    return Day(years.pop(), int(months[0].values[0]) if months else 0, day)


def _shown_day(day: Day) -> str:
    return "-".join(f"{part:02d}" for part in (day.year, day.month, day.day) if part)


def _order(folded: str, found: list[Quantity], language: str, numbered: set[str]) -> tuple[str, ...]:
    """The clause's own words, in order: without values, measures, and what says nothing of the thing."""
    cut = folded
    for quantity in sorted(found, key=lambda q: -q.start):
        cut = cut[: quantity.start] + " " + cut[quantity.end :]
    kept = [
        stem(word, language)
        for word in content_of_folded(cut, language)
        if word not in NEUTRAL and word not in ATTRIBUTE and word not in ONCE and not word[0].isdigit()
    ]
    counted = {stem(quantity.of, language) for quantity in found if quantity.of}
    return (*(word for word in kept if word not in counted), *(f"#{number}" for number in sorted(numbered)))


def same_thing(one: Statement, other: Statement) -> bool:
    """Whether both give a value of one thing, at one time."""
    if (
        one.kind != other.kind
        or one.limits != other.limits
        or (one.attribute and other.attribute and one.attribute != other.attribute)
    ):
        return False
    if one.years != other.years and not one.years & other.years:
        if one.years and other.years:
            return False
        if not (one.open_year or other.open_year):
            return False
    lacking, added = one.core - other.core, other.core - one.core
    if other.pointing and not one.pointing:
        return not added and bool(lacking) and lacking <= other.around
    if one.pointing and not other.pointing:
        return not lacking and bool(added) and added <= one.around
    lacking -= one.names & other.around
    added -= other.names & one.around
    shared = one.core & other.core
    if (lacking and added) or not (shared & one.names or len(shared) >= 2):
        return False
    extra = lacking | added
    holder = one if lacking else other
    return not extra or (len(extra) == 1 and not _sets_apart(next(iter(extra)), holder, shared))


def _sets_apart(word: str, holder: Statement, shared: frozenset[str]) -> bool:
    """Whether a word makes it another thing: a number of a name, a telling word, or one right before a shared one."""
    if word.startswith("#") or word in TELLING or word in holder.names:
        return True
    place = holder.order.index(word)
    return place + 1 < len(holder.order) and holder.order[place + 1] in shared


def agree(one: Statement, other: Statement) -> bool:
    """Whether two values of one thing are the same, in whatever unit, rounding or range."""
    if one.day and other.day:
        return one.day.agrees(other.day)
    if one.low <= other.high and other.low <= one.high:
        return True
    if one.quantity and other.quantity:
        if matches(one.quantity, other.quantity) or matches(other.quantity, one.quantity):
            return True
        if {one.kind, other.kind} & {"celsius", "fahrenheit"} and one.kind != other.kind:
            return False
    if one.about or other.about:
        return abs(one.high - other.high) <= ABOUT_SHARE * max(abs(one.high), abs(other.high))
    return False

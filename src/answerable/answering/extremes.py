"""The row that holds the most or the least of what a superlative asks for: "the cheapest waterproof reader". English.
Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from answerable.answering.candidates import Candidate, rows_beside, stems_of
from answerable.answering.weighing import NEXT_TO, Wanted
from answerable.text.dates import parse_date
from answerable.text.kin import kin_of
from answerable.text.numbers import quantities

_CELL = 100  # characters of a cell that are read
_ANYTHING = "*"
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_MORE, _LESS = 1, -1
_YEARS = "year built founded since opened open elected established joined date born start from introduced released"
_SIZES = (
    "size area population capacity inhabitant people seat hectare number member employee turnover revenue volume power"
)
# What each asks for: the names of columns, and whether the most of it or the least.
_ASKED: dict[str, tuple[tuple[str, int], ...]] = {
    "largest biggest greatest": ((_SIZES, _MORE),),
    "smallest tiniest": ((_SIZES, _LESS),),
    "cheapest": (("price cost fare fee rent rate charge total", _LESS),),
    "dearest priciest costliest": (("price cost fare fee rent rate charge total", _MORE),),
    "longest": (("length long duration distance life time span range journey day hour minute runtime", _MORE),),
    "shortest": (("length duration distance time journey span hour minute runtime height", _LESS),),
    "tallest highest": (("height elevation altitude tall high rate price score", _MORE),),
    "lowest": (("height elevation altitude low rate price score", _LESS),),
    "deepest": (("depth deep", _MORE),),
    "shallowest": (("depth deep", _LESS),),
    "widest": (("width wide span beam", _MORE),),
    "narrowest": (("width wide beam", _LESS),),
    "heaviest": (("weight mass heavy load", _MORE),),
    "lightest": (("weight mass", _LESS),),
    "oldest earliest": ((_YEARS, _LESS), ("age", _MORE)),
    "newest latest youngest": ((_YEARS, _MORE), ("age", _LESS)),
    "fastest quickest": (("speed fast knot", _MORE), ("time duration journey minute", _LESS)),
    "slowest": (("speed knot", _LESS), ("time duration journey minute", _MORE)),
    "hottest warmest": (("temperature high maximum warm", _MORE),),
    "coldest": (("temperature low minimum cold", _LESS),),
    "wettest rainiest": (("rain rainfall precipitation", _MORE),),
    "driest": (("rain rainfall precipitation", _LESS),),
    "strongest": (("strength alcohol abv force power", _MORE),),
    "weakest": (("strength alcohol abv force power", _LESS),),
    "brightest": (("magnitude", _LESS), ("brightness lumen light", _MORE)),
    "busiest": (("passenger visitor people traffic", _MORE),),
    "farthest furthest": (("distance range", _MORE),),
    "nearest closest": (("distance", _LESS),),
    "quietest": (("noise sound loudness decibel", _LESS),),
    "loudest noisiest": (("noise sound loudness decibel", _MORE),),
}
_GENERAL = {
    "largest",
    "biggest",
    "greatest",
    "smallest",
    "tiniest",
    "cheapest",
    "dearest",
    "priciest",
    "highest",
    "lowest",
}
_MOST = re.compile(r"(?<!at )\b(?P<way>most|fewest|least) (?:of (?:the|its|their) )?(?P<of>\w+)")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_DOES_MOST = re.compile(r"\b(?P<does>\w{3,}) the (?P<way>most|least)\b")  # "weighs the least", "loses the least metal"
_DONE_FIRST = re.compile(
    r"\b(?P<done>\w{2,}(?:ed|ilt|egan)) (?P<way>first|last)\b"
)  # "which breed was recognised first"
_BY = re.compile(r"\b(?:by|in terms of) (?P<of>[a-z]+)")
_EXPENSIVE = re.compile(r"\b(?P<way>most|least) expensive\b")
_SERVED = re.compile(r"\b(?:serv\w+|reign\w*|office|held|ruled|been)\b")
_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_DATE = re.compile(r"[^\W\d_]{3,}\.? (?:\d{1,2},? )?\d{4}\b|\b\d{4}-\d\d-\d\d\b")
_YES = re.compile(r"(?:yes|y|✓|✔)(?:\W.*)?", re.IGNORECASE)
_NO = re.compile(r"(?:no|none|n|✗|✘|[–—-])(?:\W.*)?", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:no|not|without|non)\W", re.IGNORECASE)
_NOTHING = re.compile(r"(?:free|none|nil)\b", re.IGNORECASE)
_IN_ALL = re.compile(r"(?:totals?|sum|all|together|average|mean|overall)\b", re.IGNORECASE)
_DATED = "date"

Row = tuple[str, ...]
Value = tuple[str, float]  # its kind (a dimension of text/numbers.py, "" or a date) and size


@dataclass(frozen=True, slots=True)
class _Sought:
    columns: frozenset[str]  # stems of their names
    way: int
    worth: float = 0.0  # more where the question itself names them


def extremes(pool: Sequence[Candidate], wanted: Wanted) -> list[int]:
    """For each: 1 for the row that the superlative asks for, -1 for another row of its table, 0 for all else."""
    sought = sought_in(wanted.question)
    found = [0] * len(pool)
    if not sought or not wanted.language.startswith("en"):
        return found
    tables: dict[tuple[int, Row, str], frozenset[Row]] = {}
    for k, c in enumerate(pool):
        if c.is_row and len(c.header) == len(c.cells):
            key = c.number, c.header, c.above
            if key not in tables:
                rows = rows_beside(c, wanted.pages[c.number - 1])
                tables[key] = _topmost(rows, c.header, sought, wanted)
            if tables[key]:
                found[k] = 1 if c.cells in tables[key] else -1
    return found


def sought_in(question: str) -> tuple[_Sought, ...]:
    """The columns that the superlatives of a question may be about; "the second largest" is none."""
    folded = question.casefold()
    if NEXT_TO.search(folded):
        return ()
    found = []
    if expensive := _EXPENSIVE.search(folded):
        way = _MORE if expensive["way"] == "most" else _LESS
        return (_Sought(stems_of("price cost fare fee rent rate", "en"), way),)
    if most := _MOST.search(folded):
        found.append(_Sought(kin_of(stems_of(most["of"], "en")), _MORE if most["way"] == "most" else _LESS, 2.0))
    if most := _DOES_MOST.search(folded):
        found.append(_Sought(kin_of(stems_of(most["does"], "en")), _MORE if most["way"] == "most" else _LESS, 2.0))
    if done := _DONE_FIRST.search(folded):
        found.append(_Sought(kin_of(stems_of(done["done"], "en")), _LESS if done["way"] == "first" else _MORE, 2.0))
    words = set(_WORD.findall(folded))
    for adjectives, asked in _ASKED.items():
        if not (told := words & set(adjectives.split())):
            continue
        if noun := re.search(
            rf"\b(?:{'|'.join(told)}) (\w+)", folded
        ):  # "the cheapest parking", but "the deepest snow"
            found.append(_Sought(kin_of(stems_of(noun[1], "en")), asked[0][1], 2.0 if told & _GENERAL else -1.0))
        if by := _BY.search(folded):  # "the biggest by area"
            found.append(_Sought(kin_of(stems_of(by["of"], "en")), asked[0][1], 4.0))
        found += [_Sought(stems_of(f"{columns} {adjectives}", "en"), way) for columns, way in asked]
    if "longest" in words and _SERVED.search(folded):
        found.append(_Sought(stems_of(_YEARS, "en"), _LESS))
    return tuple(found)


def measured_column(row: Candidate, wanted: Wanted) -> int | None:
    """The column by which the superlative of the question compares the rows."""
    sought = sought_in(wanted.question)
    if not sought or len(row.header) != len(row.cells) or not wanted.language.startswith("en"):
        return None
    return next((at for at, _ in _columns(row.header, sought, wanted)), None)


def extreme_column(row: Candidate, wanted: Wanted) -> int | None:
    """Of a row that the superlative asks for, where the things compared are columns: the one with the most or the
    least."""
    sought, label = sought_in(wanted.question), stems_of(row.cells[0], wanted.language)
    if not sought or len(row.header) != len(row.cells) or not wanted.language.startswith("en"):
        return None
    if any(stems_of(name, wanted.language) & one.columns for one in sought for name in row.header):
        return None  # its columns are what is measured
    values = _values(row.cells[1:], wanted.now or _ANY_DAY)
    told = [(value, -at) for at, value in enumerate(values, start=1) if value is not None]
    named = bool(label) and label <= wanted.weights.keys()  # "the most room for cars (lane metres)"
    asked = [one for one in sought if named or label & one.columns]
    if len(told) < 2 or not asked:
        return None
    way = max(asked, key=lambda one: one.worth).way
    return -max((way * value, at) for value, at in told)[1]


def _topmost(rows: Sequence[Row], header: Row, sought: Sequence[_Sought], wanted: Wanted) -> frozenset[Row]:
    """The rows that are the asked extreme; none where no column tells it."""
    whole = [cells for cells in rows if len(cells) == len(header) and not _IN_ALL.match(cells[0])]
    kept = _of_condition(whole, header, wanted)
    for at, way in _columns(header, sought, wanted):
        values = _values([cells[at] for cells in kept], wanted.now or _ANY_DAY)
        told = [(value, cells) for value, cells in zip(values, kept, strict=True) if value is not None]
        if len(told) > 1 or (told and len(kept) < len(whole)):
            top = max(way * value for value, _ in told)
            return frozenset(cells for value, cells in told if way * value == top)
    return frozenset()


def _columns(header: Sequence[str], sought: Sequence[_Sought], wanted: Wanted) -> list[tuple[int, int]]:
    """Those that the superlative may be about, each with its way, the likeliest first: before all one that the question
    names. The first holds the names of the rows."""
    found: list[tuple[float, int, int]] = []
    rows = stems_of(header[0], wanted.language)  # "the biggest district" asks for a row, not for "District office"
    asked = wanted.weights.keys() - rows
    asked_years = set(_YEAR.findall(wanted.question))
    for one in sought:
        for at, name in enumerate(header):
            told = _SINCE.sub("started", name.replace("%", " percentage "))  # a small word that is no stem
            stems = stems_of(told, wanted.language) - rows
            if at and stems & one.columns:
                worth = one.worth + len(stems & asked) + len(stems & one.columns) / 10 - at / 100
                found.append((worth, at, one.way))
            elif at and asked_years & set(_YEAR.findall(name)):  # "most in 2025"
                found.append((one.worth + 1.0, at, one.way))
    return [(at, way) for _, at, way in sorted(found, key=lambda column: -column[0])]


def _of_condition(rows: Sequence[Row], header: Sequence[str], wanted: Wanted) -> list[Row]:
    """Those with a yes in a column of yes and no that the question names; all where it asks for one without."""
    kept = list(rows)
    for at, name in enumerate(header):
        cells = [cells[at] for cells in rows]
        if not at or not stems_of(name, wanted.language) & wanted.weights.keys() or _WITHOUT.search(wanted.question):
            continue
        if all(_YES.fullmatch(cell) or _NO.fullmatch(cell) for cell in cells):
            kept = [cells for cells in kept if _YES.fullmatch(cells[at])]
    return kept


def _values(cells: Sequence[str], now: datetime) -> list[float | None]:
    """What each holds as one number, where all are of one kind; else none."""
    values = [_value(cell, now) for cell in cells]
    if _kinds(values) == {_DATED, ""}:  # 1200 beside 950 is no year
        bare = [cell.strip() for cell in cells]
        values = [("", float(cell)) if cell.isdecimal() else one for cell, one in zip(bare, values, strict=True)]
    alike = len(_kinds(values)) == 1
    return [one[1] if one and alike else None for one in values]


def _kinds(values: Sequence[Value | None]) -> set[str]:
    return {one[0] for one in values if one and one[0] != _ANYTHING}


def _value(cell: str, now: datetime) -> Value | None:
    if _DATE.search(cell) and (day := parse_date(cell, now)):
        return _DATED, float(day.toordinal())
    if not (found := quantities(cell[:_CELL])):
        return (_ANYTHING, 0.0) if _NOTHING.match(cell) else None
    first = found[0]
    if first.is_year and not cell.strip(" .").replace(first.text, "", 1):
        return _DATED, float(datetime(int(first.values[0]), 1, 1, tzinfo=UTC).toordinal())
    size = first.values[0] * first.size
    for q in found[1:] if first.dimension == "time" else ():  # "2 min 19 s", "9 h 05"
        size += q.values[0] * (q.size if q.dimension == "time" else first.size / 60)
    return first.dimension, size

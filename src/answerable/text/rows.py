"""Rows of tables: as pages hold them ("Tin | 232 | 7.3") and as answers say them ("Tin – Melting point (°C): 232").

What an answer says of a row is checked cell by cell: shared words cannot tell the figures of two columns apart. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from answerable.text.worded import differs

SAID = " – "  # between the label of a row and its values, where a row is said
_BETWEEN = "; "  # its values
_RULE = re.compile(r"[\s|:+=-]*")
REFERENCE = re.compile(  # a mark of the page itself; but "in range [5, 129]" is a range
    r"(?<!range)(?<!range )(?<!interval)(?<!interval )"
    r"\s?[\[【]\s*(?:\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*|citation needed|edit)\s*[\]】]"
)
_FIGURES = re.compile(r"[\d\s.,%$€£–-]+")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\s?[/–-]\s?\d\d(?:\d\d)?)?")
_SPACES = re.compile(r"\s+")
_STOPS = re.compile(r"\s*[.。]+(?=; |$)")  # of values


@dataclass(frozen=True, slots=True)
class Row:
    """`text[start:end]` of a text; `names` of its columns, one a cell or none at all."""

    start: int
    end: int
    cells: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The row that a claim speaks of. `difference`: where it says something else, "" where the claim holds."""

    start: int
    end: int
    difference: str


def is_rule(line: str) -> bool:
    """Nothing, or the line between header and rows."""
    return not line.strip() or bool(_RULE.fullmatch(line))


def row_cells(line: str) -> tuple[str, ...]:
    """Of a line of a table, without reference marks."""
    inner = line.strip().strip("|")
    parts: Sequence[str] = inner.split("|") if "|" in inner else inner.split("\t")
    return tuple(REFERENCE.sub("", " ".join(part.split())) for part in parts)


def header_of(lines: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """The names of the columns and how many lines they take: of the first line, when it looks like names (no figure
    alone in a cell but a year over what are no years), with what a second line of names says below it ("Quillan",
    "arr."). No names: `((), 0)`."""
    cells = row_cells(lines[0]) if lines else ()
    if len(lines) > 2 and all(len(row_cells(line)) == len(cells) + 1 for line in lines[1:3]):
        cells = ("", *cells)  # over the labels of the rows stands nothing
    figures = [i for i, cell in enumerate(cells) if cell and _FIGURES.fullmatch(cell)]
    if not cells or not all(_heads(i, cells, lines[1:]) for i in figures):
        return (), 0
    if len(cells) == 2 and re.search(r"\d", cells[1]) and not _is_over_figures(cells[1], lines[1:]):
        return (), 0  # a name and its value
    below = row_cells(lines[1]) if len(lines) > 1 else ()
    repeats = len(set(cells)) < len(cells) and len(below) == len(cells)
    if repeats and any(name and name == under for name, under in zip(cells, below, strict=True)):
        both = zip(cells, below, strict=True)
        return tuple(name if name == under else f"{name} {under}".strip() for name, under in both), 2
    return cells, 1


def _is_over_figures(name: str, below: Sequence[str]) -> bool:
    """ "Lettuces left of 20" over 12, 17 and 7."""
    figures = [row[1] for line in below if len(row := row_cells(line)) == 2]
    return name[:1].isalpha() and len(figures) > 1 and all(_FIGURES.fullmatch(cell) for cell in figures)


def _heads(i: int, cells: Sequence[str], below: Sequence[str]) -> bool:
    """Whether that year is the name of a column: it stands over what are mostly no years, and not before them all."""
    column = [row[i] for line in below if len(row := row_cells(line)) == len(cells)]
    held = [cell for cell in column if cell]
    years = [cell for cell in held if _YEAR.fullmatch(cell)]
    return bool(i and _YEAR.fullmatch(cells[i]) and 2 * len(held) > len(column) and 2 * len(years) <= len(held))


def row_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of a table that hold cells."""
    at = start
    for line in text[start:end].split("\n"):
        if not is_rule(line):
            yield at, at + len(line)
        at += len(line) + 1


def row_said(claim: str, text: str, context: str = "") -> Found | None:
    """The row that a claim of the form "label – name: value; name: value" speaks of, if it can one that agrees; None
    where the text has no such row. `context`: the lines of the table that stand before the text."""
    said, found = _STOPS.sub("", _plain(claim)), None
    for row in _rows(text, context) if SAID in said else ():
        label = f"{_plain(row.cells[0])}{SAID}"
        if _opens(said, label) and (difference := _difference(said[len(label) :], row)) is not None:
            if not difference:
                return Found(row.start, row.end, "")
            found = found or Found(row.start, row.end, difference)
    return found


def _rows(text: str, context: str) -> Iterator[Row]:
    lines = list(row_spans(text, 0, len(text)))
    opening = [line for line in context.split("\n") if "|" in line and not is_rule(line)]
    for tabular, group in groupby(lines, lambda span: "|" in text[span[0] : span[1]]):
        spans = list(group)
        if not tabular:
            opening = []  # the table before the text ended with it
            continue
        names, taken = header_of([*opening, *(text[s:e] for s, e in spans)])
        for s, e in spans[max(0, taken - len(opening)) :]:
            cells = row_cells(text[s:e])
            if len(cells) > 1:
                yield Row(s, e, cells, names if len(names) == len(cells) else ())
        opening = []


def _difference(said: str, row: Row) -> str | None:
    """ "" where all that is said of the row are its cells; None where the claim is no reading of such a row."""
    values = {i: _STOPS.sub("", _plain(cell)) for i, cell in enumerate(row.cells) if i and cell}
    names = {i: f"{_plain(row.names[i])}: " if row.names and row.names[i] else "" for i in values}
    rest, differing = f"{said}{_BETWEEN}", ""
    while rest:
        told = [i for i, value in values.items() if _opens(rest, f"{names[i]}{value}{_BETWEEN}")]
        if not told and len(row.cells) == 2 and values and _opens(rest, f"{values[1]}{_BETWEEN}"):
            names[1], told = "", [1]  # of two columns the second needs no name
        if told:
            longest = max(told, key=lambda i: len(names[i] + values[i]))
            rest = rest[len(f"{names[longest]}{values.pop(longest)}{_BETWEEN}") :]
            continue
        about = [i for i in values if names[i] and _opens(rest, names[i])]
        if not about:
            return None
        longest = max(about, key=lambda i: len(names[i]))
        claimed, _, rest = rest[len(names[longest]) :].partition(_BETWEEN)
        differing = differing or differs(row.cells[longest], claimed)
        values.pop(longest)
    return differing


def _opens(text: str, start: str) -> bool:
    """In whatever case."""
    return text[: len(start)].casefold() == start.casefold()


def _plain(text: str) -> str:
    """As it is compared: without escapes and the mark of a list."""
    return _SPACES.sub(" ", text.replace("\\", "")).strip().removeprefix("- ")

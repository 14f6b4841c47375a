"""What tables tell of a thing: the row that comes first in its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerable.answering.candidates import Candidate, stems_of
from answerable.answering.leading import called_so
from answerable.text.described import Described
from answerable.types import Block, Evidence

LEAST_ROWS = 3
_FIGURE = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?")
_EVERYWHERE = frozenset({"earth", "world"})  # what a table of the highest mountains need not say


def topmost_row(
    thing: Described, candidates: Sequence[Candidate], evidence: Evidence, language: str
) -> Candidate | None:
    """The first row of a table of such things ("The five highest mountains") that is sorted by a figure."""
    asked = stems_of(thing.words, language) - _EVERYWHERE
    for row in candidates:
        table = _table_of(row, evidence) if row.is_row else None
        if table is None or not _first_of(row, table, evidence):
            continue
        above = f"{_caption(table, row, evidence)} {row.above}"
        if not called_so(thing.words, above) or not asked <= stems_of(above, language) | row.near:
            continue
        rows = [c for c in candidates if c.number == row.number and table.start <= c.start < table.end]
        if len(rows) >= LEAST_ROWS and any(_sorted(column) for column in zip(*(c.cells for c in rows), strict=False)):
            return row
    return None


def name_of(row: Candidate) -> str:
    """Its first cell that is no figure."""
    return next((cell for cell in row.cells if not _FIGURE.match(cell)), "")


def _table_of(row: Candidate, evidence: Evidence) -> Block | None:
    blocks = evidence.pages[row.number - 1].blocks
    return next((block for block in blocks if block.kind == "table" and block.start <= row.start < block.end), None)


def _first_of(row: Candidate, table: Block, evidence: Evidence) -> bool:
    """Only names of columns stand before it."""
    before = evidence.pages[row.number - 1].text[table.start : row.start]
    return len([line for line in before.split("\n") if re.search(r"\w", line)]) <= bool(row.header)


def _caption(table: Block, row: Candidate, evidence: Evidence) -> str:
    page = evidence.pages[row.number - 1]
    before = [block for block in page.blocks if block.end <= table.start and block.kind == "caption"]
    last = before[-1] if before else None
    return page.text[last.start : last.end] if last and table.start - last.end < 3 else ""


def _sorted(cells: Sequence[str]) -> bool:
    """By figures, up or down: the first is the most or the least."""
    figures = [float(found[0].replace(",", "").replace("−", "-")) for cell in cells if (found := _FIGURE.search(cell))]
    return len(figures) == len(cells) and figures in (sorted(figures), sorted(figures, reverse=True))

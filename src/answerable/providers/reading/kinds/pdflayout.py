"""The layout of PDF pages: columns put in order, running lines dropped, lines joined to headings, text and tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from answerable.providers.reading.kinds.pdflines import Cell, Line, lines_of
from answerable.types import BlockKind

_PAGE_NUMBER = re.compile(
    r"[-–—\s|]*(?:p(?:age|\.)?|seite|page|página|стр\.?)?\s*[\divxlc]{1,4}(?:\s*(?:/|of|von|de|sur)\s*\d{1,4})?[-–—\s|]*",
    re.I,
)
_OUTER_NUMBER = re.compile(r"\A\d+(?=\s)|(?<=\s)\d+(?: of \d+)?\Z")
_BULLET = re.compile(r"(?:[•‣▪●◦⁃∙·■–—-]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_LETTER = re.compile(r"[^\W\d_]")
_LEADERS = re.compile(r"\s*(?:\.\s?){5,}")  # the dots that lead to a page number in a table of contents
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？")
_EDGE = 3  # lines at the top and at the bottom of a page among which running ones are looked for
_HEADING_SIZE = 1.12  # times the size of most text
_HEADING_CHARS = 160
_GUTTER_TEXT = 18.0  # mean characters of a column's lines; the cells of a table are shorter


@dataclass(slots=True)
class TextPage:
    number: int  # from 1
    width: float
    lines: list[Line]

    @classmethod
    def of(cls, textpage: Any, number: int, width: float) -> TextPage:
        lines = lines_of(textpage)
        return cls(number, width, _in_reading_order(lines))


@dataclass(slots=True)
class Part:
    """A block of a page before all are put together."""

    kind: BlockKind
    text: str
    page: int
    level: int = 0
    size: float = 0.0


def without_running_lines(pages: Sequence[TextPage]) -> None:
    """Takes out what stands at the top or bottom of many pages alike, and the page numbers there."""
    edges = {page.number: _edges(page) for page in pages}
    seen = Counter(key for lines in edges.values() for key in {_key(line) for line in lines})
    often = max(3, len(pages) // 4)
    for page in pages:
        around = edges[page.number]
        outer = {id(line) for line in (around[0], around[-1])} if around else set()
        gone = {
            id(line)
            for line in around
            if seen[_key(line)] >= (3 if id(line) in outer else often)
            or (len(pages) > 1 and _PAGE_NUMBER.fullmatch(line.text))
        }
        page.lines = [line for line in page.lines if id(line) not in gone]


def _edges(page: TextPage) -> list[Line]:
    """By place, as running lines may come anywhere in the file."""
    ordered = sorted(page.lines, key=lambda line: -line.bottom)
    return [*ordered[:_EDGE], *ordered[_EDGE:][-_EDGE:]]


def _key(line: Line) -> tuple[str, int]:
    """Alike but for the page's number; a title in larger letters is not the running line that repeats it."""
    return _OUTER_NUMBER.sub("#", " ".join(line.text.casefold().split())), round(line.size)


def _in_reading_order(lines: list[Line]) -> list[Line]:
    """Columns one after the other; else the order of the file, unless that jumps about."""
    gutter = _gutter(lines)
    if gutter is not None:
        return _by_columns(lines, gutter)
    jumps = sum(b.bottom > a.top + a.size for a, b in zip(lines, lines[1:], strict=False))
    if jumps * 8 > len(lines):
        return sorted(lines, key=lambda line: (-round(line.bottom / max(line.size, 1)), line.left))
    return lines


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where a blank strip parts most of the page's text into two columns; None when none does."""
    cells = [cell for line in lines for cell in line.cells if cell.right > cell.left]
    if len(cells) < 12:
        return None
    left, right = min(cell.left for cell in cells), max(cell.right for cell in cells)
    for share in (0.5, 0.47, 0.53, 0.44, 0.56, 0.4, 0.6, 0.36, 0.64):
        x = left + share * (right - left)
        before = [cell for cell in cells if cell.right <= x]
        after = [cell for cell in cells if cell.left >= x]
        crossing = len(cells) - len(before) - len(after)
        if crossing * 6 > len(cells) or min(len(before), len(after)) * 4 < len(cells):
            continue
        if min(_mean_chars(before), _mean_chars(after)) >= _GUTTER_TEXT:
            return x
    return None


def _mean_chars(cells: Sequence[Cell]) -> float:
    return sum(len(cell.text) for cell in cells) / len(cells)


def _by_columns(lines: Sequence[Line], x: float) -> list[Line]:
    """Between lines that cross the gutter: the left column, then the right one."""
    ordered: list[Line] = []
    columns: tuple[list[Line], list[Line]] = ([], [])

    def flush() -> None:
        for column in columns:
            ordered.extend(sorted(column, key=lambda line: -line.bottom))
            column.clear()

    for line in sorted(lines, key=lambda line: -line.bottom):
        sides = [[c for c in line.cells if c.right <= x], [c for c in line.cells if c.left >= x]]
        if len(sides[0]) + len(sides[1]) < len(line.cells):
            flush()
            ordered.append(line)
            continue
        for column, cells in zip(columns, sides, strict=True):
            if cells:
                column.append(Line(cells, cells[0].left, cells[-1].right, line.bottom, line.top, line.size, line.bold))
    flush()
    return ordered


def parts_of(pages: Sequence[TextPage], outline: Mapping[tuple[int, str], int]) -> Iterator[Part]:
    """Blocks in order. `outline`: (page, folded title) to level, of the file's own table of contents."""
    sizes: Counter[float] = Counter()
    words: set[str] = set()
    for page in pages:
        for line in page.lines:
            sizes[round(line.size, 1)] += len(line.text)
            words.update(re.findall(r"\w+(?:-\w+)*", line.text.casefold()))
    body = sizes.most_common(1)[0][0] if sizes else 1.0
    larger = sorted((size for size in sizes if size >= body * _HEADING_SIZE), reverse=True)
    levels = {size: min(place, 3) for place, size in enumerate(larger, start=1)}
    for page in pages:
        yield from _Page(page, body, levels, outline, words).parts()


class _Page:
    """The lines of one page on their way to parts."""

    def __init__(
        self,
        page: TextPage,
        body: float,
        levels: Mapping[float, int],
        outline: Mapping[tuple[int, str], int],
        words: set[str],
    ) -> None:
        self.page, self.body, self.levels, self.outline, self.words = page, body, levels, outline, words
        self.right = _margin(page.lines)

    def parts(self) -> Iterator[Part]:
        lines = self.page.lines
        at = 0
        while at < len(lines):
            rows = self._rows(at)
            if rows:
                table = "\n".join(
                    " | ".join(c.text.replace("|", "¦") for c in line.cells) for line in lines[at : at + rows]
                )
                yield Part("table", table, self.page.number)
                at += rows
                continue
            level = self._level(lines[at])
            end = at + 1
            while end < len(lines) and not self._rows(end) and self._goes_on(lines[end - 1], lines[end], level):
                end += 1
            yield self._part(lines[at:end], level)
            at = end

    def _rows(self, at: int) -> int:
        """How many lines from here on are rows of a table; fewer than two are none."""
        lines = self.page.lines
        end = at
        while end < len(lines) and len(lines[end].cells) > 1 and not _BULLET.match(lines[end].text):
            if end > at and lines[end].bottom > lines[end - 1].bottom:
                break
            end += 1
        return end - at if end - at >= 2 and self._aligned(lines[at:end]) else 0

    def _aligned(self, rows: Sequence[Line]) -> bool:
        """Whether cells stand below each other: by their left or their right ends, as numbers do."""
        lefts = Counter(round(cell.left / 6) for row in rows for cell in row.cells)
        rights = Counter(round(cell.right / 6) for row in rows for cell in row.cells)
        cells = [cell for row in rows for cell in row.cells]
        held = sum(lefts[round(cell.left / 6)] > 1 or rights[round(cell.right / 6)] > 1 for cell in cells)
        return held * 3 >= len(cells) * 2

    def _level(self, line: Line) -> int:
        """Of the heading that a line is; 0 for text."""
        text = line.text
        if len(text) > _HEADING_CHARS or not _LETTER.search(text) or _LEADERS.search(text):
            return 0
        level = self.outline.get((self.page.number, folded(text))) if self.outline else 0
        level = level or self.levels.get(round(line.size, 1), 0)
        if level:
            return level
        if not line.bold:
            return 0
        short = line.right < self.right - 8 * line.size or len(text) < 60
        heads = short and not text.endswith((".", ",", ";", ":")) and not _BULLET.match(text)
        return min(6, len(set(self.levels.values())) + 1) if heads else 0

    def _goes_on(self, line: Line, following: Line, level: int) -> bool:
        """Whether the next line belongs to the same block."""
        if self._level(following) != level or abs(following.size - line.size) > 0.15 * line.size:
            return False
        step = line.bottom - following.bottom
        if level:
            return 0 < step < 2.2 * line.size and line.bold == following.bold
        if _BULLET.match(following.text) or _LEADERS.search(line.text):
            return False
        if step < -2 * line.size:  # the top of the next column
            return not line.text.endswith(_ENDS)
        if step > 1.9 * line.size:
            return False
        indented = following.left > line.left + 0.8 * line.size and line.text.endswith(_ENDS)
        ended = line.right < self.right - 6 * line.size and line.text.endswith((".", "!", "?", ":", "。"))
        return not (indented or ended)

    def _part(self, lines: Sequence[Line], level: int) -> Part:
        text = lines[0].text
        for line in lines[1:]:
            text = self._joined(text, line.text)
        contents = _LEADERS.search(text) is not None
        kind: BlockKind = "heading" if level else "list_item" if contents or _BULLET.match(text) else "paragraph"
        return Part(kind, " ".join(_LEADERS.sub(" … ", text).split()), self.page.number, level, lines[0].size)

    def _joined(self, text: str, following: str) -> str:
        """A word that a hyphen broke is whole again; one that is written with a hyphen keeps it."""
        if not text.endswith(("\ufffe", "\u00ad", "-")):
            space = "" if _is_unspaced(text[-1]) and _is_unspaced(following[0]) else " "
            return f"{text}{space}{following}"
        head = re.search(r"[\w-]*\Z", text[:-1])
        tail = re.match(r"\w+", following)
        if not head or not head[0] or not tail or not tail[0][0].islower():
            return f"{text[:-1]}-{following}"
        whole, hyphened = (head[0] + tail[0]).casefold(), f"{head[0]}-{tail[0]}".casefold()
        keeps = hyphened in self.words and whole not in self.words
        return f"{text[:-1]}{'-' if keeps else ''}{following}"


def folded(text: str) -> str:
    """A title for comparison: letters and digits in lower case."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _margin(lines: Sequence[Line]) -> float:
    """Where full lines end on the right: the nine in ten point of all ends."""
    ends = sorted(line.right for line in lines)
    return ends[int(len(ends) * 0.9)] if ends else 0.0


def _is_unspaced(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"

"""The lines of a PDF page with their place and size, cut at wide gaps: what layout is judged by."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

_GAP = 1.4  # times the font size; a wider space sets columns or cells apart (a word space is a quarter)
_WIDE_SPACES = re.compile(r"\s{3,}")
_BREAK = re.compile(r"\r\n|\n|\r|(?<=\ufffe)")  # PDFium says U+FFFE for a hyphen at the end of a line
_BOLD = re.compile(rb"bold|black|heavy|semi", re.IGNORECASE)
_LINES = 3000  # of one page; more are a drawing


@dataclass(slots=True)
class Cell:
    """A stretch of a line without a wide gap."""

    text: str
    left: float
    right: float


@dataclass(slots=True)
class Line:
    """`top` and `bottom` grow upwards, in points. A hyphen that breaks a word is U+FFFE at the end of the text."""

    cells: list[Cell]
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool = False
    text: str = ""

    def __post_init__(self) -> None:
        self.text = " ".join(cell.text for cell in self.cells)


class _Boxes:
    """Boxes of characters, with the numbers that the library fills made once."""

    def __init__(self, textpage: Any) -> None:
        self._textpage = textpage
        self._numbers = tuple(ctypes.c_double() for _ in range(4))
        self._refs = tuple(map(ctypes.byref, self._numbers))

    def __call__(self, index: int) -> tuple[float, float, float, float]:
        """Left, right, bottom, top."""
        pdfium.FPDFText_GetCharBox(self._textpage, index, *self._refs)
        left, right, bottom, top = (number.value for number in self._numbers)
        return left, right, bottom, top


def lines_of(textpage: Any) -> list[Line]:
    """In the order of the file; empty lines are left out."""
    text: str = textpage.get_text_range()
    raw = textpage.raw
    boxes = _Boxes(raw)
    wide = not text.isascii() and max(text) > "\uffff"
    lines: list[Line] = []
    at = 0
    for part in _BREAK.split(text):
        start = text.index(part, at) if part else at
        at = start + len(part)
        if part.strip() and len(lines) < _LINES:
            index = _units(text[:start]) if wide else start
            lines.append(_line(raw, boxes, part, index))
    return lines


def _units(text: str) -> int:
    """The library counts characters beyond the first plane twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _line(raw: Any, boxes: _Boxes, part: str, index: int) -> Line:
    begin = len(part) - len(part.lstrip())
    end = len(part.rstrip("\ufffe \t\xa0")) or len(part)
    first, last = boxes(index + begin), boxes(index + end - 1)
    middle = index + begin + (end - begin) // 2
    size = float(pdfium.FPDFText_GetFontSize(raw, middle)) or 1.0
    height = first[3] - first[2]
    if not 0.3 * size < height < 3 * size:  # the size is said before a matrix scales it
        size = max(size if 4 <= size <= 100 else height, 0.1)
    bold = pdfium.FPDFText_GetFontWeight(raw, middle) >= 600 or _has_bold_name(raw, middle)
    cells = [Cell(part.strip(), first[0], last[1])]
    if pdfium.FPDFText_CountRects(raw, index + begin, end - begin) > 1 or "   " in part:
        cells = _cells(boxes, part, index, size) or cells
    left, right = min(cell.left for cell in cells), max(cell.right for cell in cells)
    return Line(cells, left, right, min(first[2], last[2]), max(first[3], last[3]), size, bold)


def _has_bold_name(raw: Any, index: int) -> bool:
    """Fonts that are not embedded tell their weight by their name alone."""
    name, flags = ctypes.create_string_buffer(80), ctypes.c_int()
    length = pdfium.FPDFText_GetFontInfo(raw, index, name, len(name), ctypes.byref(flags))
    return 0 < length <= len(name) and _BOLD.search(name.value) is not None


def _cells(boxes: _Boxes, part: str, index: int, size: float) -> list[Cell]:
    """The line cut where the space between two words is wide."""
    cells: list[Cell] = []
    start: int | None = None
    right = 0.0
    for match in re.finditer(r"[^\s\xa0]+", part):
        left, _, _, _ = boxes(index + match.start())
        if start is not None and left - right > _GAP * size:
            cells.append(Cell(part[start : match.start()].strip(), boxes(index + start)[0], right))
            start = None
        if start is None:
            start = match.start()
        right = boxes(index + match.end() - 1)[1]
    if start is not None:
        cells.append(Cell(part[start:].strip(), boxes(index + start)[0], right))
    return cells

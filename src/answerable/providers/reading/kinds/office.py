"""Office files (docx, xlsx, pptx): headings, text, lists and tables in order; needs the extra `office`."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time
from typing import Any, Literal

from answerable.providers.reading.extracted import Extracted, Job
from answerable.providers.reading.kinds.composing import Composer
from answerable.providers.reading.kinds.text import name_of

OfficeKind = Literal["docx", "xlsx", "pptx"]
MAX_UNPACKED = 200_000_000  # bytes; a report with its pictures has some 20 MB
MAX_RATIO = 150  # of the XML of a sheet of zeros about 60
MAX_ENTRIES = 5_000
MAX_ROWS = 20_000
_NAMES = {"docx": "a Word document", "xlsx": "an Excel workbook", "pptx": "a PowerPoint file"}
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop)\s*(\d)", re.IGNORECASE)


def read_office(kind: OfficeKind, job: Job) -> Extracted:
    """Never raises for what a file holds."""
    name = _NAMES[kind]
    try:
        fault = _too_much(job.body)
        if fault:
            return Extracted(kind, cause="too_large", message=f"{name} that {fault}")
        out, about = _READERS[kind](job)
    except ImportError:
        return Extracted(kind, cause="not_text", message=f"{name}; to read it, install answerable[office]")
    except (MemoryError, RecursionError):
        raise
    except Exception as broken:  # noqa: BLE001 (three libraries over XML from anywhere raise what they like)
        return Extracted(kind, cause="decode", message=f"{name} that is broken ({type(broken).__name__})")
    created, changed = (_moment(getattr(about, field, None), job.now) for field in ("created", "modified"))
    title = " ".join((getattr(about, "title", None) or "").split())
    heading = next((out.text[b.start : b.end] for b in out.blocks if b.kind == "heading"), "")
    author = getattr(about, "author", None) or getattr(about, "creator", None) or ""
    return out.extracted(
        kind,
        (title or heading or name_of(job.url))[:300],
        author=" ".join(author.split()) or None,
        published=created,
        modified=changed if changed and (created is None or changed > created) else None,
        nothing=f"{name} without text",
    )


def _too_much(body: bytes) -> str:
    """What is wrong with an archive that is made to burst; "" for an honest one."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        return f"holds {len(entries):,} parts"
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED or unpacked > max(MAX_RATIO * len(body), 5_000_000):
        return f"unpacks to {unpacked / 1e6:,.0f} MB"
    return ""


def _docx(job: Job) -> tuple[Composer, Any]:
    import docx
    from docx.table import Table

    document = docx.Document(io.BytesIO(job.body))
    out = Composer()
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            _add_table(out, (_docx_cells(row) for row in block.rows))
        else:
            text = _docx_text(block)
            level = _docx_level(block)
            if level:
                out.add("heading", text, level=level)
            else:
                out.add("list_item" if _docx_is_item(block) else "paragraph", text)
        if out.full:
            break
    return out, document.core_properties


def _docx_text(paragraph: Any) -> str:
    """Without the runs that are hidden."""
    pieces = []
    for piece in paragraph.iter_inner_content():
        runs = getattr(piece, "runs", None)
        pieces += [run.text for run in ([piece] if runs is None else runs) if not run.font.hidden]
    return "".join(pieces)


def _docx_level(paragraph: Any) -> int:
    style = paragraph.style
    for _ in range(10):  # styles are built on others
        if style is None:
            return 0
        match = _HEADING.search(f"{style.name or ''} {style.style_id or ''}".replace("Heading", "Heading "))
        if match:
            return max(1, min(6, int(match[1])))
        if (style.style_id or "").lower() == "title":
            return 1
        outline = style.element.find(f".//{{{style.element.nsmap['w']}}}outlineLvl") if style.element.nsmap else None
        if outline is not None:
            return min(6, int(outline.values()[0]) + 1)
        style = getattr(style, "base_style", None)
    return 0


def _docx_is_item(paragraph: Any) -> bool:
    properties = paragraph._p.pPr
    numbered = properties is not None and properties.numPr is not None
    return numbered or (paragraph.style is not None and (paragraph.style.name or "").startswith("List"))


def _docx_cells(row: Any) -> list[str]:
    return ["; ".join(part for line in cell.text.split("\n") if (part := line.strip())) for cell in row.cells]


def _xlsx(job: Job) -> tuple[Composer, Any]:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(job.body), read_only=True, data_only=True)
    out = Composer()
    try:
        for number, sheet in enumerate(book.worksheets, start=1):
            if sheet.sheet_state != "visible":
                continue
            out.add("heading", sheet.title, level=1, leaf=number)
            rows: list[list[str]] = []
            for place, row in enumerate(sheet.iter_rows(max_row=MAX_ROWS + 1)):
                if place == MAX_ROWS:
                    out.cut = "size"
                    break
                cells = [_xlsx_cell(cell) for cell in row]
                if any(cells):
                    rows.append(cells)
                elif rows:  # an empty row parts two tables
                    _add_table(out, rows, leaf=number)
                    rows = []
            _add_table(out, rows, leaf=number)
            if out.full:
                break
    finally:
        book.close()
    return out, book.properties


def _xlsx_cell(cell: Any) -> str:
    """As a sheet shows it, near enough: dates as dates, shares as per cent, no tail of binary fractions."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time(0) else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int | float):
        if "%" in (cell.number_format or ""):
            return f"{value * 100:.10g}%"
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    return str(value)


def _pptx(job: Job) -> tuple[Composer, Any]:
    import pptx

    deck = pptx.Presentation(io.BytesIO(job.body))
    out = Composer()
    for number, slide in enumerate(deck.slides, start=1):
        if slide._element.get("show") == "0" or out.full:
            continue
        title = slide.shapes.title
        shown = " ".join((title.text_frame.text if title is not None else "").split())
        out.add("heading", shown or f"Slide {number}", level=1, leaf=number)
        for shape in _shapes(slide.shapes):
            if title is not None and shape.shape_id == title.shape_id:
                continue
            if getattr(shape, "has_table", False):
                _add_table(out, ([cell.text for cell in row.cells] for row in shape.table.rows), leaf=number)
            elif shape.has_text_frame:
                paragraphs = [text for p in shape.text_frame.paragraphs if (text := " ".join(p.text.split()))]
                for text in paragraphs:
                    out.add("list_item" if len(paragraphs) > 1 else "paragraph", text, leaf=number)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            out.add("paragraph", slide.notes_slide.notes_text_frame.text, leaf=number)
    return out, deck.core_properties


def _shapes(shapes: Iterable[Any], depth: int = 0) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes") and depth < 8:  # a group
            yield from _shapes(shape.shapes, depth + 1)
        else:
            yield shape


def _add_table(out: Composer, rows: Iterable[Iterable[str]], *, leaf: int | None = None) -> None:
    lines: list[list[str]] = []
    size = 0
    for row in rows:
        if len(lines) >= MAX_ROWS or size > out.limit:
            out.cut = "size"
            break
        cells = [" ".join(cell.split()).replace("|", "¦") for cell in row]
        if any(cells):
            lines.append(cells)
            size += sum(map(len, cells))
    used = sorted({place for line in lines for place, cell in enumerate(line) if cell})
    if not used:
        return
    text = "\n".join(" | ".join((line[c] if c < len(line) else "") or "–" for c in used) for line in lines)
    out.add("table" if len(used) > 1 else "paragraph", text, leaf=leaf)


def _moment(value: Any, now: datetime) -> datetime | None:
    """Of a time without a zone, which the format means in UTC; None for what lies ahead."""
    if not isinstance(value, datetime):
        return None
    moment = value if value.tzinfo else value.replace(tzinfo=UTC)
    return moment if moment <= now and moment.year > 1980 else None


_READERS = {"docx": _docx, "xlsx": _xlsx, "pptx": _pptx}

"""PDF: text by page in reading order, with page numbers, headings, tables and metadata."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pypdfium2

from answerable.providers.reading.extracted import Extracted, Job
from answerable.providers.reading.kinds.composing import Composer
from answerable.providers.reading.kinds.pdflayout import Part, TextPage, folded, parts_of, without_running_lines
from answerable.providers.reading.kinds.text import name_of
from answerable.types import Cut

MAX_PAGES = 2_000
MAX_CHARS = 1_500_000  # some 600 pages; what ranking sees of them is bounded elsewhere
_PAGES_SHARE = 0.65  # of the time for a file; putting its text together takes the rest
_PASSWORD_ERROR = 4
_LETTERS_A_PAGE = 20  # fewer on average: its pages are pictures
_NO_TITLE = re.compile(
    r"\s*(?:untitled|document\d*|microsoft (?:word|powerpoint|excel)\b.*|.*\.[a-z]{3,4}"
    r"|(?:title|print|slide|pages?|book)\s*\d*|.{0,2})\s*",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(?:([+\-Z])(\d{2})?'?(\d{2})?)?")


@dataclass(slots=True)
class _Read:
    """What the pages gave. `cut`: what ran out before the last of them."""

    pages: list[TextPage] = field(default_factory=list)
    pictures: bool = False
    cut: Cut | None = None


def read_pdf(job: Job) -> Extracted:
    """Never raises for what a file holds."""
    try:
        document = pypdfium2.PdfDocument(job.body)
    except pypdfium2.PdfiumError as fault:
        if getattr(fault, "err_code", None) == _PASSWORD_ERROR:
            return Extracted("pdf", cause="decode", message="an encrypted PDF, which opens only with its password")
        return Extracted("pdf", cause="decode", message="a broken PDF, which cannot be opened")
    try:
        return _read(document, job)
    except pypdfium2.PdfiumError:
        return Extracted("pdf", cause="decode", message="a broken PDF, whose pages cannot be read")
    finally:
        document.close()


def _read(document: Any, job: Job) -> Extracted:
    count = len(document)
    read = _pages(document, count, job.seconds)
    letters = sum(len(line.text) for page in read.pages for line in page.lines)
    if letters < _LETTERS_A_PAGE * max(1, len(read.pages)) and (read.pictures or not letters):
        pages = f"{count} page{'' if count == 1 else 's'}"
        return Extracted("pdf", cause="empty", message=f"a scanned PDF: {pages} of pictures without text")
    if _is_gibberish(read.pages):
        return Extracted("pdf", cause="decode", message="a PDF whose fonts do not say which letters they show")
    without_running_lines(read.pages)
    info = document.get_metadata_dict()
    headings = _outline(document)
    out = Composer(limit=MAX_CHARS, cut=read.cut)
    parts = _joined(list(parts_of(read.pages, headings)))
    for part in parts:
        if not out.add(part.kind, part.text, level=part.level, leaf=part.page):
            break
    created, changed = _date(info.get("CreationDate"), job.now), _date(info.get("ModDate"), job.now)
    return out.extracted(
        "pdf",
        _title(info.get("Title", ""), parts) or name_of(job.url),
        author=" ".join(info.get("Author", "").split()) or None,
        published=created,
        modified=changed if changed and (created is None or changed > created) else None,
        nothing="a PDF without text",
    )


def _pages(document: Any, count: int, seconds: float) -> _Read:
    """The first always, so that there is something to judge."""
    read = _Read(cut="size" if count > MAX_PAGES else None)
    deadline = time.monotonic() + seconds * _PAGES_SHARE
    chars = 0
    for number in range(min(count, MAX_PAGES)):
        if number and (chars > MAX_CHARS or time.monotonic() > deadline):
            read.cut = "size" if chars > MAX_CHARS else "time"
            break
        page = document[number]
        textpage = page.get_textpage()
        found = TextPage.of(textpage, number + 1, page.get_width())
        read.pages.append(found)
        chars += sum(len(line.text) for line in found.lines)
        if not found.lines and not read.pictures:
            read.pictures = any(True for _ in page.get_objects(filter=(3,), max_depth=2))  # 3: an image
        textpage.close()
        page.close()
    return read


def _is_gibberish(pages: list[TextPage]) -> bool:
    """Letters of a private use area or none at all: what was drawn cannot be told from the codes."""
    counts = Counter(
        "odd" if char == "\ufffd" or "\ue000" <= char <= "\uf8ff" or char < " " else "plain"
        for page in pages[:20]
        for line in page.lines
        for char in line.text
        if char not in "\ufffe\t"
    )
    return counts["odd"] > 0.3 * counts.total()


def _outline(document: Any) -> dict[tuple[int, str], int]:
    """(page from 1, folded title) to level from 1, of the file's own table of contents."""
    found: dict[tuple[int, str], int] = {}
    try:
        for number, entry in enumerate(document.get_toc(max_depth=6)):
            if number >= 5_000:
                break
            dest = entry.get_dest()
            place = dest.get_index() if dest is not None else None
            title = folded(entry.get_title())
            if place is not None and title:
                found.setdefault((place + 1, title), entry.level + 1)
    except (ValueError, RuntimeError):  # PdfiumError is one: an outline that is broken heads nothing
        return found
    return found


def _joined(parts: list[Part]) -> list[Part]:
    """A sentence that a page break cuts is whole on the page where it begins; the rest stays on its own."""
    for before, after in _neighbours(parts):
        if not before.text.endswith((".", "!", "?", ":", "”", '"', "。")) and re.match(r"[a-zß-ÿа-я(]", after.text):
            end = re.search(r"[.!?](?=\s)", after.text)
            cut = end.end() if end else len(after.text)
            join = "" if before.text.endswith("\ufffe") else " "
            before.text = before.text.removesuffix("\ufffe") + join + after.text[:cut]
            after.text = after.text[cut:].strip()
    for part in parts:
        part.text = part.text.replace("\ufffe", "-")
    return [part for part in parts if part.text]


def _neighbours(parts: list[Part]) -> Iterator[tuple[Part, Part]]:
    for before, after in zip(parts, parts[1:], strict=False):
        if before.kind == after.kind == "paragraph" and after.page == before.page + 1:
            yield before, after


def _title(told: str, parts: list[Part]) -> str:
    """The file's own, unless a program filled it in; else the largest words at the beginning."""
    told = " ".join(told.split())
    if told and not _NO_TITLE.fullmatch(told):
        return told[:300]
    first = [part for part in parts if part.page == 1 and part.kind == "heading"]
    return " ".join(max(first, key=lambda part: part.size).text.split())[:300] if first else ""


def _date(value: str | None, now: datetime) -> datetime | None:
    """`D:20220112093000+01'00'`; None for what is no date or lies ahead."""
    match = _DATE.match(value.strip()) if value else None
    if match is None:
        return None
    numbers = [
        int(group) if group else default for group, default in zip(match.groups()[:6], (0, 1, 1, 0, 0, 0), strict=True)
    ]
    offset = timedelta(hours=int(match[8] or 0), minutes=int(match[9] or 0))
    try:
        zone = timezone(-offset if match[7] == "-" else offset) if match[7] in ("+", "-") else UTC
        year, month, day, hour, minute, second = numbers
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
    return moment if moment.year > 1980 and moment <= now else None

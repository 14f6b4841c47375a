"""The newest release of a thing, where its version is asked for: the highest number that a list of releases or a
sentence about a release gives, not whatever a page of some version says. English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answerable.answering.candidates import Candidate, candidates_of, shown, stems_of
from answerable.types import Evidence, Page

_ASKED = re.compile(
    r"\b(?:latest|newest|current|most recent)\b.*\b(?:version|release|firmware)s?\b"
    r"|\b(?:version|release|firmware)\b.*\b(?:latest|newest|current|now|out)\b",
    re.IGNORECASE,
)
_NO_SUBJECT = frozenset({"what"}) | stems_of(
    "latest newest current recent most stable version release firmware now out number today date", "en"
)
_LIST = re.compile(
    r"\bchange ?log\b|\brelease(?:s| notes)?\b|\bversion history\b|\bfirmware\b|\bwhat['’]s new\b|\bdownloads?\b",
    re.IGNORECASE,
)
_VERSION = r"(?<![\w.])v?(?P<version>\d+(?:\.\d+)+)(?![\w]|\.\d)"
_HEADING = re.compile(rf"^(?:\W*(?:[\w-]+ ){{0,2}}?){_VERSION}")
_RELEASED = re.compile(
    r"\b(?:release[ds]?|version|out now|is out|published|shipped|available|stable|latest|newest|announc\w+)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:will|planned|upcoming|road ?map|expected|due|beta|alpha|candidate|needs?|requires?|since|until|older|last"
    r" release of)\b",
    re.IGNORECASE,
)
_FOUND = re.compile(_VERSION)
_LABELLED = re.compile(
    r"^\W*(?:newest|latest|current|most recent)(?: stable)? (?:version|release|firmware)\b", re.IGNORECASE
)
_COLUMN = re.compile(r"(?:version|release|firmware)s?(?: no\.?| number)?", re.IGNORECASE)
_WITHDRAWN = re.compile(r"\b(?:withdrawn|yanked|removed|recalled)\b", re.IGNORECASE)
_NO = re.compile(r"(?:no|-|–|—|not? \w+)?", re.IGNORECASE)
LISTED = 200  # characters of what is said below the heading of a release


def asks_for_release(question: str) -> bool:
    """Whether the newest version of something is asked for."""
    return bool(_ASKED.search(question)) and bool(_subject(question))


def lists_releases(page: Page, question: str) -> bool:
    """Whether the page lists the releases of the thing whose newest version is asked for."""
    return asks_for_release(question) and bool(_LIST.search(_heads(page))) and _is_about(page, question)


def tells_release(question: str, evidence: Evidence) -> bool:
    """Whether a list of releases in the evidence tells the newest."""
    if not asks_for_release(question):
        return False
    candidates = candidates_of(evidence, "en")
    if any(_listed(candidates, question, evidence)):
        return True
    lists = any(lists_releases(page, question) for page in evidence.pages)
    return lists and newest_release(candidates, question, evidence) is not None


def newest_release(candidates: Sequence[Candidate], question: str, evidence: Evidence) -> Candidate | None:
    """What tells the highest version: a sentence that says so, else the heading of a list with what stands below it."""
    if not asks_for_release(question):
        return None
    about = {n for n, page in enumerate(evidence.pages, start=1) if _is_about(page, question)}
    stated = [*_stated(candidates, about, question, evidence), *_listed(candidates, question, evidence)]
    told = [*stated, *_headed(evidence, about, question)]
    return max(told, key=lambda pair: pair[0], default=(None, None))[1]  # of equals the first: a sentence


def _stated(
    candidates: Sequence[Candidate], about: set[int], question: str, evidence: Evidence
) -> Iterator[tuple[tuple[int, ...], Candidate]]:
    subject = _subject(question)
    for c in candidates:
        named = subject <= c.words or lists_releases(evidence.pages[c.number - 1], question)  # "Python 3.14" is another
        if c.number in about and named and _RELEASED.search(c.text) and not _NOT_YET.search(c.text) and not c.is_row:
            for found in _FOUND.finditer(c.text):
                yield _key(found["version"]), c


def _listed(
    candidates: Sequence[Candidate], question: str, evidence: Evidence
) -> Iterator[tuple[tuple[int, ...], Candidate]]:
    """Of pages that are the thing's own: rows of a table of versions, items of a list of releases, and "Newest version:
    2.4.1"."""
    subject = _subject(question)
    lists = {n for n, page in enumerate(evidence.pages, start=1) if lists_releases(page, question)}
    for c in candidates:
        page, labelled = evidence.pages[c.number - 1], _LABELLED.match(c.text)
        if not subject <= stems_of(f"{c.above} {c.caption} {page.site.replace('.', ' ')}", "en"):
            continue
        if c.is_row:
            named = bool(c.header) and len(c.header) == len(c.cells) and _COLUMN.fullmatch(c.header[0])
            found = _HEADING.match(c.cells[0]) if named and not _is_withdrawn(c) else None
        elif any(block.kind == "heading" and block.start == c.start for block in page.blocks):
            continue  # told with what stands below it
        elif labelled:
            found = _FOUND.search(c.text)
        else:
            found = _HEADING.match(c.text) if c.first and c.number in lists else None
        if found and not _NOT_YET.search(c.text):
            yield _key(found["version"]), c


def _is_withdrawn(row: Candidate) -> bool:
    """A cell or a column says so; "no" below "Withdrawn" does not."""
    return any(
        _WITHDRAWN.search(cell) or (_WITHDRAWN.search(name) and not _NO.fullmatch(cell))
        for name, cell in zip(row.header, row.cells, strict=False)
    )


def _headed(evidence: Evidence, about: set[int], question: str) -> Iterator[tuple[tuple[int, ...], Candidate]]:
    for number in sorted(about):
        page = evidence.pages[number - 1]
        if not lists_releases(page, question):
            continue
        for heading, below in zip(page.blocks, page.blocks[1:], strict=False):
            text = page.text[heading.start : heading.end]
            found = _HEADING.match(text) if heading.kind == "heading" else None
            if found and below.kind != "heading" and not _NOT_YET.search(text):
                said = page.text[below.start : below.end].split("\n")[0][:LISTED]
                line = f"{shown(text)}: {shown(said)}"
                stems = stems_of(line, "en")
                yield (
                    _key(found["version"]),
                    Candidate(number, heading.start, below.end, line, stems, stems_of(page.title, "en"), 1.0, True),
                )


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _subject(question: str) -> frozenset[str]:
    return stems_of(question, "en") - _NO_SUBJECT


def _heads(page: Page) -> str:
    first = next((block for block in page.blocks if block.kind == "heading"), None)
    return f"{page.title} {page.text[first.start : first.end]}" if first else page.title


def _is_about(page: Page, question: str) -> bool:
    """Whether its title, site or first lines speak of the thing."""
    told = stems_of(f"{page.title} {page.site.replace('.', ' ')} {page.text[:1000]}", "en")
    return _subject(question) <= told

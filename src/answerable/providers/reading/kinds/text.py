"""Plain text and Markdown, kept as they are written; what is structure is known by its marks."""

from __future__ import annotations

import re

from answerable.providers.reading.extracted import MAX_CHARS, Extracted, Job
from answerable.text.passages import paragraphs_of
from answerable.types import Block, BlockKind, PageKind

_MARKDOWN_ADDRESS = re.compile(r"\.(?:md|markdown|mdx|mkd)(?:[?#]|$)", re.IGNORECASE)
_ATX = re.compile(r" {0,3}(#{1,6})[^\S\n]+(\S.*)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[^\S\n]*")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_RULED = re.compile(r"[^\S\n]*\|?[^\S\n]*:?-+:?[^\S\n]*(?:\|[^\S\n]*:?-+:?[^\S\n]*)*\|?[^\S\n]*")
_FRONT = re.compile(r"\A---[^\S\n]*\n(.*?\n)(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_NO_NAMES = {"", "index", "readme"}


def read_text(text: str, job: Job) -> Extracted:
    """Title: the first heading, the first line of a Markdown file's front matter that says it, or the file's name."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    whole, text = len(text), _bounded(text)
    markdown = is_markdown(job)
    kind: PageKind = "markdown" if markdown else "text"
    blocks = markdown_blocks(text) if markdown else paragraphs_of(text)
    front = _FRONT.match(text) if markdown else None
    told = re.search(r"^title:\s*[\"']?(.+?)[\"']?\s*$", front[1], re.MULTILINE) if front else None
    heading = next((text[b.start : b.end] for b in blocks if b.kind == "heading"), "")
    title = told[1] if told else heading.split("\n")[0].strip(" #") or name_of(job.url)
    if not text:
        return Extracted(kind, cause="empty", message="an answer without text")
    return Extracted(kind, title, text, blocks, cut="size" if len(text) < whole else None)


def _bounded(text: str) -> str:
    """Cut between lines or words."""
    if len(text) <= MAX_CHARS:
        return text
    text = text[:MAX_CHARS]
    return (text.rpartition("\n")[0] or text.rpartition(" ")[0] or text).rstrip()


def is_markdown(job: Job) -> bool:
    return "markdown" in job.content_type or bool(_MARKDOWN_ADDRESS.search(job.url))


def name_of(url: str) -> str:
    """The last part of an address, for a document that has no title."""
    from urllib.parse import unquote

    return unquote(url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2])[:120]


def markdown_blocks(text: str) -> tuple[Block, ...]:
    """Headings, items, tables, code, quotes and paragraphs of a Markdown text, each by its span."""
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    front = _FRONT.match(text)
    for start, end, fenced in _parts(text, front.end() if front else 0):
        level, title, below = (0, "", start) if fenced else _heading(text[start:end], start)
        if level:
            path = [(held, name) for held, name in path if held < level]
            stop = below if below < end else end
            stop = start + len(text[start:stop].rstrip())
            blocks.append(Block("heading", start, stop, tuple(name for _, name in path), level))
            path.append((level, title))
            start = below
            if start >= end:
                continue
        kind: BlockKind = "code" if fenced else _kind(text[start:end])
        blocks.append(Block(kind, start, end, tuple(name for _, name in path)))
    if front and front[1].strip():
        blocks.insert(0, Block("code", 0, len(text[: front.end()].rstrip())))
    return tuple(blocks)


def _heading(part: str, start: int) -> tuple[int, str, int]:
    """Level, title and where the rest of the part begins; level 0: no heading."""
    lines = part.split("\n", 2)
    atx = _ATX.fullmatch(lines[0])
    if atx:
        return len(atx[1]), atx[2].rstrip("# \t"), start + len(lines[0]) + (len(lines) > 1)
    if len(lines) > 1 and lines[0].strip() and not _ITEM.match(lines[0]) and "|" not in lines[0]:
        line = _UNDERLINE.fullmatch(lines[1])
        if line:
            return 1 if line[1][0] == "=" else 2, lines[0].strip(), start + sum(map(len, lines[:2])) + len(lines) - 1
    return 0, "", start


def _kind(part: str) -> BlockKind:
    if _ITEM.match(part):
        return "list_item"
    first, _, rest = part.partition("\n")
    if part.startswith("|") or ("|" in first and _RULED.fullmatch(rest.partition("\n")[0])):
        return "table"
    return "quote" if part.startswith(">") else "paragraph"


def _parts(text: str, at: int) -> list[tuple[int, int, bool]]:
    """(start, end, whether it is fenced code) of the parts between blank lines, headings, items and fences apart."""
    parts: list[tuple[int, int, bool]] = []
    start, fence = -1, ""
    for line in text[at:].split("\n"):
        bare, end = line.strip(), at + len(line.rstrip())
        if fence:
            if bare.startswith(fence) and not bare.strip(fence[0]):
                parts.append((start, end, True))
                start, fence = -1, ""
        elif bare.startswith(("```", "~~~")):
            start, fence = at, bare[: len(bare) - len(bare.lstrip(bare[0]))]
        elif not bare:
            start = -1
        elif start < 0 or _ATX.match(line) or _ITEM.match(line):
            parts.append((at, end, False))
            start = -1 if _ATX.match(line) else at
        else:
            parts[-1] = (parts[-1][0], end, False)
        at += len(line) + 1
    if fence and text[start:].strip():
        parts.append((start, len(text.rstrip()), True))
    return parts

"""A body to a page's text, blocks and metadata. Pure and slow: run it in a process of its own."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass
from datetime import datetime

from answerable.errors import ReadCause
from answerable.providers.reading import walls
from answerable.providers.reading.decode import Kind, decode, kind_of
from answerable.providers.reading.htmltree import parse_html, prune, prune_hidden
from answerable.providers.reading.metadata import Metadata, read_metadata
from answerable.providers.reading.selection import choose
from answerable.providers.reading.walker import Raw, walk
from answerable.text.passages import paragraphs_of
from answerable.types import Block, BlockKind

MAX_CHARS = 400_000
ENOUGH_CHARS = 400  # of text, for a page to count as read
_SMALL_CHARS = 80  # a page that is really this short is read too, when nothing else stands on it
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_FORUM_TYPES = {"discussionforumposting", "qapage", "question"}
_FORUM_PATH = re.compile(
    r"/(?:forums?|threads?|topics?|viewtopic|showthread|questions?|community|t|discussions?|comments)(?:[/.?-]|$)"
    r"|//(?:forums?|community|discuss(?:ion)?|boards?|answers|ask)\.",
    re.IGNORECASE,
)
_FORUM_SOFTWARE = re.compile(
    r"discourse|phpbb|vbulletin|xenforo|invision|mybb|flarum|vanilla|simple machines|nodebb", re.I
)


@dataclass(frozen=True, slots=True)
class Job:
    """What there is to extract: a body, the address it came from and the one that was asked for."""

    body: bytes
    url: str
    content_type: str
    now: datetime
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Extracted:
    """`cause` is set when the body is no page to read; `text` then is what there was all the same."""

    kind: Kind
    title: str = ""
    text: str = ""
    blocks: tuple[Block, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    author: str | None = None
    language: str | None = None
    cause: ReadCause | None = None
    message: str = ""


def extract(job: Job) -> Extracted:
    """Never raises for what a body holds."""
    kind = kind_of(job.body, job.content_type)
    if not job.body.strip():
        return Extracted("text", cause="empty", message="an answer without text")
    if kind == "pdf":
        return Extracted(kind, cause="not_text", message="a pdf, which cannot be read yet")
    if kind == "other":
        return Extracted(kind, cause="not_text", message=f"no text ({job.content_type or 'unknown kind'})")
    text = decode(job.body, job.content_type)
    if kind == "html":
        return _extract_html(text, job)
    if kind == "json":
        text = readable_json(text)
    if kind == "feed":
        text = readable_feed(text)
    text = text.replace("\r\n", "\n").strip()[:MAX_CHARS]
    blocks = _markdown_blocks(text) if _is_markdown(job) else paragraphs_of(text)
    heading = next((text[b.start : b.end].lstrip("# ") for b in blocks if b.kind == "heading"), "")
    return Extracted(
        kind,
        title=heading or job.url.rstrip("/").rpartition("/")[2][:120],
        text=text,
        blocks=blocks,
        cause=None if text else "empty",
        message="" if text else "an answer without text",
    )


def _extract_html(source: str, job: Job) -> Extracted:
    tree = parse_html(source)
    if tree is None:
        return Extracted("html", cause="empty", message="a page without text")
    meta = read_metadata(tree, job.url, job.now)
    signs = walls.signs_of(tree)
    prune_hidden(tree)
    seen = copy.deepcopy(tree)  # trafilatura judges best what it is given whole
    prune(tree)
    raws = walk(tree)
    chosen = choose(raws, seen, job.url, posts=_is_forum(meta, job.url, source))
    text, blocks = assemble(chosen)
    wall = walls.of_page(signs, source, meta, text, job.asked or job.url, job.url)
    if wall is None and not _is_enough(text, chosen, raws, source):
        wall = ("empty", "hardly any text")
    return Extracted(
        "html",
        title=meta.title,
        text=text,
        blocks=blocks,
        published=meta.published,
        modified=meta.modified,
        author=meta.author,
        language=meta.language,
        cause=wall[0] if wall else None,
        message=wall[1] if wall else "",
    )


def _is_enough(text: str, chosen: list[Raw], raws: list[Raw], source: str) -> bool:
    amount = text_amount(text)
    if amount >= ENOUGH_CHARS or any(raw.kind == "table" for raw in chosen):
        return True
    rest = sum(len(raw.text) for raw in raws if not raw.zone)
    if len(text) * 2 < rest:
        return False
    return amount >= _SMALL_CHARS or (len(text) > 10 and "<script" not in source.lower())


def text_amount(text: str) -> int:
    """Characters, an ideograph counting as the three letters it takes elsewhere."""
    return len(text) + 2 * len(_IDEOGRAPHS.findall(text))


def _is_forum(meta: Metadata, url: str, source: str) -> bool:
    if meta.types & _FORUM_TYPES or _FORUM_PATH.search(url):
        return True
    generator = re.search(r"<meta[^>]+generator[^>]*>", source[:20_000], re.IGNORECASE)
    return bool(generator and _FORUM_SOFTWARE.search(generator[0]))


def assemble(chosen: list[Raw]) -> tuple[str, tuple[Block, ...]]:
    """One text of the chosen blocks, with each one's span and the headings above it."""
    pieces: list[str] = []
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    length = 0
    for i, raw in enumerate(chosen):
        text = raw.text
        if length + len(text) > MAX_CHARS:
            cut = text[: max(0, MAX_CHARS - length)]
            text = cut.rpartition("\n")[0] or cut.rpartition(" ")[0]  # whole rows of a table, whole words of a line
            if not text:
                break
        if i:
            gap = "\n" if raw.kind == chosen[i - 1].kind == "list_item" or chosen[i - 1].kind == "caption" else "\n\n"
            pieces.append(gap)
            length += len(gap)
        if raw.kind == "heading":
            level = raw.level or 6
            path = [(held, title) for held, title in path if held < level]
        blocks.append(Block(raw.kind, length, length + len(text), tuple(title for _, title in path)))
        if raw.kind == "heading":
            path.append((raw.level or 6, text))
        pieces.append(text)
        length += len(text)
        if text is not raw.text:
            break
    return "".join(pieces), tuple(blocks)


def readable_json(text: str) -> str:
    """`key: value` lines, nested ones indented; as it is when it is no JSON after all."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    lines: list[str] = []
    stack: list[tuple[int, str, object]] = [(0, "", value)]
    while stack and len(lines) < 20_000:
        depth, name, value = stack.pop()
        indent = "  " * min(depth, 10)
        if isinstance(value, dict | list):
            if name:
                lines.append(f"{indent}{name}:")
            inner = value.items() if isinstance(value, dict) else ((f"{i + 1}", v) for i, v in enumerate(value))
            stack += [(depth + bool(name), str(k), v) for k, v in reversed(list(inner))]
        else:
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            lines.append(f"{indent}{name}: {shown}" if name else f"{shown}")
    return "\n".join(lines)


def readable_feed(text: str) -> str:
    """Titles, dates and summaries of a feed's entries, a blank line between them."""
    tree = parse_html(re.sub(r"<!\[CDATA\[(.*?)\]\]>", lambda m: _escaped(m[1]), text, flags=re.DOTALL))
    if tree is None:
        return ""
    parts = []
    for entry in tree.iter("channel", "item", "entry"):
        lines = []
        for child in entry:
            if child.tag in {
                "title",
                "pubdate",
                "updated",
                "published",
                "description",
                "summary",
                "content",
                "encoded",
            }:
                words = parse_html(child.text_content())
                line = " ".join((words.text_content() if words is not None else "").split())
                if line and line not in lines:
                    lines.append(line)
        parts.append("\n".join(lines))
    return "\n\n".join(part for part in parts if part)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _is_markdown(job: Job) -> bool:
    return "markdown" in job.content_type or bool(re.search(r"\.(?:md|markdown|mdx)(?:[?#]|$)", job.url, re.IGNORECASE))


def _markdown_blocks(text: str) -> tuple[Block, ...]:
    """Headings, code and the rest of a Markdown text, which is kept as it is written."""
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    for start, end, fenced in _markdown_parts(text):
        titles = tuple(title for _, title in path)
        match = re.match(r"(#{1,6})\s+(.+)", text[start:end])
        if fenced:
            blocks.append(Block("code", start, end, titles))
        elif match and "\n" not in text[start:end]:
            level, title = len(match[1]), match[2].strip(" #")
            path = [(held, name) for held, name in path if held < level]
            blocks.append(Block("heading", start, end, tuple(name for _, name in path)))
            path.append((level, title))
        else:
            kind = _markdown_kind(text[start:end])
            blocks.append(Block(kind, start, end, titles))
    return tuple(blocks)


def _markdown_kind(part: str) -> BlockKind:
    if re.match(r"\s*(?:[-*+]|\d+[.)])\s", part):
        return "list_item"
    return "table" if part.startswith("|") else "quote" if part.startswith(">") else "paragraph"


def _markdown_parts(text: str) -> list[tuple[int, int, bool]]:
    """(start, end, whether it is fenced code) of the parts between blank lines, headings and fences apart."""
    parts: list[tuple[int, int, bool]] = []
    at, start, fence = 0, -1, ""
    for line in text.splitlines(keepends=True):
        bare, end = line.strip(), at + len(line.rstrip())
        if fence:
            if bare.startswith(fence):
                parts.append((start, end, True))
                start, fence = -1, ""
        elif bare.startswith(("```", "~~~")):
            start, fence = at, bare[:3]
        elif not bare:
            start = -1
        elif start < 0 or re.match(r"#{1,6}\s|\s*(?:[-*+]|\d+[.)])\s", line):
            parts.append((at, end, False))
            start = -1 if bare.startswith("#") else at
        else:
            parts[-1] = (parts[-1][0], end, False)
        at += len(line)
    if fence:
        parts.append((start, len(text.rstrip()), True))
    return parts

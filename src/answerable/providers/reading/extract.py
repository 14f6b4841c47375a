"""A body to a page's text, blocks and metadata. Pure and slow: run it in a process of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml.html import HtmlElement

from answerable.providers.reading import walls
from answerable.providers.reading.decode import decode, kind_of
from answerable.providers.reading.extracted import MAX_CHARS, Extracted, Job
from answerable.providers.reading.features import About
from answerable.providers.reading.htmltree import parse_html, prune, prune_hidden
from answerable.providers.reading.kinds.reading import read_kind
from answerable.providers.reading.metadata import Metadata, is_board, read_metadata
from answerable.providers.reading.pictures import images_of
from answerable.providers.reading.selection import choose
from answerable.providers.reading.walker import Raw, walk
from answerable.text.instructions import instructs
from answerable.text.languages import detect
from answerable.types import Block

ENOUGH_CHARS = 400  # of text, for a page to count as read
_SMALL_CHARS = 80  # a page that is really this short is read too, when nothing else stands on it
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_FORUM_SOFTWARE = re.compile(
    r"discourse|phpbb|vbulletin|xenforo|invision|mybb|flarum|vanilla|simple machines|nodebb", re.I
)


_COMMENT = re.compile(r"<!--(?!\[if)([^<]{20,2000}?)-->")
_COMMENTS_IN, _COMMENT_CHARS = 400_000, 20_000  # characters of a page, and of all its comments, that are looked at


def extract(job: Job) -> Extracted:
    """Never raises for what a body holds."""
    kind = kind_of(job.body, job.content_type)
    if not job.body.strip():
        return Extracted("text", cause="empty", message="an answer without text")
    if kind != "html":
        return read_kind(kind, job)
    return _extract_html(decode(job.body, job.content_type), job)


@dataclass(frozen=True, slots=True)
class Reading:
    """A page taken apart, before it is decided what of it is its text."""

    tree: HtmlElement  # pruned
    meta: Metadata
    signs: walls.Signs
    raws: list[Raw]
    about: About
    tried: bool  # what is hidden in it speaks to a model
    held: list[HtmlElement]  # all there was, so that none is made twice


def read_blocks(source: str, job: Job) -> Reading | None:
    """None for a body in which there is nothing of a page."""
    tree = parse_html(source)
    if tree is None:
        return None
    held = list(tree.iter())  # lxml makes an element anew each time it is asked for one that nothing holds
    meta = read_metadata(tree, job.url, job.now)
    signs = walls.signs_of(tree)
    tried = prune_hidden(tree) or instructs("\n".join(_COMMENT.findall(source[:_COMMENTS_IN]))[:_COMMENT_CHARS])
    prune(tree)
    board = _is_forum(meta, job.url, source)
    about = About(job.url, meta.title, meta.types, meta.og_type, board, meta.described)
    return Reading(tree, meta, signs, walk(tree), about, tried, held)


def _extract_html(source: str, job: Job) -> Extracted:
    reading = read_blocks(source, job)
    if reading is None:
        return Extracted("html", cause="empty", message="a page without text")
    meta, signs, raws = reading.meta, reading.signs, reading.raws
    chosen = choose(raws, reading.about)
    text, blocks = assemble(chosen)
    told = text if len(text) >= _SMALL_CHARS else "\n".join(raw.text for raw in raws)[: walls.SHORT]
    wall = walls.of_page(signs, source, meta, told, job.asked or job.url, job.url)
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
        language=meta.language or (detect(text) if text_amount(text) >= ENOUGH_CHARS else None),
        cause=wall[0] if wall else None,
        message=wall[1] if wall else "",
        images=tuple(i for i in images_of(reading.tree, chosen, job.url) if not instructs(f"{i.alt}\n{i.caption}")),
        instructs=reading.tried,
        cut="size" if _is_cut(chosen, blocks) else None,
        site_name=meta.site_name,
        canonical=meta.canonical,
    )


def _is_cut(chosen: list[Raw], blocks: tuple[Block, ...]) -> bool:
    return len(blocks) < len(chosen) or any(
        block.end - block.start < len(raw.text) for raw, block in zip(chosen[-1:], blocks[-1:], strict=True)
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
    if is_board(meta.types, url):
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
        level = (raw.level or 6) if raw.kind == "heading" else 0
        if level:
            path = [(held, title) for held, title in path if held < level]
        blocks.append(Block(raw.kind, length, length + len(text), tuple(title for _, title in path), level))
        if level:
            path.append((level, text))
        pieces.append(text)
        length += len(text)
        if text is not raw.text:
            break
    return "".join(pieces), tuple(blocks)

"""Which blocks of a page are its text: trafilatura's judgement of the words, ours of the structure around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, zip_longest

from lxml.html import HtmlElement
from trafilatura import bare_extraction
from trafilatura.settings import use_config

from answerable.providers.reading.walker import Raw

_WORDS = re.compile(r"\w+")
_AGREED = 0.6  # share of a block's word triples found in the extraction
_REFERENCE_HEADINGS = {
    "references", "notes", "footnotes", "sources", "citations", "notes and references", "bibliography", "références",
    "einzelnachweise", "notes et références", "referencias", "note", "referenties", "przypisy", "примечания",
}  # fmt: skip
_THREAD_OWN = 1500
_LINKS = 0.5  # a block with more of it in links leads elsewhere
# Below these the extraction has missed the page's text, not trimmed it.
_TOO_LITTLE, _SMALL_SHARE = 400, 0.5

_CONFIG = use_config()
_CONFIG.set("DEFAULT", "EXTRACTION_TIMEOUT", "0")  # no signals: we run in processes with limits of their own


def choose(blocks: Sequence[Raw], tree: HtmlElement, url: str, *, posts: bool) -> list[Raw]:
    """The page's text in order. `posts`: what looks like comments is the page's text, as on a forum."""
    posts = posts or _is_thread(blocks)
    usable = [b for b in blocks if posts or not b.comment]
    readable = sum(len(b.text) for b in usable if _plain(b))
    voted = vote(usable, tree, url, posts=posts)
    found = sum(len(b.text) for b in usable if b.chosen)
    if not voted or found < _TOO_LITTLE or found < _SMALL_SHARE * readable:
        own = by_structure(usable)
        if sum(len(b.text) for b in own) > found:
            return own
    fill(usable)
    return without_empty_ends([b for b in usable if b.chosen])


def without_empty_ends(chosen: list[Raw]) -> list[Raw]:
    """Headings over lists of references, which are gone, go too."""
    return [
        b
        for b, following in zip_longest(chosen, chosen[1:])
        if b.kind != "heading"
        or (following is not None and following.kind != "heading")
        or b.text.strip().lower() not in _REFERENCE_HEADINGS
    ]


def _is_thread(blocks: Sequence[Raw]) -> bool:
    """Whether the comments are what the page is for: a link or a question with little text of its own."""
    own = sum(len(b.text) for b in blocks if not b.comment and _plain(b))
    return own < _THREAD_OWN and sum(len(b.text) for b in blocks if b.comment and _plain(b)) > 2 * own


def vote(blocks: Sequence[Raw], tree: HtmlElement, url: str, *, posts: bool) -> bool:
    """Marks the blocks that trafilatura takes for main text; False when it finds none."""
    document = bare_extraction(
        tree,
        url=url or None,
        include_comments=True,  # set apart from the body; without, it takes ordinary lists for comments
        include_tables=True,
        include_formatting=False,
        config=_CONFIG,
    )
    if document is None or isinstance(document, dict) or document.body is None:
        return False
    bodies = [document.body, *([document.commentsbody] if posts and document.commentsbody is not None else [])]
    lines = [" ".join(e.itertext()) if e.tag in _LINE_TAGS else (e.text or "") for body in bodies for e in body.iter()]
    tails = [e.tail or "" for body in bodies for e in body.iter()]
    said = [_words(line) for line in (*lines, *tails)]
    whole = _words(" ".join(" ".join(body.itertext()) for body in bodies))
    triples = set(zip(whole, whole[1:], whole[2:], strict=False))
    known = set(whole)
    short = {tuple(words) for words in said if 0 < len(words) < 12}
    for block in blocks:
        words = _words(block.text)
        if block.kind == "table":  # its cells are joined otherwise there, and lists in them are missing
            block.chosen = bool(words) and sum(word in known for word in words) >= _AGREED * len(words)
        else:
            block.chosen = tuple(words) in short or (len(words) >= 3 and _share(words, triples) >= _AGREED)
    return any(b.chosen for b in blocks)


_LINE_TAGS = {"p", "head", "item", "cell", "quote", "code", "hi", "ref"}


def fill(blocks: Sequence[Raw]) -> None:
    """Adds what the extraction lost between what it kept: headings of kept text, items of kept lists, tables, code."""
    kept = [i for i, b in enumerate(blocks) if b.chosen]
    for a, b in pairwise(kept):
        between = blocks[a + 1 : b]
        if 0 < len(between) <= 12:
            for block in between:
                if _plain(block) and _near(block, blocks[a], blocks[b]):
                    block.chosen = True
    lists: Counter[HtmlElement] = Counter()
    items: Counter[HtmlElement] = Counter()
    for block in blocks:
        if block.kind == "list_item" and (parent := _list_of(block)) is not None:
            items[parent] += 1
            lists[parent] += block.chosen
    for block in blocks:
        if block.kind == "list_item" and _plain(block) and (parent := _list_of(block)) is not None:
            block.chosen |= lists[parent] * 2 >= items[parent]
    heading_level, following = 0, False
    for i in range(len(blocks) - 1, -1, -1):
        block = blocks[i]
        if block.kind != "heading":
            heading_level = 0
            following = block.chosen
        elif not block.chosen:
            follows = i + 1 < len(blocks) and (following or heading_level > block.level)
            block.chosen = follows and not block.zone and block.linked < 0.9
        if block.kind == "heading" and block.chosen:
            heading_level = max(heading_level, block.level)
            following = True


def by_structure(blocks: Sequence[Raw]) -> list[Raw]:
    """Without the extraction: all that does not stand around the text and does not lead elsewhere."""
    return [b for b in blocks if _plain(b)]


def _plain(block: Raw) -> bool:
    return not block.zone and block.linked <= _LINKS


def _near(block: Raw, before: Raw, after: Raw) -> bool:
    """Whether it stands in the same part of the page as its kept neighbours."""
    if block.inside is None:
        return False
    for other in (before, after):
        if other.inside is None:
            continue
        shared = {*_above(block.inside, 3)} & {*_above(other.inside, 3)}
        if shared:
            return True
    return False


def _above(element: HtmlElement, levels: int) -> list[HtmlElement]:
    chain = [element]
    for parent in element.iterancestors():
        if len(chain) >= levels or parent.tag in {"body", "html"}:
            break
        chain.append(parent)
    return chain


def _list_of(block: Raw) -> HtmlElement | None:
    element = block.inside
    while element is not None and element.tag not in {"ul", "ol", "dl", "menu"}:
        element = element.getparent()
    return element


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _share(words: list[str], triples: set[tuple[str, str, str]]) -> float:
    own = list(zip(words, words[1:], words[2:], strict=False))
    return sum(triple in triples for triple in own) / len(own)

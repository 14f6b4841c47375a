"""Which blocks of a page are its text: what the forests say of each, made whole by the structure around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from lxml.html import HtmlElement

from answerable.providers.reading.features import About, count
from answerable.providers.reading.judging import best_choice, judge, least_chances, without_reviews
from answerable.providers.reading.walker import Raw

_REFERENCE_HEADINGS = {
    "references", "notes", "footnotes", "sources", "citations", "notes and references", "bibliography", "références",
    "einzelnachweise", "notes et références", "referencias", "note", "referenties", "przypisy", "примечания",
}  # fmt: skip
_THREAD_OWN = 1500
_LINKS = 0.5  # a block with more of it in links leads elsewhere
_BESIDE = 2  # blocks
_TITLE = 0.3  # from here on a page's first heading is taken, whatever follows it
_NEAR = 30  # elements between an item's text and its list
_PRODUCT_TYPES = {"product", "productgroup", "og:product", "product.item"}
_PRODUCT_FLOOR = 0.5
_SAID = 0.25  # a sentence that likely to be text is taken beside such as are
_UNSURE = 0.15  # below it a block is not taken for the sake of its neighbours
# Below these the forests have missed the page's text, not trimmed it.
_TOO_LITTLE, _SMALL_SHARE = 400, 0.25


def choose(blocks: Sequence[Raw], about: About) -> list[Raw]:
    """The page's text in order. What looks like comments is text only where it is what the page is for."""
    if not blocks:
        return []
    posts = about.forum or _is_thread(blocks)
    counted = count(blocks, about)
    product = bool(about.types & _PRODUCT_TYPES) or about.og_type in _PRODUCT_TYPES
    chances = without_reviews(judge(counted), counted) if product else judge(counted)
    usable = [i for i, b in enumerate(blocks) if posts or not b.comment]
    taken = best_choice(chances[usable], counted.words[usable])
    if product:  # much of a shop's page looks like a description and is of something else
        taken &= chances[usable] >= _PRODUCT_FLOOR
    least = least_chances(counted)[usable]
    taken &= chances[usable] >= least
    for i, chosen in zip(usable, taken, strict=True):
        blocks[i].chosen = bool(chosen)
    fill([blocks[i] for i in usable], [float(chances[i]) for i in usable])
    empty_invitations([blocks[i] for i in usable], [bool(chance) for chance in least])
    text = [blocks[i] for i in usable if blocks[i].chosen]
    found = sum(len(b.text) for b in text)
    own = [blocks[i] for i in usable if _plain(blocks[i])]
    readable = sum(len(b.text) for b in own)
    if readable > found and (found < _TOO_LITTLE and found < readable * _SMALL_SHARE):
        text = own
    return without_empty_ends(text)


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


def fill(blocks: Sequence[Raw], chances: Sequence[float]) -> None:
    """Adds what belongs to what was chosen: the heading over it, the rest of its list, the code or
    table beside it: what holds the very fact that is looked for must not hang on a chance."""
    lists: Counter[HtmlElement] = Counter()
    items: Counter[HtmlElement] = Counter()
    parents = [_list_of(block) if block.kind == "list_item" else None for block in blocks]
    for block, parent in zip(blocks, parents, strict=True):
        if parent is not None:
            items[parent] += 1
            lists[parent] += block.chosen
    for block, parent, chance in zip(blocks, parents, chances, strict=True):
        if parent is not None and _plain(block) and chance >= _UNSURE:
            block.chosen |= lists[parent] * 2 >= items[parent]
    for i, block in enumerate(blocks):
        if block.kind in {"code", "table", "caption"} and _plain(block):
            block.chosen |= any(near.chosen for near in blocks[max(0, i - _BESIDE) : i + _BESIDE + 1])
    for i, (block, chance) in enumerate(zip(blocks, chances, strict=True)):
        if chance >= _SAID and _is_sentence(block):
            block.chosen |= any(near.chosen for near in blocks[max(0, i - _BESIDE) : i + _BESIDE + 1])
    level, following = 0, False
    for block, chance in zip(reversed(blocks), reversed(chances), strict=True):
        if block.kind != "heading":
            level, following = 0, block.chosen
            continue
        if not block.chosen and chance >= _UNSURE:
            over = following or level > block.level or (block.level == 1 and chance >= _TITLE)
            block.chosen = over and not block.zone and block.linked < 0.9
        if block.chosen:
            level, following = max(level, block.level), True


def empty_invitations(blocks: Sequence[Raw], inviting: Sequence[bool]) -> None:
    """Takes back headings ("Related articles", "Newsletter") under which nothing was chosen, likely as they may be."""
    filled = False
    for block, invites_to in zip(reversed(blocks), reversed(inviting), strict=True):
        if block.kind != "heading":
            filled |= block.chosen
            continue
        if invites_to and not filled:
            block.chosen = False
        filled = filled and not block.chosen


def _is_sentence(block: Raw) -> bool:
    return block.kind in {"paragraph", "list_item"} and block.text[-1] in ".!?。" and _plain(block) and not block.linked


def _plain(block: Raw) -> bool:
    return not block.zone and block.linked <= _LINKS


def _list_of(block: Raw) -> HtmlElement | None:
    element = block.inside
    for _ in range(_NEAR):
        if element is None or element.tag in {"ul", "ol", "dl", "menu"}:
            return element
        element = element.getparent()
    return None

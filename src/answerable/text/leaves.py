"""Where in a paged document a quote stands, and the link that opens it there."""

from __future__ import annotations

from bisect import bisect_right

from answerable.text.fragments import text_fragment_link
from answerable.types import Page

_NAMES = {"pdf": "p.", "pptx": "slide", "xlsx": "sheet"}


def leaf_at(page: Page, offset: int) -> int | None:
    """The page, slide or sheet (from 1) of the block that holds this place of the text; None where there are none."""
    place = bisect_right(page.blocks, offset, key=lambda block: block.start) - 1
    return page.blocks[place].leaf if place >= 0 else None


def page_label(page: Page, offset: int) -> str:
    """`p. 7`, `slide 3` or `sheet 2`; empty for a page of the web."""
    leaf = leaf_at(page, offset)
    return f"{_NAMES[page.kind]} {leaf}" if leaf and page.kind in _NAMES else ""


def link_to(page: Page, quote: str, offset: int) -> str:
    """The page opened at the quote: at its words, or at its page of a PDF, whose viewers know no text fragments."""
    if not page.url:
        return ""
    leaf = leaf_at(page, offset)
    if page.kind == "pdf" and leaf:
        return f"{page.url.partition('#')[0]}#page={leaf}"
    return text_fragment_link(page.url, quote)

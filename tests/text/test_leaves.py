"""Quotes of paged documents say where they stand, and their links open there."""

from __future__ import annotations

import pytest

from answerable.text.leaves import link_to, page_label
from answerable.types import Block, Page, PageKind

BLOCKS = (Block("paragraph", 0, 4, leaf=1), Block("paragraph", 6, 10, leaf=7))


def page(kind: PageKind, blocks: tuple[Block, ...] = BLOCKS) -> Page:
    return Page("p", "https://a.example/file#x", "", "", "One.\n\nTwo.", blocks, kind=kind)


@pytest.mark.parametrize(
    ("kind", "label", "link"),
    [
        ("pdf", "p. 7", "https://a.example/file#page=7"),
        ("pptx", "slide 7", "https://a.example/file#x:~:text=Two."),
        ("xlsx", "sheet 7", "https://a.example/file#x:~:text=Two."),
        ("html", "", "https://a.example/file#x:~:text=Two."),
    ],
)
def test_a_quote_is_found_on_its_page(kind: PageKind, label: str, link: str) -> None:
    assert page_label(page(kind), 7) == label
    assert link_to(page(kind), "Two.", 6) == link


def test_a_document_without_pages_has_no_label() -> None:
    assert page_label(page("pdf", (Block("paragraph", 0, 10),)), 3) == ""
    assert page_label(page("pdf", ()), 3) == ""
    assert link_to(page("pdf", ()), "One.", 0).endswith(":~:text=One.")

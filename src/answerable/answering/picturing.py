"""Pictures and tables of the cited pages that bear on the answer: candidates to be shown beside it."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.answering.checking import CheckedAnswer
from answerable.answering.gathering import Gathered
from answerable.text.relevance import question_tokens
from answerable.types import Citation, Page, SourceImage, SourceTable

MAX_IMAGES, MAX_TABLES = 4, 2
_A_PAGE = 2
TABLE_CHARS = 4_000


def images_for(question: str, checked: CheckedAnswer, gathered: Gathered) -> tuple[SourceImage, ...]:
    """At most four, best first, at most two a page. None where no caption or description fits what is said."""
    asked = set(question_tokens(question))
    found: list[tuple[float, int, SourceImage]] = []
    for n, page, citations in _cited(checked, gathered):
        claimed = _words(citations)
        of_page: list[tuple[float, int, SourceImage]] = []
        for place, image in enumerate(page.images):
            told = set(question_tokens(f"{image.alt} {image.caption}"))
            near = _is_near(page, image.block, citations)
            fit = 2 * len(told & asked) + len(told & claimed) + near
            if told & asked and len(told & (asked | claimed)) + near >= 2:
                shown = (image.url, image.alt, image.caption, image.width, image.height)
                of_page.append((fit, place, SourceImage(n, page.page_id, page.url, *shown)))
        found += sorted(of_page, key=lambda one: (-one[0], one[1]))[:_A_PAGE]
    ranked = sorted(found, key=lambda one: (-one[0], one[2].n, one[1]))
    return tuple({image.url: image for _, _, image in ranked[:MAX_IMAGES]}.values())


def tables_for(checked: CheckedAnswer, gathered: Gathered) -> tuple[SourceTable, ...]:
    """The tables that quoted words stand in, in the order of their numbers."""
    found: dict[tuple[str, int], SourceTable] = {}
    for n, page, citations in _cited(checked, gathered):
        for place, block in enumerate(page.blocks):
            quoted = any(block.start <= citation.start < block.end for citation in citations)
            if block.kind != "table" or not quoted or block.end - block.start > TABLE_CHARS:
                continue
            above = page.blocks[place - 1] if place else None
            caption = page.text[above.start : above.end] if above is not None and above.kind == "caption" else ""
            title = caption or (block.headings[-1] if block.headings else page.title)
            table = SourceTable(
                n, page.page_id, page.url, title, page.text[block.start : block.end], block.start, block.end
            )
            found.setdefault((page.page_id, block.start), table)
    return tuple(found.values())[:MAX_TABLES]


def _cited(checked: CheckedAnswer, gathered: Gathered) -> list[tuple[int, Page, list[Citation]]]:
    by_id = gathered.by_id
    return [
        (n, by_id[page_id], [citation for citation in checked.citations if citation.page_id == page_id])
        for n, page_id in enumerate(checked.numbers, start=1)
        if page_id in by_id
    ]


def _words(citations: Sequence[Citation]) -> set[str]:
    return {token for citation in citations for token in question_tokens(citation.quote)}


def _is_near(page: Page, block: int | None, citations: Sequence[Citation]) -> bool:
    """Whether a picture stands by the quoted words: at their block or the one before or after."""
    if block is None or block >= len(page.blocks):
        return False
    start, end = page.blocks[max(0, block - 1)].start, page.blocks[min(len(page.blocks) - 1, block + 1)].end
    return any(start <= citation.start < end for citation in citations)

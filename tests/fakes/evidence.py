"""Evidence made of plain texts: each text becomes a page, each paragraph of it a passage."""

from __future__ import annotations

from datetime import UTC, datetime

from answerable.text.passages import page_id_of, paragraphs_of, passage_id_of
from answerable.types import Block, Evidence, Page, Passage

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def page_of(
    text: str,
    *,
    number: int = 1,
    title: str = "",
    published: datetime | None = None,
    blocks: tuple[Block, ...] | None = None,
) -> Page:
    site = f"site{number}.example"
    url = f"https://{site}/page"
    return Page(
        page_id=page_id_of(url, text),
        url=url,
        title=title or f"Page {number}",
        site=site,
        text=text,
        blocks=paragraphs_of(text) if blocks is None else blocks,
        published=published,
    )


def passage_of(
    page: Page, start: int = 0, end: int | None = None, *, kind: str = "prose", context: str = ""
) -> Passage:
    stop = len(page.text) if end is None else end
    text = page.text[start:stop]
    return Passage(
        passage_id=passage_id_of(page.url, text, page.text.count(text, 0, start)),
        page_id=page.page_id,
        start=start,
        end=stop,
        text=text,
        kind="table" if kind == "table" else "prose",
        context=context,
    )


def evidence_of(*texts: str | Page, scores: tuple[float, ...] = ()) -> Evidence:
    """One passage a page, best first."""
    pages = tuple(t if isinstance(t, Page) else page_of(t, number=n) for n, t in enumerate(texts, start=1))
    passages = tuple(passage_of(page) for page in pages)
    return Evidence(pages, passages, scores or tuple(max(0.1, 0.9 - 0.1 * n) for n in range(len(passages))))

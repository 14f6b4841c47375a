"""Support checkers of known mind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from answerable.types import Evidence, Page, Passage, Quote, Support, Verdict


class FakeSupport:
    """Says `verdict` of every claim and quotes each page; `refuses(claim, passage)` takes single passages out."""

    def __init__(
        self, verdict: Verdict = "supported", refuses: Callable[[str, Passage], bool] = lambda claim, passage: False
    ) -> None:
        self.verdict, self.refuses = verdict, refuses
        self.asked: list[tuple[str, tuple[str, ...]]] = []  # claims with the pages they were checked against

    async def check(self, claim: str, passages: Sequence[Passage]) -> Support:
        self.asked.append((claim, tuple(dict.fromkeys(passage.page_id for passage in passages))))
        quotes: dict[str, Quote] = {}
        for passage in passages:
            if not self.refuses(claim, passage):
                quotes.setdefault(passage.page_id, whole(passage))
        if not quotes or self.verdict not in {"supported", "partly"}:
            return Support(0.0, "unsupported", "it does not say so")
        return Support(
            1.0, self.verdict, "" if self.verdict == "supported" else "a part is missing", tuple(quotes.values())
        )


def whole(passage: Passage) -> Quote:
    return Quote(passage.passage_id, passage.page_id, passage.start, passage.end, passage.text)


def numbered_evidence(urls: Sequence[str]) -> Evidence:
    """One page and one passage an address; page k has the id "page-k"."""
    pages = tuple(
        Page(f"page-{k}", url, f"Source {k}", url.split("/")[2], f"What source {k} says.")
        for k, url in enumerate(urls, start=1)
    )
    return Evidence(
        pages, tuple(Passage(f"passage-{page.page_id}", page.page_id, 0, len(page.text), page.text) for page in pages)
    )

"""Search in an index of our own: what the user added, or the built-in collection."""

from __future__ import annotations

from typing import Literal

from answerable.errors import AnswerableError, SearchError
from answerable.protocols import IndexHit, PassageIndex
from answerable.text.domains import Domains
from answerable.types import Focus, Freshness, SearchResult

_SNIPPET = 400


class OwnIndex:
    """The snippet of a page is its best passage. Scope `fallback` makes it the last resort of an empty web."""

    def __init__(self, index: PassageIndex, *, name: str = "own", scope: Literal["own", "fallback"] = "own") -> None:
        self.name = name
        self.scope: Literal["web", "own", "fallback"] = scope
        self.focuses: frozenset[Focus] = frozenset({"web", "news", "academic", "own"})
        self.partial = True
        self._index = index

    async def search(
        self,
        query: str,
        *,
        limit: int,
        freshness: Freshness,
        focus: Focus,
        locale: str,
        domains: tuple[str, ...] = (),
    ) -> list[SearchResult]:
        wanted = Domains.of(domains)
        if domains:
            limit *= 3  # the index knows no domains: what is shut out must not take the place of what is not
        try:
            hits = await self._index.search(query, limit=limit * 3)  # several passages may be of one page
        except AnswerableError as failure:
            raise SearchError(self.name, "server", failure.message, hint=failure.hint) from failure
        best: dict[str, IndexHit] = {}
        for hit in hits:
            if wanted.permits(hit.page.url):
                best.setdefault(hit.page.page_id, hit)
        return [self._result(hit) for hit in list(best.values())[:limit]]

    def _result(self, hit: IndexHit) -> SearchResult:
        return SearchResult(
            url=hit.page.url,
            title=hit.page.title,
            snippet=_shortened(hit.passage.text),
            providers=(self.name,),
            published=hit.page.published,
            score=hit.score,
            page=hit.page,
        )


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    if len(words) <= _SNIPPET:
        return words
    end = words.rfind(" ", 0, _SNIPPET)
    return f"{words[: end if end > 0 else _SNIPPET]} …"

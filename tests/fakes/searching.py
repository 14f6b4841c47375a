"""Search providers that play scripted answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from answerable.protocols import SearchProvider, SearchResults
from answerable.types import Focus, Freshness, SearchResult


def result(url: str, title: str = "", snippet: str = "", **more: Any) -> SearchResult:
    return SearchResult(url=url, title=title, snippet=snippet, **more)


class FakeSearch:
    """Each answer is a list of results, an exception to raise, or seconds to sleep before the next one."""

    def __init__(
        self,
        name: str,
        *answers: Sequence[SearchResult] | Exception | float,
        scope: Literal["web", "own", "fallback"] = "web",
        warnings: Sequence[str] = (),
        focuses: Iterable[Focus] = ("web", "news", "academic"),
        partial: bool = False,
    ) -> None:
        self.name = name
        self.focuses, self.partial = frozenset(focuses), partial
        self.scope: Literal["web", "own", "fallback"] = scope
        self.answers = answers or ([],)
        self.warnings = warnings
        self.queries: list[str] = []
        self.asked_with: list[tuple[Freshness, Focus, str, tuple[str, ...]]] = []
        self.cancelled = 0
        self.asked = asyncio.Event()

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
        self.queries.append(query)
        self.asked_with.append((freshness, focus, locale, domains))
        self.asked.set()
        index = min(len(self.queries), len(self.answers)) - 1
        answer = self.answers[index]
        if isinstance(answer, float):
            try:
                await asyncio.sleep(answer)
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
            answer = []
        if isinstance(answer, Exception):
            raise answer
        return SearchResults(answer[:limit], self.warnings) if self.warnings else list(answer[:limit])


async def ask(provider: SearchProvider, query: str = "harbour tower height", **options: Any) -> list[SearchResult]:
    choices = {"limit": 8, "freshness": "evergreen", "focus": "web", "locale": "en"} | options
    return await provider.search(query, **choices)

"""The same search is not sent twice: not while the first is under way, and not soon after."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from answerable.errors import SearchError
from answerable.protocols import SearchProvider, SearchResults
from answerable.types import Focus, Freshness, SearchResult

KEPT: dict[Freshness, float] = {"live": 60.0, "recent": 600.0, "evergreen": 3600.0}  # seconds
EMPTY_KEPT = 60.0  # that there is nothing may change any minute
MOST = 500  # answers of one provider

_Key = tuple[str, int, Freshness, Focus, str, tuple[str, ...]]


@dataclass(slots=True)
class _UnderWay:
    task: asyncio.Task[list[SearchResult]]
    waiting: int = 0


class Remembering:
    """Wraps a provider. Failures are not kept."""

    def __init__(self, provider: SearchProvider, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.name = provider.name
        self.scope: Literal["web", "own", "fallback"] = provider.scope
        self.focuses, self.partial = provider.focuses, provider.partial
        self.provider = provider
        self._monotonic = monotonic
        self._kept: OrderedDict[_Key, tuple[float, list[SearchResult]]] = OrderedDict()
        self._under_way: dict[_Key, _UnderWay] = {}

    @property
    def resting(self) -> SearchError | None:
        """Why the provider rests; None when it would be asked."""
        reason: SearchError | None = getattr(self.provider, "resting", None)
        return reason

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
        key: _Key = (" ".join(query.split()), limit, freshness, focus, locale, tuple(sorted(domains)))
        if (kept := self._kept.get(key)) is not None and self._monotonic() < kept[0]:
            self._kept.move_to_end(key)
            return _copy(kept[1])
        search = self._under_way.get(key)
        if search is None:
            search = self._under_way[key] = _UnderWay(asyncio.create_task(self._ask(key)))
            search.task.add_done_callback(lambda _: self._under_way.pop(key, None))
        search.waiting += 1
        try:
            return _copy(await asyncio.shield(search.task))
        finally:
            search.waiting -= 1
            if not search.waiting and not search.task.done():  # nobody is left who wants it
                search.task.cancel()
                self._under_way.pop(key, None)

    async def aclose(self) -> None:
        tasks = [search.task for search in self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        close = getattr(self.provider, "aclose", None)
        if close is not None:
            await close()

    async def _ask(self, key: _Key) -> list[SearchResult]:
        query, limit, freshness, focus, locale, domains = key
        found = await self.provider.search(
            query, limit=limit, freshness=freshness, focus=focus, locale=locale, domains=domains
        )
        self._kept[key] = (self._monotonic() + (KEPT[freshness] if found else EMPTY_KEPT), found)
        self._kept.move_to_end(key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return found


def _copy(found: list[SearchResult]) -> list[SearchResult]:
    """A list of one's own; the results in it are frozen."""
    return SearchResults(found, found.warnings) if isinstance(found, SearchResults) else list(found)

"""News from feeds that whoever runs this has chosen, ranked by words and by date."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from answerable.errors import AnswerableError, SearchCause, SearchError
from answerable.protocols import Clock, SearchResults
from answerable.providers.search.atom import parsed
from answerable.providers.search.http import once, utc_now
from answerable.providers.search.shaping import plain, window_of
from answerable.text.ages import provider_date
from answerable.text.analysis import index_tokens
from answerable.text.bm25 import BM25
from answerable.text.domains import Domains
from answerable.text.relevance import question_tokens
from answerable.text.urls import host_of, is_web_url
from answerable.types import Focus, Freshness, SearchResult

Fetch = Callable[[str, float], Awaitable[bytes]]  # address, seconds; raises AnswerableError
KEPT = 300.0  # seconds for which a feed is not fetched again
_MOST_ENTRIES = 500  # of one feed
_SNIPPET = 1_000
_HALF_LIFE = {"live": 1.0, "recent": 14.0, "evergreen": 180.0}  # days until newness counts half
_DAYS = {"week": 7, "year": 366}


@dataclass(slots=True)
class _Feed:
    results: tuple[SearchResult, ...] = ()
    until: float = 0.0
    loading: asyncio.Task[tuple[SearchResult, ...]] | None = None


class Feeds:
    """`fetch` is the guarded fetcher, as a function: feeds are addresses on the web like any other."""

    name = "feeds"
    scope: Literal["web", "own", "fallback"] = "web"
    focuses: frozenset[Focus] = frozenset({"news"})
    partial = True

    def __init__(
        self,
        feeds: Sequence[str],
        fetch: Fetch,
        *,
        timeout: float = 2.0,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feeds = {url: _Feed() for url in feeds}
        self._fetch, self._timeout, self._clock, self._monotonic = fetch, timeout, clock, monotonic

    async def search(
        self,
        query: str,
        *,
        limit: int,
        freshness: Freshness,
        focus: Focus,
        locale: str,
        domains: tuple[str, ...] = (),
    ) -> SearchResults:
        """Entries that hold a word of the query. A feed that fails is a warning; when all do, it is an error."""
        loaded = await asyncio.gather(*(self._load(url) for url in self._feeds), return_exceptions=True)
        failures = [fault for fault in loaded if isinstance(fault, BaseException)]
        if stop := next((fault for fault in failures if not isinstance(fault, SearchError)), None):
            raise stop
        told = [fault.message.removeprefix(f"{self.name}: ") for fault in failures if isinstance(fault, SearchError)]
        if failures and len(failures) == len(loaded):
            first = failures[0]
            cause: SearchCause = first.cause if isinstance(first, SearchError) else "connection"
            raise SearchError(self.name, cause, "; ".join(told), hint="Check the addresses in ANSWERABLE_FEEDS.")
        entries = once([one for part in loaded if isinstance(part, tuple) for one in part])
        wanted = Domains.of(domains)
        entries = [one for one in entries if wanted.permits(one.url)]
        ranked = await asyncio.to_thread(self._ranked, query, entries, freshness)
        return SearchResults(ranked[:limit], told)

    async def aclose(self) -> None:
        tasks = [feed.loading for feed in self._feeds.values() if feed.loading]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _load(self, url: str) -> tuple[SearchResult, ...]:
        """The entries as they were fetched last, or now. A fetch under way is shared and outlives who waits for it."""
        feed = self._feeds[url]
        if self._monotonic() < feed.until:
            return feed.results
        if feed.loading is None:
            feed.loading = asyncio.create_task(self._read(url))
            feed.loading.add_done_callback(lambda _: setattr(feed, "loading", None))
        feed.results = await asyncio.shield(feed.loading)
        feed.until = self._monotonic() + KEPT
        return feed.results

    async def _read(self, url: str) -> tuple[SearchResult, ...]:
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._fetch(url, self._timeout)
        except TimeoutError:
            raise SearchError(self.name, "timeout", f"{url} did not answer within {self._timeout:g} s") from None
        except AnswerableError as fault:
            raise SearchError(self.name, "connection", f"{url}: {fault.message}", hint=fault.hint) from fault
        feed = await asyncio.to_thread(parsed, body)
        if feed is None:
            raise SearchError(self.name, "malformed", f"{url} is no RSS or Atom feed")
        found = (self._entry(entry) for entry in feed.entries[:_MOST_ENTRIES])
        return tuple(once([entry for entry in found if entry]))

    def _entry(self, entry: Any) -> SearchResult | None:
        url = entry.get("link")
        if not isinstance(url, str) or not is_web_url(url):
            return None
        content = entry.get("content") or [{}]
        text = plain(entry.get("summary")) or plain(content[0].get("value"))
        written = entry.get("published") or entry.get("updated")
        return SearchResult(
            url=url.strip(),
            title=plain(entry.get("title")) or host_of(url),
            snippet=text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rpartition(' ')[0]} …",
            providers=(self.name,),
            published=provider_date(written, self._clock()),
        )

    def _ranked(self, query: str, entries: list[SearchResult], freshness: Freshness) -> list[SearchResult]:
        """Those that say what is asked, the newer first among equals; before all, those inside the window."""
        if not entries:
            return []
        texts = [index_tokens(f"{one.title} {one.title} {one.snippet}") for one in entries]
        scores = BM25(texts).scores(question_tokens(query))
        window = window_of(freshness)
        ranked = []
        for one, score in zip(entries, scores, strict=True):
            if score <= 0:
                continue
            days = max(0.0, (self._clock() - one.published).total_seconds() / 86_400) if one.published else 3_650.0
            newness = 1 / (1 + days / _HALF_LIFE[freshness])
            fresh = window is None or days <= _DAYS[window]
            ranked.append((not fresh, -float(score) * (0.5 + newness), replace(one, score=float(score))))
        return [one for _, _, one in sorted(ranked, key=lambda row: row[:2])]

"""Web search without a key, through the `ddgs` library and the search pages it knows to read."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import urlsplit

from answerable.errors import SearchCause, SearchError
from answerable.protocols import Clock, SearchResults
from answerable.providers.search.http import CONNECT_TIMEOUT, WEB_AND_NEWS, once, utc_now
from answerable.providers.search.shaping import plain, safe_value, window_of, with_sites
from answerable.text.ages import provider_date
from answerable.text.domains import Domains
from answerable.text.urls import host_of, is_web_url
from answerable.types import Focus, Freshness, SearchResult

SyncSearch = Callable[..., list[dict[str, Any]]]
_TEXT_ENGINES = "duckduckgo,brave,mojeek,yahoo"  # general engines of different indexes
_NEWS_ENGINES = "duckduckgo,bing,yahoo"
_PROBED = ("html.duckduckgo.com:443", "search.brave.com:443")
_REACHED_FOR = 60.0  # seconds for which a connection proves the network
_HINT = "Set a SearXNG address or a key of Tavily or Brave for search that can be relied on."
_REGIONS = {
    "en": "us-en", "de": "de-de", "fr": "fr-fr", "es": "es-es", "it": "it-it", "pt": "br-pt", "nl": "nl-nl",
    "pl": "pl-pl", "ru": "ru-ru", "ja": "jp-jp", "ko": "kr-kr", "zh": "cn-zh", "sv": "se-sv", "tr": "tr-tr",
}  # fmt: skip


class Ddgs:
    """`search` stands in for the library: called with category, query and its keyword arguments, in a thread.

    The library waits long for a network that is not there, so a connection is tried first (`probe` names
    host:port, `proxy` takes their place).
    """

    name = "ddgs"
    scope: Literal["web", "own", "fallback"] = "web"
    focuses: frozenset[Focus] = WEB_AND_NEWS
    partial = False

    def __init__(
        self,
        *,
        timeout: float = 2.0,
        connect_timeout: float = CONNECT_TIMEOUT,
        proxy: str = "",
        safe: str = "moderate",
        region: str = "",
        probe: tuple[str, ...] = _PROBED,
        search: SyncSearch | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._timeout, self._connect_timeout = timeout, connect_timeout
        self._proxy = proxy
        self._region = region.lower()
        self._safe = safe_value(safe, "ddgs") or "moderate"
        self._probe = (urlsplit(proxy).netloc.rpartition("@")[2],) if proxy else probe
        self._search: SyncSearch = search or self._library
        self._clock = clock
        self._reached = -_REACHED_FOR

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
        await self._reachable()
        category = "news" if focus == "news" else "text"
        wanted = Domains.of(domains)
        words = with_sites(query, wanted, max_chars=400)
        # No year for `recent`: it would take a second search to fill up with what these engines do not date.
        window = window_of(freshness) if freshness == "live" else None
        arguments: dict[str, Any] = {
            "region": self._region_of(locale),
            "safesearch": self._safe,
            "timelimit": window[0] if window else None,
            "max_results": limit,
            "backend": _NEWS_ENGINES if category == "news" else _TEXT_ENGINES,
        }
        try:
            async with asyncio.timeout(self._timeout):
                rows = await asyncio.to_thread(self._search, category, words, **arguments)
        except TimeoutError as fault:
            raise self._error("timeout", f"did not answer within {self._timeout:g} s") from fault
        except Exception as fault:
            raise self._failure(fault) from fault
        if not isinstance(rows, list):
            raise self._error("malformed", "gave an answer that is no list")
        found = [result for row in rows if (result := self._result(row))]
        return SearchResults([result for result in once(found) if wanted.permits(result.url)][:limit])

    def _region_of(self, locale: str) -> str:
        language, _, country = locale.lower().partition("-")
        country = country if len(country) == 2 else self._region
        return f"{country}-{language}" if country and language else _REGIONS.get(language, "wt-wt")

    def _library(self, category: str, query: str, **arguments: Any) -> list[dict[str, Any]]:
        from ddgs import DDGS  # importing it loads a dozen engines: only when it is used, and in this thread

        engine = DDGS(proxy=self._proxy or None, timeout=max(1, math.ceil(self._timeout)))
        return engine.news(query, **arguments) if category == "news" else engine.text(query, **arguments)

    async def _reachable(self) -> None:
        """One of the hosts takes a connection. A name that does not resolve or a refusal shows at once."""
        if not self._probe or time.monotonic() < self._reached + _REACHED_FOR:
            return
        tries = [asyncio.create_task(self._connects(place)) for place in self._probe]
        try:
            for next_one in asyncio.as_completed(tries):
                if await next_one:
                    self._reached = time.monotonic()
                    return
        finally:
            for task in tries:
                task.cancel()
        raise self._error("connection", f"no connection to {' or '.join(self._probe)}")

    async def _connects(self, place: str) -> bool:
        host, _, port = place.rpartition(":")
        try:
            async with asyncio.timeout(self._connect_timeout):
                _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        except (OSError, ValueError):  # a time-out is an OSError too
            return False
        writer.close()
        return True

    def _failure(self, fault: Exception) -> SearchError:
        """The library has one error for most things; its words and its class tell them apart."""
        kind, words = type(fault).__name__, str(fault)
        if kind == "RatelimitException" or "429" in words or "atelimit" in words:
            return self._error("rate_limited", "the search engines limit how often they are asked")
        if kind == "TimeoutException" or "timed out" in words:
            return self._error("timeout", "the search engines did not answer in time")
        if "onnect" in words or "dns" in words.lower():
            return self._error("connection", "no connection to the search engines")
        # It also says "No results found" when every engine sent a page of refusal, which is far more common.
        if "No results" in words:
            return self._error("refused", "the search engines gave nothing; they may be refusing automated use")
        return self._error("malformed", f"failed ({kind})")

    def _error(self, cause: SearchCause, message: str) -> SearchError:
        return SearchError(self.name, cause, message, hint=_HINT)

    def _result(self, row: Any) -> SearchResult | None:
        url = (row.get("href") or row.get("url")) if isinstance(row, dict) else None
        if not isinstance(url, str) or not is_web_url(url):
            return None
        return SearchResult(
            url=url,
            title=plain(row.get("title")) or host_of(url),
            snippet=plain(row.get("body")),
            providers=(self.name,),
            published=provider_date(row.get("date"), self._clock()),
        )

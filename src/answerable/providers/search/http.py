"""What search providers over HTTP share: one guarded call, errors with their cause, results from odd fields."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import ssl
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx2

from answerable.errors import SearchCause, SearchError
from answerable.protocols import Clock, SearchResults
from answerable.providers.headers import retry_after
from answerable.providers.search.shaping import Window, plain, window_of
from answerable.text.ages import provider_date
from answerable.text.cleaning import storable_json
from answerable.text.domains import Domains
from answerable.text.urls import canonical_url, host_of, is_web_url
from answerable.types import Focus, Freshness, SearchResult

CONNECT_TIMEOUT = 1.0  # a host that is there answers a connection within this
USER_AGENT = "Answerable/0.1 (+https://github.com/answerable/answerable)"
_MAX_BYTES = 5_000_000
_DAYS: dict[Window, int] = {"day": 1, "week": 7, "month": 31, "year": 366}
WEB: frozenset[Focus] = frozenset({"web"})
WEB_AND_NEWS: frozenset[Focus] = frozenset({"web", "news"})
ACADEMIC: frozenset[Focus] = frozenset({"academic"})
EVERYTHING: frozenset[Focus] = frozenset({"web", "news", "academic"})
_CAUSES: dict[int, SearchCause] = {401: "bad_key", 402: "quota", 403: "bad_key", 408: "timeout", 429: "rate_limited"}


@lru_cache(maxsize=1)
def _ssl_context() -> ssl.SSLContext:
    """Made once, when the first provider is: reading the certificates takes longer than noticing a dead network may."""
    return httpx2.create_ssl_context(trust_env=False)


def utc_now() -> datetime:
    return datetime.now(UTC)


class _WithoutQuery(logging.Filter):
    """Some vendors take their key as part of the address, and the client writes addresses to its log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                str(part).partition("?")[0] if isinstance(part, httpx2.URL) else part for part in record.args
            )
        return True


logging.getLogger("httpx2").addFilter(_WithoutQuery())


@dataclass(frozen=True, slots=True)
class Ask:
    """A search as every vendor's request is made from it."""

    query: str
    limit: int
    focus: Focus
    locale: str
    window: Window | None  # only pages of the last day, week, month or year
    now: datetime
    domains: Domains = field(default_factory=Domains)
    region: str = ""  # of the reader, two letters, where the locale names none

    @property
    def language(self) -> str:
        return self.locale.split("-")[0].lower()

    @property
    def country(self) -> str:
        """Two letters, or nothing when neither the locale nor the setting names one."""
        last = self.locale.split("-")[-1]
        return last.lower() if "-" in self.locale and len(last) == 2 else self.region

    @property
    def since(self) -> date | None:
        """The first day of the window."""
        return (self.now - timedelta(days=_DAYS[self.window])).date() if self.window else None


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP request of a vendor's API."""

    url: str
    params: Mapping[str, str | int] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None  # POST as JSON; None: GET


class Malformed(ValueError):
    """The answer has not the documented shape."""


class HttpSearch(ABC):
    """A vendor says how a search is asked and how its answer is read; the rest is the same for all.

    `safe`: off, moderate or strict. `region`: the reader's country, two letters. `mailto`: an address by which the
    operators of free services can reach whoever runs this.
    """

    name: str
    scope: Literal["web", "own", "fallback"] = "web"
    focuses: frozenset[Focus] = WEB
    partial = False
    address: str  # where its API is
    site = ""  # the one site it searches
    dated = True  # it can be asked for fresh pages only
    refused_hint = ""
    key_hint = ""
    accept = "application/json"
    pause = 0.0  # seconds that its rules want between two requests

    def __init__(
        self,
        *,
        base_url: str = "",
        api_key: str = "",
        timeout: float = 2.0,
        connect_timeout: float = CONNECT_TIMEOUT,
        proxy: str = "",
        safe: str = "moderate",
        region: str = "",
        mailto: str = "",
        clock: Clock = utc_now,
    ) -> None:
        self.base_url = (base_url or self.address).rstrip("/")
        self.clock = clock
        self._key, self._safe, self._region, self._mailto = api_key, safe, region.lower(), mailto
        self._timeout, self._connect_timeout = timeout, connect_timeout
        self._free_at = 0.0  # when the next request may be sent
        agent = f"{USER_AGENT[:-1]}; mailto:{mailto})" if mailto else USER_AGENT
        self._client = httpx2.AsyncClient(
            proxy=None if _is_near(host_of(self.base_url)) else proxy or None,  # which does not lead back to here
            trust_env=False,  # the environment is read in one place, and not here
            verify=_ssl_context(),
            headers={"User-Agent": agent, "Accept": self.accept},
            timeout=httpx2.Timeout(timeout, connect=connect_timeout),
        )

    @abstractmethod
    def call(self, ask: Ask) -> Call: ...

    @abstractmethod
    def read(self, answer: Any, ask: Ask) -> SearchResults:
        """Raises Malformed, or SearchError for a failure that came with status 200."""

    def parse(self, body: bytes) -> Any:
        """What `read` is given; None for what is not in the vendor's format."""
        return _json(body)

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        """Vendors with codes of their own override this."""
        return _CAUSES.get(status, "server" if status >= 500 else "refused")

    def wait_of(self, headers: Mapping[str, str]) -> float | None:
        """Seconds the vendor asks us to wait; vendors with headers of their own override this."""
        told = retry_after(headers, self.clock())
        return reset_after(headers, self.clock()) if told is None else told

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
        """Fresh pages first; when a vendor dates too few, the others follow, in what is left of the time."""
        wanted = Domains.of(domains)
        if self.site and not wanted.touches(self.site):
            return SearchResults()
        window = window_of(freshness, focus) if self.dated else None
        ask = Ask(" ".join(query.split()), limit, focus, locale, window, self.clock(), wanted, self._region)
        began = time.monotonic()
        found = await self._ask(ask, self._timeout)
        if ask.window is not None and len(found) < limit / 2:
            left = self._timeout - (time.monotonic() - began)
            found = await self._filled(found, replace(ask, window=None), left)
        return SearchResults(found[:limit], found.warnings)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _filled(self, found: SearchResults, ask: Ask, left: float) -> SearchResults:
        try:
            rest = await self._ask(ask, left)
        except SearchError as failure:
            if failure.cause == "paced":
                return found
            if not found:
                raise
            return SearchResults(found, [*found.warnings, failure.message])
        return SearchResults(once([*found, *rest]), list(dict.fromkeys([*found.warnings, *rest.warnings])))

    async def _ask(self, ask: Ask, left: float) -> SearchResults:
        answer = await self._answer(self.call(ask), left)
        try:
            found = self.read(answer, ask)
        except Malformed as fault:
            raise self.error("malformed", f"sent an answer that is not as documented: {fault}") from fault
        return SearchResults((result for result in once(found) if ask.domains.permits(result.url)), found.warnings)

    async def _answer(self, call: Call, left: float) -> Any:
        try:
            async with asyncio.timeout(left):
                await self._pace(left)
                return await self._exchange(call)
        except (httpx2.ConnectTimeout, httpx2.ConnectError, httpx2.ProxyError, httpx2.UnsupportedProtocol) as fault:
            raise self.error("connection", _unreachable(fault, call.url, self._connect_timeout)) from fault
        except (TimeoutError, httpx2.TimeoutException) as fault:
            raise self.error("timeout", f"did not answer within {self._timeout:g} s") from fault
        except UnicodeError:
            raise self.error("bad_key", "the key holds characters that no key has") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as fault:  # its text can hold a header, and so the key
            raise self.error("connection", f"the connection broke ({type(fault).__name__})") from None

    async def _pace(self, left: float) -> None:
        """Waits for its turn; a turn that comes too late to be answered is not waited for."""
        if not self.pause:
            return
        now = time.monotonic()
        wait = self._free_at - now
        if wait > left / 2:
            raise self.error("paced", f"takes one question in {self.pause:g} s")
        self._free_at = max(now, self._free_at) + self.pause
        await asyncio.sleep(max(0.0, wait))

    async def _exchange(self, call: Call) -> Any:
        method = "GET" if call.body is None else "POST"
        async with self._client.stream(
            method, call.url, params=call.params or None, headers=dict(call.headers), json=call.body
        ) as response:
            body = b""
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > _MAX_BYTES:
                    raise self.error("malformed", f"sent more than {_MAX_BYTES // 1_000_000} MB")
        answer = await asyncio.to_thread(self.parse, body)  # it may be long
        if response.status_code >= 300:
            raise self._failure(response, answer)
        if answer is None:
            raise self.error("malformed", f"sent an answer that is not {self.accept.rpartition('/')[2].upper()}")
        return answer

    def _failure(self, response: httpx2.Response, answer: Any) -> SearchError:
        status = response.status_code
        cause = self.cause_of(status, answer)
        if 300 <= status < 400:  # following it could hand the key to another host
            return self.error("refused", f"answered with a redirect (status {status}); its address may have changed")
        told = _told(answer)
        if self._key:
            told = told.replace(self._key, "***")
        wait = self.wait_of(response.headers) if cause in ("rate_limited", "quota", "server") else None
        meaning = {
            "bad_key": "refused the key" if self._key else "refused to answer",
            "rate_limited": "limits how often it is asked",
            "quota": "has no searches left on this plan",
            "server": "had an error of its own",
        }.get(cause, "refused the request")
        return self.error(cause, f"{meaning} (status {status}{f': {told}' if told else ''})", retry_after=wait)

    def error(self, cause: SearchCause, message: str, *, retry_after: float | None = None) -> SearchError:
        hint = {
            "bad_key": (self.key_hint if self._key else self.refused_hint) or self.key_hint,
            "refused": self.refused_hint,
            "rate_limited": "Wait, or add another search provider.",
            "quota": "Raise the plan, or add another search provider.",
            "connection": "Check the network, the proxy setting and the provider's address.",
        }.get(cause, "")
        return SearchError(self.name, cause, message, hint=hint, retry_after=retry_after)

    def result(
        self, url: object, title: object, snippet: object, published: object = None, **more: Any
    ) -> SearchResult | None:
        """None for what has no web address; everything else may be missing."""
        if not isinstance(url, str) or not is_web_url(url):
            return None
        return SearchResult(
            url=url.strip(),
            title=plain(title) or host_of(url),
            snippet=plain(snippet),
            providers=(self.name,),
            published=provider_date(published, self.clock()),
            **more,
        )


def rows(answer: Any, *path: str) -> list[dict[str, Any]]:
    """The objects of a list inside an answer; a missing or null list is empty."""
    place = answer
    for name in path:
        if not isinstance(place, dict):
            raise Malformed(f"no object around {name!r}")
        place = place.get(name)
        if place is None:
            return []
    if not isinstance(place, list):
        raise Malformed(f"{'.'.join(path)!r} is no list")
    return [row for row in place if isinstance(row, dict)]


def reset_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds until a limit is reset, which some vendors say instead; as seconds or as a moment in Unix time."""
    reset = (headers.get("x-ratelimit-reset") or headers.get("ratelimit-reset") or "").strip()
    if headers.get("retry-after") or not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", reset):
        return None
    return max(0.0, float(reset) - now.timestamp()) if float(reset) > 1e9 else float(reset)


def once(results: list[SearchResult]) -> list[SearchResult]:
    """The first of each page."""
    found: dict[str, SearchResult] = {}
    for result in results:
        found.setdefault(canonical_url(result.url), result)
    return list(found.values())


def _json(body: bytes) -> Any:
    try:
        return storable_json(json.loads(body))
    except (ValueError, RecursionError):
        return None


def _told(answer: Any) -> str:
    """What the vendor says of its failure, wherever it says it, in one short line."""
    while isinstance(answer, dict):
        answer = next((answer[key] for key in ("error", "detail", "message", "info", "code") if answer.get(key)), None)
    return plain(answer)[:160] if isinstance(answer, str) else ""


def _unreachable(fault: Exception, url: str, waited: float) -> str:
    host = urlsplit(url).netloc.rpartition("@")[2]
    if isinstance(fault, httpx2.ConnectTimeout):
        return f"no connection to {host} within {waited:g} s"
    if isinstance(fault, httpx2.ProxyError):
        return f"the proxy gave no connection to {host}"
    return f"no connection to {host}"


def _is_near(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return not ip_address(host.strip("[]")).is_global
    except ValueError:
        return False

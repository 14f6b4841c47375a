"""The one door to the web for pages: guarded addresses, limits on time and size, robots.txt, faults by name."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Self

import httpcore2
import httpx2

from answerable.errors import ReadError
from answerable.protocols import Fetched, Validators
from answerable.providers.headers import caching_of
from answerable.providers.reading.connect import Slots, open_pool
from answerable.providers.reading.decode import refresh_target
from answerable.providers.reading.guard import USUAL_PORTS, Guard, Refused, Resolve, Target
from answerable.providers.reading.robots import ALLOW_ALL, MAX_BYTES, Rules, RulesCache, rules_for

try:
    _VERSION = version("answerable")
except PackageNotFoundError:  # run from a source tree that was never installed
    _VERSION = "0"
USER_AGENT = f"Answerable/{_VERSION} (+https://github.com/answerable/answerable)"
_PACKINGS = ("gzip", "deflate", *(("br",) if find_spec("brotli") or find_spec("brotlicffi") else ()))
_REDIRECTS = {301, 302, 303, 307, 308}
_NO_TIMEOUTS = {"timeout": {"connect": None, "read": None, "write": None, "pool": None}}  # one deadline holds for all
# What a page whose host went silent must have sent to be worth judging: a head alone is about this long.
_USABLE_BYTES = 4096
# Text packs 3 to 10 times, padded tables up to 100; a bomb some 1,000 times. Small bodies are never judged.
_MAX_RATIO, _RATIO_FROM = 200, 1 << 19
# robots.txt may take this share of a page's time, and this long at most. A host that answers but is slower is read
# all the same, for this once: a person asked for one page of it.
_ROBOTS_SHARE, _ROBOTS_SECONDS = 0.4, 2.0
_REFRESH_BYTES = 100_000  # a page that only leads elsewhere is short


@dataclass(slots=True)
class _Arrived:
    """What has come of a response so far; outlives the deadline that cuts it."""

    url: str
    status: int
    headers: dict[str, str]
    conditional: bool = False  # it was asked for only if it had changed
    body: bytearray = field(default_factory=bytearray)

    def fetched(self, *, complete: bool = True) -> Fetched:
        caching = caching_of(self.url, self.headers, datetime.now(UTC))
        unchanged = self.conditional and self.status == 304
        return Fetched(self.url, self.status, self.headers, bytes(self.body), complete, unchanged, caching)


@dataclass(slots=True)
class _Call:
    """One `fetch`: its limits, its cookies (kept for its redirects, then forgotten), what has arrived."""

    url: str
    max_bytes: int
    robots: bool
    validators: Validators | None = None
    truncate: bool = False  # take the first `max_bytes` of a larger body
    cookies: httpx2.Cookies = field(default_factory=httpx2.Cookies)
    arrived: _Arrived | None = None


class GuardedFetcher:
    """`protocols.Fetcher` over HTTP/1.1. Returns whatever status the host answers; close with `aclose`."""

    def __init__(
        self,
        *,
        allow_hosts: Sequence[str] = (),
        proxy: str = "",
        user_agent: str = USER_AGENT,
        max_redirects: int = 5,
        at_once: int = 8,
        per_host: int = 2,
        obey_robots: bool = True,
        ports: frozenset[int] = USUAL_PORTS,
        resolve: Resolve | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = Guard(allow_hosts, ports=ports, resolve=resolve)
        self._pool = open_pool(self._guard, proxy=proxy, ssl_context=ssl_context, connections=at_once * 4)
        self._slots = Slots(at_once, per_host)
        self._user_agent, self._max_redirects, self._obey_robots = user_agent, max_redirects, obey_robots
        self._rules = RulesCache()
        self._rules_locks: dict[str, asyncio.Lock] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._pool.aclose()

    async def fetch(
        self, url: str, *, timeout: float, max_bytes: int = 2_000_000, validators: Validators | None = None
    ) -> Fetched:
        call = _Call(url, max_bytes, self._obey_robots, validators)
        try:
            async with asyncio.timeout(timeout):
                return await self._follow(call, timeout)
        except TimeoutError:
            arrived = call.arrived
            if arrived is not None and arrived.status == 200 and len(arrived.body) >= _USABLE_BYTES:
                return arrived.fetched(complete=False)
            raise ReadError(url, "timeout", f"no answer within {timeout:g} s") from None
        except Refused as refused:
            raise ReadError(url, refused.cause, refused.message) from None

    async def _follow(self, call: _Call, timeout: float) -> Fetched:
        """Requests the address and what it leads to, each hop checked like the first."""
        address, refreshed, seen = call.url, False, set[tuple[str, str]]()
        for _ in range(self._max_redirects + 1):
            target = self._guard.check(address)
            step = (target.url, str(sorted(call.cookies.items())))
            if step in seen:
                raise Refused("too_many_redirects", f"{target.url} leads back to itself")
            seen.add(step)
            if call.robots:
                await self._ask_robots(target, timeout)
            call.arrived = None
            arrived = await self._request(target, call)
            if arrived.status in _REDIRECTS:
                address = _location(arrived)
                continue
            leads_to = None if refreshed or len(arrived.body) > _REFRESH_BYTES else _refresh(arrived)
            if leads_to is None:
                return arrived.fetched()
            address, refreshed = leads_to, True
        raise Refused("too_many_redirects", f"more than {self._max_redirects} redirects")

    async def _request(self, target: Target, call: _Call) -> _Arrived:
        async with self._slots.hold(target.host):
            try:
                return await self._receive(target, call)
            except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError, OSError) as fault:
                raise _named(fault, target) from fault
            except httpcore2.TimeoutException as fault:  # only the system's own, before our deadline
                raise Refused("timeout", f"{target.host} did not answer") from fault

    async def _receive(self, target: Target, call: _Call) -> _Arrived:
        headers = self._headers(target, call)
        async with self._pool.stream("GET", target.url, headers=headers, extensions=_NO_TIMEOUTS) as raw:
            head = httpx2.Response(raw.status, headers=raw.headers, request=httpx2.Request("GET", target.url))
            call.cookies.extract_cookies(head)
            arrived = _Arrived(target.url, raw.status, _plain_headers(head.headers), bool(_conditions(target, call)))
            if raw.status in _REDIRECTS and "location" in arrived.headers:
                return arrived
            call.arrived = arrived
            length = arrived.headers.get("content-length", "")
            if not call.truncate and length.isdecimal() and int(length) > call.max_bytes:
                raise Refused("too_large", f"{int(length):,} bytes; {call.max_bytes:,} are read at most")
            try:
                await _read_body(raw, head, arrived, call)
            except (httpcore2.ReadError, httpcore2.RemoteProtocolError):
                if arrived.status != 200 or len(arrived.body) < _USABLE_BYTES:
                    raise  # cut in the middle: what came first may still be worth reading
            return arrived

    def _headers(self, target: Target, call: _Call) -> list[tuple[str, str]]:
        request = httpx2.Request("GET", target.url)
        call.cookies.set_cookie_header(request)
        headers = [
            ("User-Agent", self._user_agent),
            ("Accept", "text/html,application/xhtml+xml;q=0.9,text/*;q=0.8,application/json;q=0.7,*/*;q=0.5"),
            ("Accept-Encoding", ", ".join(_PACKINGS)),
        ]
        if "cookie" in request.headers:
            headers.append(("Cookie", request.headers["cookie"]))
        return headers + _conditions(target, call)

    async def _ask_robots(self, target: Target, timeout: float) -> None:
        rules = self._rules.get(target.origin) or await self._fetch_rules(target, timeout)
        if not rules.allow(target.url):
            raise Refused("blocked_by_robots", f"{target.host} asks not to be read here ({rules.reason})")

    async def _fetch_rules(self, target: Target, timeout: float) -> Rules:
        lock = self._rules_locks.setdefault(target.origin, asyncio.Lock())
        try:
            async with lock:  # pages of one host ask once
                held = self._rules.get(target.origin)
                if held is not None:
                    return held
                rules, certain = await self._robots_of(target, min(timeout * _ROBOTS_SHARE, _ROBOTS_SECONDS))
                self._rules.put(target.origin, rules, certain=certain)
                return rules
        finally:
            if not lock.locked():
                self._rules_locks.pop(target.origin, None)

    async def _robots_of(self, target: Target, timeout: float) -> tuple[Rules, bool]:
        """The rules, and whether they are the host's own word. A host that cannot be reached fails here already."""
        call = _Call(f"{target.origin}/robots.txt", MAX_BYTES, robots=False, truncate=True)
        try:
            async with asyncio.timeout(timeout):
                fetched = await self._follow(call, timeout)
        except TimeoutError:
            return ALLOW_ALL, False
        except Refused as refused:
            if refused.cause in {"connection", "tls", "private_address"} and call.arrived is None:
                raise
            return ALLOW_ALL, True
        return rules_for(fetched.status, fetched.body), True


async def _read_body(raw: httpcore2.Response, head: httpx2.Response, arrived: _Arrived, call: _Call) -> None:
    """Unpacks and keeps the body as it comes, within the call's limits."""
    packed = _Packed(raw)
    try:
        async with aclosing(packed):
            headers = await packed.true_headers(head.headers)
            body = httpx2.Response(head.status_code, headers=headers, stream=packed)
            async with aclosing(body.aiter_bytes()) as chunks:
                async for chunk in chunks:
                    arrived.body += chunk
                    if call.truncate and len(arrived.body) > call.max_bytes:
                        del arrived.body[call.max_bytes :]
                        return
                    if len(arrived.body) > call.max_bytes:
                        raise Refused("too_large", f"more than {call.max_bytes:,} bytes")
                    if len(arrived.body) > max(_RATIO_FROM, packed.size * _MAX_RATIO):
                        raise Refused("too_large", f"the body unpacks to more than {_MAX_RATIO} times its size")
    except httpx2.DecodingError as fault:
        raise Refused("decode", f"the packed body is damaged ({fault})") from None


class _Packed(httpx2.AsyncByteStream):
    """The body as it comes off the wire, counted; its first bytes tell whether the label is true."""

    def __init__(self, raw: httpcore2.Response) -> None:
        self.size = 0
        self._chunks = raw.aiter_stream()
        self._first = b""

    async def true_headers(self, headers: httpx2.Headers) -> httpx2.Headers:
        self._first = await anext(self._chunks, b"")
        encoding = headers.get("content-encoding", "").lower()
        unknown = {name.strip() for name in encoding.split(",")} - {"", "identity", *_PACKINGS}
        if unknown:
            raise Refused("decode", f"packed as {', '.join(sorted(unknown))}, which cannot be unpacked")
        plain = "gzip" in encoding and not self._first.startswith(b"\x1f\x8b")
        if plain:  # seen from servers that keep the label when they have unpacked
            return httpx2.Headers([(n, v) for n, v in headers.multi_items() if n.lower() != "content-encoding"])
        return headers

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.size += len(self._first)
        yield self._first
        async for chunk in self._chunks:
            self.size += len(chunk)
            yield chunk


def _conditions(target: Target, call: _Call) -> list[tuple[str, str]]:
    held = call.validators
    if held is None or held.url.partition("#")[0] != target.url:
        return []
    said = [("If-None-Match", held.etag), ("If-Modified-Since", held.last_modified)]
    return [(name, value) for name, value in said if value and value.isascii() and value.isprintable()]


def _plain_headers(headers: httpx2.Headers) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _location(arrived: _Arrived) -> str:
    location = arrived.headers.get("location", "").strip()
    if not location:
        raise Refused("bad_redirect", f"a redirect ({arrived.status}) that does not say where to")
    return _joined(arrived.url, location)


def _joined(base: str, reference: str) -> str:
    try:
        return str(httpx2.URL(base).join(reference))
    except (httpx2.InvalidURL, ValueError):
        raise Refused("bad_redirect", f"a redirect to {reference[:100]!r}, which is no address") from None


def _refresh(arrived: _Arrived) -> str | None:
    """Where a page that only sends its reader on leads to."""
    if arrived.status != 200 or "html" not in arrived.headers.get("content-type", "html"):
        return None
    to = refresh_target(bytes(arrived.body))
    if to is None:
        return None
    address = _joined(arrived.url, to)
    return None if address.partition("#")[0] == arrived.url else address


def _named(fault: BaseException, target: Target) -> Refused:
    """A transport's fault in words, certificates apart from the rest."""
    cause: BaseException | None = fault
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Refused("tls", f"the certificate of {target.host} is not valid: {cause.verify_message}")
        if isinstance(cause, ssl.SSLError):
            return Refused("tls", f"no secure connection with {target.host}: {cause.reason or cause}")
        cause = cause.__cause__ or cause.__context__
    if isinstance(fault, httpcore2.ProxyError):
        return Refused("connection", f"the proxy did not pass the request on: {fault}")
    if isinstance(fault, httpcore2.ProtocolError):
        return Refused("connection", f"{target.host} broke off or does not speak HTTP: {fault}")
    return Refused("connection", f"{target.host} cannot be reached: {fault}")

"""The one door to the web for pages: guarded addresses, limits on time and size, robots.txt, faults by name."""

from __future__ import annotations

import asyncio
import html
import ssl
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Self

import httpx2

from answerable.errors import ReadError
from answerable.providers.reading import robots
from answerable.providers.reading.connect import Pools, Slots
from answerable.providers.reading.decode import refresh_target
from answerable.providers.reading.exchange import REDIRECTS, Arrived, Call, Exchange
from answerable.providers.reading.guard import USUAL_PORTS, Guard, Refused, Resolve, Target
from answerable.providers.reading.patience import Patience
from answerable.providers.reading.robots import Robots, Rules
from answerable.text.proxies import Proxies
from answerable.types import Fetched, Validators

try:
    _VERSION = version("answerable")
except PackageNotFoundError:  # run from a source tree that was never installed
    _VERSION = "0"
USER_AGENT = f"Answerable/{_VERSION} (+https://github.com/answerable/answerable)"
_REFRESH_BYTES = 100_000  # a page that only leads elsewhere is short
_SHORT_WAIT, _MARGIN = 2.0, 0.5  # a host that wants no more seconds than this is asked once again, when time allows


class GuardedFetcher:
    """`protocols.Fetcher` over HTTP/1.1 and HTTP/2. Returns whatever status the host answers; close with `aclose`."""

    def __init__(
        self,
        *,
        allow_hosts: Sequence[str] = (),
        proxies: Proxies | None = None,
        user_agent: str = USER_AGENT,
        max_redirects: int = 5,
        at_once: int = 8,
        per_host: int = 2,
        obey_robots: bool = True,
        ports: frozenset[int] = USUAL_PORTS,
        resolve: Resolve | None = None,
        ssl_context: ssl.SSLContext | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._guard = Guard(allow_hosts, ports=ports, resolve=resolve)
        self._pools = Pools(self._guard, proxies or Proxies(), ssl_context, at_once * 4)
        self._exchange = Exchange(self._pools, user_agent)
        self._slots = Slots(at_once, per_host)
        self._max_redirects, self._obey_robots = max_redirects, obey_robots
        self._robots = Robots(self._robots_file)
        self._patience = patience or Patience()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._pools.aclose()
        self._guard.close()

    async def fetch(
        self,
        url: str,
        *,
        timeout: float,
        max_bytes: int = 2_000_000,
        document_bytes: int = 0,
        validators: Validators | None = None,
    ) -> Fetched:
        call = Call(url, max_bytes, document_bytes, _now() + timeout, self._obey_robots, validators)
        try:
            async with asyncio.timeout(timeout):
                return (await self._follow(call, self._max_redirects)).fetched()
        except TimeoutError:
            arrived = call.arrived
            if arrived is not None and arrived.usable:
                arrived.cut = "time"
                return arrived.fetched()
            raise ReadError(url, "timeout", f"no answer within {timeout:g} s") from None
        except Refused as refused:
            raise ReadError(url, refused.cause, refused.message, http_status=refused.http_status) from None

    async def rules(self, url: str, *, timeout: float) -> Rules:
        """What the site's robots.txt says: its rules, its `crawl_delay()`, its sitemaps. Raises ReadError."""
        try:
            async with asyncio.timeout(timeout):
                return await self._robots.rules(self._guard.check(url), timeout)
        except TimeoutError:
            raise ReadError(url, "timeout", f"no robots.txt within {timeout:g} s") from None
        except Refused as refused:
            raise ReadError(url, refused.cause, refused.message, http_status=refused.http_status) from None

    async def _follow(self, call: Call, redirects: int) -> Arrived:
        """Requests the address and what it leads to, each hop checked like the first."""
        address, refreshed, seen = call.url, False, set[tuple[str, str]]()
        for _ in range(redirects + 1):
            target = self._guard.check(address)
            step = (target.url, str(sorted(call.cookies.items())))
            if step in seen:
                raise Refused("too_many_redirects", f"{target.url} leads back to itself")
            seen.add(step)
            if call.robots:
                await self._robots.check(target, call.deadline - _now())
            call.arrived = None
            arrived = await self._request(target, call)
            if arrived.status in REDIRECTS:
                address = _location(arrived)
                continue
            leads_to = None if refreshed or len(arrived.body) > _REFRESH_BYTES else _refresh(arrived)
            if leads_to is None:
                return arrived
            address, refreshed = leads_to, True
        raise Refused("too_many_redirects", f"more than {redirects} redirects")

    async def _request(self, target: Target, call: Call) -> Arrived:
        host = f"{target.host}:{target.port}"
        self._patience.check(host)
        async with self._slots.hold(target.host):
            self._patience.check(host)  # it may have been said to another page while this one waited its turn
            arrived = await self._exchange.ask(target, call)
            wait = self._patience.note(host, arrived.status, arrived.headers)
        if wait is None or call.retried or wait > _SHORT_WAIT or _now() + wait + _MARGIN > call.deadline:
            return arrived
        call.retried, call.arrived = True, None
        await asyncio.sleep(wait + 0.01)
        return await self._request(target, call)

    async def _robots_file(self, url: str, seconds: float) -> tuple[int, bytes]:
        call = Call(url, robots.MAX_BYTES + 1, 0, _now() + seconds, robots=False, truncate=True)
        arrived = await self._follow(call, robots.MAX_REDIRECTS)
        return arrived.status, bytes(arrived.body)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _location(arrived: Arrived) -> str:
    location = arrived.headers.get("location", "").strip()
    if not location:
        raise Refused("bad_redirect", f"a redirect ({arrived.status}) that does not say where to")
    return _joined(arrived.url, location)


def _joined(base: str, reference: str) -> str:
    try:
        return str(httpx2.URL(base).join(reference))
    except (httpx2.InvalidURL, ValueError):
        raise Refused("bad_redirect", f"a redirect to {reference[:100]!r}, which is no address") from None


def _refresh(arrived: Arrived) -> str | None:
    """Where a page that only sends its reader on leads to, by its header or its own word."""
    if arrived.status != 200 or "html" not in arrived.headers.get("content-type", "html"):
        return None
    header = html.escape(arrived.headers.get("refresh", ""))
    said = f'<meta http-equiv="refresh" content="{header}">'.encode() if header else b""
    to = refresh_target(said + bytes(arrived.body))
    if to is None:
        return None
    address = _joined(arrived.url, to)
    return None if address.partition("#")[0] == arrived.url else address

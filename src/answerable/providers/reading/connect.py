"""Connections to checked addresses only, and how many at once."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import httpcore2
import httpx2

from answerable.providers.reading.guard import Guard, Refused

_ADDRESSES_TRIED = 4
_ADDRESS_TIMEOUT = 1.0  # a dead address of several costs this much; the last one has the whole deadline


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Looks a name up once, checks every answer, and connects to one of the addresses that were checked.

    All connections go through here, those of redirects too, so no later lookup can lead elsewhere.
    """

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        *others, last = (await self._guard.addresses(host.strip("[]"), port))[:_ADDRESSES_TRIED]
        for address in others:
            try:
                return await self._inner.connect_tcp(address, port, _ADDRESS_TIMEOUT, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._inner.connect_tcp(last, port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        raise Refused("bad_url", "local sockets are not fetched")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def open_pool(
    guard: Guard, *, proxy: str, ssl_context: ssl.SSLContext | None, connections: int
) -> httpcore2.AsyncConnectionPool:
    """A pool that connects to checked addresses; with a proxy, to the proxy, whose business names then are."""
    context = ssl_context or httpx2.create_ssl_context()
    if not proxy:
        return httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=connections,
            keepalive_expiry=10.0,
            network_backend=GuardedBackend(guard),
        )
    parsed = httpx2.URL(proxy)
    auth = (parsed.username, parsed.password) if parsed.userinfo else None
    address = f"{parsed.scheme}://{parsed.netloc.decode('ascii')}"
    if parsed.scheme.startswith("socks5"):
        return httpcore2.AsyncSOCKSProxy(
            proxy_url=address.replace("socks5h", "socks5"), proxy_auth=auth, ssl_context=context
        )
    return httpcore2.AsyncHTTPProxy(
        proxy_url=address, proxy_auth=auth, ssl_context=context, max_connections=connections, keepalive_expiry=10.0
    )


class Slots:
    """So many requests at once, so many of them to one host. Whoever waits for a host holds no place of the others."""

    def __init__(self, at_once: int, per_host: int) -> None:
        self._all = asyncio.Semaphore(at_once)
        self._per_host = per_host
        self._hosts: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def hold(self, host: str) -> AsyncIterator[None]:
        semaphore, users = self._hosts.get(host) or (asyncio.Semaphore(self._per_host), 0)
        self._hosts[host] = (semaphore, users + 1)
        try:
            async with semaphore, self._all:
                yield
        finally:
            _, users = self._hosts[host]
            if users == 1:
                del self._hosts[host]
            else:
                self._hosts[host] = (semaphore, users - 1)

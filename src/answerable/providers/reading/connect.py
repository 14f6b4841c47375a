"""Connections to checked addresses only, directly or through a proxy, and how many at once."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpcore2
import httpx2

from answerable.providers.reading.guard import Guard, Refused, Target
from answerable.providers.reading.onepage import OnePageConnection
from answerable.providers.reading.socks import socks_handshake
from answerable.text.proxies import Proxies

_ADDRESSES_TRIED = 4
_ADDRESS_TIMEOUT = 1.0  # a dead address of several costs this much; the last one has the whole deadline
_KEPT_SECONDS = 10.0
Options = Iterable[httpcore2.SOCKET_OPTION] | None


class Backend(httpcore2.AsyncNetworkBackend):
    """Plain connections, to a proxy for instance; closed when a handshake on them is cut short."""

    def __init__(self) -> None:
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options = None,
    ) -> httpcore2.AsyncNetworkStream:
        stream = await self._inner.connect_tcp(host.strip("[]"), port, timeout, local_address, socket_options)
        return _ClosingStream(stream)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Options = None
    ) -> httpcore2.AsyncNetworkStream:
        raise Refused("bad_url", "local sockets are not fetched")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class GuardedBackend(Backend):
    """Looks a name up once, checks every answer, and connects to one of the addresses that were checked.

    All direct connections go through here, those of redirects too, so no later lookup can lead elsewhere.
    """

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self._guard = guard

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options = None,
    ) -> httpcore2.AsyncNetworkStream:
        *others, last = (await self._guard.addresses(host.strip("[]"), port))[:_ADDRESSES_TRIED]
        for address in others:
            try:
                return await super().connect_tcp(address, port, _ADDRESS_TIMEOUT, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await super().connect_tcp(last, port, timeout, local_address, socket_options)


class SocksBackend(Backend):
    """Connections that a SOCKS5 proxy makes; the name goes to it as it is."""

    def __init__(self, proxy: httpx2.URL) -> None:
        super().__init__()
        self._host, self._port = proxy.raw_host.decode("ascii"), proxy.port or 1080
        self._login = (proxy.username, proxy.password) if proxy.userinfo else None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options = None,
    ) -> httpcore2.AsyncNetworkStream:
        stream = await super().connect_tcp(self._host, self._port, timeout, local_address, socket_options)
        try:
            await socks_handshake(stream, host.strip("[]"), port, self._login)
        except BaseException:
            await stream.aclose()
            raise
        return stream


class _ClosingStream(httpcore2.AsyncNetworkStream):
    """A deadline may cut a TLS handshake; the socket below must not outlive it."""

    def __init__(self, inner: httpcore2.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        try:
            return _ClosingStream(await self._inner.start_tls(ssl_context, server_hostname, timeout))
        except BaseException:
            await self._inner.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class Pool(httpcore2.AsyncConnectionPool):
    def create_connection(self, origin: httpcore2.Origin) -> httpcore2.AsyncConnectionInterface:
        return OnePageConnection(super().create_connection(origin))


class Pools:
    """The connections of one fetcher: the direct ones, and those through each proxy, whose business names then are."""

    def __init__(self, guard: Guard, proxies: Proxies, ssl_context: ssl.SSLContext | None, connections: int) -> None:
        self._context = ssl_context or httpx2.create_ssl_context()
        self._connections = connections
        self._proxies = proxies
        self._direct = self._pool(GuardedBackend(guard))
        self._by_proxy = {proxy: self._through(proxy) for proxy in {proxies.http, proxies.https} if proxy}

    def for_target(self, target: Target) -> Pool:
        return self._by_proxy.get(self._proxies.for_url(target.url), self._direct)

    async def aclose(self) -> None:
        for pool in (self._direct, *self._by_proxy.values()):
            await pool.aclose()

    def _through(self, address: str) -> Pool:
        proxy = httpx2.URL(address)
        if proxy.scheme.startswith("socks5"):
            return self._pool(SocksBackend(proxy))
        return self._pool(
            Backend(),
            httpcore2.Proxy(
                f"{proxy.scheme}://{proxy.netloc.decode('ascii')}",
                auth=(proxy.username.encode(), proxy.password.encode()) if proxy.userinfo else None,
                ssl_context=httpx2.create_ssl_context() if proxy.scheme == "https" else None,
            ),
        )

    def _pool(self, backend: Backend, proxy: httpcore2.Proxy | None = None) -> Pool:
        return Pool(
            ssl_context=self._context,
            proxy=proxy,
            max_connections=self._connections,
            keepalive_expiry=_KEPT_SECONDS,
            http2=True,
            network_backend=backend,
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

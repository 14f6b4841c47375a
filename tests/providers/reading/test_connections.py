"""TLS, HTTP/2 and proxies on real sockets: who is connected to, under which name, and what is told when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.fakes.certificates import Authority
from tests.fakes.hostile import HostileServer, answer, hostile_server, page, until
from tests.fakes.http2 import Http2Server, http2_server
from tests.fakes.proxying import Proxy, proxy_server

from answerable.errors import ReadError
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.text.proxies import Proxies

TEXT = page("<p>" + "The lock is open from April to October. " * 200 + "</p>")

LOGIN = ("me", "p:w@")


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def here(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


async def failure_of(door: GuardedFetcher, url: str, timeout: float = 20) -> tuple[str, str]:
    with pytest.raises(ReadError) as caught:
        await door.fetch(url, timeout=timeout)
    return caught.value.cause, caught.value.message


def door_to(*ports: int, hosts: Sequence[str] = ("good.example",), **options: object) -> GuardedFetcher:
    allowed = [f"{host}:{port}" for host in hosts for port in ports]
    return GuardedFetcher(**({"allow_hosts": allowed, "resolve": here, "obey_robots": False} | options))


@pytest.mark.parametrize(
    ("host", "days", "self_signed", "meaning"),
    [
        ("expired.example", (-9, -2), False, "the certificate of expired.example has expired"),
        ("early.example", (2, 9), False, "the certificate of early.example is not valid yet"),
        ("selfsigned.example", (-1, 9), True, "the certificate of selfsigned.example is self-signed"),
        ("other.example", (-1, 9), False, "the certificate of wrongname.example is for another host"),
    ],
)
async def test_a_bad_certificate_is_named_and_nothing_is_asked_behind_it(
    authority: Authority, host: str, days: tuple[int, int], self_signed: bool, meaning: str
) -> None:
    asked_for = "wrongname.example" if host == "other.example" else host
    tls = authority.server(host, starts=days[0], ends=days[1], self_signed=self_signed)
    async with (
        hostile_server(tls) as server,
        door_to(server.port, hosts=[asked_for], ssl_context=authority.trusting) as door,
    ):
        told = await failure_of(door, server.url("/", asked_for, "https"))

    assert told == ("tls", meaning)
    assert server.asked == []


async def test_a_good_source_is_read_beside_the_bad_ones(authority: Authority) -> None:
    async with hostile_server(authority.server("good.example")) as server:
        server.routes["/"] = answer(200, TEXT)
        async with door_to(server.port, ssl_context=authority.trusting) as door:
            fetched = await door.fetch(server.url("/", "good.example", "https"), timeout=20)
        async with door_to(server.port) as strangers:
            told = await failure_of(strangers, server.url("/", "good.example", "https"))

    assert fetched.body == TEXT
    assert told == ("tls", "the certificate of good.example comes from an authority that is not known here")


async def test_a_plain_server_on_a_secure_address_is_told_from_a_bad_certificate() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with door_to(port) as door:
        told = await failure_of(door, f"https://good.example:{port}/")
    server.close()
    await server.wait_closed()

    assert told == ("tls", "good.example does not speak TLS on this port")


@asynccontextmanager
async def http2(authority: Authority) -> AsyncIterator[tuple[Http2Server, GuardedFetcher]]:
    tls = authority.server("good.example", alpn=("h2",))
    async with http2_server(tls) as server, door_to(server.port, ssl_context=authority.trusting) as door:
        yield server, door


async def test_http2_is_spoken_with_the_checked_address_under_the_sites_own_name(authority: Authority) -> None:
    async with http2(authority) as (server, door):
        server.routes |= {"/a": TEXT, "/b": b""}
        url = f"https://good.example:{server.port}"
        first = await door.fetch(f"{url}/a", timeout=20)
        second = await door.fetch(f"{url}/b", timeout=20)

    assert (first.status, first.body, second.body) == (200, TEXT, b"")
    assert [asked[":authority"] for asked in server.asked] == [f"good.example:{server.port}"] * 2
    assert server.connections == 1  # kept


async def test_an_endless_http2_page_is_cut_and_costs_no_other(authority: Authority) -> None:
    async with http2(authority) as (server, door):
        server.routes |= {"/endless": None, "/a": TEXT, "/reset": 2}
        url = f"https://good.example:{server.port}"
        endless, *others = await asyncio.gather(
            door.fetch(f"{url}/endless", timeout=5), *(door.fetch(f"{url}/a", timeout=5) for _ in range(6))
        )
        broken = await failure_of(door, f"{url}/reset")
        for _ in range(12):  # more than a connection's window of 16 MB is left unread
            await door.fetch(f"{url}/endless", timeout=5)
        last = await door.fetch(f"{url}/a", timeout=5)

    assert (len(endless.body), endless.cut) == (2_000_000, "size")
    assert {fetched.body for fetched in [*others, last]} == {TEXT}
    assert broken[0] == "connection"


async def test_an_http2_header_bomb_is_refused(authority: Authority) -> None:
    async with http2(authority) as (server, door):
        server.headers = {f"x-{n}": "a" * 4000 for n in range(40)}
        told = await failure_of(door, f"https://good.example:{server.port}/")

    assert told[0] == "connection"


@pytest.mark.parametrize("dripping", [False, True])
@pytest.mark.parametrize("kind", ["http", "socks"])
async def test_pages_come_through_a_proxy_that_resolves_their_names(
    authority: Authority, kind: str, dripping: bool
) -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        raise AssertionError("names are the proxy's to resolve")

    scheme = {"http": "http", "socks": "socks5"}[kind]
    async with (
        hostile_server() as plain,
        hostile_server(authority.server("good.example")) as secure,
        proxy_server(
            kind, Proxy({"site.example": plain.port, "good.example": secure.port}, ("me", "p:w@"), dripping)
        ) as proxy,
    ):
        plain.routes["/a"] = secure.routes["/a"] = answer(200, TEXT)
        proxies = Proxies.only(f"{scheme}://me:p%3Aw%40@127.0.0.1:{proxy.port}")
        async with GuardedFetcher(
            proxies=proxies, resolve=never, ssl_context=authority.trusting, obey_robots=False
        ) as door:
            bodies = [
                (await door.fetch(url, timeout=20)).body for url in ("http://site.example/a", "https://good.example/a")
            ]
            refused = [
                (await failure_of(door, url))[0]
                for url in ("http://127.0.0.1/", "http://0x7f.1/", "http://localhost/", "http://wiki/", "http://[::1]/")
            ]

    assert bodies == [TEXT, TEXT]
    assert refused == ["private_address"] * 5
    assert proxy.asked == [("site.example", 80), ("good.example", 443)]
    assert "host: site.example\r\n" in plain.heads[0].lower()


@pytest.mark.parametrize("kind", ["http", "socks"])
async def test_http2_is_spoken_through_a_proxy_too(authority: Authority, kind: str) -> None:
    scheme = {"http": "http", "socks": "socks5h"}[kind]
    async with http2_server(authority.server("good.example", alpn=("h2",))) as server:
        server.routes["/a"] = TEXT
        async with (
            proxy_server(kind, Proxy({"good.example": server.port})) as proxy,
            GuardedFetcher(
                proxies=Proxies.only(f"{scheme}://127.0.0.1:{proxy.port}"),
                ssl_context=authority.trusting,
                obey_robots=False,
            ) as door,
        ):
            fetched = await door.fetch("https://good.example/a", timeout=20)

    assert fetched.body == TEXT
    assert [asked[":authority"] for asked in server.asked] == ["good.example"]


@pytest.mark.parametrize(
    ("kind", "settings", "told"),
    [
        ("http", {"login": ("a", "b")}, "407"),
        ("http", {}, "502"),
        ("socks", {"login": ("a", "b")}, "user name and password"),
        ("socks", {"reply": 2}, "its rules forbid it"),
        ("socks", {"reply": 99}, "it answered 99"),
        ("socks", {}, "the host cannot be reached"),
    ],
)
async def test_a_proxy_that_refuses_is_named_and_left(kind: str, settings: dict[str, object], told: str) -> None:
    scheme = {"http": "http", "socks": "socks5h"}[kind]
    async with (
        proxy_server(kind, Proxy({}, **settings)) as proxy,
        GuardedFetcher(proxies=Proxies.only(f"{scheme}://127.0.0.1:{proxy.port}"), obey_robots=False) as door,
    ):
        cause, message = await failure_of(door, "https://gone.example/")
        await until(lambda: proxy.open_now == 0)

    assert cause == "connection"
    assert message.startswith("the proxy gave no connection to gone.example")
    assert told in message


@pytest.mark.parametrize("kind", ["http", "socks"])
async def test_a_proxy_that_stalls_or_is_not_there_costs_its_time_only(kind: str) -> None:
    scheme = {"http": "http", "socks": "socks5"}[kind]

    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.read()
        finally:
            writer.close()

    server = await asyncio.start_server(stall, "127.0.0.1", 0)
    address = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with GuardedFetcher(proxies=Proxies.only(address), obey_robots=False) as door:
        stalled = await failure_of(door, "https://site.example/", timeout=0.3)
        server.close()
        await server.wait_closed()
        gone = await failure_of(door, "https://site.example/", timeout=20)

    assert (stalled[0], gone[0]) == ("timeout", "connection")


async def test_what_no_proxy_lists_is_reached_directly_and_checked_as_ever(server: HostileServer) -> None:
    async with proxy_server("http", Proxy({"site.example": server.port})) as proxy:
        proxies = Proxies.only(f"http://127.0.0.1:{proxy.port}", (".direct.example", "10.0.0.0/8"))
        server.routes["/a"] = answer(200, TEXT)
        async with door_to(server.port, hosts=["a.direct.example"], proxies=proxies) as door:
            direct = await door.fetch(server.url("/a", "a.direct.example"), timeout=20)
            private = await failure_of(door, "http://b.direct.example/")
            through = await door.fetch("http://site.example/a", timeout=20)

    assert direct.body == through.body == TEXT
    assert private[0] == "private_address"
    assert [host for host, _ in proxy.asked] == ["site.example"]


@pytest.fixture
async def server() -> AsyncIterator[HostileServer]:
    async with hostile_server() as running:
        yield running


async def test_a_handshake_that_is_cut_leaves_no_socket_behind() -> None:
    open_now = 0

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal open_now
        open_now += 1
        try:
            while await reader.read(4096):
                pass
        finally:
            open_now -= 1
            writer.close()

    listening = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with door_to(port) as door:
        told = await failure_of(door, f"https://good.example:{port}/", timeout=0.3)
        await until(lambda: open_now == 0)
    listening.close()
    await listening.wait_closed()

    assert told[0] == "timeout"

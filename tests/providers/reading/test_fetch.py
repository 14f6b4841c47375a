"""The door to the web, against real sockets that misbehave."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
import subprocess
import zlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from tests.fakes.hostile import HostileServer, Write, answer, hostile_server, page, redirect, until

from answerable.errors import ReadError
from answerable.providers.reading.fetch import USER_AGENT, GuardedFetcher
from answerable.text.proxies import Proxies

PARAGRAPH = "<p>" + "The ferry leaves the north quay at noon. " * 20 + "</p>"


@pytest.fixture
async def server() -> AsyncIterator[HostileServer]:
    async with hostile_server() as running:
        yield running


@pytest.fixture
async def fetcher(server: HostileServer) -> AsyncIterator[GuardedFetcher]:
    async with GuardedFetcher(allow_hosts=[f"127.0.0.1:{server.port}"]) as door:
        yield door


async def cause_of(fetcher: GuardedFetcher, url: str, timeout: float = 20) -> str:
    with pytest.raises(ReadError) as caught:
        await fetcher.fetch(url, timeout=timeout)
    assert caught.value.url == url
    return caught.value.cause


async def test_a_page_arrives_with_its_address_status_and_headers(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes["/a?x=1"] = answer(200, page(PARAGRAPH), etag='"1"')
    fetched = await fetcher.fetch(server.url("/a?x=1#part"), timeout=20)

    assert (fetched.url, fetched.status, fetched.cut) == (server.url("/a?x=1"), 200, None)
    assert fetched.headers["etag"] == '"1"'
    assert fetched.body == page(PARAGRAPH)
    assert f"user-agent: {USER_AGENT}".lower() in server.heads[-1].lower()


async def test_any_status_is_handed_over_with_its_body(server: HostileServer, fetcher: GuardedFetcher) -> None:
    server.routes["/gone"] = answer(503, b"later")

    assert (await fetcher.fetch(server.url("/gone"), timeout=20)).status == 503


async def test_three_honest_redirects_are_followed(server: HostileServer, fetcher: GuardedFetcher) -> None:
    server.routes |= {"/one": redirect("/two", 301), "/two": redirect("three", 307)}
    server.routes |= {"/three": redirect(server.url("/four"), 303), "/four": answer(200, page("Arrived"))}

    assert (await fetcher.fetch(server.url("/one"), timeout=20)).url == server.url("/four")


async def test_redirects_that_lead_nowhere_are_named(server: HostileServer, fetcher: GuardedFetcher) -> None:
    server.routes |= {"/a": redirect("/b"), "/b": redirect("/a"), "/self": redirect("/self", 301)}
    server.routes |= {"/nowhere": redirect(None), "/bad": redirect("http://[::1")}
    server.routes |= {f"/{n}": redirect(f"/{n + 1}") for n in range(9)}

    assert await cause_of(fetcher, server.url("/a")) == "too_many_redirects"
    assert await cause_of(fetcher, server.url("/self")) == "too_many_redirects"
    assert await cause_of(fetcher, server.url("/0")) == "too_many_redirects"
    assert await cause_of(fetcher, server.url("/nowhere")) == "bad_redirect"
    assert await cause_of(fetcher, server.url("/bad")) == "bad_redirect"
    assert len(server.asked) <= 16


async def test_a_page_that_sets_a_cookie_and_sends_back_is_read(server: HostileServer, fetcher: GuardedFetcher) -> None:
    async def play(write: Write) -> None:
        known = "visited=1" in server.heads[-1]
        await (answer(200, page("Hello")) if known else redirect("/c", set_cookie="visited=1; Path=/"))(write)

    server.routes["/c"] = play

    assert (await fetcher.fetch(server.url("/c"), timeout=20)).status == 200
    assert "cookie" not in server.heads[0].lower()


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",
    ],
)
async def test_a_redirect_to_a_private_address_is_refused(
    server: HostileServer, fetcher: GuardedFetcher, location: str
) -> None:
    server.routes["/go"] = redirect(location)

    assert await cause_of(fetcher, server.url("/go")) == "private_address"


async def test_a_redirect_to_a_file_is_refused(server: HostileServer, fetcher: GuardedFetcher) -> None:
    server.routes["/go"] = redirect("file:///etc/hostname")

    assert await cause_of(fetcher, server.url("/go")) == "bad_url"


async def test_the_connection_goes_to_the_address_that_was_checked(server: HostileServer) -> None:
    """The resolver gives another answer each time it is asked: whoever looks twice is led astray."""
    answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.3"]]

    async def rebinding(host: str, port: int) -> Sequence[str]:
        return answers.pop(0)

    server.routes["/a"] = answer(200, page("Hello"))
    async with GuardedFetcher(
        allow_hosts=[f"site.example:{server.port}"], resolve=rebinding, obey_robots=False
    ) as door:
        await door.fetch(server.url("/a", host="site.example"), timeout=20)

    assert len(answers) == 2
    assert f"host: site.example:{server.port}" in server.heads[-1].lower()


async def test_a_name_with_one_private_address_among_public_ones_is_refused() -> None:
    async def mixed(host: str, port: int) -> Sequence[str]:
        return ["8.8.8.8", "10.0.0.1"]

    async with GuardedFetcher(resolve=mixed) as door:
        assert await cause_of(door, "http://site.example/") == "private_address"


async def test_a_name_that_turns_to_this_machine_is_never_connected_to(server: HostileServer) -> None:
    """A resolver that answers otherwise each time, at the first request, at the next, and behind a redirect."""
    answers = [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["0.0.0.0"]]
    looked_up: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        looked_up.append(host)
        return ["127.0.0.1"] if host == "good.example" else answers[len(looked_up) % len(answers)]

    async with hostile_server() as inner:
        server.routes["/go"] = redirect(inner.url("/secret", "bad.example"))
        ports = frozenset({80, 443, inner.port, server.port})
        door = GuardedFetcher(allow_hosts=["good.example"], ports=ports, resolve=rebinding, obey_robots=False)
        async with door:
            urls = [inner.url("/secret", "bad.example")] * 10 + [server.url("/go", "good.example")] * 5
            causes = [await cause_of(door, url) for url in urls]

    assert causes == ["private_address"] * 15
    assert inner.asked == []
    assert inner.connections == 0
    assert len(looked_up) >= 15  # nothing is remembered of a refused one


async def test_a_name_that_does_not_resolve_and_a_closed_port_are_connection_faults(server: HostileServer) -> None:
    async def unknown(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        async with GuardedFetcher(resolve=unknown, allow_hosts=[f"127.0.0.1:{port}"]) as door:
            assert await cause_of(door, "http://gone.example/") == "connection"
            assert await cause_of(door, f"http://127.0.0.1:{port}/") == "connection"


async def test_a_silent_host_and_a_dripping_one_are_cut_at_the_deadline(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    async def silent(write: Write) -> None:
        await asyncio.sleep(30)

    async def dripping(write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html><body><p>")
        for _ in range(1000):
            await write(b"x")
            await asyncio.sleep(0.02)

    server.routes |= {"/silent": silent, "/drip": dripping}

    assert await cause_of(fetcher, server.url("/silent"), timeout=0.3) == "timeout"
    assert await cause_of(fetcher, server.url("/drip"), timeout=0.3) == "timeout"


async def test_what_a_stalled_host_sent_before_the_deadline_is_kept_when_it_may_be_a_page(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    async def stalls(write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n" + page(PARAGRAPH * 10)[:6000])
        await asyncio.sleep(30)

    server.routes["/stalls"] = stalls
    fetched = await fetcher.fetch(server.url("/stalls"), timeout=2)

    assert (fetched.cut, len(fetched.body)) == ("time", 6000)


async def test_what_is_too_large_is_refused_by_its_word_or_by_its_size(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes["/said"] = answer(200, b"", content_length="52428800")

    async def picture(write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n")
        await write(b"\x89PNG" * 600_000)

    server.routes["/picture"] = picture
    assert await cause_of(fetcher, server.url("/said")) == "too_large"
    assert await cause_of(fetcher, server.url("/picture"), timeout=5) == "too_large"


async def test_an_endless_page_is_cut_where_it_has_grown_too_large(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    async def endless(write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n")
        while True:
            await write(b"<p>x</p>" * 8192)

    server.routes["/endless"] = endless
    fetched = await fetcher.fetch(server.url("/endless"), timeout=5)

    assert (len(fetched.body), fetched.cut) == (2_000_000, "size")


async def test_a_bomb_is_noticed_while_it_unpacks(server: HostileServer, fetcher: GuardedFetcher) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    server.routes["/bomb"] = answer(200, bomb, content_encoding="gzip")

    assert await cause_of(fetcher, server.url("/bomb")) == "too_large"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(page(PARAGRAPH))),
        ("deflate", zlib.compress(page(PARAGRAPH))),
        ("deflate", zlib.compress(page(PARAGRAPH))[2:-4]),
        ("gzip", page(PARAGRAPH)),  # labelled, but plain
        ("identity", page(PARAGRAPH)),
    ],
)
async def test_packed_bodies_are_unpacked_whatever_they_are_called(
    server: HostileServer, fetcher: GuardedFetcher, encoding: str, body: bytes
) -> None:
    server.routes["/p"] = answer(200, body, content_encoding=encoding)

    assert (await fetcher.fetch(server.url("/p"), timeout=20)).body == page(PARAGRAPH)


async def test_damaged_and_unknown_packing_is_named(server: HostileServer, fetcher: GuardedFetcher) -> None:
    server.routes["/damaged"] = answer(200, b"\x1f\x8b\x08" + b"nonsense" * 20, content_encoding="gzip")
    server.routes["/unknown"] = answer(200, b"\x1f\x9d\x90\x00" * 99, content_encoding="compress")

    assert await cause_of(fetcher, server.url("/damaged")) == "decode"
    assert await cause_of(fetcher, server.url("/unknown")) == "decode"


async def test_a_host_that_breaks_off_or_speaks_no_http_is_a_connection_fault(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    async def broken(write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n<p>half")

    async def noise(write: Write) -> None:
        await write(b"220 ftp.example ready\r\n\r\n")

    server.routes |= {"/broken": broken, "/noise": noise}

    assert await cause_of(fetcher, server.url("/broken")) == "connection"
    assert await cause_of(fetcher, server.url("/noise")) == "connection"


async def test_eight_pages_are_fetched_at_once_and_two_of_one_host(server: HostileServer) -> None:
    release = asyncio.Event()

    async def held(write: Write) -> None:
        await release.wait()
        await answer(200, b"ok")(write)

    async def here(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    server.routes |= {f"/{n}": held for n in range(4)}
    hosts = [f"h{n}.example" for n in range(6)]
    allowed = [f"{host}:{server.port}" for host in hosts]
    async with GuardedFetcher(allow_hosts=allowed, resolve=here, obey_robots=False) as door:
        one_host = [asyncio.create_task(door.fetch(server.url(f"/{n}", hosts[0]), timeout=5)) for n in range(4)]
        await until(lambda: server.most_open >= 2)
        await asyncio.sleep(0.05)
        of_one_host = server.open_now
        others = [asyncio.create_task(door.fetch(server.url(f"/{n}", h), timeout=5)) for h in hosts[1:] for n in (0, 1)]
        await until(lambda: server.most_open >= 8)
        await asyncio.sleep(0.05)
        at_once = server.open_now
        release.set()
        await asyncio.gather(*one_host, *others)

    assert (of_one_host, at_once, server.most_open) == (2, 8, 8)


async def test_robots_txt_is_asked_once_and_obeyed(server: HostileServer, fetcher: GuardedFetcher) -> None:
    server.routes["/robots.txt"] = answer(
        200, b"User-agent: Answerable\nDisallow: /private\n", content_type="text/plain"
    )
    server.routes |= {"/a": answer(200, page("a")), "/b": answer(200, page("b"))}
    await fetcher.fetch(server.url("/a"), timeout=20)
    await fetcher.fetch(server.url("/b"), timeout=20)

    assert await cause_of(fetcher, server.url("/private/x")) == "blocked_by_robots"
    assert server.asked == ["/robots.txt", "/a", "/b"]


async def test_a_redirect_into_what_robots_txt_closes_is_not_followed(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes["/robots.txt"] = answer(200, b"User-agent: *\nDisallow: /private\n")
    server.routes["/a"] = redirect("/private")

    assert await cause_of(fetcher, server.url("/a")) == "blocked_by_robots"


async def test_robots_txt_that_fails_or_does_not_arrive_closes_the_site(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    async def slow(write: Write) -> None:
        await asyncio.sleep(30)

    server.routes |= {"/robots.txt": slow, "/a": answer(200, page("a"))}

    assert await cause_of(fetcher, server.url("/a"), timeout=2) == "timeout"
    assert server.asked == ["/robots.txt"]
    async with GuardedFetcher(allow_hosts=[f"127.0.0.1:{server.port}"]) as fresh:
        server.routes["/robots.txt"] = answer(500)
        assert await cause_of(fresh, server.url("/a")) == "blocked_by_robots"


async def test_a_page_that_only_sends_its_reader_on_is_followed_once(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes["/old/"] = answer(
        200, b"<html><head><meta content='0; url=../new' http-equiv='Refresh'></head></html>"
    )
    server.routes["/new"] = answer(200, page(PARAGRAPH))
    server.routes["/ticker"] = answer(200, b'<meta http-equiv="refresh" content="30"><p>Heat three.</p>')

    assert (await fetcher.fetch(server.url("/old/"), timeout=20)).url == server.url("/new")
    assert (await fetcher.fetch(server.url("/ticker"), timeout=20)).url == server.url("/ticker")


async def test_names_are_left_to_a_proxy_but_local_and_numeric_addresses_stay_refused(server: HostileServer) -> None:
    server.routes["http://site.example/a"] = answer(200, page("Through the proxy"))
    async with GuardedFetcher(proxies=Proxies.only(server.url("").rstrip("/")), obey_robots=False) as door:
        fetched = await door.fetch("http://site.example/a", timeout=20)
        causes = [
            await cause_of(door, url)
            for url in (
                "http://127.0.0.1/",
                "http://localhost/",
                "http://wiki/",
                "http://db.internal/",
                "http://0x7f.1/",
            )
        ]

    assert b"Through the proxy" in fetched.body
    assert causes == ["private_address"] * 5


def certificate(folder: Path, name: str, *, days: int = 30) -> ssl.SSLContext:
    """A server's context with a certificate that only it vouches for."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        + ["-keyout", str(key), "-out", str(cert), "-days", str(days), "-subj", f"/CN={name}"]
        + ["-addext", f"subjectAltName=DNS:{name}"],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


async def test_certificates_are_checked_against_the_name_asked_for(tmp_path: Path) -> None:
    async def here(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    tls = await asyncio.to_thread(certificate, tmp_path, "good.example")
    trusting = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    async with hostile_server(tls) as server:
        server.routes["/a"] = answer(200, page("The lock is open from April to October."))
        allowed = [f"{name}:{server.port}" for name in ("good.example", "wrongname.example")]
        async with GuardedFetcher(allow_hosts=allowed, resolve=here, ssl_context=trusting) as door:
            fetched = await door.fetch(server.url("/a", "good.example", "https"), timeout=20)
            wrong_name = await cause_of(door, server.url("/a", "wrongname.example", "https"))
        async with GuardedFetcher(allow_hosts=allowed, resolve=here) as door:
            self_signed = await cause_of(door, server.url("/a", "good.example", "https"))

    assert b"April to October" in fetched.body
    assert (wrong_name, self_signed) == ("tls", "tls")

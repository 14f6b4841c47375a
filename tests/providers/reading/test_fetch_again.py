"""Asking a host again: whether a page has changed, and not before the time the host gave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.fakes.hostile import HostileServer, Write, answer, hostile_server, page, redirect

from answerable.errors import ReadError
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.providers.reading.guard import Refused
from answerable.providers.reading.patience import Patience
from answerable.providers.reading.walls import of_status
from answerable.types import Caching, Validators

MODIFIED = "Fri, 20 Nov 2026 11:00:00 GMT"


@pytest.fixture
async def server() -> AsyncIterator[HostileServer]:
    async with hostile_server() as running:
        yield running


@pytest.fixture
async def fetcher(server: HostileServer) -> AsyncIterator[GuardedFetcher]:
    async with GuardedFetcher(allow_hosts=[f"127.0.0.1:{server.port}"], obey_robots=False) as door:
        yield door


def knows(server: HostileServer, etag: str, body: bytes) -> None:
    """`/a` answers 304 to whoever holds that version of it."""

    async def play(write: Write) -> None:
        if f"if-none-match: {etag}\r\n" in server.heads[-1].lower():
            await answer(304, b"", etag=etag, content_length="", cache_control="max-age=60")(write)
        else:
            await answer(200, body, etag=etag, last_modified=MODIFIED, cache_control="max-age=30")(write)

    server.routes["/a"] = play


async def test_a_page_that_has_not_changed_is_not_sent_again(server: HostileServer, fetcher: GuardedFetcher) -> None:
    knows(server, '"v1"', page("Noon"))
    first = await fetcher.fetch(server.url("/a"), timeout=20)
    again = await fetcher.fetch(server.url("/a#part"), timeout=20, validators=first.caching.validators)

    assert first.caching == Caching(30, False, Validators(server.url("/a"), '"v1"', MODIFIED))
    assert f"if-modified-since: {MODIFIED}".lower() in server.heads[-1].lower()
    assert (again.not_modified, again.status, again.body, again.caching.max_age) == (True, 304, b"", 60)


async def test_a_page_that_has_changed_is_sent(server: HostileServer, fetcher: GuardedFetcher) -> None:
    knows(server, '"v2"', page("One"))
    again = await fetcher.fetch(server.url("/a"), timeout=20, validators=Validators(server.url("/a"), '"v1"'))

    assert (again.not_modified, again.body) == (False, page("One"))


async def test_validators_go_to_no_other_address_than_the_one_that_gave_them(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    knows(server, '"v1"', page("Noon"))
    server.routes["/b"] = redirect("/a")
    held = Validators(server.url("/a"), '"v1"')
    by_redirect = await fetcher.fetch(server.url("/b"), timeout=20, validators=held)
    of_another = await fetcher.fetch(server.url("/a"), timeout=20, validators=replace(held, url=server.url("/b")))

    assert ["if-none-match" in head.lower() for head in server.heads] == [False, True, False]
    assert (by_redirect.not_modified, by_redirect.url, of_another.not_modified) == (True, server.url("/a"), False)


async def test_an_unasked_not_modified_says_nothing_about_what_is_held(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes["/odd"] = answer(304, b"", content_length="")
    odd = await fetcher.fetch(server.url("/odd"), timeout=20)

    assert (odd.not_modified, odd.status) == (False, 304)


async def test_validators_cannot_smuggle_headers(server: HostileServer, fetcher: GuardedFetcher) -> None:
    knows(server, '"v1"', page("Noon"))
    held = Validators(server.url("/a"), '"v1"\r\nX-Smuggled: 1', "é")
    fetched = await fetcher.fetch(server.url("/a"), timeout=20, validators=held)

    assert fetched.status == 200
    assert "smuggled" not in server.heads[-1].lower()


async def told(door: GuardedFetcher, url: str) -> tuple[str, int | None, str]:
    with pytest.raises(ReadError) as caught:
        await door.fetch(url, timeout=20)
    return caught.value.cause, caught.value.http_status, caught.value.message


@pytest.mark.parametrize("status", [429, 503])
async def test_a_host_that_says_when_is_not_asked_before(
    server: HostileServer, fetcher: GuardedFetcher, status: int
) -> None:
    until = datetime.now(UTC) + timedelta(seconds=600)
    for path in ("/a", "/b"):
        server.routes[path] = answer(status, b"later", retry_after=until.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    first = await fetcher.fetch(server.url("/a"), timeout=20)
    cause, of, message = await told(fetcher, server.url("/b"))

    assert (first.status, cause, of) == (status, "http_error", status)
    assert message.startswith(f"127.0.0.1:{server.port} answered {status} and asked not to be asked again before ")
    assert message.endswith(" UTC")
    assert server.asked == ["/a"]


async def test_pages_that_waited_their_turn_are_not_asked_for_either(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes |= {f"/{n}": answer(429, b"later") for n in range(12)}
    asking = (fetcher.fetch(server.url(f"/{n}"), timeout=20) for n in range(12))
    results = await asyncio.gather(*asking, return_exceptions=True)

    assert len(server.asked) <= 2
    assert sum(isinstance(result, ReadError) for result in results) >= 10


async def test_a_host_that_wants_a_moment_is_asked_once_more(server: HostileServer, fetcher: GuardedFetcher) -> None:
    answers = [answer(503, b"later", retry_after="0"), answer(200, page("Here"))]
    refusals = [answer(429, b"later", retry_after="0")] * 5

    async def play(write: Write) -> None:
        await (answers.pop(0) if server.asked[-1] == "/a" else refusals.pop())(write)

    server.routes |= {"/a": play, "/never": play}
    given = await fetcher.fetch(server.url("/a"), timeout=20)
    refused = await fetcher.fetch(server.url("/never"), timeout=20)

    assert (given.body, refused.status) == (page("Here"), 429)
    assert server.asked == ["/a", "/a", "/never", "/never"]


async def test_one_host_that_asks_for_patience_costs_no_other(server: HostileServer) -> None:
    async def here(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    server.routes |= {"/busy": answer(429, b"later"), "/a": answer(200, page("Here"))}
    allowed = [f"{name}.example:{server.port}" for name in ("one", "two")]
    async with GuardedFetcher(allow_hosts=allowed, resolve=here, obey_robots=False) as door:
        await door.fetch(server.url("/busy", "one.example"), timeout=20)
        other = await door.fetch(server.url("/a", "two.example"), timeout=20)

    assert other.status == 200


def test_patience_ends_at_the_time_that_was_said_and_at_an_hour_at_most() -> None:
    clock = [1000.0]
    patience = Patience(clock=lambda: clock[0], now=lambda: datetime(2026, 11, 20, 12, 0, tzinfo=UTC))
    patience.note("far.example:443", 429, {"retry-after": "86400"})
    patience.note("near.example:443", 503, {"retry-after": "90"})
    patience.note("near.example:443", 503, {"retry-after": "1"})  # the longer one holds
    patience.note("fine.example:443", 500, {"retry-after": "90"})
    patience.check("fine.example:443")
    with pytest.raises(Refused, match=r"near\.example:443 answered 503 .* before 12:01:30 UTC"):
        patience.check("near.example:443")
    clock[0] += 91
    patience.check("near.example:443")
    with pytest.raises(Refused, match=r"far\.example"):
        patience.check("far.example:443")
    clock[0] += 3600
    patience.check("far.example:443")


async def test_a_kept_connection_that_was_closed_meanwhile_is_opened_again_once() -> None:
    """One server hangs up at the second request of a connection, the other at the first."""
    connections = [0, 0]

    def hanging_up_after(answers: int) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections[answers] += 1
            try:
                for _ in range(answers):
                    await reader.readuntil(b"\r\n\r\n")
                    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
                await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                pass  # the client left first
            finally:
                writer.close()

        return serve

    listening = [await asyncio.start_server(hanging_up_after(answers), "127.0.0.1", 0) for answers in (0, 1)]
    ports = [server.sockets[0].getsockname()[1] for server in listening]
    async with GuardedFetcher(allow_hosts=[f"127.0.0.1:{port}" for port in ports], obey_robots=False) as door:
        bodies = [(await door.fetch(f"http://127.0.0.1:{ports[1]}/{n}", timeout=20)).body for n in range(2)]
        anew = await told(door, f"http://127.0.0.1:{ports[0]}/")
    for server in listening:
        server.close()
        await server.wait_closed()

    assert (bodies, anew[0]) == ([b"ok", b"ok"], "connection")
    assert connections == [1, 2]  # a new connection that breaks is not tried again


async def test_a_crawler_is_told_the_pause_and_the_sitemaps_of_a_site(server: HostileServer) -> None:
    lines = b"User-agent: *\nCrawl-delay: 3\nDisallow: /x\nSitemap: https://site.example/s.xml\n"
    server.routes["/robots.txt"] = answer(200, lines, content_type="text/plain")
    async with GuardedFetcher(allow_hosts=[f"127.0.0.1:{server.port}"]) as door:
        rules = await door.rules(server.url("/a"), timeout=20)
        with pytest.raises(ReadError) as caught:
            await door.rules("http://127.0.0.1:1/", timeout=20)

    assert (rules.crawl_delay(), rules.sitemaps) == (3, ("https://site.example/s.xml",))
    assert (rules.allow(server.url("/a")), rules.allow(server.url("/x/1"))) == (True, False)
    assert caught.value.cause == "private_address"


async def test_a_refresh_in_the_headers_leads_on_as_one_in_the_page_does(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes |= {"/old": answer(200, b"<p>Moved</p>", refresh='0; url="/new?a=1&b=2"')}
    server.routes["/new?a=1&b=2"] = answer(200, page("Here"))
    server.routes["/self"] = answer(200, b"<p>Live</p>", refresh="0; url=/self")

    assert (await fetcher.fetch(server.url("/old"), timeout=20)).url == server.url("/new?a=1&b=2")
    assert (await fetcher.fetch(server.url("/self"), timeout=20)).url == server.url("/self")


def test_the_reader_is_told_the_status_and_the_time_a_host_gave() -> None:
    assert of_status(429, {"retry-after": "120"}, b"") == (
        "http_error",
        "the host answered 429 and asked to be left alone: Retry-After 120",
    )
    assert of_status(500, {"retry-after": "120"}, b"") == ("http_error", "the host answered 500")

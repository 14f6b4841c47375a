"""Asking a host again: whether a page has changed, and not before the time the host gave."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.fakes.hostile import HostileServer, Write, answer, hostile_server, page, redirect

from answerable.protocols import Caching, Validators
from answerable.providers.reading.fetch import GuardedFetcher

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
    first = await fetcher.fetch(server.url("/a"), timeout=2)
    again = await fetcher.fetch(server.url("/a#part"), timeout=2, validators=first.caching.validators)

    assert first.caching == Caching(30, False, Validators(server.url("/a"), '"v1"', MODIFIED))
    assert f"if-modified-since: {MODIFIED}".lower() in server.heads[-1].lower()
    assert (again.not_modified, again.status, again.body, again.caching.max_age) == (True, 304, b"", 60)


async def test_a_page_that_has_changed_is_sent(server: HostileServer, fetcher: GuardedFetcher) -> None:
    knows(server, '"v2"', page("One"))
    again = await fetcher.fetch(server.url("/a"), timeout=2, validators=Validators(server.url("/a"), '"v1"'))

    assert (again.not_modified, again.body) == (False, page("One"))


async def test_validators_go_to_no_other_address_than_the_one_that_gave_them(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    knows(server, '"v1"', page("Noon"))
    server.routes["/b"] = redirect("/a")
    held = Validators(server.url("/a"), '"v1"')
    by_redirect = await fetcher.fetch(server.url("/b"), timeout=2, validators=held)
    of_another = await fetcher.fetch(server.url("/a"), timeout=2, validators=replace(held, url=server.url("/b")))

    assert ["if-none-match" in head.lower() for head in server.heads] == [False, True, False]
    assert (by_redirect.not_modified, by_redirect.url, of_another.not_modified) == (True, server.url("/a"), False)


async def test_an_unasked_not_modified_says_nothing_about_what_is_held(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes["/odd"] = answer(304, b"", content_length="")
    odd = await fetcher.fetch(server.url("/odd"), timeout=2)

    assert (odd.not_modified, odd.status) == (False, 304)


async def test_validators_cannot_smuggle_headers(server: HostileServer, fetcher: GuardedFetcher) -> None:
    knows(server, '"v1"', page("Noon"))
    held = Validators(server.url("/a"), '"v1"\r\nX-Smuggled: 1', "é")
    fetched = await fetcher.fetch(server.url("/a"), timeout=2, validators=held)

    assert fetched.status == 200
    assert "smuggled" not in server.heads[-1].lower()

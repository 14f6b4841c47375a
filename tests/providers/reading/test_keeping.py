"""Pages from the cache: fresh ones at once, stale ones while they are renewed, and what their hosts forbid never."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.fakes.hostile import HostileServer, Play, Write, answer, hostile_server, page
from tests.fakes.pages import MemoryPageCache
from tests.fakes.pages import page_of as made

from answerable.answering.background import BackgroundTasks
from answerable.errors import ReadError, StorageError
from answerable.protocols import HeldPage
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.providers.reading.keeping import NEWS, ORDINARY, REFERENCE, lifetime
from answerable.providers.reading.reader import WebReader
from answerable.types import Caching, Page, PageKind, SearchResult

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
OLD = "<p>" + "The ferry to Oravia leaves the north quay at noon and carries forty people across. " * 8 + "</p>"
NEW = OLD.replace("noon", "dawn")


class World:
    """A server, a reader with a cache before it, and a clock that is set by hand."""

    def __init__(self, server: HostileServer, fetcher: GuardedFetcher) -> None:
        self.server, self.now, self.cache = server, NOW, MemoryPageCache()
        self.tasks: list[asyncio.Task[Any]] = []
        self.reader = WebReader(fetcher, cache=self.cache, background=self.background, now=lambda: self.now)
        self.url = server.url("/ferries")
        self.server.routes["/robots.txt"] = answer(404)

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        self.tasks.append(asyncio.create_task(work))

    def serves(self, text: str, **headers: str) -> None:
        self.server.routes["/ferries"] = answer(200, page(text), **headers)

    async def read(self, freshness: Any = "evergreen") -> str:
        found = await self.reader.read(SearchResult(self.url, "Ferries"), freshness=freshness)
        return "dawn" if "dawn" in found.text else "noon"

    async def renewed(self) -> None:
        await asyncio.gather(*self.tasks)
        self.tasks.clear()

    @property
    def asked(self) -> int:
        return self.server.asked.count("/ferries")


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with hostile_server() as server:
        fetcher = GuardedFetcher(allow_hosts=[f"127.0.0.1:{server.port}"])
        yield World(server, fetcher)
        await fetcher.aclose()


async def test_a_fresh_page_is_shown_without_asking_its_host(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.serves(NEW)
    world.now += timedelta(hours=5)

    assert (await world.read("live"), world.asked) == ("noon", 1)


async def test_a_stale_page_is_shown_at_once_and_renewed_for_the_next(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.serves(NEW)
    world.now += timedelta(hours=7)

    assert await world.read() == "noon"
    await world.renewed()
    assert (await world.read(), world.asked) == ("dawn", 2)


async def test_a_question_about_now_is_not_answered_from_a_stale_page(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.serves(NEW)
    world.now += timedelta(hours=7)

    assert await world.read("live") == "dawn"


async def test_a_page_that_is_too_old_is_read_again_first(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.serves(NEW)
    world.now += timedelta(hours=40)

    assert await world.read() == "dawn"


async def test_an_unchanged_page_is_not_sent_again_and_counts_as_checked(world: World) -> None:
    world.serves(OLD, etag='"v1"')
    first = await world.reader.read_url(world.url)
    world.now += timedelta(hours=7)
    world.server.routes["/ferries"] = answer(304, b"", content_length="")
    again = await world.reader.read_url(world.url)

    assert 'if-none-match: "v1"' in world.server.heads[-1].lower()
    assert (again.text, again.fetched, again.checked) == (first.text, NOW, NOW + timedelta(hours=7))
    world.now += timedelta(hours=5)
    await world.reader.read_url(world.url)
    assert world.asked == 2
    await world.reader.read_url(world.url, fresh=True)
    assert world.asked == 3


async def test_what_its_host_forbids_to_keep_is_read_each_time(world: World) -> None:
    world.serves(OLD, cache_control="no-store")
    await world.read()
    world.serves(NEW, cache_control="no-store")

    assert await world.read() == "dawn"
    assert world.cache.by_url == {}


async def test_a_page_that_begins_to_forbid_it_is_kept_no_longer(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.serves(NEW, cache_control="no-store")
    world.now += timedelta(hours=7)
    await world.read()
    await world.renewed()

    assert world.cache.by_url == {}


async def test_a_page_that_wants_to_be_asked_each_time_is(world: World) -> None:
    world.serves(OLD, cache_control="no-cache")
    await world.read()
    world.serves(NEW, cache_control="no-cache")

    assert await world.read() == "dawn"


async def test_a_host_that_falls_silent_leaves_its_page_standing(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.now += timedelta(hours=40)
    world.server.routes["/ferries"] = answer(503)

    assert await world.read() == "noon"
    with pytest.raises(ReadError):
        await world.read("live")


async def test_a_page_that_was_taken_away_is_not_shown_when_its_time_is_over(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.now += timedelta(hours=40)
    world.server.routes["/ferries"] = answer(404)

    with pytest.raises(ReadError):
        await world.read()


async def test_a_page_found_gone_in_the_background_is_not_shown_again(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.now += timedelta(hours=7)
    world.server.routes["/ferries"] = answer(404)
    assert await world.read() == "noon"
    await world.renewed()

    with pytest.raises(ReadError):
        await world.read()


async def test_a_host_that_fails_in_the_background_is_left_in_peace_for_a_while(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.now += timedelta(hours=7)
    world.server.routes["/ferries"] = answer(500)
    for _ in range(3):
        await world.read()
        await world.renewed()
    assert world.asked == 2

    world.now += timedelta(minutes=2)
    await world.read()
    await world.renewed()
    assert world.asked == 3


async def test_all_who_find_a_page_stale_at_once_renew_it_once(world: World) -> None:
    world.serves(OLD)
    await world.read()
    world.now += timedelta(hours=7)
    released = asyncio.Event()
    world.server.routes["/ferries"] = _held_back(released, answer(200, page(NEW)))
    shown = await asyncio.gather(*(world.read() for _ in range(5)))
    released.set()
    await world.renewed()

    assert (shown, world.asked) == (["noon"] * 5, 2)


def _held_back(released: asyncio.Event, play: Play) -> Play:
    async def wait(write: Write) -> None:
        await released.wait()
        await play(write)

    return wait


class _Broken(MemoryPageCache):
    async def held(self, url: str, *, now: datetime) -> HeldPage | None:
        raise StorageError("the disk is full")

    async def hold(self, held: HeldPage) -> None:
        raise StorageError("the disk is full")


async def test_a_cache_that_fails_costs_a_fetch_and_no_answer(world: World) -> None:
    world.serves(OLD)
    fetcher = GuardedFetcher(allow_hosts=[f"127.0.0.1:{world.server.port}"])
    reader = WebReader(fetcher, cache=_Broken(), background=BackgroundTasks())

    assert "north quay" in (await reader.read_url(world.url)).text
    await fetcher.aclose()


def dated(url: str, published: datetime | None = None, kind: PageKind = "html") -> Page:
    found = made(url, "text")
    return Page(found.page_id, url, "", "", "text", published=published, kind=kind)


@pytest.mark.parametrize(
    ("of", "usual"),
    [
        (dated("https://a.example/about"), ORDINARY),
        (dated("https://a.example/about", NOW - timedelta(hours=5)), NEWS),
        (dated("https://a.example/news/ferry"), NEWS),
        (dated("https://a.example/feed.xml", kind="feed"), NEWS),
        (dated("https://en.wikipedia.org/wiki/Ferry"), REFERENCE),
        (dated("https://docs.a.example/install"), REFERENCE),
        (dated("https://a.example/report.pdf", kind="pdf"), REFERENCE),
        (dated("https://a.example/essay", NOW - timedelta(days=800)), REFERENCE),
    ],
)
def test_a_page_is_kept_by_its_kind(of: Page, usual: object) -> None:
    assert lifetime(of, Caching(), NOW) == usual


def test_a_host_may_shorten_the_time_and_not_lengthen_it() -> None:
    of = dated("https://a.example/about")

    short, long = lifetime(of, Caching(60.0), NOW), lifetime(of, Caching(9e6), NOW)
    assert short is not None
    assert (short.fresh, short.stale) == (timedelta(seconds=60), ORDINARY.stale)
    assert long == ORDINARY
    assert lifetime(of, Caching(no_store=True), NOW) is None

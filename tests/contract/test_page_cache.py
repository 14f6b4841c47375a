"""PageCache: the newest version by address, any version by id, and room made without losing what is cited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.fakes.pages import MemoryPageCache
from tests.fakes.pages import page_of as made

from answerable.errors import NotFound
from answerable.protocols import HeldPage, PageCache
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database
from answerable.storage.pages import SqlPageCache
from answerable.types import Block, Citation, Image, Page, Turn, Validators

NOW = datetime(2026, 3, 4, 5, 6, 7, 890000, tzinfo=UTC)
HOUR = timedelta(hours=1)
URL = "http://a.example/"


def page(text: str = "Some text", url: str = URL) -> Page:
    block = Block("heading", 0, 4, ("Above",), 2, 7)
    image = Image("http://a.example/i.png", "alt", "caption", 640, 480, 0)
    return replace(made(url, text), blocks=(block,), images=(image,), kind="pdf", fetched=NOW)


def held(of: Page, checked: datetime = NOW, validators: Validators | None = None) -> HeldPage:
    return HeldPage(replace(of, checked=checked), checked, checked + HOUR, checked + 2 * HOUR, validators)


@pytest.fixture(params=["sql", "memory"])
def cache(request: pytest.FixtureRequest, database: Database) -> PageCache:
    return MemoryPageCache() if request.param == "memory" else SqlPageCache(database)


async def test_the_newest_version_is_found_by_any_spelling_of_its_address_and_each_by_its_id(cache: PageCache) -> None:
    old, new = held(page("Old text"), NOW - 9 * HOUR), held(page("New text"), NOW, Validators(URL, '"1"', "Mon"))
    await cache.hold(old)
    await cache.hold(new)

    assert await cache.held("https://www.a.example/?utm_source=x", now=NOW) == new
    assert replace(await cache.page(old.page.page_id), checked=None) == replace(old.page, checked=None)
    assert await cache.held("http://b.example/", now=NOW) is None
    with pytest.raises(NotFound):
        await cache.page("x")


async def test_a_page_checked_again_has_a_new_time_and_the_same_text(cache: PageCache) -> None:
    await cache.hold(held(page(), NOW - 9 * HOUR, Validators(URL, '"1"')))
    await cache.hold(held(page(), NOW))

    found = await cache.held(URL, now=NOW)
    assert found == held(page(), NOW)


async def test_what_is_only_cited_is_not_found_by_address_and_does_not_unmake_what_is(cache: PageCache) -> None:
    await cache.put(page("Cited"))
    assert await cache.held(URL, now=NOW) is None
    assert (await cache.page(page("Cited").page_id)).text == "Cited"

    await cache.hold(held(page("Held")))
    await cache.put(page("Held"))
    assert (await cache.held(URL, now=NOW)) == held(page("Held"))


async def test_what_is_dropped_is_kept_by_id_alone(cache: PageCache) -> None:
    await cache.hold(held(page()))
    await cache.drop("https://a.example")

    assert await cache.held(URL, now=NOW) is None
    assert (await cache.page(page().page_id)).text == "Some text"


async def test_room_is_made_by_what_was_of_no_use_longest_and_never_by_what_is_cited(database: Database) -> None:
    cache = SqlPageCache(database, max_bytes=40_000)
    pages = [page(f"{n} " + "word " * 800, f"http://a.example/{n}") for n in range(12)]
    citation = Citation(
        *(1, pages[0].page_id, pages[0].url, "A", "a.example", None, 0, "word", 2, 6),
        *("supported", "", "page", pages[0].url),
    )
    store = SqlConversationStore(database)
    turn = Turn("run", "con", "turn", 1, "How tall?", NOW)
    await store.begin(turn)
    await store.save(replace(turn, state="done", citations=(citation,)))
    for n, one in enumerate(pages):
        await cache.hold(held(one, NOW + n * HOUR))
        await cache.held(pages[1].url, now=NOW + n * HOUR)  # asked for all the time

    kept = {n for n, one in enumerate(pages) if await cache.held(one.url, now=NOW + 12 * HOUR)}
    assert {0, 1, 11} <= kept
    assert 2 not in kept
    assert await cache.size() < 60_000

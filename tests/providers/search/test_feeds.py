"""News from chosen feeds."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.fakes.searching import ask

from answerable.errors import ReadError, SearchError
from answerable.protocols import SearchResults
from answerable.providers.search.feeds import KEPT, Feeds

NOW = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
DATA = Path(__file__).parents[2] / "data" / "search"
RSS, ATOM = "https://harbour.example/rss", "https://town.example/atom"


class Web:
    """Bodies by address; an exception is raised."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes | Exception] = {
            RSS: (DATA / "news.rss").read_bytes(),
            ATOM: (DATA / "news.atom").read_bytes(),
        }
        self.fetched: list[str] = []
        self.gate: asyncio.Event | None = None

    async def fetch(self, url: str, timeout: float) -> bytes:
        self.fetched.append(url)
        if self.gate:
            await self.gate.wait()
        body = self.bodies[url]
        if isinstance(body, Exception):
            raise body
        return body


def feeds(web: Web, *urls: str, **options: object) -> Feeds:
    return Feeds(urls or (RSS, ATOM), web.fetch, clock=lambda: NOW, **options)  # type: ignore[arg-type]


async def test_entries_that_hold_the_words_come_with_date_and_plain_text() -> None:
    results = await ask(feeds(Web()), "ferry strike", focus="news")
    assert [one.url for one in results] == ["https://harbour.example/strike", "https://town.example/ferry-2020"]
    first = results[0]
    assert first.title == "Ferry strike & talks"
    assert first.snippet == "The ferry strike began on Friday. Talks go on."
    assert first.published == datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
    assert first.providers == ("feeds",)


async def test_of_equal_words_the_newer_comes_first() -> None:
    results = await ask(feeds(Web()), "bridge", focus="news", freshness="live")
    assert [one.url for one in results] == ["https://town.example/bridge-new", "https://town.example/bridge-old"]


async def test_a_feed_is_not_fetched_again_for_five_minutes() -> None:
    web, passed = Web(), [0.0]
    provider = feeds(web, monotonic=lambda: passed[0])
    await ask(provider, "ferry")
    passed[0] = KEPT - 1
    await ask(provider, "bridge")
    assert len(web.fetched) == 2
    passed[0] = KEPT + 1
    await ask(provider, "bridge")
    assert len(web.fetched) == 4


async def test_searches_side_by_side_share_a_fetch_and_one_who_leaves_does_not_end_it() -> None:
    web = Web()
    web.gate = asyncio.Event()
    provider = feeds(web, RSS)
    tasks = [asyncio.create_task(ask(provider, "ferry")) for _ in range(2)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    tasks[0].cancel()
    web.gate.set()
    assert len(await tasks[1]) == 1
    assert web.fetched == [RSS]


async def test_a_feed_that_fails_is_a_warning_and_all_that_fail_are_a_failure() -> None:
    web = Web()
    web.bodies[ATOM] = ReadError(ATOM, "private_address", "its address is not public")
    found = await ask(feeds(web), "ferry")
    assert len(found) == 1
    assert isinstance(found, SearchResults)
    assert found.warnings == (f"{ATOM}: its address is not public",)
    web.bodies[RSS] = b"<html>not a feed</html>"
    with pytest.raises(SearchError, match="is no RSS or Atom feed") as caught:
        await ask(feeds(web), "ferry")
    assert "ANSWERABLE_FEEDS" in caught.value.hint


async def test_a_slow_feed_costs_its_time_out() -> None:
    web = Web()
    web.gate = asyncio.Event()
    with pytest.raises(SearchError, match=r"did not answer within 0\.05 s") as caught:
        await ask(feeds(web, RSS, timeout=0.05), "ferry")
    assert caught.value.cause == "timeout"


@pytest.mark.parametrize("body", [b"", b"/etc/passwd", b"http://127.0.0.1:1/", b"\x00\xff", b"{}", b"<rss"])
async def test_a_body_is_never_taken_for_the_name_of_a_file_or_an_address(body: bytes) -> None:
    web = Web()
    web.bodies[RSS] = body
    with pytest.raises(SearchError, match="is no RSS or Atom feed"):
        await ask(feeds(web, RSS), "root")


async def test_entities_from_outside_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("top-secret-ferry")
    web = Web()
    web.bodies[RSS] = f"""<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "{secret.as_uri()}">]>
        <rss version="2.0"><channel><title>t</title><item><title>ferry &x;</title><link>https://a.example/1</link>
        </item></channel></rss>""".encode()
    for one in await ask(feeds(web, RSS), "ferry"):
        assert "top-secret" not in one.title + one.snippet


async def test_sites_that_are_shut_out_and_odd_addresses_do_not_come() -> None:
    results = await ask(feeds(Web()), "ferry bridge", domains=("town.example",))
    assert {one.url.split("/")[2] for one in results} == {"town.example"}
    assert all(one.url.startswith("https://") for one in await ask(feeds(Web()), "script click"))

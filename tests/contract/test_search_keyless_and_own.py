"""SearchProvider, those that are no vendor's API: the keyless web through a library, and our own index."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.fakes.searching import ask
from tests.fakes.vendor import Reply, vendor

from answerable.errors import SearchError, StorageError
from answerable.protocols import IndexHit
from answerable.providers.search.ddgs import Ddgs
from answerable.providers.search.own import OwnIndex
from answerable.types import Page, Passage

NOW = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)

# --- keyless web -----------------------------------------------------------------------------------------------------


def ddgs(
    rows: Any = None, *, failure: Exception | None = None, probe: tuple[str, ...] = (), seen: list[Any] | None = None
) -> Ddgs:
    def search(category: str, query: str, **arguments: Any) -> Any:
        if seen is not None:
            seen.append((category, query, arguments))
        if failure is not None:
            raise failure
        return rows

    return Ddgs(search=search, probe=probe, clock=lambda: NOW)


async def test_the_keyless_web_gives_plain_results_once() -> None:
    rows = [
        {
            "title": "Height of the <b>Tower</b>",
            "href": "https://tower.example/height",
            "body": "214 metres &amp; more",
        },
        {"title": "Again", "href": "https://www.tower.example/height/", "body": ""},
        {"title": None, "url": "https://news.example/lift", "body": None, "date": "2026-11-20T08:30:00+00:00"},
        {"title": "No address"},
        None,
    ]
    results = await ask(ddgs(rows))
    assert [(result.url, result.title, result.snippet) for result in results] == [
        ("https://tower.example/height", "Height of the Tower", "214 metres & more"),
        ("https://news.example/lift", "news.example", ""),
    ]
    assert results[1].published == datetime(2026, 11, 20, 8, 30, tzinfo=UTC)


async def test_the_keyless_web_is_asked_for_the_readers_region_and_for_news() -> None:
    seen: list[Any] = []
    await ask(ddgs([], seen=seen), focus="news", locale="de", freshness="live")
    category, query, arguments = seen[0]
    assert (category, query) == ("news", "harbour tower height")
    assert (arguments["region"], arguments["timelimit"], arguments["safesearch"]) == ("de-de", "w", "moderate")


@pytest.mark.parametrize(
    ("failure", "cause"),
    [
        (RuntimeError("429 Too Many Requests"), "rate_limited"),
        (RuntimeError("request timed out"), "timeout"),
        (RuntimeError("ConnectError: dns error"), "connection"),
        (RuntimeError("No results found."), "refused"),
        (KeyError("x"), "malformed"),
    ],
)
async def test_the_keyless_web_fails_with_a_cause_and_a_cure(failure: Exception, cause: str) -> None:
    with pytest.raises(SearchError) as caught:
        await ask(ddgs(failure=failure))
    assert caught.value.cause == cause
    assert "SearXNG" in caught.value.hint
    assert "no results" not in caught.value.message.lower()


async def test_a_web_that_refuses_connections_is_noticed_before_the_library_is_asked() -> None:
    seen: list[Any] = []
    with pytest.raises(SearchError, match="no connection to 127.0.0.1:9 or nowhere.invalid:443") as caught:
        await ask(ddgs([], probe=("127.0.0.1:9", "nowhere.invalid:443"), seen=seen))
    assert caught.value.cause == "connection"
    assert seen == []


async def test_one_host_that_takes_connections_is_enough_and_is_remembered() -> None:
    async with vendor(Reply()) as server:
        provider = ddgs([], probe=("127.0.0.1:9", server.url.removeprefix("http://")))
        assert await ask(provider) == []
        assert await ask(provider) == []


async def test_the_real_library_is_asked_with_arguments_it_knows() -> None:
    provider = Ddgs(proxy="http://127.0.0.1:9", timeout=1)
    provider._probe = ()  # else the refusal of the proxy is seen before the library is asked
    for focus in ("web", "news"):
        with pytest.raises(SearchError) as caught:
            await ask(provider, focus=focus)
        assert caught.value.cause in ("connection", "timeout", "refused")


# --- our own index ---------------------------------------------------------------------------------------------------


class FakeIndex:
    def __init__(self, hits: Sequence[IndexHit] = (), failure: Exception | None = None) -> None:
        self.hits, self.failure = hits, failure

    async def add(self, pages: Sequence[Page]) -> int:
        return 0

    async def search(self, query: str, *, limit: int) -> list[IndexHit]:
        if self.failure:
            raise self.failure
        return list(self.hits[:limit])

    async def remove(self, urls: Sequence[str]) -> int:
        return 0

    async def count(self) -> int:
        return len(self.hits)


def hit(number: int, page: int, text: str) -> IndexHit:
    there = Page(f"p{page}", f"https://own.example/{page}", f"Page {page}", "own.example", text, published=NOW)
    return IndexHit(Passage(f"a{number}", f"p{page}", 0, len(text), text), there, 1.0 / number)


async def test_our_own_index_gives_each_page_once_with_its_best_passage() -> None:
    hits = [hit(1, 1, "The  best\npassage."), hit(2, 1, "Another."), hit(3, 2, "word " * 200)]
    provider = OwnIndex(FakeIndex(hits), name="collection", scope="fallback")
    first, second = await ask(provider)
    assert (first.url, first.snippet, first.providers) == (
        "https://own.example/1",
        "The best passage.",
        ("collection",),
    )
    assert first.published == NOW
    assert len(second.snippet) <= 402
    assert second.snippet.endswith("word …")
    assert provider.scope == "fallback"


async def test_our_own_index_fails_as_a_provider_does() -> None:
    with pytest.raises(SearchError, match="own: disk is full") as caught:
        await ask(OwnIndex(FakeIndex(failure=StorageError("disk is full"))))
    assert caught.value.cause == "server"

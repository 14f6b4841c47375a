"""Which providers are asked, with what, for how long, and what of their answers is let through."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.searching import FakeSearch, result
from tests.fakes.vendor import Reply, vendor

from answerable.answering.planning import plan_question
from answerable.answering.retrieval import Found, search_all, serving
from answerable.errors import SearchError
from answerable.protocols import Limits, SearchProvider
from answerable.providers.search.searxng import SearXNG
from answerable.types import Focus, Question, SearchResult

CASES = Path(__file__).parents[1] / "data" / "cases"
LIMITS = Limits(search_timeout=5.0)
A, B, C = (result(f"https://{name}.example/", name.upper()) for name in "abc")
LATE = SearchError("slow", "timeout", "did not answer within 2 s")


async def search(*searchers: SearchProvider, queries: tuple[str, ...] = ("tower",), **more: Any) -> Found:
    choices: dict[str, Any] = {"freshness": "evergreen", "focus": "web", "locale": "en", "limits": LIMITS}
    return await search_all(queries, searchers, **choices | more)


def told(found: Found) -> str:
    return "\n".join(note.message for note in found.notes)


def pages(name: str, number: int) -> list[SearchResult]:
    return [result(f"https://{name}.example/{i}") for i in range(number)]


# --- the focus -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("focus", "asked"), [("web", {"web", "both"}), ("news", {"news", "both"}), ("academic", {"papers"}), ("own", set())]
)
async def test_the_focus_picks_the_providers(focus: Focus, asked: set[str]) -> None:
    searchers = [
        FakeSearch("web", [A], focuses=["web"]),
        FakeSearch("both", [B], focuses=["web", "news"]),
        FakeSearch("news", [C], focuses=["news"]),
        FakeSearch("papers", [A], focuses=["academic"]),
    ]
    own = FakeSearch("own", [], scope="own")
    found = await search(*searchers, own, focus=focus)
    assert {one.name for one in searchers if one.queries} == asked == {one.name for one in serving(searchers, focus)}
    assert own.queries == ["tower"]
    assert found.notes == ()


async def test_a_focus_that_nobody_serves_is_searched_in_the_web_at_large_and_said() -> None:
    web = FakeSearch("web", [A], focuses=["web"])
    found = await search(web, focus="academic")
    assert found.results[0].url == A.url
    assert [note.code for note in found.notes] == ["focus_unserved"]


async def test_an_empty_index_of_ones_own_does_not_speak_for_a_web_that_failed() -> None:
    failing = FakeSearch("web", SearchError("web", "server", "failed"))
    own = FakeSearch("own", [], scope="own")
    assert not (await search(failing, own)).answered
    assert (await search(FakeSearch("web", []), own)).answered
    assert (await search(own, focus="own")).answered
    assert (await search(failing, FakeSearch("own", [A], scope="own"))).answered


# --- domains ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["web", "own", "fallback"])
async def test_no_provider_gets_a_shut_out_site_through(scope: Any) -> None:
    provider = FakeSearch("alpha", [A, B, replace(C, url="https://sub.a.example/")], scope=scope)
    found = await search(provider, domains=("-a.example",))
    assert [hit.url for hit in found.results] == [B.url]
    assert provider.asked_with[0][3] == ("-a.example",)


async def test_only_the_chosen_sites_come_through_and_it_is_said_when_nothing_does() -> None:
    found = await search(FakeSearch("alpha", [A, B]), domains=("b.example",))
    assert [hit.url for hit in found.results] == [B.url]
    assert found.notes == ()
    found = await search(FakeSearch("alpha", [A, B]), domains=("c.example",))
    assert found.answered
    assert [note.code for note in found.notes] == ["outside_domains"]
    assert (await search(FakeSearch("alpha", []), domains=("c.example",))).notes == ()


# --- the slow --------------------------------------------------------------------------------------------------------


async def test_a_provider_that_was_silent_is_not_waited_for_again_in_the_turn() -> None:
    slow, quick = FakeSearch("slow", LATE), FakeSearch("quick", [A])
    first = await search(slow, quick, queries=("one", "two"))
    assert first.silent == {"slow"}
    second = await search(slow, quick, queries=("three",), silent=first.silent)
    assert slow.queries == ["one", "two"]
    assert second.notes == ()


async def test_a_provider_that_answered_one_of_two_is_not_silent() -> None:
    found = await search(FakeSearch("slow", [A], LATE), queries=("one", "two"))
    assert found.silent == frozenset()


async def test_when_the_only_provider_was_silent_the_collection_steps_in() -> None:
    slow, collection = FakeSearch("slow", LATE), FakeSearch("collection", [C], scope="fallback")
    found = await search(slow, collection, silent={"slow"})
    assert found.used_fallback
    assert slow.queries == []


class Background:
    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[Any]] = []

    def __call__(self, work: Coroutine[Any, Any, Any]) -> None:
        self.tasks.append(asyncio.create_task(work))


async def test_the_time_is_not_spent_on_a_slow_provider_when_another_found_enough() -> None:
    slow, quick = FakeSearch("slow", 3600.0), FakeSearch("quick", pages("q", 8))
    limits, background = Limits(search_timeout=3000.0), Background()
    found = await search(slow, quick, limits=limits, background=background)
    assert len(found.results) == 8
    assert "slow: had not answered after" in told(found)
    assert slow.cancelled == 0, "it goes on, into its memory"
    assert found.silent == frozenset(), "it was only slower than the other"
    (task,) = background.tasks
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_without_a_background_the_slow_is_let_go() -> None:
    slow = FakeSearch("slow", 3600.0)
    await search(slow, FakeSearch("quick", pages("q", 8)), limits=Limits(search_timeout=3000.0))
    assert slow.cancelled == 1


@pytest.mark.parametrize(
    "other",
    [
        FakeSearch("few", pages("f", 3)),
        FakeSearch("encyclopedia", pages("e", 8), partial=True),
        FakeSearch("own", pages("o", 8), scope="own"),
        FakeSearch("half", pages("h", 8), LATE),
    ],
    ids=lambda fake: fake.name,
)
async def test_too_little_or_one_site_is_no_reason_to_stop_waiting(other: FakeSearch) -> None:
    later = FakeSearch("later", 0.8)
    queries = ("one", "two") if other.name == "half" else ("one",)
    found = await search(other, later, queries=queries)
    assert "later" not in told(found)


# --- languages -------------------------------------------------------------------------------------------------------


async def test_a_question_is_searched_in_its_language_at_the_provider_too() -> None:
    rows = [json.loads(line) for line in (CASES / "cases-search.jsonl").read_text("utf-8").splitlines()]
    row = next(row for row in rows if row["id"] == "lang-query-language")
    items = json.loads((CASES / row["file"]).read_text("utf-8"))["items"]
    for item, language, sent in zip(
        items, row["expected"]["queries_include_language"], row["expected"]["provider_locale_sent"], strict=True
    ):
        question = Question(item["question"], datetime(2026, 11, 29, tzinfo=UTC))
        plan = (await plan_question(question, None, LIMITS)).plan
        assert plan.language == language == item["lang"]
        names = {"ja": "海鳴", "de": "Seeblick"}
        assert any(names[language] in query for query in plan.queries)
        async with vendor(Reply(b'{"results": []}')) as server:
            provider = SearXNG(base_url=server.url)
            await search(provider, queries=plan.queries, locale=plan.language)
            await provider.aclose()
        assert {seen.params["language"] for seen in server.seen} == {sent}

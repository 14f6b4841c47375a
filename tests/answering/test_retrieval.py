"""All queries to all providers at once: what comes together, and what a failure costs."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.searching import FakeSearch, result
from tests.fakes.vendor import Reply, vendor

from answerable.answering.retrieval import Found, demote_copies, fuse, search_all
from answerable.errors import SearchError
from answerable.events import Event, Progress, ignore
from answerable.protocols import Limits, SearchProvider
from answerable.providers.search.searxng import SearXNG
from answerable.text.urls import canonical_url
from answerable.types import Focus, SearchResult

CASES = Path(__file__).parents[1] / "data" / "cases"
WHEN = datetime(2026, 11, 20, tzinfo=UTC)
LIMITS = Limits(search_timeout=5.0)


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    rows = map(json.loads, (CASES / "cases-search.jsonl").read_text("utf-8").splitlines())
    row = next(row for row in rows if row["id"] == name)
    return json.loads((CASES / row["file"]).read_text("utf-8")), row["expected"]


async def search(
    *searchers: SearchProvider,
    queries: tuple[str, ...] = ("tower",),
    focus: Focus = "web",
    limits: Limits = LIMITS,
    emit: Any = ignore,
    locale: str = "en",
    **more: Any,
) -> Found:
    return await search_all(
        queries, searchers, freshness="evergreen", focus=focus, locale=locale, limits=limits, emit=emit, **more
    )


def told(found: Found) -> str:
    return "\n".join(note.message for note in found.notes)


def failing(name: str, message: str = "is not there") -> FakeSearch:
    return FakeSearch(name, SearchError(name, "connection", message, hint="Check the cable."))


A, B, C = (result(f"https://{name}.example/", name.upper()) for name in "abc")


async def test_all_queries_go_to_all_providers_and_the_same_one_only_once() -> None:
    alpha, beta = FakeSearch("alpha", [A]), FakeSearch("beta", [B])
    found = await search(alpha, beta, queries=("tower", " tower ", "height", ""))
    assert alpha.queries == beta.queries == ["tower", "height"]
    assert {hit.url for hit in found.results} == {A.url, B.url}
    assert found.answered
    assert found.notes == ()


async def test_a_failure_costs_only_itself_and_is_named_with_its_cure() -> None:
    found = await search(failing("alpha"), FakeSearch("beta", [B]), queries=("one", "two"))
    assert [hit.url for hit in found.results] == [B.url]
    (note,) = found.notes
    assert note.code == "provider_failed"
    assert note.message == "alpha: is not there. Check the cable."


async def test_a_provider_that_fails_one_of_two_queries_is_named_with_the_count() -> None:
    alpha = FakeSearch("alpha", [A], SearchError("alpha", "server", "had an error of its own"))
    found = await search(alpha, queries=("one", "two"))
    assert [hit.url for hit in found.results] == [A.url]
    assert told(found) == "alpha: had an error of its own (1 of 2 queries)."


async def test_a_provider_that_breaks_costs_only_itself(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        found = await search(FakeSearch("alpha", KeyError("oops")), FakeSearch("beta", [B]))
    assert [hit.url for hit in found.results] == [B.url]
    assert "alpha: failed unexpectedly" in told(found)


async def test_when_all_fail_nothing_is_said_to_be_missing_from_the_web() -> None:
    found = await search(failing("alpha"), failing("beta"))
    assert not found.answered
    assert found.results == ()
    assert "no results" not in told(found).lower()
    assert len(found.notes) == 2


async def test_a_late_provider_is_cancelled_named_and_does_not_cost_the_others() -> None:
    slow, quick = FakeSearch("slow", 60.0), FakeSearch("quick", [A])
    found = await search(slow, quick, limits=replace(LIMITS, search_timeout=0.1))
    assert [hit.url for hit in found.results] == [A.url]
    assert "slow: did not answer within 0.1 s" in told(found)
    assert slow.cancelled == 1


async def test_stopping_the_search_stops_every_call() -> None:
    slow = FakeSearch("slow", 60.0)
    task = asyncio.create_task(search(slow, slow))
    await slow.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert slow.cancelled == len(slow.queries)


async def test_warnings_of_a_provider_reach_the_notes_once() -> None:
    alpha = FakeSearch("alpha", [A], warnings=["without google: CAPTCHA"])
    found = await search(alpha, queries=("one", "two"))
    assert [(note.code, note.message) for note in found.notes] == [
        ("provider_warning", "alpha: without google: CAPTCHA")
    ]


async def test_whoever_watches_sees_each_answer_arrive() -> None:
    events: list[Event] = []
    await search(FakeSearch("alpha", [A, B]), failing("beta"), emit=events.append)
    assert all(isinstance(event, Progress) and event.stage == "searching" and event.total == 2 for event in events)
    assert {event.detail for event in events if isinstance(event, Progress)} == {"alpha: 2 results", "beta failed"}


# --- which providers are asked ---------------------------------------------------------------------------------------


def three_scopes(web: FakeSearch) -> tuple[FakeSearch, FakeSearch, FakeSearch]:
    return web, FakeSearch("own", [B], scope="own"), FakeSearch("collection", [C], scope="fallback")


async def test_own_pages_are_searched_beside_the_web_and_the_collection_is_left_alone() -> None:
    web, own, collection = three_scopes(FakeSearch("web", [A]))
    found = await search(web, own, collection)
    assert {hit.url for hit in found.results} == {A.url, B.url}
    assert collection.queries == []
    assert not found.used_fallback


async def test_a_web_that_answered_with_nothing_has_answered() -> None:
    web, own, collection = three_scopes(FakeSearch("web", []))
    found = await search(web, own, collection)
    assert collection.queries == []
    assert found.answered


async def test_the_collection_steps_in_when_no_web_provider_answered() -> None:
    web, own, collection = three_scopes(failing("web"))
    found = await search(web, own, collection)
    assert {hit.url for hit in found.results} == {B.url, C.url}
    assert found.used_fallback
    assert "web: is not there" in told(found)


async def test_with_focus_own_the_web_is_not_asked() -> None:
    web, own, collection = three_scopes(FakeSearch("web", [A]))
    found = await search(web, own, collection, focus="own")
    assert web.queries == []
    assert {hit.url for hit in found.results} == {B.url, C.url}


async def test_without_any_provider_nothing_has_answered() -> None:
    assert await search() == Found()


# --- fusing ----------------------------------------------------------------------------------------------------------


async def test_the_same_page_of_several_providers_is_one_entry() -> None:
    given_, expected = case("search-merge-duplicates")
    providers = [
        FakeSearch(name, [result(row["url"], row["title"], row["content"]) for row in rows])
        for name, rows in given_["lists"].items()
    ]
    found = await search(*providers)
    for hit, wanted in zip(found.results, expected["results"], strict=True):
        assert hit.url in wanted.get("url_any", [wanted.get("url")])
        assert hit.providers == tuple(wanted["providers"])
        assert hit.title == wanted.get("title", hit.title)
        assert wanted.get("snippet_contains", "") in hit.snippet


def test_a_page_named_by_more_lists_stands_higher() -> None:
    assert [hit.url for hit in fuse([[A, B], [C, B]])] == [B.url, A.url, C.url]


def test_a_list_that_names_a_page_twice_counts_it_once() -> None:
    twice = fuse([[A, replace(A, url="https://www.a.example/"), B]])
    once = fuse([[A, B]])
    assert [(hit.url, hit.score) for hit in twice] == [(hit.url, hit.score) for hit in once]


def test_a_merged_page_keeps_its_date_its_text_and_a_whole_title() -> None:
    cut = result("http://a.example/x", "Height of the Harbour Tower and of many …", published=WHEN)
    whole = result("https://a.example/x", "Height of the Harbour Tower", text="All of it.")
    (merged,) = fuse([[cut], [whole]])
    assert (merged.url, merged.title) == ("https://a.example/x", "Height of the Harbour Tower")
    assert (merged.published, merged.text) == (WHEN, "All of it.")


results = st.builds(
    result,
    st.sampled_from(
        [f"http{s}://{w}{h}.example/{p}" for s in ("", "s") for w in ("", "www.") for h in "ab" for p in ("", "x")]
    ),
    st.text(max_size=8),
    st.text(max_size=8),
)


@given(st.lists(st.lists(results, max_size=6), max_size=4))
def test_fusing_loses_no_page_and_repeats_none(lists: list[list[SearchResult]]) -> None:
    merged = fuse(lists)
    keys = [canonical_url(hit.url) for hit in merged]
    assert len(keys) == len(set(keys))
    assert set(keys) == {canonical_url(hit.url) for ranked in lists for hit in ranked}
    assert [hit.score for hit in merged] == sorted((hit.score for hit in merged), reverse=True)
    assert sorted(hit.url for hit in demote_copies(merged)) == sorted(hit.url for hit in merged)


def test_syndicated_copies_go_behind_what_is_independent() -> None:
    given_, expected = case("search-syndicated")
    pages = [result(page["url"], "", page["text"]) for page in given_["pages"]]
    (first, *copies), independent = expected["clusters"]
    order = [
        given_["pages"].index(next(p for p in given_["pages"] if p["url"] == hit.url)) for hit in demote_copies(pages)
    ]
    assert order == [first, *independent, *copies]
    assert len(order) - len(copies) == expected["independent_sources"]


def test_a_scholarly_work_under_several_addresses_is_one_entry_at_its_open_copy() -> None:
    registered = result("https://doi.org/10.5/x", "A work", doi="10.5/x", year=2019)
    open_copy = result("https://archive.example/x", "A work", doi="10.5/x", authors=("A. Berg",), venue="Towers")
    told_by_address_only = result("https://archive.example/x", "A work")
    (merged,) = fuse([[registered], [open_copy], [told_by_address_only]])
    assert (merged.url, merged.doi) == ("https://archive.example/x", "10.5/x")
    assert (merged.authors, merged.year, merged.venue) == (("A. Berg",), 2019, "Towers")


def test_short_snippets_are_not_taken_for_copies() -> None:
    short = [result(f"https://{name}.example/", "", "The tower is tall.") for name in "abc"]
    assert demote_copies(short) == short


# --- on the wire -----------------------------------------------------------------------------------------------------


class Named(SearXNG):
    def __init__(self, name: str, url: str) -> None:
        super().__init__(base_url=url)
        self.name = name


def reply(answer: dict[str, Any]) -> Reply:
    return Reply(json.dumps(answer["json"]).encode(), answer["status"], answer.get("headers", {}))


async def test_a_rate_limited_provider_is_named_and_the_other_answers() -> None:
    given_, expected = case("search-429-fallback")
    alpha, beta = (given_["responses"][name] for name in given_["order"])
    async with vendor(*map(reply, alpha)) as first, vendor(*map(reply, beta)) as second:
        providers = [Named("alpha", first.url), Named("beta", second.url)]
        found = await search(*providers, queries=(given_["query"],))
        for provider in providers:
            await provider.aclose()
    assert len(found.results) == expected["results"]
    assert {hit.providers for hit in found.results} == {(expected["queries_answered_by"],)}
    assert len(first.seen) <= expected["max_requests"]["alpha"]
    assert all(word in told(found) for word in expected["note_contains"])
    assert not any(word in told(found).lower() for word in expected["never_says"])


async def test_a_hanging_provider_is_named_and_the_other_answers() -> None:
    given_, expected = case("search-slow-provider")
    beta = given_["responses"]["beta"][0]
    async with vendor(Reply(delay=60)) as first, vendor(replace(reply(beta), delay=beta["delay_s"])) as second:
        providers = [Named("alpha", first.url), Named("beta", second.url)]
        limits = replace(LIMITS, search_timeout=3)
        found = await asyncio.wait_for(
            search(*providers, queries=(given_["query"],), limits=limits), expected["search_ends_within_s"]
        )
        for provider in providers:
            await provider.aclose()
    assert len(found.results) == expected["results"]
    assert found.results[0].providers == (expected["queries_answered_by"],)
    assert all(word in told(found) for word in expected["note_contains"])

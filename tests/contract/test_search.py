"""SearchProvider: what every provider must do with good answers and with bad ones, on real sockets.

Each fixture under tests/data/search names the vendor's page that documents its format, and the date.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.searching import ask
from tests.fakes.vendor import Reply, Vendor, vendor

from answerable.errors import SearchError
from answerable.protocols import SearchProvider, SearchResults
from answerable.providers.search.brave import Brave
from answerable.providers.search.searxng import SearXNG
from answerable.providers.search.tavily import Tavily
from answerable.providers.search.wikipedia import Wikipedia
from answerable.types import SearchResult

DATA = Path(__file__).parents[1] / "data"
NOW = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
KEY = "secret-key-1234"
VENDORS: dict[str, Callable[..., SearchProvider]] = {
    "searxng": lambda url, **options: SearXNG(base_url=url, clock=lambda: NOW, **options),
    "tavily": lambda url, **options: Tavily(api_key=KEY, base_url=url, clock=lambda: NOW, **options),
    "brave": lambda url, **options: Brave(api_key=KEY, base_url=url, clock=lambda: NOW, **options),
    "brave-news": lambda url, **options: Brave(api_key=KEY, base_url=url, clock=lambda: NOW, **options),
    "wikipedia": lambda url, **options: Wikipedia(base_url=url, clock=lambda: NOW, **options),
}
KEYED = ["tavily", "brave", "brave-news"]
ROWS = {  # where the rows stand, and how an empty answer looks
    "searxng": (("results",), {"query": "x", "results": []}),
    "tavily": (("results",), {"query": "x", "results": []}),
    "brave": (("web", "results"), {"type": "search", "query": {"original": "x"}}),
    "brave-news": (("results",), {"type": "news", "query": {"original": "x"}, "results": []}),
    "wikipedia": (("query", "pages"), {"batchcomplete": True}),
}


@dataclass
class Asked:
    """A vendor's fake server and the provider that asks it."""

    server: Vendor
    provider: SearchProvider
    focus: Any

    async def search(self, query: str = "harbour tower height", **options: Any) -> list[SearchResult]:
        return await ask(self.provider, query, focus=self.focus, **options)


@pytest.fixture
async def start() -> AsyncIterator[Callable[..., Any]]:
    async with AsyncExitStack() as stack:

        async def start(name: str, *replies: Reply, **options: Any) -> Asked:
            server = await stack.enter_async_context(vendor(*replies))
            provider = VENDORS[name](server.url, **options)
            stack.push_async_callback(provider.aclose)
            return Asked(server, provider, "news" if name == "brave-news" else "web")

        yield start


def documented(name: str) -> dict[str, Any]:
    fixture = json.loads((DATA / "search" / f"{name}.json").read_text("utf-8"))
    assert fixture["vendor_page"].startswith("https://")
    assert datetime.fromisoformat(fixture["date"])
    return fixture["response"]


def good(name: str, change: Callable[[list[Any]], None] = lambda rows: None, **headers: str) -> Reply:
    answer = documented(name)
    change(rows_of(name, answer))
    return Reply(json.dumps(answer).encode(), headers=headers)


def rows_of(name: str, answer: Any) -> list[Any]:
    for step in ROWS[name][0]:
        answer = answer[step]
    return answer


@pytest.mark.parametrize("name", VENDORS)
async def test_a_documented_answer_gives_plain_results_best_first(name: str, start: Callable[..., Any]) -> None:
    asked = await start(name, good(name))
    results = await asked.search()
    assert [result.url for result in results] == ["https://tower.example/height", "https://news.example/lift"]
    assert results[0].title == "Height of the Harbour Tower"
    assert results[0].snippet.startswith("The tower stands 214 metres tall & has two lifts.")
    assert results[1].title == "Lift closed"
    assert results[0].providers == (asked.provider.name,)
    if name != "wikipedia":
        assert results[0].published == datetime(2026, 11, 20, 8, 30, tzinfo=UTC)


@pytest.mark.parametrize("name", VENDORS)
async def test_nothing_found_is_an_answer(name: str, start: Callable[..., Any]) -> None:
    asked = await start(name, Reply(json.dumps(ROWS[name][1]).encode()))
    assert await asked.search() == []


@pytest.mark.parametrize("name", VENDORS)
async def test_no_more_than_the_limit_comes_back(name: str, start: Callable[..., Any]) -> None:
    asked = await start(name, good(name))
    assert len(await asked.search(limit=1)) == 1


@pytest.mark.parametrize("name", VENDORS)
async def test_null_and_missing_fields_cost_only_themselves(name: str, start: Callable[..., Any]) -> None:
    def spoil(rows: list[Any]) -> None:
        address = "fullurl" if name == "wikipedia" else "url"
        kept = next(row for row in rows if row[address] == "https://tower.example/height")
        kept.update({key: None for key in kept if key not in (address, "index")})
        rows += [
            {address: None, "title": "lost"},
            {"title": "lost too"},
            None,
            "text",
            {address: 7},
            {address: "ftp://x.example/"},
        ]

    results = await (await start(name, good(name, spoil))).search()
    assert [(result.url, result.title, result.snippet) for result in results] == [
        ("https://tower.example/height", "tower.example", ""),
        ("https://news.example/lift", "Lift closed", "The east lift is closed."),
    ]


@pytest.mark.parametrize("name", VENDORS)
async def test_text_that_no_page_can_hold_is_made_whole(name: str, start: Callable[..., Any]) -> None:
    def spoil(rows: list[Any]) -> None:
        rows[0].update({key: f"{value} \ud800\0" for key, value in rows[0].items() if isinstance(value, str)})

    for result in await (await start(name, good(name, spoil))).search():
        told = f"{result.url} {result.title} {result.snippet} {result.text}"
        assert "\0" not in told
        told.encode("utf-8")


@pytest.mark.parametrize(
    ("status", "headers", "cause", "wait"),
    [
        (401, {}, "bad_key", None),
        (429, {"Retry-After": "30"}, "rate_limited", 30.0),
        (429, {"Retry-After": "Sun, 29 Nov 2026 10:02:00 GMT"}, "rate_limited", 120.0),
        (429, {"Retry-After": "soon"}, "rate_limited", None),
        (402, {}, "quota", None),
        (500, {}, "server", None),
        (503, {"Retry-After": "5"}, "server", 5.0),
        (400, {}, "refused", None),
        (302, {"Location": "http://127.0.0.1:9/"}, "refused", None),
    ],
)
@pytest.mark.parametrize("name", VENDORS)
async def test_a_refusal_has_its_cause_and_its_wait(
    name: str, status: int, headers: dict[str, str], cause: str, wait: float | None, start: Callable[..., Any]
) -> None:
    told = json.dumps({"error": {"message": f"it is about {KEY}"}}).encode()
    asked = await start(name, Reply(told, status, headers))
    with pytest.raises(SearchError) as caught:
        await asked.search()
    error = caught.value
    assert (error.provider, error.cause, error.retry_after) == (asked.provider.name, cause, wait)
    assert f"status {status}" in error.message
    assert error.message.startswith(asked.provider.name)
    if name in KEYED:
        assert KEY not in error.message + error.hint + repr(error)
    assert len(asked.server.seen) == 1


@pytest.mark.parametrize(
    "body", [b"", b"<html>busy</html>", b"null", b"[1]", b'{"status": "ok"}', b"[" * 100_000, b'{"results": [{']
)
@pytest.mark.parametrize("name", VENDORS)
async def test_an_answer_in_another_shape_is_malformed_and_not_empty(
    name: str, body: bytes, start: Callable[..., Any]
) -> None:
    asked = await start(name, Reply(body))
    with pytest.raises(SearchError) as caught:
        await asked.search()
    assert caught.value.cause == "malformed"


@pytest.mark.parametrize("name", VENDORS)
async def test_rows_that_are_no_list_are_malformed(name: str, start: Callable[..., Any]) -> None:
    answer: Any = "rows"
    for step in reversed(ROWS[name][0]):
        answer = {step: answer}
    with pytest.raises(SearchError) as caught:
        await (await start(name, Reply(json.dumps(answer).encode()))).search()
    assert caught.value.cause == "malformed"


@pytest.mark.parametrize("name", VENDORS)
async def test_a_slow_vendor_costs_its_time_out(name: str, start: Callable[..., Any]) -> None:
    asked = await start(name, Reply(delay=30), timeout=0.2)
    with pytest.raises(SearchError, match=r"within 0\.2 s") as caught:
        await asked.search()
    assert caught.value.cause == "timeout"


@pytest.mark.parametrize("name", VENDORS)
async def test_a_broken_or_refused_connection_is_told_as_such(name: str, start: Callable[..., Any]) -> None:
    asked = await start(name, Reply(b"{", cut=True))
    with pytest.raises(SearchError) as caught:
        await asked.search()
    assert caught.value.cause == "connection"
    closed = VENDORS[name]("http://127.0.0.1:9")
    with pytest.raises(SearchError, match="no connection to 127.0.0.1:9") as caught:
        await ask(closed)
    assert caught.value.cause == "connection"
    assert caught.value.hint


@pytest.mark.parametrize("name", VENDORS)
async def test_an_answer_without_end_is_cut_off(name: str, start: Callable[..., Any]) -> None:
    asked = await start(name, Reply(b" " * 5_500_000))
    with pytest.raises(SearchError, match="more than 5 MB"):
        await asked.search()


@pytest.mark.parametrize("name", VENDORS)
async def test_the_request_names_us_and_is_one_line(name: str, start: Callable[..., Any]) -> None:
    asked = await start(name, good(name))
    await asked.search("harbour\ntower  height")
    (seen,) = asked.server.seen
    assert seen.headers["user-agent"].startswith("Answerable/")
    sent = seen.body["query"] if seen.body else seen.params.get("gsrsearch") or seen.params["q"]
    assert sent == "harbour tower height"


@pytest.mark.parametrize("name", ["searxng", "tavily", "brave"])
async def test_fresh_pages_come_first_and_others_fill_up(name: str, start: Callable[..., Any]) -> None:
    def only_second(rows: list[Any]) -> None:
        del rows[2], rows[0]

    asked = await start(name, good(name, only_second), good(name))
    results = await asked.search(freshness="live")
    assert [result.url for result in results] == ["https://news.example/lift", "https://tower.example/height"]
    first, second = ({**seen.params, **(seen.body or {})} for seen in asked.server.seen)
    assert (first.get("time_range") or first.get("freshness")) in ("month", "pm")
    assert "time_range" not in second
    assert "freshness" not in second


async def test_fresh_pages_stay_when_the_others_fail(start: Callable[..., Any]) -> None:
    asked = await start("searxng", good("searxng"), Reply(b"{}", 500))
    results = await asked.search(freshness="recent")
    assert len(results) == 2
    assert isinstance(results, SearchResults)
    assert any("status 500" in warning for warning in results.warnings)


async def test_searxng_tells_of_its_silent_engines(start: Callable[..., Any]) -> None:
    case = json.loads((DATA / "cases" / "search" / "search-null-fields.json").read_text("utf-8"))
    row = next(
        row
        for row in map(json.loads, (DATA / "cases" / "cases-search.jsonl").read_text("utf-8").splitlines())
        if row["id"] == "search-null-fields"
    )
    results = await (await start("searxng", Reply(json.dumps(case["json"]).encode()))).search()
    assert isinstance(results, SearchResults)
    for result, wanted in zip(results, row["expected"]["results"], strict=True):
        assert result.url == wanted["url"]
        assert result.title in wanted.get("title_any", [wanted.get("title")])
        assert result.snippet == wanted["snippet"]
        assert (result.published.date().isoformat() if result.published else None) == wanted.get("published")
    assert all(any(name in warning for warning in results.warnings) for name in row["expected"]["warnings_mention"])


async def test_searxng_without_any_engine_has_not_answered(start: Callable[..., Any]) -> None:
    silent = {"results": [], "unresponsive_engines": [["google", "CAPTCHA", True], ["bing", "timeout"]]}
    with pytest.raises(SearchError, match="google: CAPTCHA; bing: timeout") as caught:
        await (await start("searxng", Reply(json.dumps(silent).encode()))).search()
    assert caught.value.cause == "refused"


async def test_searxng_without_json_is_told_how_to_allow_it(start: Callable[..., Any]) -> None:
    with pytest.raises(SearchError) as caught:
        await (await start("searxng", Reply(b"<h1>403</h1>", 403))).search()
    assert caught.value.cause == "refused"
    assert "settings.yml" in caught.value.hint


async def test_searxng_is_asked_in_its_own_words(start: Callable[..., Any]) -> None:
    asked = await start("searxng", good("searxng"), safe="strict")
    await asked.provider.search("tower", limit=8, freshness="evergreen", focus="academic", locale="de-AT")
    (seen,) = asked.server.seen
    assert (seen.method, seen.path) == ("GET", "/search")
    assert seen.params == {
        "q": "tower",
        "format": "json",
        "language": "de-AT",
        "categories": "science",
        "safesearch": "2",
    }


async def test_tavily_is_asked_in_its_own_words(start: Callable[..., Any]) -> None:
    asked = await start("tavily", good("tavily"))
    await asked.provider.search("tower", limit=50, freshness="evergreen", focus="news", locale="en")
    (seen,) = asked.server.seen
    assert (seen.method, seen.path, seen.headers["authorization"]) == ("POST", "/search", f"Bearer {KEY}")
    assert seen.body == {"query": "tower", "max_results": 20, "topic": "news", "search_depth": "basic"}


@pytest.mark.parametrize("status", [432, 433])
async def test_a_used_up_tavily_plan_is_a_quota(status: int, start: Callable[..., Any]) -> None:
    reply = Reply(b'{"detail": {"error": "This request exceeds your plan\'s set usage limit."}}', status)
    with pytest.raises(SearchError, match="usage limit") as caught:
        await (await start("tavily", reply)).search()
    assert caught.value.cause == "quota"


async def test_brave_is_asked_in_its_own_words(start: Callable[..., Any]) -> None:
    asked = await start("brave", good("brave"), safe="off")
    await asked.provider.search("word " * 80, limit=50, freshness="evergreen", focus="web", locale="pt-BR")
    (seen,) = asked.server.seen
    assert (seen.path, seen.headers["x-subscription-token"]) == ("/res/v1/web/search", KEY)
    assert len(seen.params["q"].split()) == 50
    assert (seen.params["search_lang"], seen.params["country"], seen.params["count"]) == ("pt-br", "br", "20")
    assert seen.params["safesearch"] == "off"


async def test_braves_own_codes_say_more_than_its_statuses(start: Callable[..., Any]) -> None:
    reply = Reply(b'{"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "status": 422}}', 422)
    with pytest.raises(SearchError) as caught:
        await (await start("brave", reply)).search()
    assert (caught.value.cause, caught.value.hint) == ("bad_key", "Check BRAVE_API_KEY.")


async def test_brave_tells_the_wait_in_its_windows(start: Callable[..., Any]) -> None:
    headers = {"X-RateLimit-Remaining": "0, 1999", "X-RateLimit-Reset": "1, 1419704"}
    with pytest.raises(SearchError) as caught:
        await (await start("brave", Reply(b"{}", 429, headers))).search()
    assert caught.value.retry_after == 1.0


async def test_wikipedia_is_asked_in_the_readers_language(start: Callable[..., Any]) -> None:
    asked = await start("wikipedia", good("wikipedia"))
    provider = Wikipedia(base_url=f"{asked.server.url}/{{language}}")
    await provider.search("How tall is the Harbour Tower?", limit=8, freshness="live", focus="web", locale="de-AT")
    await provider.aclose()
    (seen,) = asked.server.seen
    assert seen.path == "/de/w/api.php"
    assert "?" not in seen.params["gsrsearch"]
    await ask(asked.provider, "How tall is the Harbour Tower?")
    assert asked.server.seen[-1].params["gsrsearch"] == "tall harbour tower"


@pytest.mark.parametrize(
    ("code", "cause"), [("ratelimited", "rate_limited"), ("maxlag", "server"), ("badvalue", "refused")]
)
async def test_wikipedias_errors_come_with_status_200(code: str, cause: str, start: Callable[..., Any]) -> None:
    reply = Reply(json.dumps({"error": {"code": code, "info": "No."}}).encode())
    with pytest.raises(SearchError, match=code) as caught:
        await (await start("wikipedia", reply)).search()
    assert caught.value.cause == cause

"""Each search vendor in its own words: what is sent on the wire, and what its own failures mean."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.fakes.search_vendors import DATA, KEY, Start, good
from tests.fakes.searching import ask
from tests.fakes.vendor import Reply

from answerable.errors import SearchError
from answerable.protocols import SearchResults
from answerable.providers.search.wikipedia import Wikipedia


async def test_searxng_tells_of_its_silent_engines(start: Start) -> None:
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


async def test_searxng_without_any_engine_has_not_answered(start: Start) -> None:
    silent = {"results": [], "unresponsive_engines": [["google", "CAPTCHA", True], ["bing", "timeout"]]}
    with pytest.raises(SearchError, match="google: CAPTCHA; bing: timeout") as caught:
        await (await start("searxng", Reply(json.dumps(silent).encode()))).search()
    assert caught.value.cause == "refused"


async def test_searxng_without_json_is_told_how_to_allow_it(start: Start) -> None:
    with pytest.raises(SearchError) as caught:
        await (await start("searxng", Reply(b"<h1>403</h1>", 403))).search()
    assert caught.value.cause == "refused"
    assert "settings.yml" in caught.value.hint


async def test_searxng_is_asked_in_its_own_words(start: Start) -> None:
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


async def test_tavily_is_asked_in_its_own_words(start: Start) -> None:
    asked = await start("tavily", good("tavily"))
    await asked.provider.search("tower", limit=50, freshness="evergreen", focus="news", locale="en")
    (seen,) = asked.server.seen
    assert (seen.method, seen.path, seen.headers["authorization"]) == ("POST", "/search", f"Bearer {KEY}")
    assert seen.body == {"query": "tower", "max_results": 20, "topic": "news", "search_depth": "basic"}


@pytest.mark.parametrize("status", [432, 433])
async def test_a_used_up_tavily_plan_is_a_quota(status: int, start: Start) -> None:
    reply = Reply(b'{"detail": {"error": "This request exceeds your plan\'s set usage limit."}}', status)
    with pytest.raises(SearchError, match="usage limit") as caught:
        await (await start("tavily", reply)).search()
    assert caught.value.cause == "quota"


async def test_brave_is_asked_in_its_own_words(start: Start) -> None:
    asked = await start("brave", good("brave"), safe="off")
    await asked.provider.search("word " * 80, limit=50, freshness="evergreen", focus="web", locale="pt-BR")
    (seen,) = asked.server.seen
    assert (seen.path, seen.headers["x-subscription-token"]) == ("/res/v1/web/search", KEY)
    assert len(seen.params["q"].split()) == 50
    assert (seen.params["search_lang"], seen.params["country"], seen.params["count"]) == ("pt-br", "BR", "20")
    assert seen.params["safesearch"] == "off"


async def test_braves_own_codes_say_more_than_its_statuses(start: Start) -> None:
    reply = Reply(b'{"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "status": 422}}', 422)
    with pytest.raises(SearchError) as caught:
        await (await start("brave", reply)).search()
    assert (caught.value.cause, caught.value.hint) == ("bad_key", "Check BRAVE_API_KEY.")


async def test_brave_tells_the_wait_in_its_windows(start: Start) -> None:
    headers = {"X-RateLimit-Remaining": "0, 1999", "X-RateLimit-Reset": "1, 1419704"}
    with pytest.raises(SearchError) as caught:
        await (await start("brave", Reply(b"{}", 429, headers))).search()
    assert caught.value.retry_after == 1.0


async def test_wikipedia_is_asked_in_the_readers_language(start: Start) -> None:
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
async def test_wikipedias_errors_come_with_status_200(code: str, cause: str, start: Start) -> None:
    reply = Reply(json.dumps({"error": {"code": code, "info": "No."}}).encode())
    with pytest.raises(SearchError, match=code) as caught:
        await (await start("wikipedia", reply)).search()
    assert caught.value.cause == cause


# --- filters, as each vendor wants them ------------------------------------------------------------------------------

KEEP, LEAVE, BOTH = ("gov.example", "a.example"), ("-spam.example",), ("gov.example", "-spam.example")


async def wire(start: Start, name: str, **options: Any) -> tuple[str, dict[str, Any]]:
    """The path and all that was asked for, of one search of its own focus that is not dated."""
    made = {key: options.pop(key) for key in ("safe", "region", "mailto", "api_key") if key in options}
    asked = await start(name, good(name), **made)
    await asked.search("tower", **{"freshness": "evergreen", **options})
    seen = asked.server.seen[0]
    return seen.path, {**seen.params, **(seen.body or {})}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("searxng", "q"),
        ("brave", "q"),
        ("brave-news", "q"),
        ("serpapi", "q"),
        ("serpapi-news", "q"),
        ("serper", "q"),
        ("google_pse", "q"),
    ],
)
async def test_sites_are_chosen_by_operators_where_they_are_understood(name: str, field: str, start: Start) -> None:
    _, kept = await wire(start, name, domains=KEEP)
    assert kept[field] == "tower (site:gov.example OR site:a.example)"
    _, left = await wire(start, name, domains=LEAVE)
    assert left[field] == "tower -site:spam.example"


async def test_sites_are_chosen_by_parameters_where_there_are_some(start: Start) -> None:
    for name in ("tavily", "tavily-news"):
        _, sent = await wire(start, name, domains=BOTH)
        assert (sent["include_domains"], sent["exclude_domains"]) == (["gov.example"], ["spam.example"])
    _, sent = await wire(start, "exa", domains=KEEP)
    assert sent["includeDomains"] == list(KEEP)
    _, sent = await wire(start, "exa", domains=LEAVE)
    assert sent["excludeDomains"] == ["spam.example"]
    _, sent = await wire(start, "google_pse", domains=BOTH)
    assert (sent["siteSearch"], sent["siteSearchFilter"]) == ("gov.example", "i")
    assert sent["q"] == "tower -site:spam.example"


@pytest.mark.parametrize(
    ("name", "language", "country"),
    [
        ("searxng", {"language": "de-AT"}, {}),
        ("brave", {"search_lang": "de"}, {"country": "AT"}),
        ("tavily", {}, {"country": "austria"}),
        ("exa", {}, {"userLocation": "AT"}),
        ("serpapi", {"hl": "de"}, {"gl": "at"}),
        ("serper", {"hl": "de"}, {"gl": "at"}),
        ("google_pse", {"hl": "de"}, {"gl": "at"}),
    ],
)
async def test_language_and_region_are_said_as_each_wants_them(
    name: str, language: dict[str, str], country: dict[str, str], start: Start
) -> None:
    for options in ({"locale": "de-AT"}, {"locale": "de", "region": "AT"}):
        _, sent = await wire(start, name, **options)
        assert sent.items() >= (language | country).items()
    _, sent = await wire(start, name, locale="de")
    assert not set(country) & set(sent)


async def test_brave_is_not_told_of_a_country_it_refuses(start: Start) -> None:
    assert "country" not in (await wire(start, "brave", region="IS"))[1]


async def test_a_free_service_that_refuses_tells_of_the_key_that_helps(start: Start) -> None:
    for key, hint in (("", "A free key in OPENALEX_API_KEY"), ("k", "Check OPENALEX_API_KEY")):
        with pytest.raises(SearchError) as caught:
            await (await start("openalex", Reply(b"{}", 401), api_key=key)).search()
        assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize(
    ("name", "field", "strict", "off"),
    [
        ("searxng", "safesearch", "2", "0"),
        ("brave", "safesearch", "strict", "off"),
        ("exa", "moderation", True, None),
        ("serpapi", "safe", "active", "off"),
        ("google_pse", "safe", "active", "off"),
    ],
)
async def test_safe_search_is_said_as_each_wants_it(
    name: str, field: str, strict: object, off: object, start: Start
) -> None:
    for level, wanted in (("strict", strict), (" STRICT ", strict), ("off", off)):
        _, sent = await wire(start, name, safe=level)
        assert sent.get(field) == wanted
    _, sent = await wire(start, name, safe="banana")
    assert sent.get(field) not in ("off", "0", False)


@pytest.mark.parametrize(
    ("name", "path", "says"),
    [
        ("brave-news", "/res/v1/news/search", {}),
        ("tavily-news", "/search", {"topic": "news"}),
        ("serpapi-news", "/search.json", {"engine": "google", "tbm": "nws"}),
        ("serpapi-scholar", "/search.json", {"engine": "google_scholar"}),
        ("serper-news", "/news", {}),
        ("serper-scholar", "/scholar", {}),
        ("openalex", "/works", {"search": "tower", "per_page": "8"}),
        ("crossref", "/works", {"query.bibliographic": "tower", "rows": "8"}),
        ("semantic_scholar", "/graph/v1/paper/search", {"query": "tower", "limit": "8"}),
        ("arxiv", "/api/query", {"search_query": "all:tower", "max_results": "8", "sortBy": "relevance"}),
    ],
)
async def test_news_and_papers_are_asked_for_where_they_are(
    name: str, path: str, says: dict[str, str], start: Start
) -> None:
    asked_path, sent = await wire(start, name)
    assert asked_path == path
    assert sent.items() >= says.items()


async def test_exa_has_categories_for_news_and_papers(start: Start) -> None:
    for focus, category in (("web", None), ("news", "news"), ("academic", "research paper")):
        _, sent = await wire(start, "exa", focus=focus)
        assert sent.get("category") == category


async def test_exas_papers_have_an_author_and_a_year(start: Start) -> None:
    def by(rows: list[Any]) -> None:
        rows[0]["author"] = "Anna Berg; Carl Lund"

    first, second = await (await start("exa", good("exa", by))).search(focus="academic")
    assert (first.authors, first.year) == (("Anna Berg", "Carl Lund"), 2026)
    assert (second.authors, second.year) == ((), None)


async def test_arxiv_is_asked_for_words_and_dates(start: Start) -> None:
    _, sent = await wire(start, "arxiv", freshness="live")
    assert sent["search_query"] == "all:tower AND submittedDate:[202611220000 TO 202611292359]"


async def test_those_who_serve_for_free_are_told_whom_they_serve(start: Start) -> None:
    for name in ("openalex", "crossref"):
        asked = await start(name, good(name), mailto="ops@site.example")
        await asked.search()
        (seen,) = asked.server.seen
        assert seen.params["mailto"] == "ops@site.example"
        assert "mailto:ops@site.example" in seen.headers["user-agent"]
        assert "mailto" not in (await wire(start, name))[1]


async def test_a_key_is_sent_where_it_may_be_and_not_invented_where_there_is_none(start: Start) -> None:
    assert (await wire(start, "openalex", api_key="k1"))[1]["api_key"] == "k1"
    assert "api_key" not in (await wire(start, "openalex"))[1]
    for key, wanted in (("k2", "k2"), ("", None)):
        asked = await start("semantic_scholar", good("semantic_scholar"), api_key=key)
        await asked.search()
        assert asked.server.seen[0].headers.get("x-api-key") == wanted


async def test_semantic_scholar_is_asked_without_hyphens_and_led_to_the_open_copy(start: Start) -> None:
    def ids(rows: list[Any]) -> None:
        rows[0]["externalIds"] = {"ArXiv": "1905.00001", "DOI": "10.5555/Tower.1"}
        rows[1]["externalIds"] = {"DOI": "10.5555/LIFT"}

    asked = await start("semantic_scholar", good("semantic_scholar", ids))
    first, second = await asked.search("state-of-the-art towers")
    assert asked.server.seen[0].params["query"] == "state of the art towers"
    assert (first.url, first.doi) == ("https://arxiv.org/abs/1905.00001", "10.5555/tower.1")
    assert second.url == "https://doi.org/10.5555/lift"


async def test_openalex_is_not_asked_with_signs_it_refuses(start: Start) -> None:
    asked = await start("openalex", good("openalex"))
    await asked.search("how tall? 10* ~ tower")
    assert not set("?*~") & set(asked.server.seen[0].params["search"])


@pytest.mark.parametrize(
    ("name", "status", "body", "cause"),
    [
        ("exa", 402, {"error": "No credits", "tag": "NO_MORE_CREDITS"}, "quota"),
        ("exa", 403, {"error": "Budget", "tag": "API_KEY_BUDGET_EXCEEDED"}, "quota"),
        ("exa", 429, {"error": "Slow down"}, "rate_limited"),
        ("serpapi", 401, {"error": "Invalid API key."}, "bad_key"),
        ("serpapi", 429, {"error": "Your account has run out of searches."}, "quota"),
        ("serpapi", 200, {"error": "Missing query `q` parameter."}, "refused"),
        ("serper", 403, {"message": "Unauthorized.", "statusCode": 403}, "bad_key"),
        ("serper", 400, {"message": "Not enough credits", "statusCode": 400}, "quota"),
        ("google_pse", 400, {"error": {"message": "API key not valid.", "status": "INVALID_ARGUMENT"}}, "bad_key"),
        ("google_pse", 403, {"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}, "quota"),
        ("google_pse", 403, {"error": {"errors": [{"reason": "userRateLimitExceeded"}]}}, "rate_limited"),
        ("google_pse", 429, {"error": {"message": "Quota exceeded for quota metric and limit per day"}}, "quota"),
        ("brave", 402, {"error": {"code": "USAGE_LIMIT_EXCEEDED"}}, "quota"),
        ("openalex", 429, {"error": "Insufficient budget"}, "rate_limited"),
        ("crossref", 400, {"status": "failed"}, "refused"),
        ("semantic_scholar", 429, {"message": "Too Many Requests.", "code": "429"}, "rate_limited"),
    ],
)
async def test_a_vendors_own_failures_are_understood(
    name: str, status: int, body: dict[str, Any], cause: str, start: Start
) -> None:
    with pytest.raises(SearchError) as caught:
        await (await start(name, Reply(json.dumps(body).encode(), status))).search()
    assert caught.value.cause == cause


async def test_arxiv_says_its_errors_as_an_entry(start: Start) -> None:
    body = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Error</title><entry>
        <id>http://arxiv.org/api/errors#incorrect_id_format</id><title>Error</title>
        <summary>incorrect id format</summary></entry></feed>"""
    with pytest.raises(SearchError, match="incorrect id format") as caught:
        await (await start("arxiv", Reply(body))).search()
    assert caught.value.cause == "refused"

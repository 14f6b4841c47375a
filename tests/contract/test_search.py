"""SearchProvider: what every provider must do with good answers and with bad ones, on real sockets.

Each fixture under tests/data/search names the vendor's page that documents its format, and the date.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.fakes.search_vendors import CASES, KEY, NOW, SCHOLARLY, Start, documented, empty, good, provider
from tests.fakes.searching import ask
from tests.fakes.vendor import Reply, Seen

from answerable.errors import SearchError
from answerable.protocols import SearchResults

VENDORS = [*CASES, "arxiv"]
DATED = [name for name in VENDORS if name not in ("wikipedia", "arxiv", "semantic_scholar")]
TOWER, LIFT = "https://tower.example/height", "https://news.example/lift"


def sent(seen: Seen) -> dict[str, Any]:
    """All that was asked for, wherever the vendor wants it."""
    return {**seen.params, **(seen.body or {})}


@pytest.mark.parametrize("name", CASES)
async def test_a_documented_answer_gives_plain_results_best_first(name: str, start: Start) -> None:
    asked = await start(name, good(name))
    results = await asked.search()
    assert [result.url for result in results] == [TOWER, LIFT]
    assert results[0].title == "Height of the Harbour Tower"
    assert results[0].snippet.startswith("The tower stands 214 metres tall & has two lifts.")
    assert (results[1].title, results[1].snippet) == ("Lift closed", "The east lift is closed.")
    assert results[0].providers == (asked.provider.name,)
    told = results[0].published
    assert (told.date().isoformat() if told else None) == CASES[name].published


@pytest.mark.parametrize("name", SCHOLARLY)
async def test_a_scholarly_work_has_its_authors_year_and_venue(name: str, start: Start) -> None:
    first, second = await (await start(name, good(name))).search()
    assert first.authors in (("Anna Berg", "Carl Lund"), ("A Berg", "C Lund"))
    assert (first.year, first.venue) == (2019, "Journal of Towers")
    assert second.year == 2020
    if name in ("openalex", "crossref"):
        assert first.doi == "10.5555/tower.1"


async def test_a_preprint_has_its_authors_year_and_venue_too(start: Start) -> None:
    first, second = await (await start("arxiv", good("arxiv"))).search()
    assert (first.url, second.url) == ("https://arxiv.org/abs/1905.00001", "https://arxiv.org/abs/cs/0101001")
    assert first.title == "Height of the Harbour Tower"
    assert first.snippet == "The tower stands 214 metres tall & has two lifts."
    assert (first.authors, first.year) == (("Anna Berg", "Carl Lund"), 2019)
    assert (first.venue, first.doi) == ("Journal of Towers 3 (2019) 1-9", "10.5555/tower.1")
    assert first.published == datetime(2019, 5, 2, 8, 30, tzinfo=UTC)
    assert (second.venue, second.year) == ("arXiv", 2001)


@pytest.mark.parametrize("name", VENDORS)
async def test_nothing_found_is_an_answer(name: str, start: Start) -> None:
    assert await (await start(name, empty(name))).search() == []


@pytest.mark.parametrize("name", VENDORS)
async def test_no_more_than_the_limit_comes_back(name: str, start: Start) -> None:
    asked = await start(name, good(name))
    assert len(await asked.search(limit=1)) == 1


@pytest.mark.parametrize("name", CASES)
async def test_null_and_missing_fields_cost_only_themselves(name: str, start: Start) -> None:
    field = CASES[name].url
    address = ""

    def spoil(rows: list[Any]) -> None:
        nonlocal address
        kept = next(row for row in rows if row["title" if "title" in row else "display_name"] != "Height")
        kept = next((row for row in rows if row[field] == TOWER), kept)
        address = kept[field]
        kept.update({key: None for key in kept if key not in (field, "index")})
        rows += [{field: None, "title": "lost"}, {"title": "lost too"}, None, "text", {field: 7}]
        rows.append({field: "ftp://x.example/"})

    results = await (await start(name, good(name, spoil))).search()
    host = address.split("/")[2]
    assert [(result.url, result.title, result.snippet) for result in results] == [
        (address, host, ""),
        (LIFT, "Lift closed", "The east lift is closed."),
    ]


@pytest.mark.parametrize("name", CASES)
async def test_text_that_no_page_can_hold_is_made_whole(name: str, start: Start) -> None:
    def spoil(rows: list[Any]) -> None:
        rows[0].update({key: f"{value} \ud800\0" for key, value in rows[0].items() if isinstance(value, str)})

    for result in await (await start(name, good(name, spoil))).search():
        told = f"{result.url} {result.title} {result.snippet} {result.text} {result.authors} {result.venue}"
        assert "\0" not in told
        told.encode("utf-8")


REFUSALS: list[tuple[int, dict[str, str], str, float | None]] = [
    (401, {}, "bad_key", None),
    (429, {"Retry-After": "30"}, "rate_limited", 30.0),
    (402, {}, "quota", None),
    (500, {}, "server", None),
    (503, {"Retry-After": "5"}, "server", 5.0),
    (400, {}, "refused", None),
    (302, {"Location": "http://127.0.0.1:9/"}, "refused", None),
]
WAITS: list[tuple[int, dict[str, str], str, float | None]] = [
    (429, {"Retry-After": "Sun, 29 Nov 2026 10:02:00 GMT"}, "rate_limited", 120.0),
    (429, {"Retry-After": "soon"}, "rate_limited", None),
    (429, {"X-RateLimit-Reset": "45"}, "rate_limited", 45.0),
    (429, {"X-RateLimit-Reset": str(int((NOW + timedelta(seconds=90)).timestamp()))}, "rate_limited", 90.0),
]


@pytest.mark.parametrize(
    ("name", "status", "headers", "cause", "wait"),
    [(name, *refusal) for name in VENDORS for refusal in REFUSALS] + [("searxng", *wait) for wait in WAITS],
)
async def test_a_refusal_has_its_cause_and_its_wait(
    name: str, status: int, headers: dict[str, str], cause: str, wait: float | None, start: Start
) -> None:
    told = json.dumps({"error": {"message": f"it is about {KEY}"}}).encode()
    asked = await start(name, Reply(told, status, headers))
    with pytest.raises(SearchError) as caught:
        await asked.search()
    error = caught.value
    assert (error.provider, error.cause, error.retry_after) == (asked.provider.name, cause, wait)
    assert f"status {status}" in error.message
    assert error.message.startswith(asked.provider.name)
    assert KEY not in error.message + error.hint + repr(error) or not (name in CASES and CASES[name].keyed)
    assert len(asked.server.seen) == 1


@pytest.mark.parametrize(
    "body", [b"", b"<html>busy</html>", b"null", b"[1]", b'{"status": "ok"}', b"[" * 100_000, b'{"results": [{']
)
@pytest.mark.parametrize("name", VENDORS)
async def test_an_answer_in_another_shape_is_malformed_and_not_empty(name: str, body: bytes, start: Start) -> None:
    asked = await start(name, Reply(body))
    with pytest.raises(SearchError) as caught:
        await asked.search()
    assert caught.value.cause == "malformed"


@pytest.mark.parametrize("name", CASES)
async def test_rows_that_are_no_list_are_malformed(name: str, start: Start) -> None:
    answer: Any = "rows"
    for step in reversed(CASES[name].rows):
        answer = {step: answer}
    answer |= {"searchParameters": {}, "search_metadata": {}}
    with pytest.raises(SearchError) as caught:
        await (await start(name, Reply(json.dumps(answer).encode()))).search()
    assert caught.value.cause == "malformed"


@pytest.mark.parametrize("name", VENDORS)
async def test_a_slow_vendor_costs_its_time_out(name: str, start: Start) -> None:
    asked = await start(name, Reply(delay=30), timeout=0.1)
    with pytest.raises(SearchError, match=r"within 0\.1 s") as caught:
        await asked.search()
    assert caught.value.cause == "timeout"


@pytest.mark.parametrize("name", VENDORS)
async def test_a_broken_or_refused_connection_is_told_as_such(name: str, start: Start) -> None:
    asked = await start(name, Reply(b"{", cut=True))
    with pytest.raises(SearchError) as caught:
        await asked.search()
    assert caught.value.cause == "connection"
    closed = provider(name, "http://127.0.0.1:9")
    with pytest.raises(SearchError, match="no connection to 127.0.0.1:9") as caught:
        await ask(closed, focus=asked.focus)
    assert caught.value.cause == "connection"
    assert caught.value.hint
    await closed.aclose()


async def test_an_answer_without_end_is_cut_off(start: Start) -> None:
    asked = await start("searxng", Reply(b" " * 5_500_000))
    with pytest.raises(SearchError, match="more than 5 MB"):
        await asked.search()


@pytest.mark.parametrize("name", CASES)
async def test_the_request_names_us_and_is_one_line(name: str, start: Start) -> None:
    asked = await start(name, good(name))
    await asked.search("harbour\ntower  height")
    (seen,) = asked.server.seen
    assert seen.headers["user-agent"].startswith("Answerable/")
    assert sent(seen)[CASES[name].query] == "harbour tower height"


@pytest.mark.parametrize("name", CASES)
async def test_any_script_arrives_as_it_was_asked(name: str, start: Start) -> None:
    asked = await start(name, good(name))
    await asked.search("海鳴橋の高さ “München” čeština", locale="ja")
    assert sent(asked.server.seen[0])[CASES[name].query] == "海鳴橋の高さ “München” čeština"


@pytest.mark.parametrize("name", VENDORS)
async def test_a_pasted_paragraph_is_cut_to_what_the_vendor_takes(name: str, start: Start) -> None:
    asked = await start(name, good(name))
    await asked.search("How tall is the Harbour Tower? " + "word and other words " * 200)
    query = sent(asked.server.seen[0])[CASES[name].query if name in CASES else "search_query"]
    assert 20 <= len(query) <= 1000
    assert "arbour" in query


@pytest.mark.parametrize("name", DATED)
async def test_fresh_pages_are_asked_for_first_and_others_fill_up(name: str, start: Start) -> None:
    def only_second(rows: list[Any]) -> None:
        rows[:] = rows[1:2]

    asked = await start(name, good(name, only_second), good(name))
    results = await asked.search(freshness="live")
    assert [result.url for result in results] == [LIFT, TOWER]
    first, second = map(sent, asked.server.seen)
    window = set(first) - set(second)
    assert len(window) == 1
    assert first[window.pop()] in (
        *("week", "pw", "qdr:w", "w1", "2026-11-22T00:00:00.000Z", "2026", 2026),
        *("from_publication_date:2026-11-22", "from-pub-date:2026-11-22"),
    )
    assert {key: first[key] for key in second} == second


@pytest.mark.parametrize("name", CASES)
async def test_what_is_not_dated_is_asked_for_once(name: str, start: Start) -> None:
    asked = await start(name, good(name))
    await asked.search(freshness="evergreen")
    assert len(asked.server.seen) == 1


async def test_fresh_pages_stay_when_the_others_fail(start: Start) -> None:
    asked = await start("searxng", good("searxng"), Reply(b"{}", 500))
    results = await asked.search(freshness="live")
    assert len(results) == 2
    assert isinstance(results, SearchResults)
    assert any("status 500" in warning for warning in results.warnings)


async def test_both_searches_for_fresh_pages_share_one_time_out(start: Start) -> None:
    asked = await start("searxng", good("searxng"), Reply(delay=60), timeout=2)
    results = await asked.search(freshness="live")
    assert len(results) == 2
    assert isinstance(results, SearchResults)
    assert any("did not answer" in warning for warning in results.warnings)


@pytest.mark.parametrize("name", [name for name in CASES if name != "wikipedia"])
@pytest.mark.parametrize(("domains", "left"), [(("-tower.example",), [LIFT]), (("tower.example",), [TOWER])])
async def test_what_lies_outside_the_chosen_sites_is_dropped_whatever_the_vendor_sends(
    name: str, domains: tuple[str, ...], left: list[str], start: Start
) -> None:
    results = await (await start(name, good(name))).search(domains=domains)
    assert [result.url for result in results] == left


@pytest.mark.parametrize(("name", "site"), [("wikipedia", "en.wikipedia.org"), ("arxiv", "arxiv.org")])
async def test_a_provider_of_one_site_is_not_asked_for_others(name: str, site: str, start: Start) -> None:
    asked = await start(name, good(name))
    for domains in (("other.example",), (f"-{site.removeprefix('en.')}",)):
        assert await asked.search(domains=domains) == []
    assert asked.server.seen == []
    await asked.search(domains=(site,))
    assert len(asked.server.seen) == 1


async def test_an_address_in_the_log_carries_no_key(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    asked = await start("serpapi", good("serpapi"))
    with caplog.at_level(logging.DEBUG, "httpx2"):
        await asked.search()
    assert "/search.json" in caplog.text
    assert KEY not in caplog.text


async def test_a_vendor_that_wants_a_pause_is_given_it(start: Start) -> None:
    asked = await start("arxiv", good("arxiv"))
    assert len(await asked.search("harbour tower")) == 2
    with pytest.raises(SearchError, match="takes one question in 3 s") as caught:
        await asked.search("another tower")
    assert caught.value.cause == "paced"
    assert len(asked.server.seen) == 1


def test_every_fixture_names_the_vendors_page_and_the_date() -> None:
    assert all(documented(name) for name in CASES)

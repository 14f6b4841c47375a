"""The miniature web on real sockets: what a reader and a search provider meet there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from answerable.evals.miniweb import MiniWeb, serve
from answerable.providers.search.searxng import SearXNG

FOLDER = Path(__file__).parents[1] / "data" / "miniweb"
NOW = datetime(2031, 2, 3, 10, 0, tzinfo=UTC)


@pytest.fixture
async def web() -> AsyncIterator[MiniWeb]:
    async with MiniWeb(FOLDER, now=NOW) as web:
        yield web


@pytest.fixture
async def client(web: MiniWeb) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(proxy=web.proxy_url, trust_env=False, timeout=10) as client:
        yield client


async def search(web: MiniWeb, q: str, **parameters: str) -> list[dict[str, Any]]:
    async with httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{web.search_url}/search", params={"q": q, "format": "json", **parameters})
    return answer.json()["results"]


async def urls(web: MiniWeb, q: str, **parameters: str) -> list[str]:
    return [hit["url"] for hit in await search(web, q, **parameters)]


async def test_a_page_is_served_with_its_dates_filled(client: httpx2.AsyncClient) -> None:
    answer = await client.get("http://news.example/lift.html")
    assert answer.status_code == 200
    assert "On 31 January 2031 the east lift" in answer.text
    assert "updated at 2031-02-03T05:00:00+00:00" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_a_folder_and_its_index_answer_alike(client: httpx2.AsyncClient) -> None:
    answers = [await client.get(f"http://tower.example/height{end}") for end in ("/", "/index.html", "")]
    assert len({answer.text for answer in answers}) == 1
    assert {answer.status_code for answer in answers} == {200}


async def test_an_old_page_names_its_charset_itself_and_a_plain_file_is_told_in_the_header(
    client: httpx2.AsyncClient,
) -> None:
    page = await client.get("http://alt.example/bashnya.html")
    assert page.headers["content-type"] == "text/html"
    assert "Высота башни 214 метров, проверено 03.02.2031" in page.content.decode("windows-1251")
    file = await client.get("http://alt.example/ta.txt")
    assert file.headers["content-type"] == "text/plain; charset=gb18030"
    assert file.content.decode("gb18030") == "港口塔高214米，2031-02-02核对。\n"


async def test_a_redirect_leads_where_the_folder_says_even_inside(client: httpx2.AsyncClient) -> None:
    answer = await client.get("http://moved.example/tower.html")
    assert (answer.status_code, answer.headers["location"]) == (302, "http://tower.example/height/")
    inside = await client.get("http://moved.example/inside.html")
    assert inside.headers["location"] == "http://127.0.0.1:9/secret"


async def test_failing_and_missing_pages_say_so(client: httpx2.AsyncClient) -> None:
    assert (await client.get("http://down.example/tower.html")).status_code == 503
    assert (await client.get("http://tower.example/gone.html")).status_code == 404
    assert (await client.get("http://tower.example/never.html")).status_code == 404
    assert (await client.get("http://news.example/robots.txt")).status_code == 404


async def test_an_unknown_host_is_refused_by_name(client: httpx2.AsyncClient) -> None:
    answer = await client.get("http://elsewhere.example/")
    assert answer.status_code == 502
    assert "unknown host 'elsewhere.example'" in answer.text


async def test_https_is_refused_with_the_reason(client: httpx2.AsyncClient, web: MiniWeb) -> None:
    with pytest.raises(httpx2.ProxyError, match="502"):
        await client.get("https://tower.example/")
    assert (web.requests[-1].method, web.requests[-1].host) == ("CONNECT", "tower.example")


async def test_the_requests_are_kept_as_proof(client: httpx2.AsyncClient, web: MiniWeb) -> None:
    await client.get("http://tower.example/height/?a=1", headers={"User-Agent": "someone"})
    request = web.requests[-1]
    assert (request.method, request.host, request.path) == ("GET", "tower.example", "/height/?a=1")
    assert request.url == "http://tower.example/height/?a=1"
    assert request.headers["user-agent"] == "someone"


async def test_a_large_page_is_streamed_to_its_size(client: httpx2.AsyncClient) -> None:
    total, largest, start = 0, 0, b""
    async with client.stream("GET", "http://big.example/archive.html") as answer:
        assert "content-length" not in answer.headers
        async for piece in answer.aiter_raw():
            start = start or piece
            total, largest = total + len(piece), max(largest, len(piece))
    assert total == 5_000_000
    assert largest < 1_000_000
    assert start.startswith(b"<!doctype html><title>Tower archive")


async def test_a_dripping_page_never_ends(client: httpx2.AsyncClient) -> None:
    pieces = []
    async with client.stream("GET", "http://drip.example/towers.html") as answer:
        async for piece in answer.aiter_raw():
            pieces.append(piece)
            if len(pieces) == 3:
                break
    assert b"".join(pieces) == b"<!d"


async def test_a_slow_host_answers_after_its_latency_and_closing_does_not_wait_for_it() -> None:
    async with MiniWeb(FOLDER, now=NOW) as web:
        reader, writer = await asyncio.open_connection(web.host, web.port)
        writer.write(b"GET http://slow.example/tower.html HTTP/1.1\r\nHost: slow.example\r\n\r\n")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.3)
    assert await reader.read() == b""
    writer.close()


async def test_a_client_that_stops_reading_does_not_keep_the_web_open() -> None:
    async with MiniWeb(FOLDER, now=NOW) as web:
        reader, writer = await asyncio.open_connection(web.host, web.port)
        writer.write(b"GET http://big.example/archive.html HTTP/1.1\r\nHost: big.example\r\n\r\n")
        assert await reader.read(4) == b"HTTP"
    writer.close()


async def test_only_reading_is_allowed_and_head_has_no_body(client: httpx2.AsyncClient) -> None:
    assert (await client.post("http://tower.example/", content=b"x")).status_code == 405
    head = await client.head("http://tower.example/")
    assert head.status_code == 200
    assert int(head.headers["content-length"]) > 0
    assert head.content == b""


async def test_what_is_no_http_costs_only_its_connection(web: MiniWeb, client: httpx2.AsyncClient) -> None:
    reader, writer = await asyncio.open_connection(web.host, web.port)
    writer.write(b"\x16\x03\x01 hello\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 405")
    writer.close()
    assert (await client.get("http://tower.example/")).status_code == 200


async def test_search_finds_pages_by_title_and_text_best_first(web: MiniWeb) -> None:
    hits = await search(web, "how tall is the harbour tower in metres")
    assert hits[0]["url"] == "http://tower.example/height/"
    by_url = {hit["url"]: hit for hit in hits}
    assert by_url["http://tower.example/height/"]["content"] == "The Harbour Tower stands 214 metres tall."
    assert len(hits) == len(by_url)


async def test_search_does_not_see_scripts_and_styles(web: MiniWeb) -> None:
    assert await search(web, "zeppelin") == []


async def test_search_finds_stubs_of_pages_that_do_not_answer(web: MiniWeb) -> None:
    found = set(await urls(web, "tower")) | set(await urls(web, "tower", pageno="2"))
    assert found >= {
        "http://moved.example/tower.html",
        "http://moved.example/inside.html",
        "http://down.example/tower.html",
        "http://tower.example/gone.html",
        "http://closed.example/plan.html",
        "http://drip.example/towers.html",
    }
    assert not [url for url in found if url.endswith("robots.txt")]
    (gone,) = [hit for hit in await search(web, "opening hours archive earlier years") if "gone" in hit["url"]]
    assert gone["content"] == "The opening hours of the tower in earlier years."


async def test_search_shows_the_best_part_of_a_page_without_description(web: MiniWeb) -> None:
    hit = (await search(web, "platform visitors"))[0]
    assert hit["url"] == "http://tower.example/"
    assert hit["content"].startswith("Visitors reach the platform by two lifts.")
    assert len(hit["content"]) <= 150


async def test_search_knows_dates_and_narrows_by_time(web: MiniWeb) -> None:
    hits = {hit["url"]: hit["publishedDate"] for hit in await search(web, "tower lift")}
    assert hits["http://news.example/lift.html"] == "2031-01-31T00:00:00+00:00"
    assert hits["http://tower.example/"] is None
    assert await urls(web, "tower lift", time_range="week") == ["http://news.example/lift.html"]
    assert await urls(web, "tower lift", time_range="day") == []


async def test_search_narrows_to_news_where_the_folder_has_some(web: MiniWeb) -> None:
    assert set(await urls(web, "tower", categories="news")) == {
        "http://news.example/lift.html",
        "http://news.example/old.html",
    }
    assert "http://tower.example/" in await urls(web, "tower platform", categories="science")
    assert "http://tower.example/" in await urls(web, "tower platform", categories="general,news", language="de")


async def test_search_works_in_other_scripts(web: MiniWeb) -> None:
    assert await urls(web, "высота башни") == ["http://alt.example/bashnya.html"]
    assert "http://alt.example/ta.txt" in await urls(web, "港口塔")


async def test_search_is_reachable_through_the_proxy_itself(client: httpx2.AsyncClient, web: MiniWeb) -> None:
    answer = await client.get(f"{web.search_url}/search", params={"q": "tower", "format": "json"})
    assert answer.json()["results"]
    assert web.requests[-1].host == ""


async def test_serve_tells_its_addresses_and_runs_until_it_is_stopped() -> None:
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve(FOLDER, ready=lambda web: told.set_result(web.proxy_url)))
    async with httpx2.AsyncClient(trust_env=False) as client:
        page = await client.get(await told)
    assert "tower.example" in page.text
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_search_speaks_the_format_that_the_searxng_provider_reads(web: MiniWeb) -> None:
    provider = SearXNG(base_url=web.search_url, proxy=web.proxy_url, clock=lambda: NOW)
    hits = await provider.search("tower lift closed", limit=8, freshness="live", focus="news", locale="en")
    await provider.aclose()
    assert hits[0].url == "http://news.example/lift.html"
    assert hits[0].published == datetime(2031, 1, 31, tzinfo=UTC)
    assert "http://news.example/old.html" in [hit.url for hit in hits]

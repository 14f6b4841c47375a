"""From an address to a page: the cache first, one fetch at a time for a page, walls named."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.fakes.pages import FakeFetcher, MemoryPageCache

from answerable.errors import ReadError
from answerable.providers.reading.reader import WebReader
from answerable.types import Fetched, SearchResult

TEXT = "The ferry to Oravia leaves the north quay at noon and carries forty people across. " * 8
HTML = f"<html><head><title>Ferries</title></head><body><article><p>{TEXT}</p></article></body></html>"
URL = "https://site.example/ferries"


async def cause_of(reader: WebReader, url: str) -> str:
    with pytest.raises(ReadError) as caught:
        await reader.read_url(url)
    return caught.value.cause


async def test_a_redirected_page_is_found_in_the_cache_under_either_address() -> None:
    fetcher = FakeFetcher({"https://a.example/old": Fetched(URL, 200, {"content-type": "text/html"}, HTML.encode())})
    reader = WebReader(fetcher, cache=MemoryPageCache())
    await reader.read_url("https://a.example/old")

    assert (await reader.read_url("https://a.example/old")).url == URL
    assert (await reader.read_url(URL)).url == URL
    assert len(fetcher.asked) == 1


async def test_a_page_that_calls_itself_another_is_kept_under_its_own_address_alone() -> None:
    claim = HTML.replace("<title>", f"<link rel=canonical href='{URL}'><title>").encode()
    liar = "https://evil.example/ferries"
    cache = MemoryPageCache()
    reader = WebReader(FakeFetcher({liar: claim, URL: HTML}), cache=cache)
    page = await reader.read_url(liar)

    assert (page.url, page.site, page.canonical) == (liar, "evil.example", URL)
    assert list(cache.by_url) == [liar]
    assert (await reader.read_url(URL)).url == URL


async def test_all_who_want_a_page_share_one_fetch_and_one_who_leaves_does_not_end_it() -> None:
    fetcher = FakeFetcher({URL: HTML})
    fetcher.release.clear()
    reader = WebReader(fetcher)
    waiting = [asyncio.create_task(reader.read_url(URL)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    fetcher.release.set()
    pages = await asyncio.gather(*waiting[1:])

    assert fetcher.asked == [URL]
    assert pages[0] == pages[1]
    assert waiting[0].cancelled()


async def test_a_fetch_nobody_waits_for_any_more_ends() -> None:
    fetcher = FakeFetcher({URL: HTML})
    fetcher.release.clear()
    reader = WebReader(fetcher)
    task = asyncio.create_task(reader.read_url(URL))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await asyncio.sleep(0.01)

    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_what_a_host_cut_short_is_used_and_not_kept() -> None:
    cache = MemoryPageCache()
    cut = Fetched(URL, 200, {"content-type": "text/html"}, HTML.encode()[:-30], cut="time")
    scrap = Fetched(URL, 200, {"content-type": "text/html"}, b"<p>The fer", cut="time")

    assert "north quay" in (await WebReader(FakeFetcher({URL: cut}), cache=cache).read_url(URL)).text
    assert await cause_of(WebReader(FakeFetcher({URL: scrap}), cache=cache), URL) == "timeout"
    assert cache.by_url == {}


@pytest.mark.parametrize(
    ("status", "headers", "body", "cause"),
    [
        (404, {}, b"", "not_found"),
        (410, {}, b"", "not_found"),
        (401, {}, b"", "login_required"),
        (402, {}, b"", "paywall"),
        (403, {}, b"no", "http_error"),
        (403, {"cf-mitigated": "challenge"}, b"", "challenge"),
        (503, {}, b"<title>Just a moment...</title>", "challenge"),
        (500, {}, b"", "http_error"),
        (204, {}, b"", "empty"),
        (200, {"content-type": "image/png"}, b"\x89PNG\r\n", "not_text"),
        (200, {"content-type": "text/html"}, b"", "empty"),
    ],
)
async def test_a_status_has_its_cause(status: int, headers: dict[str, str], body: bytes, cause: str) -> None:
    assert await cause_of(WebReader(FakeFetcher({URL: Fetched(URL, status, headers, body)})), URL) == cause


async def test_what_the_provider_knew_fills_what_the_page_does_not_say() -> None:
    told = datetime(2026, 5, 1, tzinfo=UTC)
    reader = WebReader(FakeFetcher({URL: f"<article><p>{TEXT}</p></article>"}))
    page = await reader.read(SearchResult(URL, "Ferries of the north", published=told))

    assert (page.title, page.published) == ("Ferries of the north", told)


async def test_files_are_read_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    (tmp_path / "b.md").write_text("# Tides\n\nThe gauge stands at Harrow Point.\n")
    (tmp_path / "c.txt").write_bytes("Мост открыли в 1931 году, и длина его 410 метров.".encode("cp1251"))
    (tmp_path / "d.bin").write_bytes(bytes(range(20)) * 50)
    (tmp_path / "e.txt").write_bytes(b"x" * 32_000_001)
    reader = WebReader(FakeFetcher({}))

    assert (await reader.read_file(tmp_path / "a.html")).title == "Ferries"
    assert (await reader.read_file(tmp_path / "b.md")).title == "Tides"
    assert "410 метров" in (await reader.read_file(tmp_path / "c.txt")).text
    for name, cause in (("d.bin", "not_text"), ("e.txt", "too_large"), ("gone.txt", "not_found")):
        with pytest.raises(ReadError) as caught:
            await reader.read_file(tmp_path / name)
        assert caught.value.cause == cause


async def test_a_pipe_that_nobody_writes_to_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")

    with pytest.raises(ReadError, match="not a file"):
        await WebReader(FakeFetcher({})).read_file(tmp_path / "pipe.html")

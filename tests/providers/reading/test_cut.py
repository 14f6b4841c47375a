"""A page of which only the beginning was read says so; how much is read goes by what it is, not by its name."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.fakes.documents import lines, pdf
from tests.fakes.hostile import HostileServer, Write, answer, hostile_server
from tests.fakes.pages import FakeFetcher, MemoryPageCache

from answerable.errors import ReadError
from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import MAX_CHARS, Extracted, Job
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.providers.reading.reader import FILE_BYTES, WebReader
from answerable.types import Cut, Fetched

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SENTENCE = "The ferry to Oravia leaves the north quay at noon and carries forty people across. "
HTML = f"<html><head><title>Ferries</title></head><body><article><p>{SENTENCE * 8}</p></article></body></html>".encode()
URL = "https://site.example/ferries"
DOCUMENT = pdf([lines(*[SENTENCE.strip()] * 5)])
PADDED = DOCUMENT + b"\n%" + b"x" * 3_000_000 + b"\n" + DOCUMENT[DOCUMENT.rindex(b"startxref") :]


def office(size: int, first: str = "[Content_Types].xml") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(first, b"<Types/>")
        archive.writestr("word/media/image1.png", b"\x89PNG" * (size // 4))
    return out.getvalue()


@pytest.fixture
async def server() -> AsyncIterator[HostileServer]:
    async with hostile_server() as server:
        yield server


@pytest.fixture
async def fetcher(server: HostileServer) -> AsyncIterator[GuardedFetcher]:
    async with GuardedFetcher(allow_hosts=[f"127.0.0.1:{server.port}"]) as fetcher:
        yield fetcher


async def fetched(server: HostileServer, fetcher: GuardedFetcher, body: bytes, label: str, *, said: bool) -> Fetched:
    async def plays(write: Write) -> None:
        length = f"content-length: {len(body)}\r\n" if said else ""
        kind = f"content-type: {label}\r\n" if label else ""
        await write(f"HTTP/1.1 200 OK\r\n{kind}{length}connection: close\r\n\r\n".encode())
        await write(body)

    server.routes["/page"] = plays if said or not label else answer(200, body, content_type=label, content_length="")
    return await fetcher.fetch(server.url("/page"), timeout=30, document_bytes=8_000_000)


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("label", ["text/html; charset=utf-8", "application/octet-stream", "", "application/pdf"])
@pytest.mark.parametrize("body", [PADDED, office(3_000_000), office(3_000_000, "word/document.xml")])
async def test_a_document_of_any_name_may_be_larger_than_a_page(
    server: HostileServer, fetcher: GuardedFetcher, body: bytes, label: str, said: bool
) -> None:
    found = await fetched(server, fetcher, body, label, said=said)

    assert (len(found.body), found.cut) == (len(body), None)


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize(
    ("body", "label"),
    [
        (b"PK\x03\x04" + b"\x00\x14" * 1_500_000, "application/zip"),
        (office(3_000_000, "classes.dex"), "application/octet-stream"),
        (b"\x89PNG\r\n" + bytes(3_000_000), "text/html"),
        (bytes(range(256)) * 12_000, ""),
        (b"%PDF-1.7\n" + b"\x00" * 9_000_000, "application/pdf"),
        (b"%PDF-1.7\n" + b"\x00" * 9_000_000, "text/html"),
    ],
)
async def test_what_is_neither_text_nor_a_document_of_that_size_is_refused(
    server: HostileServer, fetcher: GuardedFetcher, body: bytes, label: str, said: bool
) -> None:
    with pytest.raises(ReadError) as caught:
        await fetched(server, fetcher, body, label, said=said)

    assert caught.value.cause == "too_large"


@pytest.mark.parametrize("label", ["text/html", "application/pdf", "application/octet-stream", ""])
async def test_text_of_any_label_is_cut_where_it_grows_too_long(
    server: HostileServer, fetcher: GuardedFetcher, label: str
) -> None:
    found = await fetched(server, fetcher, b"<html><body>" + b"<p>Some words.</p>" * 150_000, label, said=False)

    assert (len(found.body), found.cut) == (2_000_000, "size")


async def test_a_connection_that_breaks_leaves_what_came_and_says_so(
    server: HostileServer, fetcher: GuardedFetcher
) -> None:
    server.routes["/page"] = answer(200, HTML * 10, content_length="900000")
    found = await fetcher.fetch(server.url("/page"), timeout=30)

    assert (len(found.body), found.cut) == (len(HTML) * 10, "connection")


def of_body(cut: Cut | None, body: bytes = HTML) -> Fetched:
    return Fetched(URL, 200, {"content-type": "text/html"}, body, cut)


@pytest.mark.parametrize(("cut", "kept"), [(None, True), ("size", True), ("time", False), ("connection", False)])
async def test_a_page_says_why_it_was_cut_and_is_kept_only_when_it_would_be_the_same_again(
    cut: Cut | None, kept: bool
) -> None:
    cache = MemoryPageCache()
    page = await WebReader(FakeFetcher({URL: of_body(cut)}), cache=cache).read_url(URL)

    assert (page.cut, bool(cache.by_url)) == (cut, kept)


@pytest.mark.parametrize(("cut", "cause"), [("time", "timeout"), ("connection", "connection"), ("size", "empty")])
async def test_too_little_of_a_page_is_named_by_what_cut_it(cut: Cut, cause: str) -> None:
    with pytest.raises(ReadError) as caught:
        await WebReader(FakeFetcher({URL: of_body(cut, b"<script>x</script><p>The fer")})).read_url(URL)

    assert caught.value.cause == cause


async def test_a_beginning_that_is_kept_does_not_stand_in_for_all_of_it() -> None:
    fetcher = FakeFetcher({URL: of_body("size")})
    reader = WebReader(fetcher, cache=MemoryPageCache())
    await reader.read_url(URL)
    assert (await reader.read_url(URL)).cut == "size"
    assert len(fetcher.asked) == 1

    fetcher.answers[URL] = of_body(None, HTML.replace(b"</p>", b"</p><p>" + SENTENCE.encode() * 3 + b"</p>"))
    whole = await reader.read_url(URL, max_bytes=FILE_BYTES)

    assert (whole.cut, len(fetcher.asked)) == (None, 2)
    assert (await reader.read_url(URL)).text == whole.text


def read(body: bytes | str, url: str = URL, label: str = "", seconds: float = 1000.0) -> Extracted:
    return extract(Job(body.encode() if isinstance(body, str) else body, url, label, NOW, seconds=seconds))


LONG = f"{SENTENCE}\n\n" * (MAX_CHARS // len(SENTENCE))


@pytest.mark.parametrize(
    ("body", "url"),
    [
        ("".join(f"<p>{SENTENCE * 100}{n}</p>" for n in range(190)), "https://a.example/manual"),
        (LONG, "https://a.example/a.txt"),
        (LONG, "https://a.example/a.md"),
        ("a;b\n" + "12;some words of a row\n" * 70_000, "https://a.example/a.csv"),
        ("{" + ",".join(f'"k{n}": {n}' for n in range(25_000)) + "}", "https://a.example/a.json"),
        (
            "<rss><channel>" + "<item><title>News</title></item>" * 501 + "</channel></rss>",
            "https://a.example/feed.xml",
        ),
    ],
    ids=["html", "text", "markdown", "csv", "json", "feed"],
)
def test_a_text_beyond_the_bound_of_its_kind_is_cut_and_says_so(body: str, url: str) -> None:
    page = read(body, url)

    assert (page.cause, page.cut) == (None, "size")
    assert len(page.text) <= MAX_CHARS
    assert all(0 <= b.start < b.end <= len(page.text) for b in page.blocks)
    assert page.text.rstrip().endswith(page.text[page.blocks[-1].start : page.blocks[-1].end].rstrip())


@pytest.mark.parametrize("url", ["https://a.example/a.txt", "https://a.example/a.md", "https://a.example/a.html"])
def test_a_text_within_it_is_whole(url: str) -> None:
    assert read(f"{SENTENCE}\n\n" * 10, url).cut is None


def test_a_pdf_without_time_gives_its_first_pages_and_says_so() -> None:
    body = pdf([lines(*[f"On page {n} the gauge at Harrow Point stood at {n} metres."] * 3) for n in range(1, 60)])

    hurried, whole = read(body, seconds=0.0), read(body)

    assert (hurried.cut, {b.leaf for b in hurried.blocks}) == ("time", {1})
    assert (whole.cut, {b.leaf for b in whole.blocks}) == (None, set(range(1, 60)))


async def test_a_pdf_gets_the_time_that_its_fetch_left_and_a_file_of_one_s_own_gets_more() -> None:
    jobs: list[Job] = []

    async def noted(job: Job) -> Extracted:
        jobs.append(job)
        return extract(job)

    class Slow(FakeFetcher):
        async def fetch(self, url: str, **_: Any) -> Fetched:  # type: ignore[override]
            await asyncio.sleep(0.02)
            return of_body(None)

    fetcher = Slow({})
    await WebReader(fetcher, extract=noted, timeout=2.0).read_url(URL)
    await WebReader(fetcher, extract=noted, timeout=0.01).read_url(URL)
    await WebReader(fetcher, extract=noted, timeout=2.0).read_url(URL, max_bytes=FILE_BYTES)

    assert 0.5 <= jobs[0].seconds < 2.0
    assert jobs[1].seconds == 0.5
    assert (jobs[2].seconds, jobs[2].patience) == (24.0, 8.0)

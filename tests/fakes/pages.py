"""Fetchers, readers and caches without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from answerable.errors import NotFound, ReadError
from answerable.protocols import HeldPage
from answerable.text.passages import page_id_of, paragraphs_of
from answerable.text.urls import canonical_url, site_of
from answerable.types import Fetched, Freshness, Page, SearchResult, Validators

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d7636060600000000400012734270a0000000049454e44ae426082"
)  # one pixel


def page_of(url: str, text: str, title: str = "A page") -> Page:
    return Page(page_id_of(url, text), url, title, site_of(url), text, paragraphs_of(text))


class FakeFetcher:
    """Answers from a table: a body, an error, or a whole response; waits for `release` when it is held."""

    def __init__(self, answers: Mapping[str, str | bytes | ReadError | Fetched]) -> None:
        self.answers = dict(answers)
        self.asked: list[str] = []
        self.release = asyncio.Event()
        self.release.set()

    async def fetch(
        self,
        url: str,
        *,
        timeout: float,
        max_bytes: int = 2_000_000,
        document_bytes: int = 0,
        validators: Validators | None = None,
    ) -> Fetched:
        self.asked.append(url)
        await self.release.wait()
        found = self.answers.get(url, Fetched(url, 404, {}, b""))
        if isinstance(found, ReadError):
            raise found
        if isinstance(found, Fetched):
            return found
        return Fetched(url, 200, {"content-type": "text/html"}, found if isinstance(found, bytes) else found.encode())


class FakeReader:
    """Pages and errors from a table, each after its delay in seconds."""

    def __init__(self, answers: Mapping[str, Page | ReadError], delays: Mapping[str, float] | None = None) -> None:
        self.answers, self.delays = dict(answers), dict(delays or {})
        self.finished: list[str] = []
        self.cancelled: list[str] = []

    async def read(self, result: SearchResult, *, freshness: Freshness = "evergreen") -> Page:
        try:
            await asyncio.sleep(self.delays.get(result.url, 0))
        except asyncio.CancelledError:
            self.cancelled.append(result.url)
            raise
        self.finished.append(result.url)
        answer = self.answers.get(result.url) or ReadError(result.url, "not_found")
        if isinstance(answer, ReadError):
            raise answer
        return answer


class MemoryPageCache:
    """`PageCache` in two dicts."""

    def __init__(self) -> None:
        self.by_url: dict[str, HeldPage] = {}
        self.by_id: dict[str, Page] = {}

    async def held(self, url: str, *, now: datetime) -> HeldPage | None:
        return self.by_url.get(canonical_url(url))

    async def hold(self, held: HeldPage) -> None:
        self.by_id[held.page.page_id] = held.page
        self.by_url[canonical_url(held.page.url)] = replace(held, page=replace(held.page, checked=held.checked))

    async def drop(self, url: str) -> None:
        self.by_url.pop(canonical_url(url), None)

    async def put(self, page: Page) -> None:
        self.by_id.setdefault(page.page_id, page)

    async def page(self, page_id: str) -> Page:
        if page_id not in self.by_id:
            raise NotFound(f"there is no page {page_id!r}")
        return self.by_id[page_id]

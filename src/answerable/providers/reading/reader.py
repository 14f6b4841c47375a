"""From an address to a Page: cache, guarded fetch, extraction."""

from __future__ import annotations

import asyncio
import errno
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from answerable.errors import ReadCause, ReadError
from answerable.protocols import Background, Clock, Fetcher, HeldPage, PageCache
from answerable.providers.reading import walls
from answerable.providers.reading.extracted import PDF_SECONDS, Extracted, Job
from answerable.providers.reading.kept import KeptPages
from answerable.providers.reading.workers import Extract, extract_in_thread
from answerable.text.passages import page_id_of
from answerable.text.urls import canonical_url, site_of
from answerable.types import Cut, Freshness, Page, SearchResult

FILE_BYTES = 32_000_000
_PAGE_BYTES = 2_000_000
_OWN_PATIENCE = 8.0  # times what a page of the web may take: a manual on one page is worth waiting for
_DOCUMENT_BYTES = 16_000_000  # of a PDF or Office file, whose pictures weigh more than a page's text
_LEAST_SECONDS = 0.5  # for a PDF, however long it took to come
_FETCH_SHARE = 0.85  # of the time for a page; the rest is for its extraction
_TYPES = {".html": "text/html", ".htm": "text/html", ".xhtml": "text/html", ".md": "text/markdown",
          ".markdown": "text/markdown", ".json": "application/json", ".jsonl": "application/jsonl",
          ".txt": "text/plain", ".csv": "text/csv", ".tsv": "text/tab-separated-values"}  # fmt: skip


# What a page is called of which too little came to be read.
_CUT_OFF: dict[Cut | None, tuple[ReadCause, str]] = {
    "time": ("timeout", "the host went silent before its text had come"),
    "connection": ("connection", "the connection broke before its text had come"),
}


def utc_now() -> datetime:
    return datetime.now(UTC)


class WebReader:
    """`protocols.Reader`. `timeout` is for fetching and extracting one page.

    `cache` holds pages by address; without one nothing is kept. `extract` says where the slow part runs. `background`
    runs what renews a page that was shown although it was stale; without it such a page is renewed first.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        cache: PageCache | None = None,
        extract: Extract = extract_in_thread,
        timeout: float = 4.0,
        background: Background | None = None,
        now: Clock = utc_now,
    ) -> None:
        self._fetcher, self._extract = fetcher, extract
        self._kept = KeptPages(cache, now)
        self._timeout, self._background, self._now = timeout, background, now
        self._loads: dict[str, _Load] = {}

    async def read(self, result: SearchResult, *, freshness: Freshness = "evergreen") -> Page:
        page = await self.read_url(result.url, freshness=freshness)
        return replace(page, title=page.title or result.title, published=page.published or result.published)

    async def read_url(
        self, url: str, *, max_bytes: int = _PAGE_BYTES, fresh: bool = False, freshness: Freshness = "live"
    ) -> Page:
        """`fresh`: the host is asked whatever the cache holds. `freshness` other than `live` takes a page whose time
        is over, while it is renewed in the background. Raises ReadError."""
        held = await self._kept.held(url)
        if held is not None and held.page.cut and max_bytes > _PAGE_BYTES:
            held = None  # there is more of it than was asked for then
        if held is None or fresh:
            return await self._loaded(url, max_bytes, held)
        if self._kept.is_fresh(held):
            return held.page
        if freshness != "live" and self._background is not None and self._kept.may_be_shown(held):
            if self._kept.may_renew(url):
                self._background(self._renew(url, max_bytes, held))
            return held.page
        try:
            return await self._loaded(url, max_bytes, held)
        except ReadError as failure:
            if freshness != "live" and self._kept.stands_in(held, failure):
                return held.page
            raise

    async def _renew(self, url: str, max_bytes: int, held: HeldPage) -> None:
        """Its failure concerns nobody: the page was shown, and whoever asks next asks again."""
        try:
            await self._loaded(url, max_bytes, held)
        except ReadError as failure:
            await self._kept.failed(url, failure)

    async def _loaded(self, url: str, max_bytes: int, held: HeldPage | None) -> Page:
        """One fetch for all who want the page at once."""
        key = f"{canonical_url(url)} {max_bytes}"
        load = self._loads.get(key)
        if load is None:
            load = self._loads[key] = _Load(asyncio.create_task(self._load(url, max_bytes, held)))
            load.task.add_done_callback(lambda _: self._loads.pop(key, None))
        return await load.wait()

    async def aclose(self) -> None:
        """Ends what is being read."""
        tasks = [load.task for load in self._loads.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def read_file(self, path: Path) -> Page:
        """A page from a file (HTML, Markdown, text, JSON), by its content. Raises ReadError."""
        url = await asyncio.to_thread(lambda: path.resolve().as_uri())
        try:
            body = await asyncio.to_thread(_file_bytes, path)
        except OSError as fault:
            raise ReadError(url, "not_found", f"{str(path)!r} cannot be read ({fault.strerror})") from None
        if len(body) > FILE_BYTES:
            raise ReadError(url, "too_large", f"more than {FILE_BYTES:,} bytes")
        return await self.page_of_file(url, path.name, body, patience=_OWN_PATIENCE)

    async def page_of(self, url: str, body: bytes, content_type: str, *, cut: Cut | None = None) -> Page:
        """A page whose bytes are at hand, as the built-in collection's are; `cut`: why they are its first only. Raises
        ReadError."""
        seconds = PDF_SECONDS * _OWN_PATIENCE
        job = Job(body, url, content_type, self._now(), patience=_OWN_PATIENCE, seconds=seconds)
        return self._page(await self._extract(job), url, url, accept_short=True, cut=cut)

    async def page_of_file(self, url: str, name: str, body: bytes, *, patience: float = 1.0) -> Page:
        """A page of a file whose bytes are at hand, known by its content and the ending of its name. Raises
        ReadError. `patience`: times what a page of the web may take."""
        label, seconds = _TYPES.get(Path(name).suffix.lower(), ""), PDF_SECONDS * patience
        job = Job(body, url, label, self._now(), patience=patience, seconds=seconds)
        return self._page(await self._extract(job), url, url, accept_short=True)

    async def _load(self, url: str, max_bytes: int, held: HeldPage | None) -> Page:
        clock = asyncio.get_running_loop().time
        ends = clock() + self._timeout
        fetched = await self._fetcher.fetch(
            url,
            timeout=self._timeout * _FETCH_SHARE,
            max_bytes=max_bytes,
            document_bytes=_DOCUMENT_BYTES,
            validators=held.validators if held else None,
        )
        if held is not None and fetched.not_modified:
            return await self._kept.unchanged(held, fetched.caching)
        wall = walls.of_status(fetched.status, fetched.headers, fetched.body)
        if wall is not None:
            raise ReadError(url, wall[0], wall[1], http_status=fetched.status)
        patience, seconds = 1.0, min(PDF_SECONDS, max(_LEAST_SECONDS, ends - clock()))
        if max_bytes > _PAGE_BYTES:
            patience, seconds = _OWN_PATIENCE, PDF_SECONDS * _OWN_PATIENCE
        label = fetched.headers.get("content-type", "")
        extracted = await self._extract(Job(fetched.body, fetched.url, label, self._now(), url, patience, seconds))
        if fetched.cut in _CUT_OFF and extracted.cause in {"empty", "decode"}:
            raise ReadError(url, *_CUT_OFF[fetched.cut])
        page = self._page(extracted, url, fetched.url, cut=fetched.cut)
        self._kept.led(url, fetched.url)
        if page.cut in {None, "size"}:  # what time or the host cut is good enough for this answer, not for the next
            await self._kept.keep(page, fetched.caching)
        return page

    def _page(
        self, extracted: Extracted, asked: str, url: str, *, accept_short: bool = False, cut: Cut | None = None
    ) -> Page:
        if extracted.cause is not None and not (accept_short and extracted.cause == "empty" and extracted.text):
            raise ReadError(asked, extracted.cause, extracted.message)
        return Page(
            page_id=page_id_of(url, extracted.text),
            url=url,
            title=extracted.title,
            site=site_of(url),
            text=extracted.text,
            blocks=extracted.blocks,
            published=extracted.published,
            modified=extracted.modified,
            author=extracted.author,
            language=extracted.language,
            fetched=self._now(),
            kind=extracted.kind if extracted.kind != "other" else "text",
            images=extracted.images,
            instructs=extracted.instructs,
            cut=cut or extracted.cut,
            site_name=extracted.site_name,
            canonical=extracted.canonical,
        )


@dataclass(slots=True)
class _Load:
    """One reading of a page, shared by all who want it; it ends with the last of them."""

    task: asyncio.Task[Page]
    waiting: int = 0

    async def wait(self) -> Page:
        self.waiting += 1
        try:
            return await asyncio.shield(self.task)
        finally:
            self.waiting -= 1
            if self.waiting == 0 and not self.task.done():
                self.task.cancel()


def _file_bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():  # a pipe or a device may keep its reader for ever
        raise OSError(errno.EINVAL, "not a file")
    with path.open("rb") as file:
        return file.read(FILE_BYTES + 1)

"""Own sources: addresses, small sites and files, read and kept in the own index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote, urlsplit

from answerable.errors import ReadError
from answerable.index.crawl import Bounds, SiteRules, Told, Visited, crawl
from answerable.index.embedded import EmbeddedIndex
from answerable.protocols import PageCache
from answerable.providers.reading import walls
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.providers.reading.links import links_of, sitemap_of
from answerable.providers.reading.reader import FILE_BYTES, WebReader
from answerable.text.cleaning import storable
from answerable.text.urls import is_web_url
from answerable.types import Added, IndexedPage, Page

SITEMAPS = 5  # files of a site that are looked into
_SECONDS = 10.0  # for one page of a site, or its robots.txt
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
UPLOADS = "file:///uploads/"  # stands before the name of a file that was sent


class OwnSources:
    """What a person gave to be searched. Raises StorageError where the index cannot be used."""

    may_change = True

    def __init__(self, fetcher: GuardedFetcher, reader: WebReader, pages: PageCache, index: EmbeddedIndex) -> None:
        self._fetcher, self._reader, self._pages, self._index = fetcher, reader, pages, index

    async def listed(self) -> list[IndexedPage]:
        return await self._index.listed()

    async def remove(self, urls: Sequence[str]) -> int:
        """Returns how many pages were there and are gone."""
        return await self._index.remove(urls)

    async def add_url(self, url: str) -> Added:
        try:
            if not is_web_url(url):  # a path would be a file of this machine
                raise ReadError(url, "bad_url", f"{url!r} is no web address; it begins with http:// or https://")
            return await self._kept(url, await self._reader.read_url(url, max_bytes=FILE_BYTES, fresh=True))
        except ReadError as fault:
            return Added(url, None, fault.cause, fault.message)

    async def add_file(self, name: str, body: bytes) -> Added:
        """By its name alone: a file of the same name takes its place. Nothing else of the file is kept."""
        name = file_name(name)
        url = UPLOADS + quote(name)
        try:
            if len(body) > FILE_BYTES:
                raise ReadError(url, "too_large", f"more than {FILE_BYTES:,} bytes")
            page = await self._reader.page_of_file(url, name, body)
            return await self._kept(name, page if page.title else replace(page, title=name))
        except ReadError as fault:
            return Added(name, None, fault.cause, fault.message)

    async def add_site(self, url: str, bounds: Bounds, told: Told = lambda url, fault: None) -> list[Added]:
        """The pages of one host that the first leads to, or its sitemap lists; by its robots.txt and at its pace."""
        added: list[Added] = []

        async def visit(address: str) -> Visited:
            page, links = await self._read_with_links(address)
            added.append(await self._kept(address, page))
            return Visited(page.url, links)

        def tell(address: str, fault: ReadError | None) -> None:
            if fault is not None:
                added.append(Added(address, None, fault.cause, fault.message))
            told(address, fault)

        try:
            if not is_web_url(url):
                raise ReadError(url, "bad_url", f"{url!r} is no web address; it begins with http:// or https://")
            rules = await self._fetcher.rules(url, timeout=_SECONDS)
            await crawl(url, visit, rules, await self._listed_by(url, rules), bounds, tell)
        except ReadError as fault:
            tell(url, fault)
        return added

    async def keep(self, page: Page) -> Page:
        await self._pages.put(page)
        await self._index.add([page])
        return page

    async def _kept(self, target: str, page: Page) -> Added:
        await self._pages.put(page)
        return Added(target, IndexedPage(page.url, page.title, page.fetched, await self._index.add([page])))

    async def _read_with_links(self, url: str) -> tuple[Page, Sequence[str]]:
        fetched = await self._fetcher.fetch(url, timeout=_SECONDS, max_bytes=FILE_BYTES)
        if wall := walls.of_status(fetched.status, fetched.headers, fetched.body):
            raise ReadError(url, wall[0], wall[1], http_status=fetched.status)
        label = fetched.headers.get("content-type", "")
        page = await self._reader.page_of(fetched.url, fetched.body, label, cut=fetched.cut)
        return page, links_of(fetched.body, fetched.url)

    async def _listed_by(self, url: str, rules: SiteRules) -> list[str]:
        """A sitemap that cannot be had is none."""
        parts = urlsplit(url)
        queue = list(rules.sitemaps) or [f"{parts.scheme}://{parts.netloc}/sitemap.xml"]
        found: list[str] = []
        for _ in range(SITEMAPS):
            if not queue:
                break
            try:
                fetched = await self._fetcher.fetch(queue.pop(0), timeout=_SECONDS)
            except ReadError:
                continue
            if fetched.status == 200:
                nested = b"<sitemapindex" in fetched.body[:2000].lower()
                (queue if nested else found).extend(sitemap_of(fetched.body))
        return found


def file_name(given: str) -> str:
    """The last part of whatever a browser calls a file, without what could hide or move it."""
    bare = _NOT_IN_NAMES.sub("", storable(given)).replace("\\", "/").rpartition("/")[2].strip(" .")
    stem, dot, ending = bare.rpartition(".")
    return (f"{stem[:100]}.{ending[:10]}" if dot and stem else bare[:110]) or "file"

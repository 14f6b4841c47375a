"""The built-in collection: its pages read once, when first needed, dated afresh, kept in an index in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path

from answerable.errors import NotFound, ReadError
from answerable.protocols import IndexHit, PassageIndex
from answerable.text.miniweb import Web, WebPage, load_web
from answerable.types import Page

ToPage = Callable[[str, bytes, str], Awaitable[Page]]  # address, body, content type


class Collection:
    """A PassageIndex that is filled by `open`; a search waits until it is."""

    def __init__(self, root: Path, index: PassageIndex, to_page: ToPage, now: datetime) -> None:
        self._root, self._index, self._to_page, self._now = root, index, to_page, now
        self._web: Web | None = None
        self._filled: asyncio.Task[None] | None = None

    @property
    def web(self) -> Web:
        if self._web is None:
            self._web = load_web(self._root)
        return self._web

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset(page.host for page in self.web.pages.values())

    @property
    def examples(self) -> tuple[str, ...]:
        """Questions marked as examples, as they are asked."""
        return tuple(q.at(self._now).question for q in self.web.questions if q.example)

    def open(self) -> None:
        """Begins to read the pages; needs a running loop."""
        if self._filled is None or (self._filled.done() and (self._filled.cancelled() or self._filled.exception())):
            self._filled = asyncio.get_running_loop().create_task(self._fill())

    async def ready(self) -> None:
        self.open()
        assert self._filled is not None
        await asyncio.shield(self._filled)

    async def close(self) -> None:
        if self._filled is not None:
            self._filled.cancel()
            await asyncio.gather(self._filled, return_exceptions=True)

    async def file(self, host: str, path: str) -> tuple[bytes, str]:
        """The bytes and content type of a page as its host would send it. Raises NotFound."""
        page = self.web.find(host, f"/{path.lstrip('/')}")
        if page is None or page.file is None or page.redirect or (page.status or 200) != 200:
            raise NotFound(f"the collection has no page {host}/{path}")
        body = await asyncio.to_thread(page.body, self._now)
        return body, page.content_type_header(body)

    async def add(self, pages: Sequence[Page]) -> int:
        return await self._index.add(pages)

    async def search(self, query: str, *, limit: int) -> list[IndexHit]:
        await self.ready()
        return await self._index.search(query, limit=limit)

    async def remove(self, urls: Sequence[str]) -> int:
        return await self._index.remove(urls)

    async def count(self) -> int:
        await self.ready()
        return await self._index.count()

    async def _fill(self) -> None:
        articles = [page for page in await asyncio.to_thread(lambda: list(self.web.articles())) if not page.drip]
        pages = await asyncio.gather(*(self._read(article) for article in articles))
        await self._index.add([page for page in pages if page is not None])

    async def _read(self, article: WebPage) -> Page | None:
        body = await asyncio.to_thread(article.body, self._now)
        try:
            return await self._to_page(article.url, body, article.content_type_header(body))
        except ReadError:  # a page of the collection that shows how the web fails
            return None

"""A small site, page by page: breadth first over its own links, within bounds, at the pace it asks for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from answerable.errors import ReadError
from answerable.text.urls import canonical_url, host_of

LONGEST_DELAY = 10.0  # seconds between two pages; who asks for more gets fewer pages within the time
_NO_PAGE = (
    *(".css", ".js", ".json", ".xml", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".woff"),
    *(".woff2", ".ttf", ".mp3", ".mp4", ".webm", ".avi", ".mov", ".zip", ".gz", ".tar", ".7z", ".exe", ".dmg", ".iso"),
)


@dataclass(frozen=True, slots=True)
class Bounds:
    pages: int = 20  # read, at most; three times as many are tried
    depth: int = 3  # links away from the first page
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Visited:
    url: str  # after redirects
    links: Sequence[str]


class SiteRules(Protocol):
    """What a robots.txt says."""

    @property
    def sitemaps(self) -> tuple[str, ...]: ...
    def allow(self, url: str) -> bool: ...
    def crawl_delay(self) -> float | None: ...


Visit = Callable[[str], Awaitable[Visited]]  # reads and keeps a page; raises ReadError
Told = Callable[[str, ReadError | None], None]  # each page tried, with what kept it from being read


async def crawl(start: str, visit: Visit, rules: SiteRules, listed: Sequence[str], bounds: Bounds, told: Told) -> int:
    """Returns how many pages were read. `listed`: addresses of the site's sitemap, which are as near as the first
    page's links. A first page that cannot be read raises its ReadError."""
    delay = min(rules.crawl_delay() or 0.0, LONGEST_DELAY)
    host, read, tried = host_of(start), 0, 0
    seen = {canonical_url(start)}
    queue: deque[tuple[str, int]] = deque([(start, 0)])
    try:
        async with asyncio.timeout(bounds.seconds):
            while queue and read < bounds.pages and tried < 3 * bounds.pages:
                if tried and delay:
                    await asyncio.sleep(delay)
                url, depth = queue.popleft()
                tried += 1
                try:
                    visited = await visit(url)
                except ReadError as fault:
                    if tried == 1:
                        raise
                    told(url, fault)
                    continue
                read += 1
                told(url, None)
                if tried == 1:
                    host = host_of(visited.url)  # the site may live at `www.`
                    seen.add(canonical_url(visited.url))
                near = [*visited.links, *(listed if tried == 1 else ())]
                for link in near if depth < bounds.depth else ():
                    key = canonical_url(link)
                    if key not in seen and host_of(link) == host and _may_be_page(link) and rules.allow(link):
                        seen.add(key)
                        queue.append((link, depth + 1))
    except TimeoutError:
        pass  # what was read by then is kept
    return read


def _may_be_page(url: str) -> bool:
    return not url.partition("?")[0].lower().endswith(_NO_PAGE)

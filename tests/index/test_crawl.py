"""A small site is read breadth first, within its bounds, as its robots.txt says."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from answerable.errors import ReadError
from answerable.index.crawl import Bounds, Visited, crawl

HOME = "http://site.example/"
SITE = {
    "/": ["/a", "/b", "http://other.example/x", "/picture.PNG?v=1", "/#top"],
    "/a": ["/", "/a/deep", "/closed/page", "http://site.example/b?utm_source=mail"],
    "/b": ["/down", "/a/deep"],
    "/a/deep": ["/a/deep/deeper"],
    "/a/deep/deeper": ["/a/deep/deeper/deepest"],
    "/a/deep/deeper/deepest": [],
    "/listed": [],
}


@dataclass
class Rules:
    delay: float | None = None
    sitemaps: tuple[str, ...] = ()

    def allow(self, url: str) -> bool:
        return "/closed/" not in url

    def crawl_delay(self) -> float | None:
        return self.delay


class Site:
    def __init__(self, *, host: str = "site.example", hangs_at: str = "") -> None:
        self.visited: list[str] = []
        self.told: list[tuple[str, str]] = []
        self.host, self.hangs_at = host, hangs_at

    async def visit(self, url: str) -> Visited:
        path = "/" + url.partition("://")[2].partition("/")[2]
        self.visited.append(path)
        if path == self.hangs_at:
            await asyncio.Event().wait()
        if path not in SITE:
            raise ReadError(url, "not_found", "there is no such page")
        links = [link if "://" in link else f"http://{self.host}{link}" for link in SITE[path]]
        return Visited(f"http://{self.host}{path}", links)

    async def crawl(self, *listed: str, rules: Rules | None = None, start: str = HOME, **bounds: float) -> int:
        def told(url: str, fault: ReadError | None) -> None:
            self.told.append((url, fault.cause if fault else ""))

        return await crawl(start, self.visit, rules or Rules(), listed, Bounds(**bounds), told)  # type: ignore[arg-type]


async def test_each_page_of_the_host_is_read_once_nearest_first() -> None:
    site = Site()

    assert await site.crawl(depth=9) == 6
    assert site.visited == ["/", "/a", "/b", "/a/deep", "/down", "/a/deep/deeper", "/a/deep/deeper/deepest"]
    assert ("http://site.example/down", "not_found") in site.told


async def test_depth_and_number_of_pages_bound_it() -> None:
    shallow, short = Site(), Site()

    assert await shallow.crawl(depth=1) == 3
    assert shallow.visited == ["/", "/a", "/b"]
    assert await short.crawl(pages=2) == 2
    assert short.visited == ["/", "/a"]


async def test_pages_that_fail_are_not_tried_without_end() -> None:
    site = Site()

    assert await site.crawl(*[f"{HOME}gone/{n}" for n in range(50)], pages=3, depth=1) == 3
    assert len(site.visited) <= 9


async def test_the_sitemap_s_pages_are_as_near_as_the_first_page_s_links() -> None:
    site = Site()

    await site.crawl(f"{HOME}listed", f"{HOME}closed/page", "http://other.example/listed", depth=1)

    assert site.visited == ["/", "/a", "/b", "/listed"]


async def test_a_site_that_lives_at_www_is_followed_there() -> None:
    site = Site(host="www.site.example")

    assert await site.crawl(depth=1) == 3


async def test_time_ends_it_and_what_was_read_is_kept() -> None:
    site = Site(hangs_at="/b")

    assert await site.crawl(seconds=0.05) == 2


async def test_it_waits_between_pages_as_long_as_the_site_asks() -> None:
    site = Site()

    assert await site.crawl(rules=Rules(delay=3600.0), seconds=0.05) == 1


async def test_a_first_page_that_cannot_be_read_is_told_as_such() -> None:
    with pytest.raises(ReadError, match="no such page"):
        await Site().crawl(start=f"{HOME}down")

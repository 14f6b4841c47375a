"""Own sources and settings that are only told: an index in a dict, and parts that work or do not."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from answerable.answering.examining import Finding
from answerable.errors import NotFound, Unusable
from answerable.index.crawl import Bounds
from answerable.types import Added, IndexedPage
from answerable.wiring.install import Choice, Setup


@dataclass
class FakeSources:
    """An address that holds `down` cannot be read; a site has three pages."""

    pages: dict[str, IndexedPage] = field(default_factory=dict)
    hold: threading.Event | None = None
    may_change: bool = True

    async def listed(self) -> list[IndexedPage]:
        return sorted(self.pages.values(), key=lambda page: page.url)

    async def add_url(self, url: str) -> Added:
        if "down" in url:
            return Added(url, None, "timeout", "no answer within 4 s")
        return self._keep(url, url, f"Page at {url.rpartition('/')[2] or 'the start'}")

    async def add_file(self, name: str, body: bytes) -> Added:
        return self._keep(name, f"file:///uploads/{name}", name)

    async def add_site(self, url: str, bounds: Bounds) -> list[Added]:
        return [await self.add_url(f"{url}/{n}") for n in range(min(3, bounds.pages))]

    async def remove(self, urls: Sequence[str]) -> int:
        return sum(self.pages.pop(url, None) is not None for url in urls)

    def _keep(self, target: str, url: str, title: str) -> Added:
        self.pages[url] = IndexedPage(url, title, datetime(2026, 5, 3, tzinfo=UTC), 4)
        return Added(target, self.pages[url])


class FakeOwner:
    """The part of a fake engine that its owner looks after."""

    @cached_property
    def sources(self) -> FakeSources:
        return FakeSources()

    @cached_property
    def examined(self) -> list[str | None]:
        return []

    def setup(self) -> Setup:
        return Setup(
            version="0.0.0",
            folder="/home/anna/.local/share/answerable",
            database="sqlite",
            searches=(Choice("tavily", False, ("TAVILY_API_KEY",), possible=False), Choice("wikipedia", True, ())),
            vendors=(Choice("anthropic", True, ("ANTHROPIC_API_KEY",)), Choice("openai", False, ("OPENAI_API_KEY",))),
            models=(("writer", "anthropic:claude"),),
        )

    async def examine(self, part: str | None = None) -> list[Finding]:
        self.examined.append(part)
        findings = [
            Finding("reranker", True, "tells right (0.98) from wrong (0.01)"),
            Finding("search: wikipedia", True, "3 results", needed=False),
            Finding("model: anthropic:claude", False, "anthropic refused the key", "Correct the key.", needed=False),
        ]
        if part == "search: tavily":
            raise Unusable("search provider 'tavily' needs TAVILY_API_KEY", hint="Set what it needs and start again.")
        if part and not any(one.part == part for one in findings):
            raise NotFound(f"there is no part {part!r}")
        return [one for one in findings if part in {None, one.part}]

"""What a scripted engine finds and reads: the pages of its script."""

from __future__ import annotations

from typing import Any

from answerable.answering.rechecking import Recheck
from answerable.answering.searching import FoundPage, FoundPassage, Searched, search_queries
from answerable.errors import ReadError
from answerable.types import Page


class FakePages:
    """The part of the fake engine that searches and reads."""

    runs: Any
    searched: list[tuple[Any, ...]]

    async def search(self, query: Any, *, max_results: int = 10, **choices: Any) -> Searched:
        queries = search_queries(query)
        self.searched.append((queries, max_results, choices))
        found = [
            FoundPage(p.title, p.url, p.text[:60], p.published, None, p.read_as, (FoundPassage(p.text, 0.9),))
            for p in self.runs.default.pages
        ]
        return Searched(tuple(found[:max_results]), tuple(queries), self.runs.default.notes)

    async def read(self, target: str) -> Page:
        for known in self.runs.default.pages:
            if target.endswith(f"/{known.page_id.removeprefix('page-')}"):
                return known
        raise ReadError(target, "not_found", "there is no such page")

    async def recheck(self, turns: Any) -> list[Recheck]:
        return [
            Recheck(t.turn_id, c.n, c.url, t.sentences[c.sentence].text, "holds") for t in turns for c in t.citations
        ]

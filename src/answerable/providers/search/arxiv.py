"""arXiv: preprints, through its Atom interface."""

from __future__ import annotations

import re
from typing import Any

from answerable.protocols import SearchResults
from answerable.providers.search.atom import parsed
from answerable.providers.search.http import ACADEMIC, Ask, Call, HttpSearch
from answerable.providers.search.shaping import fit_query, plain
from answerable.providers.search.works import doi_of, people, shortened
from answerable.text.analysis import content_words
from answerable.types import SearchResult

_WORD = re.compile(r"[\w.+-]+")
_MOST_WORDS = 10
_VERSION = re.compile(r"v\d+$")


class Arxiv(HttpSearch):
    name = "arxiv"
    focuses = ACADEMIC
    partial = True
    address = "https://export.arxiv.org"
    site = "arxiv.org"
    accept = "application/atom+xml"
    pause = 3.0  # its terms of use
    refused_hint = "arXiv limits automated use; wait a few minutes."

    def call(self, ask: Ask) -> Call:
        words = _WORD.findall(fit_query(" ".join(content_words(ask.query, ask.language)) or ask.query, max_chars=300))
        query = " AND ".join(f"all:{word}" for word in words[:_MOST_WORDS])
        if ask.since:
            query += f" AND submittedDate:[{ask.since:%Y%m%d}0000 TO {ask.now:%Y%m%d}2359]"
        params: dict[str, str | int] = {"search_query": query, "max_results": min(ask.limit, 50)}
        return Call(f"{self.base_url}/api/query", params | {"sortBy": "relevance"})

    def parse(self, body: bytes) -> Any:
        return parsed(body)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        for entry in answer.entries:
            if "/api/errors" in str(entry.get("id", "")):
                raise self.error("refused", f"refused the request ({plain(entry.get('summary'))[:160]})")
        return SearchResults(result for entry in answer.entries if (result := self._row(entry)))

    def _row(self, entry: Any) -> SearchResult | None:
        address = str(entry.get("id") or entry.get("link") or "").replace("http://", "https://")
        found = self.result(
            _VERSION.sub("", address),
            entry.get("title"),
            shortened(plain(entry.get("summary"))),
            entry.get("published"),
            authors=people(one.get("name") for one in entry.get("authors") or ()),
            venue=plain(entry.get("arxiv_journal_ref")) or "arXiv",
            doi=doi_of(entry.get("arxiv_doi")),
        )
        if found is None or found.published is None:
            return found
        return self.result(
            found.url, entry.get("title"), found.snippet, found.published,
            authors=found.authors, venue=found.venue, doi=found.doi, year=found.published.year,
        )  # fmt: skip

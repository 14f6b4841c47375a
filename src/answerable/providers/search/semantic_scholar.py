"""Semantic Scholar: a graph of papers, with their abstracts."""

from __future__ import annotations

from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.http import ACADEMIC, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import fit_query, plain
from answerable.providers.search.works import doi_of, doi_url, people, shortened, year_of
from answerable.types import SearchResult

_FIELDS = "title,abstract,year,authors,venue,publicationDate,url,externalIds,openAccessPdf,tldr"


class SemanticScholar(HttpSearch):
    """The key is optional: without one all the world shares one allowance."""

    name = "semantic_scholar"
    focuses = ACADEMIC
    address = "https://api.semanticscholar.org"
    key_hint = "Check SEMANTIC_SCHOLAR_API_KEY."
    refused_hint = "A free key in SEMANTIC_SCHOLAR_API_KEY gives an allowance of your own."
    pause = 1.0

    def call(self, ask: Ask) -> Call:
        params: dict[str, str | int] = {
            "query": fit_query(ask.query.replace("-", " "), max_chars=300),  # a hyphen finds nothing here
            "limit": min(ask.limit, 50),
            "fields": _FIELDS,
        }
        if ask.since:
            params["publicationDateOrYear"] = f"{ask.since.isoformat()}:"
        headers = {"x-api-key": self._key} if self._key else {}
        return Call(f"{self.base_url}/graph/v1/paper/search", params, headers)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or not {"data", "total"} & answer.keys():
            raise Malformed("no 'data'")
        return SearchResults(result for row in rows(answer, "data") if (result := self._row(row)))

    def _row(self, row: dict[str, Any]) -> SearchResult | None:
        ids = row.get("externalIds")
        ids = ids if isinstance(ids, dict) else {}
        arxiv, doi = ids.get("ArXiv"), doi_of(ids.get("DOI"))
        short = row.get("tldr")
        return self.result(
            f"https://arxiv.org/abs/{arxiv}" if isinstance(arxiv, str) else doi_url(doi) or row.get("url"),
            row.get("title"),
            shortened(plain(row.get("abstract")) or plain(short.get("text") if isinstance(short, dict) else None)),
            row.get("publicationDate"),
            authors=people(one.get("name") for one in rows(row, "authors")),
            year=year_of(row.get("year")),
            venue=plain(row.get("venue")),
            doi=doi,
        )

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        return "bad_key" if status == 403 and self._key else super().cause_of(status, answer)

"""Crossref: the registry in which publishers describe what has a DOI."""

from __future__ import annotations

from typing import Any

from answerable.protocols import SearchResults
from answerable.providers.search.http import ACADEMIC, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import fit_query, plain
from answerable.providers.search.works import doi_of, doi_url, people, shortened, year_of
from answerable.types import SearchResult

_FIELDS = "DOI,title,author,container-title,issued,abstract,URL,publisher"


class Crossref(HttpSearch):
    name = "crossref"
    focuses = ACADEMIC
    address = "https://api.crossref.org"
    refused_hint = "Set ANSWERABLE_MAILTO: Crossref asks its users to say how they can be reached."

    def call(self, ask: Ask) -> Call:
        params: dict[str, str | int] = {
            "query.bibliographic": fit_query(ask.query, max_chars=400),
            "rows": min(ask.limit, 50),
            "select": _FIELDS,
        }
        if ask.since:
            params["filter"] = f"from-pub-date:{ask.since.isoformat()}"
        if self._mailto:
            params["mailto"] = self._mailto
        return Call(f"{self.base_url}/works", params)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or not isinstance(answer.get("message"), dict):
            raise Malformed("no 'message'")
        if "items" not in answer["message"]:
            raise Malformed("no 'items'")
        return SearchResults(result for row in rows(answer, "message", "items") if (result := self._row(row)))

    def _row(self, row: dict[str, Any]) -> SearchResult | None:
        doi = doi_of(row.get("DOI"))
        date = _date(row.get("issued"))
        names = (one.get("name") or " ".join(filter(None, (plain(one.get("given")), plain(one.get("family")))))
                 for one in rows(row, "author"))  # fmt: skip
        return self.result(
            row.get("URL") or doi_url(doi),
            _first(row.get("title")),
            shortened(plain(row.get("abstract"))),
            date if date.count("-") == 2 else None,
            authors=people(names),
            year=year_of(date),
            venue=plain(_first(row.get("container-title"))) or plain(row.get("publisher")),
            doi=doi,
        )


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else value


def _date(issued: object) -> str:
    """ "2020-5-1" from {"date-parts": [[2020, 5, 1]]}; as much of it as is known."""
    parts = issued.get("date-parts") if isinstance(issued, dict) else None
    first = _first(parts)
    return "-".join(f"{part:02d}" for part in first if isinstance(part, int)) if isinstance(first, list) else ""

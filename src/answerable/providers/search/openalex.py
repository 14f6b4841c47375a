"""OpenAlex: an open catalogue of scholarly works."""

from __future__ import annotations

import re
from typing import Any

from answerable.protocols import SearchResults
from answerable.providers.search.http import ACADEMIC, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import fit_query
from answerable.providers.search.works import doi_of, from_inverted, people, shortened, year_of
from answerable.types import SearchResult

_FIELDS = (
    "id,doi,display_name,publication_year,publication_date,primary_location,best_oa_location,authorships,"
    "abstract_inverted_index"
)
_WILDCARDS = re.compile(r"[?*~]")  # which it refuses


class OpenAlex(HttpSearch):
    """The key is optional: without one a day's searches are few."""

    name = "openalex"
    focuses = ACADEMIC
    address = "https://api.openalex.org"
    key_hint = "Check OPENALEX_API_KEY."
    refused_hint = "A free key in OPENALEX_API_KEY raises what OpenAlex allows in a day."

    def call(self, ask: Ask) -> Call:
        params: dict[str, str | int] = {
            "search": fit_query(_WILDCARDS.sub(" ", ask.query), max_chars=400),
            "per_page": min(ask.limit, 50),
            "select": _FIELDS,
        }
        if ask.since:
            params["filter"] = f"from_publication_date:{ask.since.isoformat()}"
        if self._mailto:
            params["mailto"] = self._mailto
        if self._key:
            params["api_key"] = self._key
        return Call(f"{self.base_url}/works", params)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or "results" not in answer:
            raise Malformed("no 'results'")
        return SearchResults(result for row in rows(answer, "results") if (result := self._row(row)))

    def _row(self, row: dict[str, Any]) -> SearchResult | None:
        first = _object(row, "primary_location")
        free = _object(row, "best_oa_location")
        return self.result(
            free.get("landing_page_url") or first.get("landing_page_url") or row.get("doi") or row.get("id"),
            row.get("display_name"),
            shortened(from_inverted(row.get("abstract_inverted_index"))),
            row.get("publication_date"),
            authors=people(_object(one, "author").get("display_name") for one in rows(row, "authorships")),
            year=year_of(row.get("publication_year")),
            venue=str(_object(first, "source").get("display_name") or ""),
            doi=doi_of(row.get("doi")),
        )


def _object(row: dict[str, Any], name: str) -> dict[str, Any]:
    value = row.get(name)
    return value if isinstance(value, dict) else {}

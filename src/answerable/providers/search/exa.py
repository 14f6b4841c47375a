"""Exa: a search API over an index of its own, by meaning and by words."""

from __future__ import annotations

from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.http import EVERYTHING, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import fit_query, plain
from answerable.providers.search.works import people
from answerable.types import SearchResult

_CATEGORIES = {"news": "news", "academic": "research paper"}
_TAGS: dict[str, SearchCause] = {  # of its error bodies
    "NO_MORE_CREDITS": "quota",
    "API_KEY_BUDGET_EXCEEDED": "quota",
    "INVALID_API_KEY": "bad_key",
}


class Exa(HttpSearch):
    name = "exa"
    focuses = EVERYTHING
    address = "https://api.exa.ai"
    key_hint = "Check EXA_API_KEY."

    def call(self, ask: Ask) -> Call:
        body: dict[str, Any] = {
            "query": fit_query(ask.query, max_chars=1000),
            "numResults": min(ask.limit, 25),
            "type": "auto",
            "contents": {"highlights": {"maxCharacters": 600}},
        }
        if ask.focus in _CATEGORIES:
            body["category"] = _CATEGORIES[ask.focus]
        if ask.since:
            body["startPublishedDate"] = f"{ask.since:%Y-%m-%d}T00:00:00.000Z"
        if keep := [host for host in ask.domains.keep_hosts if "." in host]:
            body["includeDomains"] = keep
        elif leave := [host for host in ask.domains.leave_hosts if "." in host]:
            body["excludeDomains"] = leave
        if ask.country:
            body["userLocation"] = ask.country.upper()
        if self._safe.strip().lower() != "off":  # it has one level
            body["moderation"] = True
        return Call(f"{self.base_url}/search", headers={"x-api-key": self._key}, body=body)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or "results" not in answer:
            raise Malformed("no 'results'")
        return SearchResults(result for row in rows(answer, "results") if (result := self._row(row, ask)))

    def _row(self, row: dict[str, Any], ask: Ask) -> SearchResult | None:
        marked = row.get("highlights")
        pieces = filter(None, map(plain, marked)) if isinstance(marked, list) else ()
        snippet = " … ".join(dict.fromkeys(pieces)) or plain(row.get("summary")) or plain(row.get("text"))[:600]
        found = self.result(row.get("url"), row.get("title"), snippet, row.get("publishedDate"))
        if found is None or ask.focus != "academic":
            return found
        year = found.published.year if found.published else None
        return self.result(
            row.get("url"), row.get("title"), snippet, row.get("publishedDate"),
            authors=people([row.get("author")]), year=year,
        )  # fmt: skip

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        tag = answer.get("tag") if isinstance(answer, dict) else None
        return _TAGS.get(str(tag)) or super().cause_of(status, answer)

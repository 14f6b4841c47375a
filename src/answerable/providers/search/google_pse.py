"""Google's Programmable Search Engine, through its Custom Search JSON API."""

from __future__ import annotations

import json
from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.google import QUERY_CHARS, QUERY_WORDS, WINDOWS, hl_of, safe_of
from answerable.providers.search.http import Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import with_sites
from answerable.text.domains import Domains
from answerable.types import SearchResult

_DATES = ("article:published_time", "datepublished", "og:updated_time", "article:modified_time")


class GooglePSE(HttpSearch):
    """`cx` is the id of the engine, made at programmablesearchengine.google.com."""

    name = "google_pse"
    address = "https://customsearch.googleapis.com"
    key_hint = "Check GOOGLE_PSE_KEY and GOOGLE_PSE_CX."
    refused_hint = "Check GOOGLE_PSE_CX, and that the Custom Search API is switched on for this key."

    def __init__(self, *, cx: str, **options: Any) -> None:
        super().__init__(**options)
        self._cx = cx

    def call(self, ask: Ask) -> Call:
        one_site = ask.domains.keep_hosts if len(ask.domains.keep_hosts) == 1 else ()
        in_query = Domains(leave=ask.domains.leave) if one_site else ask.domains
        params: dict[str, str | int] = {
            "cx": self._cx,
            "q": with_sites(ask.query, in_query, max_chars=QUERY_CHARS, max_words=QUERY_WORDS),
            "num": min(ask.limit, 10),
        }
        if one_site:
            params |= {"siteSearch": one_site[0], "siteSearchFilter": "i"}
        if ask.window:
            params["dateRestrict"] = f"{WINDOWS[ask.window]}1"
        if ask.language:
            params["hl"] = hl_of(ask)
        if ask.country:
            params["gl"] = ask.country
        if (safe := safe_of(self._safe)) is not None:
            params["safe"] = safe
        return Call(f"{self.base_url}/customsearch/v1", params, {"X-Goog-Api-Key": self._key})

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or not {"items", "searchInformation", "queries"} & answer.keys():
            raise Malformed("no 'items'")
        return SearchResults(result for row in rows(answer, "items") if (result := self._row(row)))

    def _row(self, row: dict[str, Any]) -> SearchResult | None:
        tags = row.get("pagemap")
        tags = tags.get("metatags") if isinstance(tags, dict) else None
        first = tags[0] if isinstance(tags, list) and tags and isinstance(tags[0], dict) else {}
        published = next((first[name] for name in _DATES if first.get(name)), None)
        return self.result(row.get("link"), row.get("title"), row.get("snippet"), published)

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        """A spent quota comes as 429 (or, of old, 403), a wrong key as 400; the reasons within say which."""
        told = json.dumps(answer) if isinstance(answer, dict) else ""
        if "API_KEY_INVALID" in told or "API key not valid" in told or "keyInvalid" in told:
            return "bad_key"
        if "dailyLimitExceeded" in told or "per day" in told:
            return "quota"
        if status == 403 and ("ateLimitExceeded" in told or "quotaExceeded" in told):
            return "rate_limited"
        return super().cause_of(status, answer)

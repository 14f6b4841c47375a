"""Serper: Google's web, news and scholar results as JSON."""

from __future__ import annotations

from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.google import QUERY_CHARS, QUERY_WORDS, WINDOWS, hl_of, scholar_row
from answerable.providers.search.http import EVERYTHING, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import with_sites

_PATHS = {"news": "news", "academic": "scholar"}


class Serper(HttpSearch):
    name = "serper"
    focuses = EVERYTHING
    address = "https://google.serper.dev"
    key_hint = "Check SERPER_API_KEY."

    def call(self, ask: Ask) -> Call:
        body: dict[str, Any] = {
            "q": with_sites(ask.query, ask.domains, max_chars=QUERY_CHARS, max_words=QUERY_WORDS),
            "num": 10,  # more cost a second credit
        }
        if ask.language:
            body["hl"] = hl_of(ask)
        if ask.country:
            body["gl"] = ask.country
        if ask.focus == "academic":
            body |= {"as_ylo": ask.since.year} if ask.since else {}
        elif ask.window:
            body["tbs"] = f"qdr:{WINDOWS[ask.window]}"
        path = _PATHS.get(ask.focus, "search")
        return Call(f"{self.base_url}/{path}", headers={"X-API-KEY": self._key}, body=body)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or not {"organic", "news", "searchParameters"} & answer.keys():
            raise Malformed("no 'organic'")
        if ask.focus == "academic":
            found = [
                scholar_row(self, row, row.get("publicationInfo"), row.get("year")) for row in rows(answer, "organic")
            ]
        else:
            found = [
                self.result(row.get("link"), row.get("title"), row.get("snippet"), row.get("date"))
                for row in rows(answer, "news" if ask.focus == "news" else "organic")
            ]
        return SearchResults(result for result in found if result)

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        told = str(answer.get("message", "")) if isinstance(answer, dict) else ""
        return "quota" if "credits" in told.lower() else super().cause_of(status, answer)

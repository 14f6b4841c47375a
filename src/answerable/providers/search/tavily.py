"""Tavily: a search API made for language models."""

from __future__ import annotations

from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.http import WEB_AND_NEWS, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import fit_query

_COUNTRIES = {  # it wants them by name
    "ar": "argentina", "at": "austria", "au": "australia", "be": "belgium", "br": "brazil", "ca": "canada",
    "ch": "switzerland", "cl": "chile", "cn": "china", "co": "colombia", "cz": "czech republic", "de": "germany",
    "dk": "denmark", "es": "spain", "fi": "finland", "fr": "france", "gb": "united kingdom", "gr": "greece",
    "hu": "hungary", "ie": "ireland", "il": "israel", "in": "india", "it": "italy", "jp": "japan",
    "kr": "south korea", "mx": "mexico", "nl": "netherlands", "no": "norway", "nz": "new zealand", "pl": "poland",
    "pt": "portugal", "ro": "romania", "ru": "russia", "se": "sweden", "tr": "turkey", "ua": "ukraine",
    "us": "united states", "za": "south africa",
}  # fmt: skip
_QUOTA = {432, 433}  # the plan's limit, the pay-as-you-go limit


class Tavily(HttpSearch):
    name = "tavily"
    focuses = WEB_AND_NEWS
    address = "https://api.tavily.com"
    key_hint = "Check TAVILY_API_KEY."

    def call(self, ask: Ask) -> Call:
        body: dict[str, Any] = {
            "query": fit_query(ask.query, max_chars=400),
            "max_results": min(ask.limit, 20),
            "topic": "news" if ask.focus == "news" else "general",
            "search_depth": "basic",
        }
        if ask.window:
            body["time_range"] = ask.window
        if keep := [host for host in ask.domains.keep_hosts if "." in host]:
            body["include_domains"] = keep
        if leave := [host for host in ask.domains.leave_hosts if "." in host]:
            body["exclude_domains"] = leave
        if ask.focus != "news" and ask.country in _COUNTRIES:  # it takes a country for general searches only
            body["country"] = _COUNTRIES[ask.country]
        return Call(f"{self.base_url}/search", headers={"Authorization": f"Bearer {self._key}"}, body=body)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or "results" not in answer:
            raise Malformed("no 'results'")
        found = (
            self.result(row.get("url"), row.get("title"), row.get("content"), row.get("published_date"))
            for row in rows(answer, "results")
        )
        return SearchResults(result for result in found if result)

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        return "quota" if status in _QUOTA else super().cause_of(status, answer)

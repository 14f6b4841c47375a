"""SerpAPI: Google's web, news and scholar results as JSON."""

from __future__ import annotations

from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.google import QUERY_CHARS, QUERY_WORDS, WINDOWS, hl_of, safe_of, scholar_row
from answerable.providers.search.http import EVERYTHING, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import with_sites


class SerpAPI(HttpSearch):
    name = "serpapi"
    focuses = EVERYTHING
    address = "https://serpapi.com"
    key_hint = "Check SERPAPI_API_KEY."

    def call(self, ask: Ask) -> Call:
        params: dict[str, str | int] = {
            "engine": "google_scholar" if ask.focus == "academic" else "google",
            "q": with_sites(ask.query, ask.domains, max_chars=QUERY_CHARS, max_words=QUERY_WORDS),
            "api_key": self._key,
        }
        if ask.language:
            params["hl"] = hl_of(ask)
        if ask.focus == "academic":
            params |= {"as_ylo": ask.since.year} if ask.since else {}
            return Call(f"{self.base_url}/search.json", params)
        if ask.focus == "news":
            params["tbm"] = "nws"
        if ask.country:
            params["gl"] = ask.country
        if ask.window:
            params["tbs"] = f"qdr:{WINDOWS[ask.window]}"
        if (safe := safe_of(self._safe)) is not None:
            params["safe"] = safe
        return Call(f"{self.base_url}/search.json", params)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict):
            raise Malformed("no object")
        told = answer.get("error")
        if isinstance(told, str) and "hasn't returned any results" in told:  # its way to say that there are none
            return SearchResults()
        if isinstance(told, str):
            raise self.error(
                self.cause_of(400, answer), f"refused the request ({told[:160].replace(self._key, '***')})"
            )
        if not {"organic_results", "news_results", "search_information", "search_metadata"} & answer.keys():
            raise Malformed("no 'organic_results'")
        if ask.focus == "academic":
            found = [scholar_row(self, row, *_publication(row)) for row in rows(answer, "organic_results")]
        else:
            place = "news_results" if ask.focus == "news" else "organic_results"
            found = [
                self.result(row.get("link"), row.get("title"), row.get("snippet"), row.get("date"))
                for row in rows(answer, place)
            ]
        return SearchResults(result for result in found if result)

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        told = str(answer.get("error", "")) if isinstance(answer, dict) else ""
        if "run out of searches" in told or "exceeded your plan" in told:
            return "quota"
        if "Invalid API key" in told:
            return "bad_key"
        return super().cause_of(status, answer)


def _publication(row: dict[str, Any]) -> tuple[object, object]:
    info = row.get("publication_info")
    return (info.get("summary"), None) if isinstance(info, dict) else (None, None)

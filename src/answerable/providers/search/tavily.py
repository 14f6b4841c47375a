"""Tavily: a search API made for language models."""

from __future__ import annotations

from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import Clock, SearchResults
from answerable.providers.search.http import CONNECT_TIMEOUT, Ask, Call, HttpSearch, Malformed, rows, utc_now
from answerable.providers.search.shaping import fit_query

_QUOTA = {432, 433}  # the plan's limit, the pay-as-you-go limit


class Tavily(HttpSearch):
    name = "tavily"
    key_hint = "Check TAVILY_API_KEY."

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str = "https://api.tavily.com",
        timeout: float = 2.0,
        connect_timeout: float = CONNECT_TIMEOUT,
        proxy: str = "",
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(
            base_url=base_url,
            api_key=api_key,
            timeout=timeout,
            connect_timeout=connect_timeout,
            proxy=proxy,
            clock=clock,
        )

    def call(self, ask: Ask) -> Call:
        body: dict[str, Any] = {
            "query": fit_query(ask.query, max_chars=400),
            "max_results": min(ask.limit, 20),
            "topic": "news" if ask.focus == "news" else "general",
            "search_depth": "basic",
        }
        if ask.window:
            body["time_range"] = ask.window
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

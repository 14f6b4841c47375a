"""SearXNG: a metasearch server of one's own, asked for JSON."""

from __future__ import annotations

from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.http import EVERYTHING, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import plain, safe_value, with_sites

_MOST = 500  # characters; it has no limit of its own, but its engines take a line, not a page
_CATEGORIES = {"news": "news", "academic": "science"}


class SearXNG(HttpSearch):
    name = "searxng"
    focuses = EVERYTHING
    refused_hint = "Allow the JSON format in its settings.yml (search: formats: [html, json])."

    def __init__(self, *, base_url: str, **options: Any) -> None:
        super().__init__(base_url=base_url.rstrip("/").removesuffix("/search"), **options)

    def call(self, ask: Ask) -> Call:
        params: dict[str, str | int] = {"q": with_sites(ask.query, ask.domains, max_chars=_MOST), "format": "json"}
        params["language"] = _language(ask)
        params["categories"] = _CATEGORIES.get(ask.focus, "general")
        if ask.window:
            params["time_range"] = ask.window
        if (safe := safe_value(self._safe, "numeric")) is not None:
            params["safesearch"] = safe
        return Call(f"{self.base_url}/search", params)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or "results" not in answer:
            raise Malformed("no 'results'")
        found = [
            result
            for row in rows(answer, "results")
            if (result := self.result(row.get("url"), row.get("title"), row.get("content"), row.get("publishedDate")))
        ]
        silent = _unresponsive(answer.get("unresponsive_engines"))
        if silent and not found:
            raise self.error("refused", f"none of its engines answered ({'; '.join(silent)})")
        return SearchResults(found, [f"without {engine}" for engine in silent])

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        return "refused" if status == 403 else super().cause_of(status, answer)  # it has no keys: JSON is switched off


def _language(ask: Ask) -> str:
    if not ask.language:
        return "auto"
    return f"{ask.language}-{ask.country.upper()}" if ask.country else ask.locale


def _unresponsive(engines: Any) -> list[str]:
    """Pairs of name and reason, in newer versions with a third part."""
    found = []
    for engine in engines if isinstance(engines, list) else []:
        parts = [plain(part) for part in engine] if isinstance(engine, list | tuple) else [plain(engine)]
        found.append(": ".join(part for part in parts[:2] if part))
    return [engine for engine in found if engine]

"""Google's results in the dialects of its parameters that SerpAPI, Serper and Google itself share."""

from __future__ import annotations

from typing import Any

from answerable.providers.search.http import Ask, HttpSearch
from answerable.providers.search.shaping import Window, plain, safe_value
from answerable.providers.search.works import doi_of, scholar_line, year_of
from answerable.types import SearchResult

QUERY_CHARS = 2048  # what it takes
QUERY_WORDS = 32  # it does not look at more
WINDOWS: dict[Window, str] = {"day": "d", "week": "w", "month": "m", "year": "y"}
_CHINESE = {"zh": "zh-cn", "zh-hans": "zh-cn", "zh-hant": "zh-tw"}


def hl_of(ask: Ask) -> str:
    """The language, in Google's spelling."""
    return _CHINESE.get(ask.locale.lower(), ask.language)


def safe_of(level: str) -> str | None:
    """Its filter is on or off."""
    switch = safe_value(level, "switch")
    return None if switch is None else {"on": "active", "off": "off"}[str(switch)]


def scholar_row(provider: HttpSearch, row: dict[str, Any], line: object, year: object) -> SearchResult | None:
    authors, venue, told = scholar_line(line)
    return provider.result(
        row.get("link"),
        row.get("title"),
        plain(row.get("snippet")),
        authors=authors,
        venue=venue,
        year=year_of(year) or told,
        doi=doi_of(row.get("link")),
    )

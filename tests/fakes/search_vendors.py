"""Search providers over HTTP beside what their vendors' servers answer: the fixtures of tests/data/search."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from tests.fakes.searching import ask
from tests.fakes.vendor import Reply, Vendor

from answerable.providers.search.arxiv import Arxiv
from answerable.providers.search.brave import Brave
from answerable.providers.search.crossref import Crossref
from answerable.providers.search.exa import Exa
from answerable.providers.search.google_pse import GooglePSE
from answerable.providers.search.http import HttpSearch
from answerable.providers.search.openalex import OpenAlex
from answerable.providers.search.searxng import SearXNG
from answerable.providers.search.semantic_scholar import SemanticScholar
from answerable.providers.search.serpapi import SerpAPI
from answerable.providers.search.serper import Serper
from answerable.providers.search.tavily import Tavily
from answerable.providers.search.wikipedia import Wikipedia
from answerable.types import Focus, SearchResult

DATA = Path(__file__).parents[1] / "data"
NOW = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
KEY = "secret-key-1234"


@dataclass(frozen=True)
class Case:
    """`rows`: where the rows stand; `empty`: an answer with none; `url`: a row's field with its address."""

    kind: Callable[..., HttpSearch]
    rows: tuple[str, ...]
    empty: dict[str, Any]
    focus: Focus = "web"
    url: str = "url"
    options: tuple[tuple[str, str], ...] = ()  # it cannot be without
    published: str | None = "2026-11-20"
    query: str = "q"  # the parameter that carries it

    @property
    def keyed(self) -> bool:
        return "api_key" in dict(self.options)


_KEY = (("api_key", KEY),)
_SCHOLAR: dict[str, Any] = {"focus": "academic", "published": "2019-05-02"}
_NONE: dict[str, Any] = {"query": "x", "results": []}
_NO_ITEMS = {"kind": "customsearch#search", "queries": {}, "searchInformation": {"totalResults": "0"}}
_SERPAPI_NONE = {"search_metadata": {}, "error": "Google hasn't returned any results for this query."}
CASES: dict[str, Case] = {
    "searxng": Case(SearXNG, ("results",), _NONE),
    "tavily": Case(Tavily, ("results",), _NONE, options=_KEY, query="query"),
    "tavily-news": Case(Tavily, ("results",), _NONE, "news", options=_KEY, query="query"),
    "brave": Case(Brave, ("web", "results"), {"type": "search", "query": {"original": "x"}}, options=_KEY),
    "brave-news": Case(Brave, ("results",), {"type": "news", "results": []}, "news", options=_KEY),
    "wikipedia": Case(
        Wikipedia, ("query", "pages"), {"batchcomplete": True}, url="fullurl", published=None, query="gsrsearch"
    ),
    "exa": Case(Exa, ("results",), {"requestId": "x", "results": []}, options=_KEY, query="query"),
    "serpapi": Case(SerpAPI, ("organic_results",), _SERPAPI_NONE, url="link", options=_KEY),
    "serpapi-news": Case(
        SerpAPI, ("news_results",), _SERPAPI_NONE, "news", url="link", options=_KEY, published="2026-11-27"
    ),
    "serpapi-scholar": Case(
        SerpAPI, ("organic_results",), _SERPAPI_NONE, "academic", url="link", options=_KEY, published=None
    ),
    "serper": Case(Serper, ("organic",), {"searchParameters": {}, "organic": []}, url="link", options=_KEY),
    "serper-news": Case(
        Serper, ("news",), {"searchParameters": {}}, "news", url="link", options=_KEY, published="2026-11-27"
    ),
    "serper-scholar": Case(
        Serper, ("organic",), {"searchParameters": {}}, "academic", url="link", options=_KEY, published=None
    ),
    "google_pse": Case(GooglePSE, ("items",), _NO_ITEMS, url="link", options=(*_KEY, ("cx", "engine-1"))),
    "openalex": Case(OpenAlex, ("results",), _NONE, url="id", query="search", **_SCHOLAR),
    "crossref": Case(
        Crossref, ("message", "items"), {"message": {"items": []}}, url="URL", query="query.bibliographic", **_SCHOLAR
    ),
    "semantic_scholar": Case(SemanticScholar, ("data",), {"total": 0, "offset": 0}, query="query", **_SCHOLAR),
}
SCHOLARLY = [name for name, case in CASES.items() if case.focus == "academic"]


def provider(name: str, url: str, **options: Any) -> HttpSearch:
    if name == "arxiv":
        return Arxiv(base_url=url, clock=lambda: NOW, **options)
    case = CASES[name]
    return case.kind(base_url=url, clock=lambda: NOW, **dict(case.options), **options)


def documented(name: str) -> dict[str, Any]:
    fixture: dict[str, Any] = json.loads((DATA / "search" / f"{name}.json").read_text("utf-8"))
    assert fixture["vendor_page"].startswith("https://")
    assert datetime.fromisoformat(fixture["date"])
    answer: dict[str, Any] = fixture["response"]
    return answer


def rows_of(name: str, answer: Any) -> list[Any]:
    for step in CASES[name].rows:
        answer = answer[step]
    rows: list[Any] = answer
    return rows


def good(name: str, change: Callable[[list[Any]], None] = lambda rows: None, **headers: str) -> Reply:
    if name == "arxiv":
        return Reply((DATA / "search" / "arxiv.xml").read_bytes(), headers=headers)
    answer = documented(name)
    change(rows_of(name, answer))
    return Reply(json.dumps(answer).encode(), headers=headers)


def empty(name: str) -> Reply:
    if name == "arxiv":
        return Reply(b'<feed xmlns="http://www.w3.org/2005/Atom"><title>ArXiv Query</title></feed>')
    return Reply(json.dumps(CASES[name].empty).encode())


@dataclass
class Asked:
    """A vendor's fake server and the provider that asks it."""

    server: Vendor
    provider: HttpSearch
    focus: Focus

    async def search(self, query: str = "harbour tower height", **options: Any) -> list[SearchResult]:
        return await ask(self.provider, query, **{"focus": self.focus, **options})


class Start(Protocol):
    async def __call__(self, name: str, *replies: Reply, **options: Any) -> Asked: ...

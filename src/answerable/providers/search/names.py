"""The names of search providers. One is imported when it is chosen."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any

from answerable.errors import ReadError, SettingsError
from answerable.protocols import Clock, Fetcher
from answerable.providers.search.remembering import Remembering
from answerable.providers.search.resting import Resting

PROVIDERS = {
    "searxng": "answerable.providers.search.searxng:SearXNG",
    "tavily": "answerable.providers.search.tavily:Tavily",
    "brave": "answerable.providers.search.brave:Brave",
    "exa": "answerable.providers.search.exa:Exa",
    "serpapi": "answerable.providers.search.serpapi:SerpAPI",
    "serper": "answerable.providers.search.serper:Serper",
    "google_pse": "answerable.providers.search.google_pse:GooglePSE",
    "ddgs": "answerable.providers.search.ddgs:Ddgs",
    "wikipedia": "answerable.providers.search.wikipedia:Wikipedia",
    "feeds": "answerable.providers.search.feeds:Feeds",
    "openalex": "answerable.providers.search.openalex:OpenAlex",
    "arxiv": "answerable.providers.search.arxiv:Arxiv",
    "crossref": "answerable.providers.search.crossref:Crossref",
    "semantic_scholar": "answerable.providers.search.semantic_scholar:SemanticScholar",
    "own": "answerable.providers.search.own:OwnIndex",
}
KEYLESS = ("ddgs", "wikipedia")  # the web for those who set nothing
SCHOLARLY = ("openalex", "arxiv", "crossref", "semantic_scholar")  # asked with the focus `academic` only
NEEDS: dict[str, dict[str, str]] = {  # what a provider cannot be without: its option -> the setting that holds it
    "searxng": {"base_url": "searxng_url"},
    "tavily": {"api_key": "tavily_key"},
    "brave": {"api_key": "brave_key"},
    "exa": {"api_key": "exa_key"},
    "serpapi": {"api_key": "serpapi_key"},
    "serper": {"api_key": "serper_key"},
    "google_pse": {"api_key": "google_pse_key", "cx": "google_pse_cx"},
    "feeds": {"feeds": "feeds"},
}
MAY_USE: dict[str, dict[str, str]] = {  # what helps
    "openalex": {"api_key": "openalex_key"},
    "semantic_scholar": {"api_key": "semantic_scholar_key"},
}


def automatic(is_set: Callable[[str], bool]) -> list[str]:
    """All providers whose needs are set, else the keyless web; the scholarly catalogues beside them."""
    ready = [name for name, needs in NEEDS.items() if all(map(is_set, needs.values()))]
    web = ready if set(ready) - {"feeds"} else [*KEYLESS, *ready]
    return [*web, *SCHOLARLY]


def provider_class(name: str) -> Any:
    """The class of that name. Raises SettingsError, which suggests the nearest name."""
    place = PROVIDERS.get(name.strip().lower())
    if place is None:
        near = difflib.get_close_matches(name.strip().lower(), PROVIDERS, 1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise SettingsError([f"search provider {name!r} is unknown{meant} Known: {', '.join(sorted(PROVIDERS))}."])
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def chosen_names(search: Iterable[str], value: Callable[[str], object]) -> list[str]:
    """The providers that a setting names, `auto` resolved; `own` is not among them."""
    found: list[str] = []
    for name in search:
        found += automatic(lambda need: bool(value(need))) if name == "auto" else [name.strip().lower()]
    return [name for name in dict.fromkeys(found) if name != "own"]


def make_provider(
    name: str, value: Callable[[str], object], called: Callable[[str], str], *, fetcher: Fetcher, clock: Clock
) -> Remembering:
    """A provider that rests and remembers. `value` gives a setting, `called` its public name. Raises SettingsError."""
    kind = provider_class(name)
    options: dict[str, object] = {}
    for option, setting in NEEDS.get(name, {}).items():
        options[option] = value(setting)
        if not options[option]:
            raise SettingsError([f"search provider {name!r} needs {called(setting)}"])
    options |= {option: value(setting) for option, setting in MAY_USE.get(name, {}).items()}
    # A little less than the whole stage has, so that a provider tells of its time-out itself.
    options |= {"timeout": 0.95 * float(str(value("search_timeout"))), "clock": clock}
    if name == "feeds":
        options["fetch"] = partial(_feed, fetcher)
    else:
        options |= {"proxy": value("proxy"), "safe": value("safe_search"), "region": value("region")}
    if name in SCHOLARLY:
        options["mailto"] = value("mailto")
    return Remembering(Resting(kind(**options), clock=clock))


async def _feed(fetcher: Fetcher, url: str, timeout: float) -> bytes:
    fetched = await fetcher.fetch(url, timeout=timeout)
    if fetched.status != 200:
        raise ReadError(url, "http_error", f"answered with status {fetched.status}", http_status=fetched.status)
    return fetched.body

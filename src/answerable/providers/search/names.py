"""The names of search providers. One is imported when it is chosen."""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import Any

from answerable.errors import SettingsError

PROVIDERS = {
    "searxng": "answerable.providers.search.searxng:SearXNG",
    "tavily": "answerable.providers.search.tavily:Tavily",
    "brave": "answerable.providers.search.brave:Brave",
    "ddgs": "answerable.providers.search.ddgs:Ddgs",
    "wikipedia": "answerable.providers.search.wikipedia:Wikipedia",
    "own": "answerable.providers.search.own:OwnIndex",
}
KEYLESS = ("ddgs", "wikipedia")  # the web for those who set nothing


def provider_class(name: str) -> Any:
    """The class of that name. Raises SettingsError, which suggests the nearest name."""
    place = PROVIDERS.get(name.strip().lower())
    if place is None:
        near = difflib.get_close_matches(name.strip().lower(), PROVIDERS, 1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise SettingsError([f"search provider {name!r} is unknown{meant} Known: {', '.join(sorted(PROVIDERS))}."])
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)

"""Wikipedia's own search, in the reader's language; needs no key."""

from __future__ import annotations

import re
from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.http import Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import fit_query
from answerable.text.analysis import content_words

_EDITION = re.compile(r"[a-z]{2,3}")
_CAUSES: dict[str, SearchCause] = {"ratelimited": "rate_limited", "maxlag": "server", "readonly": "server"}


class Wikipedia(HttpSearch):
    """`base_url` may hold `{language}`."""

    name = "wikipedia"
    partial = True
    address = "https://{language}.wikipedia.org"
    site = "wikipedia.org"
    dated = False
    refused_hint = "Wikipedia limits automated use; wait, or set another search provider."

    def call(self, ask: Ask) -> Call:
        edition = ask.language if _EDITION.fullmatch(ask.language) else "en"
        params: dict[str, str | int] = {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "generator": "search",
            "gsrsearch": fit_query(_words(ask), max_chars=300),
            "gsrlimit": min(ask.limit, 20),
            "prop": "extracts|info",
            "inprop": "url",
            "exintro": 1,
            "explaintext": 1,
            "exlimit": "max",
            "exchars": 600,
            "redirects": 1,
        }
        return Call(f"{self.base_url.replace('{language}', edition)}/w/api.php", params)

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict):
            raise Malformed("no object")
        if isinstance(error := answer.get("error"), dict):
            code = str(error.get("code", ""))
            raise self.error(_CAUSES.get(code, "refused"), f"refused the request ({code or 'without a reason'})")
        if not {"query", "batchcomplete", "continue"} & answer.keys():
            raise Malformed("no 'query'")
        pages = sorted(rows(answer, "query", "pages"), key=_place)
        found = (self.result(page.get("fullurl"), page.get("title"), page.get("extract")) for page in pages)
        return SearchResults(result for result in found if result)


def _words(ask: Ask) -> str:
    """It wants every word in the page, so only those that carry meaning are asked for."""
    words = content_words(ask.query, ask.language)
    return " ".join(words) if words and ask.query.isascii() else ask.query


def _place(page: dict[str, Any]) -> int:
    index = page.get("index")
    return index if isinstance(index, int) else 1_000

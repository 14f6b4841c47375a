"""Brave Search: an API over an index of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from answerable.errors import SearchCause
from answerable.protocols import SearchResults
from answerable.providers.search.http import WEB_AND_NEWS, Ask, Call, HttpSearch, Malformed, rows
from answerable.providers.search.shaping import Window, plain, safe_value, with_sites
from answerable.types import SearchResult

_FRESHNESS: dict[Window, str] = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
_SAME_CODE = (
    "ar|bg|bn|ca|cs|da|de|en|es|et|eu|fi|fr|gl|gu|he|hi|hr|hu|is|it|kn|ko|lt|lv|ml|mr|ms|nb|nl|pa|pl|ro|ru|sk|sl|sr"
    "|sv|ta|te|th|tr|uk|vi"
)
_LANGUAGES = {code: code for code in _SAME_CODE.split("|")} | {"ja": "jp", "zh": "zh-hans", "pt": "pt-br", "no": "nb"}
_COUNTRIES = (  # it refuses others
    "AR AU AT BE BR CA CL CN DE DK ES FI FR GB GR HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE CH TR TW US ZA"
)
_CODES: dict[str, SearchCause] = {  # its own codes say more than its statuses: a wrong key is a 422
    "SUBSCRIPTION_TOKEN_INVALID": "bad_key",
    "SUBSCRIPTION_NOT_FOUND": "bad_key",
    "QUOTA_LIMITED": "quota",
    "USAGE_LIMIT_EXCEEDED": "quota",
}


class Brave(HttpSearch):
    name = "brave"
    focuses = WEB_AND_NEWS
    address = "https://api.search.brave.com"
    key_hint = "Check BRAVE_API_KEY."

    def call(self, ask: Ask) -> Call:
        kind = "news" if ask.focus == "news" else "web"
        params: dict[str, str | int] = {
            "q": with_sites(ask.query, ask.domains, max_chars=400, max_words=50),
            "count": min(ask.limit, 20),
        }
        if kind == "web":
            params |= {"result_filter": "web", "extra_snippets": "true", "text_decorations": "false"}
        if ask.window:
            params["freshness"] = _FRESHNESS[ask.window]
        if ask.language in _LANGUAGES:
            params["search_lang"] = _LANGUAGES[ask.language]
        if ask.country and ask.country.upper() in _COUNTRIES:
            params["country"] = ask.country.upper()
        if (safe := safe_value(self._safe, "words")) is not None:
            params["safesearch"] = safe
        return Call(f"{self.base_url}/res/v1/{kind}/search", params, {"X-Subscription-Token": self._key})

    def read(self, answer: Any, ask: Ask) -> SearchResults:
        if not isinstance(answer, dict) or not {"web", "results", "query", "type"} & answer.keys():
            raise Malformed("no 'web'")
        found = rows(answer, "results") if ask.focus == "news" else rows(answer, "web", "results")
        return SearchResults(result for row in found if (result := self._row(row)))

    def _row(self, row: dict[str, Any]) -> SearchResult | None:
        more = row.get("extra_snippets")
        pieces = [row.get("description"), *(more if isinstance(more, list) else [])]
        snippet = " … ".join(dict.fromkeys(filter(None, map(plain, pieces))))
        return self.result(row.get("url"), row.get("title"), snippet, row.get("page_age") or row.get("age"))

    def cause_of(self, status: int, answer: Any) -> SearchCause:
        error = answer.get("error") if isinstance(answer, dict) else None
        code = error.get("code") if isinstance(error, dict) else None
        return _CODES.get(str(code)) or super().cause_of(status, answer)

    def wait_of(self, headers: Mapping[str, str]) -> float | None:
        """Its windows, "1, 1419704": the longest of those in which nothing remains."""
        if (told := super().wait_of(headers)) is not None:
            return told
        left, resets = (headers.get(f"x-ratelimit-{name}", "").split(",") for name in ("remaining", "reset"))
        waits = [
            float(reset)
            for remaining, reset in zip(left, resets, strict=False)
            if remaining.strip() == "0" and reset.strip().isdecimal()
        ]
        return max(waits, default=None)

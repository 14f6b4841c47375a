"""The page's words in the reader's language: one file a language, read by the templates and by the scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from fastapi import Request

LANGUAGES = {"en": "English", "de": "Deutsch", "hi": "हिन्दी"}
COOKIE = "answerable_language"
FOLDER = Path(__file__).parent / "static" / "words"

_WISH = re.compile(r"\s*([a-z]{2,3})(?:-[\w-]+)?\s*(?:;\s*q\s*=\s*([\d.]+))?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Words:
    """`words("pages_read", n=2)`: "2 pages read". A word that is missing is an error, not English."""

    language: str
    known: Mapping[str, str | Mapping[str, str]]

    def __call__(self, key: str, **values: object) -> str:
        word = self.known[key]
        if not isinstance(word, str):
            word = word["one" if _is_one(values["n"], self.language) else "other"]
        return word.format(**values)

    def when(self, moment: datetime, *, time: bool = False) -> str:
        """A day, and with `time` the hour with its zone."""
        month = self("months").split()[moment.month - 1]
        day = self("day", day=moment.day, month=month, year=moment.year)
        if not time:
            return day
        zone = "UTC" if not moment.utcoffset() else f"UTC{moment:%z}"
        return f"{day}, {moment:%H:%M} {zone if moment.tzinfo else ''}".rstrip()


def _is_one(n: object, language: str) -> bool:
    """Plural rules of the Unicode CLDR: Hindi counts nothing as one thing, too."""
    return n == 1 or (language == "hi" and n == 0)


@cache
def words_of(language: str) -> Words:
    return Words(language, json.loads((FOLDER / f"{language}.json").read_text("utf-8")))


def words_for(request: Request) -> Words:
    """By the reader's own choice, else by what the browser asks for (RFC 9110, section 12.5.4), else English."""
    chosen = request.cookies.get(COOKIE, "")
    return words_of(chosen if chosen in LANGUAGES else wished(request.headers.get("accept-language", "")))


def wished(header: str) -> str:
    wishes: list[tuple[float, str]] = []
    for part in header.split(",")[:20]:
        if found := _WISH.fullmatch(part):
            language, weight = found[1].lower(), _weight(found[2])
            if language in LANGUAGES and weight > 0:
                wishes.append((weight, language))
    return max(wishes, key=lambda wish: wish[0])[1] if wishes else "en"


def _weight(text: str | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        return 0.0

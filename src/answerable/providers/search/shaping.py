"""From our words to a vendor's and back: query lengths, time windows, safe search, plain text."""

from __future__ import annotations

import html
import re
from typing import Literal

from answerable.text.cleaning import storable
from answerable.text.domains import Domains
from answerable.types import Focus, Freshness

Window = Literal["day", "week", "month", "year"]
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\ufeff]")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_LEVELS = ("off", "moderate", "strict")
_DIALECTS: dict[str, tuple[str | int, ...]] = {
    "numeric": (0, 1, 2),
    "words": _LEVELS,
    "switch": ("off", "on", "on"),
    "ddgs": ("off", "moderate", "on"),
}


def plain(value: object) -> str:
    """Text without tags and entities, white space folded; empty for what is no text."""
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value))
    return " ".join(storable(_CONTROL.sub(" ", text)).split())


def window_of(freshness: Freshness, focus: Focus = "web") -> Window | None:
    """Wide on purpose: the window only drops what is surely too old, ranking weighs the rest by age. On the web at
    large a year would drop what has no date: price lists, lists of releases, pages of offices."""
    if freshness == "live":
        return "week"
    return "year" if freshness == "recent" and focus in {"news", "academic"} else None


def fit_query(query: str, *, max_chars: int, max_words: int = 1000) -> str:
    """One line within a vendor's limits: repeated sentences go first, then the end, never part of a word."""
    sentences = dict.fromkeys(" ".join(part.split()) for part in _SENTENCE_END.split(query) if part.strip())
    folded = " ".join(query.split())
    if len(folded) > max_chars or len(folded.split()) > max_words:
        folded = " ".join(sentences)
    words = folded.split()[:max_words]
    kept: list[str] = []
    length = -1
    for word in words:
        length += len(word) + 1
        if length > max_chars:
            break
        kept.append(word)
    return " ".join(kept) or folded[:max_chars]  # a language without spaces is one long word


def with_sites(query: str, domains: Domains, *, max_chars: int, max_words: int = 1000) -> str:
    """The query with `site:` operators, for those who understand them, within the same limits.

    At most half the room goes to operators. Of names to keep to, those that fit are searched; names to leave out that
    do not fit are filtered afterwards.
    """
    room, words = max_chars // 2, max_words // 2
    keep = _fitting([f"site:{host}" for host in domains.keep_hosts], " OR ", room - 2, words)
    asked = f"({keep})" if " OR " in keep else keep
    leave = _fitting(
        [f"-site:{host}" for host in domains.leave_hosts], " ", room - len(asked) - 1, words - len(asked.split())
    )
    operators = " ".join(filter(None, (asked, leave)))
    if not operators:
        return fit_query(query, max_chars=max_chars, max_words=max_words)
    left = max_words - len(operators.split())
    return f"{fit_query(query, max_chars=max_chars - len(operators) - 1, max_words=left)} {operators}".strip()


def _fitting(operators: list[str], between: str, chars: int, words: int) -> str:
    while operators and (len(text := between.join(operators)) > chars or len(text.split()) > words):
        operators = operators[:-1]
    return between.join(operators)


def safe_value(level: str, dialect: str) -> str | int | None:
    """A safe search level in a vendor's dialect; None (leave it to the vendor) for what is no level, never off."""
    level = level.strip().lower()
    return _DIALECTS[dialect][_LEVELS.index(level)] if level in _LEVELS else None

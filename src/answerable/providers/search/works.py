"""What providers of scholarly works share: authors, years, DOIs and abstracts from odd fields."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from answerable.providers.search.shaping import plain

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_MOST_AUTHORS = 50  # some works have thousands
ABSTRACT = 1500  # characters that stand in for a page that cannot be read


def people(names: Iterable[object]) -> tuple[str, ...]:
    """Names as they are, each once; lists in one string ("A, B; C") are taken apart at semicolons only."""
    parts = [part for name in names for part in plain(name).split(";")]
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))[:_MOST_AUTHORS]


def doi_of(value: object) -> str:
    """Bare and in lower case, from an address or as it is; empty for what is none."""
    found = _DOI.search(value) if isinstance(value, str) else None
    return found[0].rstrip(".,;)").lower() if found else ""


def doi_url(doi: str) -> str:
    return f"https://doi.org/{doi}" if doi else ""


def year_of(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 1500 <= value < 2100 else None
    found = _YEAR.findall(value) if isinstance(value, str) else []
    return int(found[-1]) if found else None


def shortened(text: str) -> str:
    """An abstract, whole up to the last sentence that fits."""
    if len(text) <= ABSTRACT:
        return text
    cut = text[:ABSTRACT]
    end = max(cut.rfind(mark) for mark in (". ", "? ", "! ", "。"))
    return cut[: end + 1] if end > ABSTRACT // 2 else f"{cut.rpartition(' ')[0]} …"


def from_inverted(index: Any) -> str:
    """A text from the places of its words: {"tower": [1, 7], …}."""
    if not isinstance(index, dict):
        return ""
    placed = [
        (place, word)
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(placed)[:5_000])


def scholar_line(line: object) -> tuple[tuple[str, ...], str, int | None]:
    """Authors, venue and year from Google Scholar's one line: "A Turing, B Lee - Mind, 1950 - example.com"."""
    parts = [part.strip() for part in re.split(r"\s[-–]\s", plain(line))]
    authors = tuple(name.strip(" …") for name in parts[0].split(",") if name.strip(" …")) if parts else ()
    middle = parts[1] if len(parts) > 1 else ""
    year = year_of(middle)
    venue = re.sub(r",?\s*(?:1[5-9]|20)\d\d$", "", middle).strip(" …,")
    return authors, venue, year

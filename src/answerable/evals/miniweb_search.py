"""The search engine of the miniature web: BM25 over titles and text, answering as SearXNG does."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from lxml import etree, html

from answerable.text.analysis import content_words, index_tokens
from answerable.text.miniweb import Web, WebPage

_PAGE_SIZE = 10
_SNIPPET = 150
_TITLE_WEIGHT = 3
_RANGES = {"day": 1, "week": 7, "month": 31, "year": 366}
_NEWS_KINDS = {"news", "newspaper", "press"}
_SCIENCE_KINDS = {"academic", "science", "journal", "paper", "papers"}
_SEARCHED = ("text/html", "text/plain", "text/markdown", "application/xhtml+xml", "application/pdf")
_DATE_META = ("article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "pubdate")
_JSON_DATE = re.compile(r'"datePublished"\s*:\s*"([^"]+)"')
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the search engine knows of an address; of one that does not answer with words, its name."""

    url: str
    title: str
    text: str
    description: str
    published: datetime | None
    kind: str


class SearchIndex:
    """Built once from the pages as they are at `now`. Reads their files."""

    def __init__(self, web: Web, now: datetime) -> None:
        self.now = now
        self.entries = [_entry(page, now) for page in web.pages.values() if _can_be_found(page)]
        self.lengths: list[int] = []
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, entry in enumerate(self.entries):
            counts = Counter(index_tokens(entry.text))
            for token in index_tokens(entry.title):
                counts[token] += _TITLE_WEIGHT
            self.lengths.append(counts.total())
            for token, count in counts.items():
                self.postings[token].append((number, count))
        self.mean_length = sum(self.lengths) / max(1, len(self.lengths))

    def ranked(self, query: str) -> list[Entry]:
        scores: dict[int, float] = defaultdict(float)
        # In a small web "how" and "is" are rare, and would count as the words that matter.
        for token in set(index_tokens(" ".join(content_words(query)) or query)):
            holding = self.postings.get(token, [])
            rarity = math.log(1 + (len(self.entries) - len(holding) + 0.5) / (len(holding) + 0.5))
            for number, count in holding:
                length = 0.25 + 0.75 * self.lengths[number] / self.mean_length
                scores[number] += rarity * count * 2.2 / (count + 1.2 * length)
        return [self.entries[number] for number in sorted(scores, key=lambda number: (-scores[number], number))]

    def answer(self, parameters: Mapping[str, str]) -> dict[str, Any]:
        """The JSON of a SearXNG instance to the parameters of a request."""
        query = parameters.get("q", "").strip()
        found = self._in_categories(self.ranked(query), parameters.get("categories", ""))
        found = self._in_range(found, parameters.get("time_range", ""))
        page = max(1, int(number)) if (number := parameters.get("pageno", "1")).isdecimal() else 1
        shown = found[(page - 1) * _PAGE_SIZE : page * _PAGE_SIZE]
        results = [
            {
                "url": entry.url,
                "title": entry.title,
                "content": entry.description or _best_part(entry.text, query),
                "publishedDate": entry.published.isoformat() if entry.published else None,
                "engine": "miniweb",
                "engines": ["miniweb"],
                "positions": [place],
                "score": 1 / place,
                "category": "general",
            }
            for place, entry in enumerate(shown, (page - 1) * _PAGE_SIZE + 1)
        ]
        return {
            "query": query,
            "number_of_results": len(found),
            "results": results,
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [],
        }

    def _in_categories(self, found: list[Entry], categories: str) -> list[Entry]:
        """A category narrows where the folder has such pages; otherwise it is the whole web."""
        names = {name.strip().lower() for name in categories.split(",")}
        if "general" in names or not names & {"news", "science"}:
            return found
        kinds = _NEWS_KINDS if "news" in names else _SCIENCE_KINDS
        return [entry for entry in found if entry.kind in kinds] or (
            [entry for entry in found if entry.published] if "news" in names else found
        )

    def _in_range(self, found: list[Entry], time_range: str) -> list[Entry]:
        if (days := _RANGES.get(time_range)) is None:
            return found
        # A page often tells only its day, so the whole first day counts.
        since = (self.now - timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0)
        return [entry for entry in found if entry.published and entry.published >= since]


def _can_be_found(page: WebPage) -> bool:
    return page.media_type in _SEARCHED and page.path not in ("/robots.txt", "/llms.txt")


def _entry(page: WebPage, now: datetime) -> Entry:
    title, text, description, published = "", "", "", None
    if page.file and page.is_text:
        source = page.text(now)
        if page.media_type.endswith("html"):
            title, text, description, published = _read_html(source, now)
        else:
            title, text = source.strip().split("\n", 1)[0].lstrip("# ")[:100], source
    return Entry(
        page.url,
        page.title or title or _title_from_path(page),
        f"{text} {page.description}".strip(),
        page.description or description,
        published,
        page.kind.lower(),
    )


def _title_from_path(page: WebPage) -> str:
    words = _SPACE.sub(" ", re.sub(r"\.[a-z]{2,5}$|[-_/+.?=&]", " ", page.path)).strip()
    return words or page.host


def _read_html(source: str, now: datetime) -> tuple[str, str, str, datetime | None]:
    """Title, visible text, description and date of a page."""
    try:
        tree = html.document_fromstring(source.encode(), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return "", source, "", None
    metas = {
        (meta.get("name") or meta.get("property") or meta.get("itemprop") or "").lower(): meta.get("content") or ""
        for meta in tree.iter("meta")
    }
    dates = [metas[name] for name in _DATE_META if name in metas] + _JSON_DATE.findall(source)
    dates += [time.get("datetime") or "" for time in tree.iter("time")]
    title = _folded("".join(tree.xpath("//title[1]//text()")))
    heading = _folded(" ".join(tree.xpath("(//h1)[1]//text()")))
    etree.strip_elements(tree, "script", "style", "noscript", "template", "title", etree.Comment, with_tail=False)
    text = _folded(" ".join(tree.itertext()))
    description = _folded(metas.get("description") or metas.get("og:description") or "")
    return title or heading, text, description, next(filter(None, (_moment(date, now) for date in dates)), None)


def _moment(text: str, now: datetime) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _best_part(text: str, query: str) -> str:
    """The 150 characters that hold most of the query's words, cut between words."""
    wanted = set(index_tokens(query))
    words = text.split()
    hits = [bool(wanted & set(index_tokens(word))) for word in words[:2000]]
    best, best_score = 0, -1
    for start in range(0, max(1, len(hits)), 4):
        score = len(
            {index_tokens(word)[0] for word, hit in zip(words[start : start + 22], hits[start:], strict=False) if hit}
        )
        if score > best_score:
            best, best_score = start, score
    part = " ".join(words[best : best + 60])
    if len(part) <= _SNIPPET:
        return part
    return part[: part.rfind(" ", 0, _SNIPPET + 1) if " " in part[: _SNIPPET + 1] else _SNIPPET]


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip()

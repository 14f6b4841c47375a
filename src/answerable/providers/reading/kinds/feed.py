"""RSS, Atom and JSON feeds, and sitemaps: each entry under its title, with its date, address and summary."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

from answerable.providers.reading.extracted import Extracted, Job
from answerable.providers.reading.htmltree import parse_html, prune, prune_hidden
from answerable.providers.reading.kinds.composing import Composer
from answerable.providers.reading.kinds.text import name_of
from answerable.providers.reading.walker import walk
from answerable.text.dates import parse_date
from answerable.types import PageKind

_MAX_ENTRIES = 500  # feeds hold 10 to 50; more are an archive, whose newest come first
_SITEMAP = re.compile(r"<(?:\w+:)?(?:urlset|sitemapindex)\b", re.IGNORECASE)
_LOCATION = re.compile(
    r"<(?:url|sitemap)\b.*?<loc>\s*(.*?)\s*</loc>(?:(?:(?!</(?:url|sitemap)>).)*?<lastmod>\s*(.*?)\s*</lastmod>)?",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a feed tells of one page. `text` may be HTML."""

    title: str = ""
    link: str = ""
    text: str = ""
    author: str = ""
    published: datetime | None = None
    updated: datetime | None = None


def read_feed(text: str, job: Job) -> Extracted:
    """Never raises for what a feed holds; a broken one is read as far as it can be."""
    if _SITEMAP.search(text[:4000]):
        return _sitemap(text, job)
    import feedparser  # takes 0.1 s to import

    headers = {"content-type": "application/xml; charset=utf-8", "content-location": job.url}
    source = io.BytesIO(text.encode("utf-8", "replace"))
    try:
        found = feedparser.parse(source, response_headers=headers, sanitize_html=False, resolve_relative_uris=False)
    except (ValueError, TypeError, AttributeError, KeyError, IndexError, LookupError, RecursionError) as fault:
        # Its parser trips over some fields instead of leaving them out.
        return Extracted("feed", cause="decode", message=f"a broken feed ({type(fault).__name__})")
    feed = found.feed
    return written_feed("feed", _plain(str(feed.get("title") or "")), _entries(found.entries, job), job)


def written_feed(kind: PageKind, title: str, entries: Iterable[Entry], job: Job) -> Extracted:
    """The page of a feed; its newest entry dates it."""
    out = Composer()
    newest: datetime | None = None
    out.add("heading", title, level=1)
    held = 0
    for entry in entries:
        if held >= _MAX_ENTRIES or out.full:
            out.cut = "size"
            break
        held += 1
        dates = [moment for moment in (entry.published, entry.updated) if moment and moment <= job.now]
        newest = max([*dates, *([newest] if newest else [])], default=None)
        out.add("heading", _plain(entry.title) or entry.link or f"{held}", level=2)
        out.add("paragraph", " · ".join(_told(entry, job)))
        for kind_, text in _blocks(entry.text):
            out.add(kind_, text, level=3)
    if not held:
        return Extracted(kind, cause="empty", message="a feed without entries")
    return out.extracted(kind, title or name_of(job.url), modified=newest)


def _told(entry: Entry, job: Job) -> Iterator[str]:
    if entry.published:
        yield _day(entry.published)
    if entry.updated and (entry.published is None or entry.updated.date() != entry.published.date()):
        yield f"updated {_day(entry.updated)}"
    if entry.author:
        yield _plain(entry.author)
    if entry.link:
        try:
            yield urljoin(job.url, entry.link)
        except ValueError:
            yield entry.link


def _day(moment: datetime) -> str:
    return f"{moment.year:04}-{moment.month:02}-{moment.day:02}"


def _entries(found: Iterable[Any], job: Job) -> Iterator[Entry]:
    for entry in found:
        content = max((str(part.get("value") or "") for part in entry.get("content") or ()), key=len, default="")
        yield Entry(
            title=str(entry.get("title") or ""),
            link=str(entry.get("link") or ""),
            text=content or str(entry.get("summary") or ""),
            author=str(entry.get("author") or ""),
            published=_moment(entry, "published", job.now),
            updated=_moment(entry, "updated", job.now),
        )


def _moment(entry: Any, name: str, now: datetime) -> datetime | None:
    """As written where that can be read, since it has the zone; else as the parser made it out."""
    if name not in entry:  # its `get` would put the one date in the place of the other
        return None
    moment = parse_date(str(entry[name]), now)
    parsed = entry.get(f"{name}_parsed")
    if moment is None and parsed:
        try:
            moment = datetime(*parsed[:6]).replace(tzinfo=UTC)
        except ValueError:
            return None
    return moment


def _blocks(markup: str) -> Iterator[tuple[Any, str]]:
    """A summary, which may be HTML, as blocks; what is hidden in it is left out."""
    if "<" not in markup and "&" not in markup:
        yield "paragraph", markup
        return
    tree = parse_html(markup)
    if tree is None:
        return
    prune_hidden(tree)
    prune(tree)
    for raw in walk(tree):
        yield raw.kind, raw.text


def _plain(markup: str) -> str:
    """One line of text from what may be HTML."""
    if "<" not in markup and "&" not in markup:
        return " ".join(markup.split())
    tree = parse_html(markup)
    return "" if tree is None else " ".join(tree.text_content().split())


def _sitemap(text: str, job: Job) -> Extracted:
    out = Composer()
    for match in _LOCATION.finditer(text):
        address = _plain(match[1])
        moment = parse_date(match[2], job.now) if match[2] else None
        if not out.add("list_item", f"{address} ({_day(moment)})" if moment else address):
            break
    return out.extracted("feed", name_of(job.url), nothing="a sitemap without addresses")

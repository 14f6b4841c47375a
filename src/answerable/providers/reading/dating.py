"""When a page was published and changed: what it says in structured data, in its head, on itself and in its address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

from answerable.providers.reading.htmltree import sizes_of
from answerable.providers.reading.naming import called, remembered
from answerable.text.dates import parse_date

_EARLIEST = 1990  # the web's first pages; older dates are of what a page tells, unless structured data says so
_PUBLISHED = {
    "article:published_time", "og:published_time", "og:article:published_time", "datepublished", "date_published",
    "article.published", "published", "published_at", "published-date", "publish_date", "publishdate", "publish-date",
    "publication_date", "pubdate", "dc.date", "dc.date.issued", "dc.date.created", "dcterms.created", "dcterms.issued",
    "dcterms.date", "citation_publication_date", "citation_date", "citation_online_date", "parsely-pub-date",
    "sailthru.date", "article_date_original", "originalpublicationdate", "cxenseparse:recs:publishtime", "uploaddate",
    "bt:pubdate", "datecreated",
}  # fmt: skip
_MODIFIED = {
    "article:modified_time", "og:updated_time", "og:modified_time", "datemodified", "date_modified", "modified",
    "last-modified", "lastmod", "last_modified", "dc.date.modified", "dcterms.modified", "article.updated",
    "updated_time", "bt:moddate",
}  # fmt: skip
_UPDATED_WORDS = re.compile(
    r"\b(?:updated|modified|reviewed|revised|last (?:update|change|edited)|aktualisiert|ge[äa]ndert|mis à jour|modifié"
    r"|actualizado|aggiornato|bijgewerkt)\b",
    re.IGNORECASE,
)
_PUBLISHED_WORDS = re.compile(
    r"\b(?:published|posted|first published|publi[ée]|publicado|pubblicato|ver[öo]ffentlicht"
    r"|erschienen|gepubliceerd)\b",
    re.IGNORECASE,
)
_WRITTEN_DATE = re.compile(
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{4}年\s?\d{1,2}月\s?\d{1,2}日|\d{1,2}\.\s?\d{1,2}\.\s?\d{4}|\d{1,2}[-/]\d{1,2}[-/]\d{4}"
    r"|\d{1,2}(?:st|nd|rd|th|er|º|\.)?(?:\s+de)?\s+[^\W\d_]{3,10}\.?,?(?:\s+de)?\s+\d{4}"
    r"|[^\W\d_]{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})(?![\w-])"
)
_ZONED = re.compile(r"\d:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})\s*\Z")
_DASHED = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})")
_URL_DATE = re.compile(r"/((?:19|20)\d{2})[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?:/|-|$)")


def dates_of(
    tree: HtmlElement, url: str, items: list[dict[str, Any]], metas: list[tuple[str, str]], now: datetime
) -> tuple[datetime | None, datetime | None]:
    """(published, modified), with their time zone; None for what is not known. `items`: of the structured data about
    this page, the surest first. Never of the future, never the footer's year, never the day that a template shows."""
    published = _first((item.get("datePublished") or item.get("dateCreated") for item in items), now, earliest=1800)
    modified = _first((item.get("dateModified") for item in items), now, earliest=1800)
    published = published or _first((value for name, value in metas if name in _PUBLISHED), now)
    modified = modified or _first((value for name, value in metas if name in _MODIFIED), now)
    published = published or _first(_marked(tree, "datePublished"), now) or _first(_marked(tree, "dateCreated"), now)
    modified = modified or _first(_marked(tree, "dateModified"), now)
    if published is None or modified is None:
        said_published, said_modified = _said(tree, now)
        published, modified = published or said_published, modified or said_modified
    if published is None and (match := _URL_DATE.search(url)):
        published = _first(["-".join(match.groups())], now)
    if published and modified and modified < published:
        modified = None
    return published, modified


def _first(values: Iterable[Any], now: datetime, *, earliest: int = _EARLIEST) -> datetime | None:
    """The first value that is a date a page can have: not of the future, not older than the web."""
    for value in values:
        value = _plain(value)
        moment = _moment(value, now) if isinstance(value, str | int | float) else None
        if moment is None or moment.timestamp() == 0:  # the zero of a clock, which programs write for "not known"
            continue
        ahead = timedelta(hours=1) if _ZONED.search(str(value)) else timedelta(days=1)  # it may be tomorrow elsewhere
        if moment.year >= earliest and moment <= now + ahead:
            return moment
    return None


def _plain(value: Any) -> Any:
    """The value itself of one that structured data wraps."""
    if isinstance(value, list) and value:
        value = value[0]
    return value.get("@value") if isinstance(value, dict) else value


def _moment(value: str | int | float, now: datetime) -> datetime | None:
    moment = parse_date(value, now)
    if moment is None and isinstance(value, str) and (written := _WRITTEN_DATE.search(value[:200])):
        moment = parse_date(_DASHED.sub(r"\1/\2/\3", written[0]), now)
    return moment


def _marked(tree: HtmlElement, name: str) -> Iterator[str]:
    for element in tree.xpath(f".//*[@itemprop='{name}']"):
        if any(_COMMENT.search(above.get("class") or "") for above in islice(element.iterancestors(), 12)):
            continue
        yield element.get("datetime") or element.get("content") or _folded(element.text_content())[:60]


def _said(tree: HtmlElement, now: datetime) -> tuple[datetime | None, datetime | None]:
    """From time elements and from lines near the heading, outside comments, lists of other pages, and the footer."""
    published = modified = None
    for element in _dated_elements(tree):
        text = _folded(element.text_content())
        around = text if element.tag != "time" else _folded(element.getparent().text_content())[:200]
        value = element.get("datetime") if element.tag == "time" else None
        # "3 hours ago" in a time element is counted from the moment of reading: nothing else on the page is later.
        found = (
            [value, text] if value else _WRITTEN_DATE.findall(text) or [_PUBLISHED_WORDS.sub("", text).strip(" :·|–-")]
        )
        moment = _first(found, now)
        if moment is None or (moment.date() == now.date() and not _dates_the_page(element, around)):
            continue
        if _UPDATED_WORDS.search(around) and not _PUBLISHED_WORDS.search(around):
            modified = modified or moment
        elif published is None and (element.tag == "time" or _says_published(text) or _byline(text)):
            published = moment
        if published and modified:
            break
    return published, modified


def _dates_the_page(element: HtmlElement, around: str) -> bool:
    """Whether today's date is said of the page: many templates show the day on which they are read."""
    if _PUBLISHED_WORDS.search(around) or _UPDATED_WORDS.search(around) or element.get("datetime"):
        return True
    above = (element, *islice(element.iterancestors(), 3))
    return any(_is_dating(f"{e.get('class') or ''} {e.get('itemprop') or ''}") for e in above)


_COMMENT = re.compile(r"(?:^|[\s_-])comments?(?:$|[\s_-])", re.IGNORECASE)
_is_dating = remembered(re.compile(r"publish|posted|byline|entry-date|post-date|article-date|timestamp", re.IGNORECASE))
_is_elsewhere_named = remembered(
    re.compile(
        r"(?:^|[\s_-])(?:comments?|related|sidebar|footer|recent|latest|more|nav|list|card|teasers?|archive)", re.I
    )
)


def _dated_elements(tree: HtmlElement) -> Iterator[HtmlElement]:
    sizes = sizes_of(tree)
    for element in tree.iter("time", "p", "span", "div", "small", "li", "a", "em", "td", "dd", "address"):
        if element.tag != "time":
            if len(element) > 6 or not 6 <= sizes.get(element, 0) <= 140:
                continue
            text = element.text_content()
            if len(text) > 140 or not (_WRITTEN_DATE.search(text) or _is_age(element, text)):
                continue
        if not any(_elsewhere(above) for above in (element, *element.iterancestors())):
            yield element


def _is_age(element: HtmlElement, text: str) -> bool:
    """Whether it is named as a date and short: "2 days ago" is one there, and only there."""
    return len(text) <= 40 and _is_dating(f"{element.get('class') or ''} {element.get('itemprop') or ''}")


def _elsewhere(element: HtmlElement) -> bool:
    if element.tag in {"footer", "nav", "aside"}:
        return True
    return element.tag not in {"html", "body", "main"} and _is_elsewhere_named(called(element))


def _says_published(text: str) -> bool:
    date = _WRITTEN_DATE.search(text)
    return date is not None and bool(_PUBLISHED_WORDS.search(text[max(0, date.start() - 25) : date.start()]))


def _byline(text: str) -> bool:
    """A line that is little more than a date, as under a headline: a sentence that tells of a date is none."""
    rest = _WRITTEN_DATE.sub("", text)
    return (
        len(rest) <= 40
        and not re.search(r"©|copyright|\ball rights\b", text, re.IGNORECASE)
        and not rest.rstrip().endswith(".")
    )


def _folded(text: str) -> str:
    return " ".join(text.split())

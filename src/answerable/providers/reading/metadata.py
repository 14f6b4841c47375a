"""What a page says of itself: title, author, language, dates. Unknown is None, never a guess."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from lxml.html import HtmlElement

from answerable.text.dates import parse_date
from answerable.text.urls import host_of

_SEPARATOR = re.compile(r"\s+[|\-–—·•»:]{1,2}\s+|\s+::\s+")
_AROUND_PARTS = " |-–—·•»:"
_NO_TITLE = {"", "untitled", "untitled document", "home", "index", "new page", "document", "page"}
_WORD = re.compile(r"\w+")
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
_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WRITTEN_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTHS}\.?,?\s+\d{{4}}|{_MONTHS}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}})\b",
    re.IGNORECASE,
)
_URL_DATE = re.compile(r"/((?:19|20)\d{2})[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?:/|-|$)")
_ARTICLE_TYPES = {"article", "newsarticle", "blogposting", "reportagenewsarticle", "techarticle", "scholarlyarticle",
                  "webpage", "discussionforumposting", "question", "qapage", "report", "recipe", "review",
                  "liveblogposting", "medicalwebpage", "faqpage", "aboutpage", "advertisercontentarticle",
                  "analysisnewsarticle", "opinionnewsarticle", "videoobject", "product", "howto"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metadata:
    title: str = ""
    site_name: str = ""
    author: str | None = None
    language: str | None = None
    canonical: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    types: frozenset[str] = frozenset()  # of its structured data, in lower case
    free: bool = True  # False: the page says that it is for subscribers


def read_metadata(tree: HtmlElement, url: str, now: datetime) -> Metadata:
    """To be called before the tree is pruned: scripts hold the structured data."""
    items = [item for item in structured_data(tree) if _types(item) & _ARTICLE_TYPES]
    metas = list(_metas(tree))
    named = dict(reversed(metas))
    site_name = named.get("og:site_name") or named.get("application-name") or _publisher(items)
    published, modified = _dates(tree, url, items, metas, now)
    canonical = next((e.get("href") for e in tree.iter("link") if (e.get("rel") or "").lower() == "canonical"), None)
    return Metadata(
        title=_title(tree, items, named, site_name, url),
        site_name=site_name,
        author=_author(tree, items, named),
        language=_language(tree, named),
        canonical=canonical,
        published=published,
        modified=modified,
        types=frozenset(kind for item in structured_data(tree) for kind in _types(item)),
        free=not any(str(item.get("isAccessibleForFree", "")).lower() == "false" for item in items),
    )


def structured_data(tree: HtmlElement) -> Iterator[dict[str, Any]]:
    for script in tree.iter("script"):
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json" or not script.text:
            continue
        try:
            yield from _objects(json.loads(script.text.strip().removesuffix(";"), strict=False), 0)
        except (ValueError, RecursionError):
            continue


def _objects(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for part in value[:50]:
            yield from _objects(part, depth)
    elif isinstance(value, dict):
        yield value
        if depth < 3:
            for name in ("@graph", "mainEntity", "mainEntityOfPage"):
                yield from _objects(value.get(name), depth + 1)


def _types(item: dict[str, Any]) -> set[str]:
    kinds = item.get("@type") or ""
    return {str(kind).rpartition("/")[2].lower() for kind in (kinds if isinstance(kinds, list) else [kinds])} - {""}


def _metas(tree: HtmlElement) -> Iterator[tuple[str, str]]:
    for meta in tree.iter("meta"):
        content = " ".join((meta.get("content") or "").split())
        if content:
            for attribute in ("property", "name", "itemprop", "http-equiv"):
                if meta.get(attribute):
                    yield meta.get(attribute).strip().lower(), content


def _publisher(items: list[dict[str, Any]]) -> str:
    for item in items:
        publisher = item.get("publisher")
        if isinstance(publisher, dict) and isinstance(publisher.get("name"), str):
            return str(publisher["name"]).strip()
    return ""


def _title(tree: HtmlElement, items: list[dict[str, Any]], named: dict[str, str], site_name: str, url: str) -> str:
    """The page's own heading where it agrees with what the head says, else the head's without the site's name."""
    said = tree.findtext(".//head/title") or tree.findtext("./title") or ""
    headline = next((h for item in items if isinstance(h := item.get("headline"), str)), "")
    heads = [named.get("og:title", ""), headline, said, named.get("twitter:title", "")]
    heads = [head for head in (_folded(head) for head in heads) if head.lower() not in _NO_TITLE]
    headings = [h for e in tree.iter("h1") if not _svg(e) and (h := _folded(e.text_content()).rstrip("¶# "))][:4]
    for heading in headings:
        if len(heading) <= 200 and (not heads or any(_agree(heading, head) for head in heads)):
            return heading
    if heads:
        return without_site(heads[0], site_name, url)
    if headings:
        return headings[0][:200]
    for tag in ("h2", "h3"):
        for element in tree.iter(tag):
            if heading := _folded(element.text_content()):
                return heading[:200]
    return ""


def without_site(title: str, site_name: str, url: str) -> str:
    parts = _SEPARATOR.split(title)
    if len(parts) < 2:
        return title
    host = host_of(url).removeprefix("www.")
    own = {_key(site_name), _key(host), _key(host.rpartition(".")[0]), _key(host.split(".")[0])} - {""}
    first_end, last_start = len(parts[0]), len(title) - len(parts[-1])
    if _is_site(parts[-1], own):
        return title[:last_start].rstrip(_AROUND_PARTS)
    if _is_site(parts[0], own):
        return title[first_end:].lstrip(_AROUND_PARTS)
    # An unknown last part that is short beside the rest is most likely the site's name all the same.
    if len(parts[-1]) <= 30 and len(parts[-1].split()) <= 3 and last_start > 2 * len(parts[-1]):
        return title[:last_start].rstrip(_AROUND_PARTS)
    return title


def _is_site(part: str, own: set[str]) -> bool:
    key = _key(part)
    return bool(key) and any(key == name or (len(key) > 4 and (key in name or name in key)) for name in own)


def _key(text: str) -> str:
    return "".join(_WORD.findall(text.lower()))


def _agree(heading: str, head: str) -> bool:
    """Whether a heading is the title: most words of the shorter one stand in the longer one."""
    a, b = set(_WORD.findall(heading.lower())), set(_WORD.findall(head.lower()))
    return bool(a and b) and len(a & b) >= 0.6 * min(len(a), len(b))


def _svg(element: HtmlElement) -> bool:
    return any(above.tag == "svg" for above in element.iterancestors())


def _author(tree: HtmlElement, items: list[dict[str, Any]], named: dict[str, str]) -> str | None:
    for item in items:
        people = item.get("author")
        people = people if isinstance(people, list) else [people]
        names = [p.get("name") if isinstance(p, dict) else p for p in people]
        told = [_folded(n) for n in names if isinstance(n, str) and n.strip() and "://" not in n]
        if told:
            return ", ".join(told[:5])[:200]
    for name in ("author", "article:author", "dc.creator", "citation_author", "parsely-author", "sailthru.author"):
        value = named.get(name, "")
        if value and "://" not in value and len(value) < 120:
            return value
    for element in tree.xpath(".//*[@itemprop='author'] | .//a[@rel='author']"):
        value = _folded(element.text_content())
        if 2 < len(value) < 80:
            return value
    return None


def _language(tree: HtmlElement, named: dict[str, str]) -> str | None:
    root = tree.getroottree().getroot()
    value = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang")
    value = (value or named.get("content-language") or named.get("og:locale") or "").strip().replace("_", "-")
    match = re.match(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}\b", value)
    return match[0] if match else None


def _dates(
    tree: HtmlElement, url: str, items: list[dict[str, Any]], metas: list[tuple[str, str]], now: datetime
) -> tuple[datetime | None, datetime | None]:
    published = _first((item.get("datePublished") or item.get("dateCreated") for item in items), now, earliest=1800)
    modified = _first((item.get("dateModified") for item in items), now, earliest=1800)
    published = published or _first((value for name, value in metas if name in _PUBLISHED), now)
    modified = modified or _first((value for name, value in metas if name in _MODIFIED), now)
    published = published or _first(_marked(tree, "datePublished"), now)
    modified = modified or _first(_marked(tree, "dateModified"), now)
    if published is None or modified is None:
        said_published, said_modified = _said(tree, now)
        published, modified = published or said_published, modified or said_modified
    if published is None and (match := _URL_DATE.search(url)):
        published = _first(["-".join(match.groups())], now)
    if published and modified and modified < published:
        modified = None
    return published, modified


def _first(values: Any, now: datetime, *, earliest: int = _EARLIEST) -> datetime | None:
    """The first value that is a date a page can have: not of the future, not older than the web."""
    for value in values:
        moment = parse_date(value, now) if isinstance(value, str | int | float) else None
        if moment is not None and moment.year >= earliest and moment <= now + timedelta(days=1):
            return moment
    return None


def _marked(tree: HtmlElement, name: str) -> Iterator[str]:
    for element in tree.xpath(f".//*[@itemprop='{name}']"):
        yield element.get("datetime") or element.get("content") or _folded(element.text_content())[:60]


def _said(tree: HtmlElement, now: datetime) -> tuple[datetime | None, datetime | None]:
    """From time elements and from lines near the heading, outside comments, lists of other pages, and the footer."""
    published = modified = None
    for element in _dated_elements(tree):
        text = _folded(element.text_content())
        around = text if element.tag != "time" else _folded(element.getparent().text_content())[:200]
        value = element.get("datetime") if element.tag == "time" else None
        found = [value] if value else _WRITTEN_DATE.findall(text)
        moment = _first(found, now)
        if moment is None:
            continue
        if _UPDATED_WORDS.search(around) and not _PUBLISHED_WORDS.search(around):
            modified = modified or moment
        elif published is None and (element.tag == "time" or _says_published(text) or _byline(text)):
            published = moment
        if published and modified:
            break
    return published, modified


_ELSEWHERE = re.compile(
    r"(?:^|[\s_-])(?:comments?|related|sidebar|footer|recent|latest|more|nav|list|card|teasers?|archive)", re.I
)


def _dated_elements(tree: HtmlElement) -> Iterator[HtmlElement]:
    for element in tree.iter("time", "p", "span", "div", "small", "li"):
        if element.tag != "time":
            if len(element) > 6:
                continue
            text = element.text_content()
            if len(text) > 140 or not _WRITTEN_DATE.search(text):
                continue
        if not any(_elsewhere(above) for above in (element, *element.iterancestors())):
            yield element


def _elsewhere(element: HtmlElement) -> bool:
    if element.tag in {"footer", "nav", "aside"}:
        return True
    return element.tag not in {"html", "body", "main"} and bool(
        _ELSEWHERE.search(f"{element.get('class') or ''} {element.get('id') or ''}")
    )


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

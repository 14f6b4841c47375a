"""What a page says of itself: title, author, language, dates. Unknown is None, never a guess."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml import etree
from lxml.html import HtmlElement

from answerable.providers.reading.authors import author_of
from answerable.providers.reading.dating import dates_of
from answerable.text.cleaning import shortened
from answerable.text.urls import host_of, is_web_url

_SEPARATOR = re.compile(r"\s+[|\-–—·•»:]{1,2}\s+|\s+::\s+")
_AROUND_PARTS = " |-–—·•»:"
_NO_TITLE = {"", "untitled", "untitled document", "home", "index", "new page", "document", "page"}
_WORD = re.compile(r"\w+")
_BOARD_TYPES = {"discussionforumposting", "qapage", "question"}
_BOARD_PATH = re.compile(
    r"/(?:forums?|threads?|topics?|viewtopic|showthread|questions?|community|t|discussions?|comments)(?:[/.?-]|$)"
    r"|//(?:forums?|community|discuss(?:ion)?|boards?|answers|ask)\.",
    re.IGNORECASE,
)
_DESCRIBED_ITEMS, _DESCRIBED_CHARS = 10, 20_000
_NAME_CHARS, _ADDRESS_CHARS = 100, 2000
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
    described: str = ""  # what the head and the structured data say that the page holds
    og_type: str = ""  # of the Open Graph: article, product, website and the like, in lower case


def read_metadata(tree: HtmlElement, url: str, now: datetime) -> Metadata:
    """To be called before the tree is pruned: scripts hold the structured data."""
    said = list(structured_data(tree))
    items = [item for item in said if _types(item) & _ARTICLE_TYPES]
    metas = list(_metas(tree))
    named = dict(reversed(metas))
    site_name = _site_name(named, said, items)
    title = _title(tree, items, named, site_name, url)
    types = _page_types(tree, said)
    published, modified = dates_of(tree, url, of_page(items, url, title), metas, now)
    return Metadata(
        title=title,
        site_name=site_name,
        author=author_of(tree, of_page(items, url, title), named, said, board=is_board(types, url)),
        language=_language(tree, named),
        canonical=_canonical(tree, named, url),
        published=published,
        modified=modified,
        types=types,
        free=not any(str(item.get("isAccessibleForFree", "")).lower() == "false" for item in items),
        described=_described(items, named),
        og_type=named.get("og:type", "").lower(),
    )


def _page_types(tree: HtmlElement, said: list[dict[str, Any]]) -> frozenset[str]:
    """Of the structured data, and of the marks in the page where they tell of one thing only: a shop's list marks many
    products."""
    types = {kind for item in said for kind in _types(item)}
    marked = Counter(str(kind).rpartition("/")[2].lower() for kind in tree.xpath(".//@itemtype"))
    types |= {kind for kind in ("product", "qapage", "discussionforumposting") if marked[kind] == 1}
    if "faqpage" in types and not types & {"qapage", "discussionforumposting"}:
        types.discard("question")  # those it answers itself
    return frozenset(types)


def _described(items: list[dict[str, Any]], named: dict[str, str]) -> str:
    parts = [named.get(name, "") for name in ("description", "og:description")]
    for item in items[:_DESCRIBED_ITEMS]:
        parts += [said for name in ("description", "articleBody", "text") if isinstance(said := item.get(name), str)]
    return "\n".join(dict.fromkeys(part for part in parts if part))[:_DESCRIBED_CHARS]


def is_board(types: frozenset[str], url: str) -> bool:
    """Whether what is posted on the page is its text: a forum's thread, a question with its answers."""
    return bool(types & _BOARD_TYPES or _BOARD_PATH.search(url))


def structured_data(tree: HtmlElement) -> Iterator[dict[str, Any]]:
    """The objects of the page's JSON-LD; of a script that is no JSON, what can be read of it all the same."""
    for script in tree.iter("script"):
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json" or not script.text:
            continue
        text = _WRAPPING.sub("", script.text.strip()).removesuffix(";")
        for attempt in (text, _TRAILING_COMMA.sub(r"\1", unescape(text))):
            try:
                said = json.loads(attempt, strict=False)
            except (ValueError, RecursionError):
                continue
            yield from _objects(said, 0)
            break
        else:
            if fields := dict(reversed(_BROKEN_FIELD.findall(text[:100_000]))):
                author = _BROKEN_AUTHOR.search(text[:100_000])
                yield {**fields, **({"author": author[1]} if author else {})}


_WRAPPING = re.compile(r"\A(?:\s*(?://)?\s*<!\[CDATA\[|\s*<!--)|(?:(?://)?\s*\]\]>|-->)\s*\Z")
_TRAILING_COMMA = re.compile(r",\s*([}\]])")
_BROKEN_FIELD = re.compile(r'"(@type|datePublished|dateModified|headline)"\s*:\s*"([^"\n]{1,300})"')
_BROKEN_AUTHOR = re.compile(r'"author"\s*:\s*[\[{\s]*(?:[^{}\[\]]{0,200}?"name"\s*:\s*)?"([^"\n]{2,80})"')


def of_page(items: list[dict[str, Any]], url: str, title: str) -> list[dict[str, Any]]:
    """What the structured data says of this page itself before what it says of others it lists."""
    path = urlsplit(url).path.rstrip("/")

    def strangeness(item: dict[str, Any]) -> int:
        named = str(item.get("headline") or item.get("name") or "")
        whole = item.get("mainEntityOfPage")
        held = whole.get("@id") if isinstance(whole, dict) else whole
        addresses = [str(a) for a in (item.get("url"), item.get("@id"), held) if isinstance(a, str)]
        if (named and _agree(named, title)) or any(urlsplit(a).path.rstrip("/") == path for a in addresses if path):
            return 0
        return 1

    return sorted(items, key=strangeness)


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


def _site_name(named: dict[str, str], said: list[dict[str, Any]], items: list[dict[str, Any]]) -> str:
    """What the page calls its site."""
    sites = (item.get("name") for item in said if "website" in _types(item))
    told = [named.get("og:site_name"), named.get("application-name"), _publisher(items), *sites]
    return next((shortened(name, _NAME_CHARS) for name in told if isinstance(name, str) and name.strip()), "")


def _canonical(tree: HtmlElement, named: dict[str, str], url: str) -> str | None:
    """The address that the page calls its own, in full; None for none that a page can have."""
    links = (e.get("href") for e in tree.iter("link") if "canonical" in (e.get("rel") or "").lower().split())
    told = next((href.strip() for href in links if href and href.strip()), named.get("og:url", ""))
    base = next((e.get("href") for e in tree.iter("base") if e.get("href")), "")
    try:
        whole = urljoin(urljoin(url, base.strip()), told).partition("#")[0] if told else ""
        userinfo = "@" in urlsplit(whole).netloc
    except ValueError:
        return None
    return whole if is_web_url(whole) and not userinfo and len(whole) <= _ADDRESS_CHARS else None


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
    headings = [h for e in tree.iter("h1") if not _svg(e) and (h := _heading_text(e))][:4]
    names = [without_site(head, site_name, url) for head in heads]
    for heading in headings:
        if len(heading) <= 200 and (not heads or _is_title(heading, heads, names, site_name, url)):
            return heading
        names = [without_site(name, heading, url) for name in names]  # what stands over every page of the site
    if heads:
        return names[0]
    if headings:
        return headings[0][:200]
    for tag in ("h2", "h3"):
        for element in tree.iter(tag):
            if heading := _folded(element.text_content()):
                return heading[:200]
    return ""


def _heading_text(element: HtmlElement) -> str:
    """Of a heading in one line; words that a line break or an inner block parts stay apart."""
    parts: list[str] = []
    for inner in element.iter(etree.Element):
        if inner.tag in {"br", "div", "p", "span"} and parts and inner.tag != "span":
            parts.append(" ")
        parts += [inner.text or ""] if inner.tag not in {"script", "style", "svg"} else []
        parts.append((inner.tail or "") if inner is not element else "")
    return _folded("".join(parts)).rstrip("¶# ")


def _is_title(heading: str, heads: list[str], names: list[str], site_name: str, url: str) -> bool:
    """Whether a heading says what the head of the page says, and not merely the site's name over all its pages."""
    if not any(_agree(heading, name) for name in names) and not any(_agree(heading, head) for head in heads):
        return False
    parts = [part for head in heads for part in _SEPARATOR.split(head)]
    same = {part for part in parts if _key(part) == _key(heading)}
    if len(set(map(_key, parts))) < 2 or not same:
        return True
    if _is_site(heading, own_names(site_name, url)):
        return False
    # A heading that is one part of the head: the address tells whether that part or another is of this page.
    slug = set(_WORD.findall(urlsplit(url).path.lower().replace("_", " ")))
    own = len(slug & set(_WORD.findall(heading.lower())))
    rest = max(len(slug & set(_WORD.findall(part.lower()))) for part in parts if _key(part) != _key(heading))
    return own >= rest


def own_names(site_name: str, url: str) -> set[str]:
    host = host_of(url).removeprefix("www.")
    return {_key(site_name), _key(host), _key(host.rpartition(".")[0]), _key(host.split(".")[0])} - {""}


def without_site(title: str, site_name: str, url: str) -> str:
    parts = _SEPARATOR.split(title)
    if len(parts) < 2:
        return title
    own = own_names(site_name, url)
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


def _language(tree: HtmlElement, named: dict[str, str]) -> str | None:
    root = tree.getroottree().getroot()
    value = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang")
    value = (value or named.get("content-language") or named.get("og:locale") or "").strip().replace("_", "-")
    match = re.match(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}\b", value)
    return match[0] if match else None


def _folded(text: str) -> str:
    return " ".join(text.split())

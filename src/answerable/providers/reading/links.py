"""Where a page of HTML and a sitemap lead. Pure, and linear in the length of hostile text."""

from __future__ import annotations

import html
import re
from urllib.parse import urldefrag, urljoin

from answerable.text.urls import is_web_url

MOST_LINKS = 2000  # of one page
MOST_BYTES = 2_000_000  # of one page that are looked through
_TAG = re.compile(rb"<(a|base)\s([^<>]{1,4000})>", re.IGNORECASE)  # no `<` inside: each byte is looked at once
_HREF = re.compile(r"""(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_NOFOLLOW = re.compile(r"""(?:^|\s)rel\s*=\s*["']?[^"'>]*\bnofollow\b""", re.IGNORECASE)
_LOC = re.compile(rb"<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,2000})", re.IGNORECASE)


def links_of(body: bytes, url: str) -> tuple[str, ...]:
    """The web addresses that a page at `url` leads to, each once, in order, without fragments; what it marks
    `nofollow` is left out."""
    base, found = url, dict[str, None]()
    for name, attributes in _TAG.findall(body[:MOST_BYTES]):
        told = attributes.decode("utf-8", "replace")
        href = _HREF.search(told)
        if href is None:
            continue
        address = html.unescape(next(filter(None, href.groups()), "")).strip()
        if name.lower() == b"base":
            base = _joined(url, address) or base
        elif not _NOFOLLOW.search(told) and (link := _joined(base, address)):
            found[link] = None
        if len(found) == MOST_LINKS:
            break
    return tuple(found)


def sitemap_of(body: bytes) -> tuple[str, ...]:
    """The addresses a sitemap or an index of sitemaps lists (sitemaps.org, 0.9)."""
    found = (html.unescape(one.decode("utf-8", "replace")).strip() for one in _LOC.findall(body[:MOST_BYTES]))
    return tuple(dict.fromkeys(one for one in found if is_web_url(one)))[:MOST_LINKS]


def _joined(base: str, address: str) -> str | None:
    try:
        link = urldefrag(urljoin(base, address)).url
    except ValueError:
        return None
    return link if is_web_url(link) else None

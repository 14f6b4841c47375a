"""Who wrote a page: as its structured data, its head, its marks or the line under its heading say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

from answerable.providers.reading.naming import called, remembered

_METAS = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author",
          "sailthru.author", "og:article:author", "byl")  # fmt: skip
_MARKED = (
    ".//*[@itemprop='author'] | .//*[@rel='author'] | .//*[contains(concat(' ', @class, ' '), ' p-author ')]"
    " | .//*[contains(concat(' ', @class, ' '), ' u-author ')]"
)
_is_named = remembered(
    re.compile(
        r"(?:^|[\s_-])(?:(?:post|article|entry|blog|story|meta)[_-]{1,2})*(?:authors?|byline)(?:[_-]{1,2}"
        r"(?:names?|title|link|qs|text|info|meta|date|wrapper|url|fn))*(?:$|\s)"
        r"|(?:^|\s)(?:meta|detail|post|article|entry|info)[\w-]*[_-](?:author|byline)(?:$|\s)|publish(?:ed)?-(?:by|date-author)",
        re.IGNORECASE,
    )
)
_is_poster = remembered(
    re.compile(r"(?:^|[\s_-])(?:user-?name|poster|nick(?:name)?|author|posted-by)(?:$|[\s_-])", re.IGNORECASE)
)
_BY = re.compile(
    r"^(?:written by|post(?:ed)? by|published by|words by|story by|by|von|par|por|di|door|de|author)\s*:?\s+",
    re.IGNORECASE,
)
_BY_LINE = re.compile(r"^(?:[Ww]ritten by|[Pp]osted by|[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or)\s+(?=[^\W\d_])")
_BY_BEGINS = frozenset("WwPpBbVv")  # letters of a by-line
_NAME_END = re.compile(
    r"\s*(?:[|•·–—»,]\s|\s-\s|\(|\bon\b|\bin\b|\bat\b|\bupdated\b|\bpublished\b|\bposted\b|\blast\b|\breviewed\b|\s\d).*$",
    re.IGNORECASE | re.DOTALL,
)
_PARTS = re.compile(r"\s*[|•·–—»]\s*|\s-\s")
_SMALL = {
    "de",
    "da",
    "di",
    "der",
    "den",
    "van",
    "von",
    "la",
    "le",
    "du",
    "dos",
    "and",
    "of",
    "the",
    "und",
    "et",
    "y",
    "&",
}
_NOBODY = {
    "admin",
    "administrator",
    "default",
    "home",
    "editor",
    "guest",
    "anonymous",
    "user",
    "staff",
    "unknown",
    "root",
    "may", "june", "july", "march", "april", "today", "yesterday",
}  # fmt: skip
_NO_NAME = re.compile(
    r"\b(?:min(?:ute)?s? read|since|read more|share|follow|comments?|subscribe|about the author|view|posts|articles"
    r"|author|written|published|updated|category|editorial policy|more|profile|staff writer|contributor)\b"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?$|[@{}<>=|]|://",
    re.IGNORECASE,
)
_is_elsewhere_named = remembered(
    re.compile(
        r"(?:^|[\s_-])(?:comments?|related|sidebar|footer|recent|latest|cards?|teasers?|quotes?|testimonials?|reviews?|reply)",
        re.IGNORECASE,
    )
)


def author_of(
    tree: HtmlElement,
    items: list[dict[str, Any]],
    named: dict[str, str],
    said: list[dict[str, Any]],
    *,
    board: bool,
) -> str | None:
    """The names, parted by commas, or None. `items` are of the page, `said` all of its structured data; `board`: the
    page is a thread, whose author is whoever posted first."""
    by_id = {item["@id"]: item for item in said if isinstance(item.get("@id"), str) and item.get("name")}
    for item in items:
        if names := [name for name in map(_clean, _people(item.get("author"), by_id)) if name]:
            return ", ".join(dict.fromkeys(names[:5]))[:200]
    for key in _METAS:
        if value := _clean(named.get(key, "")):
            return value
    for number in ("1", "2"):
        if re.search(r"written by|author", named.get(f"twitter:label{number}", ""), re.IGNORECASE):
            return _clean(named.get(f"twitter:data{number}", "")) or None
    return next(_shown(tree, board, named.get("og:type", "").lower() == "article"), None)


def _people(value: Any, by_id: dict[str, dict[str, Any]]) -> Iterator[str]:
    for person in value if isinstance(value, list) else [value]:
        if isinstance(person, dict):
            name = person.get("name") or by_id.get(str(person.get("@id")), {}).get("name")
            yield from (n for n in (name if isinstance(name, list) else [name]) if isinstance(n, str))
        elif isinstance(person, str):
            yield person


def _clean(name: str) -> str:
    name = " ".join(name.split())
    return "" if "://" in name or len(name) > 120 or name.lower() in _NOBODY else name


def _shown(tree: HtmlElement, board: bool, article: bool) -> Iterator[str]:
    """Names as the page shows them: marked as such, then in elements that are called so, then in a line that says by
    whom, then, on a board, whoever posted first."""
    for element in tree.xpath(_MARKED):
        if any(_elsewhere(e) for e in (element, *islice(element.iterancestors(), 12))):
            continue
        inner = element.xpath(".//*[@itemprop='name']")
        said = (inner[0].get("content") or inner[0].text_content()) if inner else element.text_content()
        if value := _clean(element.get("content") or "") or _name_in(said, strict=False):
            yield value
    lines, posters = [], []
    for element in tree.iter(
        "a", "span", "div", "p", "address", "strong", "li", "small", "em", "cite", "h3", "h4", "h5"
    ):
        if len(element) > 6:
            continue
        names = called(element)
        is_named, is_poster = _is_named(names), board and _is_poster(names)
        if not (is_named or is_poster) and _begins(element) not in _BY_BEGINS:
            continue
        text = _short(element)
        by = bool(_BY_LINE.match(text))
        if not text or not (is_named or is_poster or by):
            continue
        name = _name_in(text, strict=not is_poster)
        if not name or any(_elsewhere(e) for e in (element, *islice(element.iterancestors(), 12))):
            continue
        if is_named:
            yield name
        elif by and (article or " " in name):  # "By hand" is as likely as a person of one name
            lines.append(name)
        else:
            posters.append(name)
        if len(lines) + len(posters) > 20:
            break
    yield from lines[:1]
    yield from posters[:1]


def _begins(element: HtmlElement) -> str:
    """The first letter of its text, if it has any."""
    return next((said[0] for piece in element.itertext() if (said := piece.lstrip())), "")


def _short(element: HtmlElement) -> str:
    """Its text, or nothing when that is longer than a name with what stands around it."""
    pieces, length = [], 0
    for piece in element.itertext():
        pieces.append(piece)
        length += len(piece.strip())
        if length > 120:
            return ""
    return " ".join(" ".join(pieces).split())


def _name_in(text: str, *, strict: bool) -> str:
    """The first part of a line that reads as a name. `strict`: each of its words begins as names do."""
    for part in _PARTS.split(" ".join(text[:300].split())):
        name = _NAME_END.sub("", _BY.sub("", part)).strip(" .,:;·•|-–—")
        if not 2 < len(name) <= 60 or len(name.split()) > 6 or _NO_NAME.search(name) or name.lower() in _NOBODY:
            continue
        if not strict or all(word[0].isupper() or not word[0].isascii() or word in _SMALL for word in name.split()):
            return name
    return ""


def _elsewhere(element: HtmlElement) -> bool:
    return element.tag in {"footer", "nav", "aside"} or bool(
        element.tag not in {"html", "body", "main"} and _is_elsewhere_named(called(element))
    )

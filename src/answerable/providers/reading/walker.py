"""The blocks of an HTML tree in reading order, each with what is needed to judge whether it is main text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from answerable.providers.reading.htmltree import sizes_of
from answerable.providers.reading.naming import called, remembered
from answerable.providers.reading.preformatted import parts_of
from answerable.types import BlockKind

_SPACE = re.compile(r"[^\S\n]+")
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "p", "pre", "section", "summary",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_ZONE_TAGS = {"nav", "footer", "aside"}
_ZONE_ROLES = {"contentinfo", "complementary", "banner"}
# Elementor names every part of a page `elementor-widget`, themes a wrapper of it all `content-sidebar`.
_is_zone_named = remembered(
    re.compile(
        r"(?:^|[\s_-])(?:footer|site-?footer|(?<!content-)(?<!has-)(?<!with-)(?<!no-)side-?bar|side-?nav|navbar"
        r"|nav(?:igation)?|menu|mega-?menu|related|recommend(?:ed|ations?)?|you-?may(?:-also)?-?like|also-?(?:like|read|bought)|promo(?:tion)?s?|banner|signup|sign-?up|sign-?in|log-?in"
        r"|newsletter|subscribe|share|sharing|social|trending|popular(?:-posts)?|most-?read|(?<!elementor-)widget|tags?"
        r"|tag-?(?:list|cloud)|author-?(?:bio|box)|copyright|legal|disclaimer|toolbar|topbar|masthead|site-?header|page-?header-nav|recirc"
        r"|read-?next|up-?next|cta|call-?to-?action|upsell|cross-?sell|recently-?viewed)(?:$|[\s_-])",
        re.IGNORECASE,
    )
)
# What stands beside a text and is part of it.
_is_facts = remembered(
    re.compile(r"info-?box|fact-?(?:box|sheet|file|s\b)|key-?(?:facts|figures|data)|at-?a-?glance|spec", re.IGNORECASE)
)
_SEAM = re.compile(r"(?:[a-zà-ÿ)]|\d)\0[A-ZÀ-Þ$€£]|[^\W\d_]{2}\0\d")
_CENTS = re.compile(r"cents?|fraction|decimal", re.IGNORECASE)
_CODE = {"code", "kbd", "samp", "tt", "var"}
_is_comment_named = remembered(
    re.compile(r"(?:^|[\s_-])(?:comments?|disqus|respond|comment-?(?:list|section|area)|discussion)(?:$|[\s_-])", re.I)
)


@dataclass(slots=True)
class Raw:
    """A block as found. `zone`: it stands where pages keep what is not their text."""

    kind: BlockKind
    text: str
    level: int = 0  # of a heading
    link_chars: int = 0
    zone: bool = False
    comment: bool = False
    inside: HtmlElement | None = None  # the nearest element that holds it
    chosen: bool = False

    @property
    def linked(self) -> float:
        """The share of its characters that are links."""
        return self.link_chars / max(1, len(self.text))


@dataclass(slots=True)
class _Open:
    """The block being put together."""

    pieces: list[str] = field(default_factory=list)
    link_chars: int = 0


class Walker:
    """One pass over a pruned tree. Iterative, as pages nest deeper than Python likes to recurse."""

    def __init__(self) -> None:
        self.blocks: list[Raw] = []
        self._open = _Open()
        self._path: list[HtmlElement] = []
        self._zones = self._comments = self._links = self._items = self._quotes = 0
        self._zone_path: list[bool] = []
        self._sizes: dict[HtmlElement, int] = {}
        self._size = 0
        self._headings: list[int] = []
        self._term = ""
        self._after_link = -1

    def walk(self, root: HtmlElement) -> list[Raw]:
        skip: HtmlElement | None = None
        self._sizes = sizes_of(root)
        self._size = self._sizes[root]
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if not isinstance(element.tag, str):
                if event == "end":
                    self._text(element.tail)
                continue
            if skip is not None:
                if event == "end" and element is skip:
                    skip = None
                    self._text(element.tail)
                continue
            if event == "start":
                if self._whole(element):
                    skip = element
                else:
                    self._enter(element)
            else:
                self._leave(element)
                if element is not root:
                    self._text(element.tail)
        self._flush()
        return self.blocks

    def _whole(self, element: HtmlElement) -> bool:
        """Takes in at once what is not to be walked: code, tables of data, hidden ends."""
        if element.tag == "pre":
            self._flush()
            for kind, text in parts_of(code_text(element)):
                self._add(kind, text)
            return True
        if element.tag == "table" and is_data_table(element):
            self._flush()
            caption = element.find("caption")
            if caption is not None and (text := folded(caption.text_content())):
                self._add("caption", text)
            rows = table_rows(element)
            link_chars = sum(len(folded(a.text_content())) for a in element.iter("a"))
            self._add("table", "\n".join(rows), link_chars)
            return True
        return False

    def _enter(self, element: HtmlElement) -> None:
        tag = element.tag
        if tag == "br":
            self._open.pieces.append("\n")
            return
        if tag in _BLOCKS:
            self._flush()
            self._path.append(element)
            zone = self._is_zone(element)
            self._zone_path.append(zone)
            self._zones += zone
            self._comments += is_comment(element)
            self._items += tag in {"li", "dd", "dt"}
            self._quotes += tag == "blockquote"
            if tag in _HEADINGS:
                self._headings.append(_HEADINGS[tag])
        elif tag == "a" and element.get("href"):
            if self._after_link == len(self._open.pieces):
                self._open.pieces.append(" ")  # links side by side are set apart by style, not by a space
            self._links += 1
        elif tag == "q":
            self._open.pieces.append("“")
        if self._open.pieces and _is_apart(element, self._open.pieces[-1]):
            self._open.pieces.append(" ")
        self._text(element.text)

    def _is_zone(self, element: HtmlElement) -> bool:
        """What holds half of the page stands around nothing, however it is named."""
        return is_zone(element, self._path) and 2 * self._sizes.get(element, 0) <= self._size

    def _leave(self, element: HtmlElement) -> None:
        tag = element.tag
        if tag in _BLOCKS:
            self._flush()
            self._zones -= self._zone_path.pop()
            self._comments -= is_comment(element)
            self._items -= tag in {"li", "dd", "dt"}
            self._quotes -= tag == "blockquote"
            if tag in _HEADINGS and self._headings:
                self._headings.pop()
            self._path.pop()
        elif tag == "a" and element.get("href"):
            self._links -= 1
            self._after_link = len(self._open.pieces) or -1
        elif tag == "q":
            self._open.pieces.append("”")

    def _text(self, text: str | None) -> None:
        if not text:
            return
        text = re.sub(r"\s+", " ", text)
        self._open.pieces.append(text)
        if self._links:
            self._open.link_chars += len(text.strip())

    def _flush(self) -> None:
        pieces, link_chars = self._open.pieces, self._open.link_chars
        if not pieces:
            return
        self._open = _Open()
        text = _lines("".join(pieces))
        if not text:
            return
        if self._path and self._path[-1].tag == "dt" and len(text) < 120 and "\n" not in text:
            self._term = f"{self._term}, {text}" if self._term else text
            return
        term, self._term = self._term, ""
        if term:
            separator = " " if term.endswith((":", "?", "-", "–")) else ": "
            text = f"{term}{separator}{text}"
        self._add(self._kind(), text, link_chars)

    def _kind(self) -> BlockKind:
        if self._headings:
            return "heading"
        if self._path and self._path[-1].tag in {"figcaption", "caption"}:
            return "caption"
        if self._items:
            return "list_item"
        return "quote" if self._quotes else "paragraph"

    def _add(self, kind: BlockKind, text: str, link_chars: int = 0) -> None:
        if not text.strip():
            return
        self.blocks.append(
            Raw(
                kind,
                text,
                level=self._headings[-1] if kind == "heading" and self._headings else 0,
                link_chars=link_chars,
                zone=self._zones > 0,
                comment=self._comments > 0,
                inside=self._path[-1] if self._path else None,
            )
        )


def walk(root: HtmlElement) -> list[Raw]:
    return Walker().walk(root)


def _is_apart(element: HtmlElement, before: str) -> bool:
    """Whether style sets it apart from the element before, though no space does: names and prices on cards, whole euros
    and cents. Words that are put together of parts look otherwise."""
    previous = element.getprevious()
    if previous is None or previous.tail or not element.text or not (element.get("class") and previous.get("class")):
        return False
    if _CENTS.search(element.get("class")) and before[-1:].isdigit():
        return bool(element.text[:1].isdigit())
    above = element.getparent()
    return bool(_SEAM.search(f"{before[-2:]}\0{element.text[:2]}")) and (above is None or above.tag not in _CODE)


def is_zone(element: HtmlElement, path: list[HtmlElement]) -> bool:
    if element.tag in {"html", "body", "main", "article"}:
        return False
    if element.tag == "aside" and _is_facts(called(element)):
        return False
    if element.tag in _ZONE_TAGS or element.get("role", "").lower() in _ZONE_ROLES:
        return True
    if element.tag == "header":
        return not any(above.tag in {"article", "main"} for above in path)
    return _is_zone_named(called(element)) and element.tag not in {
        "h1", "h2", "h3", "p", "pre", "table", "tr", "td", "th"
    }  # fmt: skip


def is_comment(element: HtmlElement) -> bool:
    return _is_comment_named(called(element))


def folded(text: str) -> str:
    return " ".join(text.split())


def _lines(text: str) -> str:
    """White space folded, the line breaks of the page kept."""
    lines = (_SPACE.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def code_text(pre: HtmlElement) -> str:
    """Code exactly as it stands, without the empty lines around it."""
    for br in list(pre.iter("br")):
        br.tail = "\n" + (br.tail or "")
    text = pre.text_content().replace("\r\n", "\n").replace("\xa0", " ")
    return re.sub(r"\A(?:[^\S\n]*\n)+", "", text).rstrip()


def is_data_table(table: HtmlElement) -> bool:
    """Whether it holds data rather than the layout of a page."""
    if table.get("role") in {"presentation", "none"} or table.find(".//table") is not None:
        return False
    if table.find(".//pre") is not None or table.find(".//article") is not None or table.find(".//h2") is not None:
        return False
    rows = list(table.iter("tr"))
    cells = [len(row.findall("td")) + len(row.findall("th")) for row in rows]
    if not cells or max(cells) < 2:
        return False
    text = len(table.text_content())
    return table.find(".//th") is not None or (len(rows) >= 2 and text / max(1, sum(cells)) < 200)


def table_rows(table: HtmlElement) -> list[str]:
    """One line a row, `cell | cell`; what spans rows is said in each of them."""
    grid: list[list[str]] = []
    spans: dict[int, tuple[int, str]] = {}  # column -> rows still to fill, text
    for row in table.iter("tr"):
        cells = iter([cell for cell in row if cell.tag in {"td", "th"}])
        line: list[str] = []
        while True:
            if len(line) in spans:
                left, text = spans.pop(len(line))
                if left > 1:
                    spans[len(line)] = (left - 1, text)
                line.append(text)
                continue
            cell = next(cells, None)
            if cell is None:
                break
            text = cell_text(cell)
            rows, columns = _span(cell, "rowspan"), _span(cell, "colspan")
            for column in range(columns):
                if rows > 1:
                    spans[len(line)] = (rows - 1, text)
                line.append(text if column == 0 or cell.tag == "th" else "")
        grid.append(line)
    width = max((len(line) for line in grid), default=0)
    used = [c for c in range(width) if any(c < len(line) and line[c] for line in grid)]
    lines = [" | ".join(line[c] if c < len(line) else "" for c in used).strip(" |") for line in grid]
    return [line for line in lines if line]


def cell_text(cell: HtmlElement) -> str:
    """A cell in one line; the blocks and lines in it are set apart by semicolons."""
    parts = ["".join(part).replace("\n", " ") for part in _cell_parts(cell)]
    return "; ".join(text for part in parts if (text := folded(part))).replace("|", "¦")


def _cell_parts(cell: HtmlElement) -> Iterator[list[str]]:
    part: list[str] = []
    for event, element in etree.iterwalk(cell, events=("start", "end")):
        breaks = isinstance(element.tag, str) and (element.tag in _BLOCKS or element.tag == "br")
        if breaks and element is not cell:
            yield part
            part = []
        if event == "start" and isinstance(element.tag, str):
            part.append(element.text or "")
        elif event == "end" and element is not cell:
            part.append(element.tail or "")
    yield part


def _span(cell: HtmlElement, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(50, max(1, int(value))) if value.isascii() and value.isdigit() else 1

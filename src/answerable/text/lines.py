"""The lines of an answer: what kind of block begins here, and which lines no reader shall see.

As in `markers`, `NeedMore` is raised wherever more text could change the decision.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from answerable.text.markers import PAIRS, THINK_NAMES, Cursor, NeedMore, marker_run

LineKind = Literal[
    "end", "blank", "drop", "fence", "formula", "code", "rule", "heading", "table", "item", "quote", "paragraph"
]
SOURCE_TITLES = (
    "sources and references", "sources cited", "sources used", "source list", "list of sources", "sources", "source",
    "references", "reference list", "reference", "citations", "bibliography", "works cited", "cited sources",
    "quellenangaben", "quellenverzeichnis", "quellen", "einzelnachweise", "fuentes", "referencias", "références",
    "fonti", "riferimenti", "fontes", "referências", "bronnen", "источники", "来源", "參考資料", "参考资料", "参考文献",
    "參考文獻", "出典", "資料來源", "资料来源", "참고 자료", "출처", "المصادر", "المراجع", "स्रोत",
)  # fmt: skip
ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
TARGET = re.compile(r"<?(?:https?:|www\.|/|#|mailto:|[\w.-]+\.[a-z]{2,}(?:/|$))", re.IGNORECASE)
BULLETS = "-*+•‣◦▪–"
DELIMITER_ROW = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
LONGEST_ENTRY = 1_000


@dataclass(frozen=True, slots=True)
class Line:
    """`end`: where the words begin (heading, item, quote, paragraph) or where the whole of it ends."""

    kind: LineKind
    end: int
    indent: int = 0


def read_line(text: str, at: int, *, complete: bool, sources: int, in_list: bool = False, loose: bool = True) -> Line:
    """What begins at the line start `at`. `loose`: a blank line or nothing stands before it."""
    cursor = Cursor(text, at, complete)
    indent = cursor.spaces(most=40)
    char = cursor.peek()
    if not char:
        return Line("end", len(text))
    if char == "\n":
        return Line("blank", cursor.at + 1)
    if indent >= 4 and loose and not in_list:
        return Line("code", whole_line(cursor, at)[1])
    if char in "`~" and cursor.peek(1) == char and cursor.peek(2) == char:
        return Line("fence", at)
    if char == "|":
        return Line("table", whole_line(cursor, at)[1])
    if (end := formula_start(cursor)) is not None:
        return Line("formula", end)
    if (end := dropped(text, cursor.at, complete, sources)) is not None:
        return Line("drop", end)
    if (end := rule_end(cursor)) is not None:
        after = dropped(text, next_text(text, end, complete), complete, sources)
        return Line("rule", end) if after is None else Line("drop", after)
    return prefixed(cursor, at, indent)


def whole_line(cursor: Cursor, at: int) -> tuple[str, int]:
    """The line that begins at `at`, and where the next one begins."""
    newline = cursor.text.find("\n", at)
    if newline >= 0:
        return cursor.text[at:newline], newline + 1
    if not cursor.complete:
        raise NeedMore
    return cursor.text[at:], len(cursor.text)


def prefixed(cursor: Cursor, at: int, indent: int) -> Line:
    """Heading, list item, quotation or paragraph, after what marks it."""
    begin, char = cursor.at, cursor.peek()
    if char == "#":
        while cursor.peek() == "#" and cursor.at - begin < 7:
            cursor.at += 1
        if cursor.peek() in (" ", "\t") and cursor.at - begin < 7:
            cursor.spaces()
            return Line("heading", cursor.at, indent)
    elif char == ">":
        while cursor.peek() in (">", " "):
            cursor.at += 1
        return Line("quote", cursor.at, indent)
    elif char in BULLETS and cursor.peek(1) in (" ", "\t"):
        cursor.at += 1
        cursor.spaces()
        return Line("item", cursor.at, indent)
    elif char.isdigit():
        while cursor.peek().isdigit() and cursor.at - begin < 4:
            cursor.at += 1
        if cursor.peek() in (".", ")") and cursor.peek(1) in (" ", "\t") and cursor.at - begin < 4:
            cursor.at += 1
            cursor.spaces()
            return Line("item", cursor.at, indent)
    return Line("paragraph", begin, indent)


def formula_start(cursor: Cursor) -> int | None:
    """A displayed formula: "$$" or "\\\\[" that begins a line; its end is where its closing mark may be looked for."""
    if cursor.peek() == "$" and cursor.peek(1) == "$":
        return cursor.at
    if cursor.peek() == "\\" and cursor.peek(1) == "[" and cursor.peek(2) in (" ", "\n"):
        return cursor.at
    return None


def rule_end(cursor: Cursor) -> int | None:
    """The end of a line that is a rule: three or more of - * _ and nothing else."""
    char, at, count = cursor.peek(), cursor.at, 0
    if char not in "-*_":
        return None
    while True:
        following = cursor.peek(count)
        if following == char or (following in (" ", "\t") and following):
            count += 1
            continue
        if following in ("", "\n") and cursor.text[at : at + count].count(char) >= 3:
            return at + count + len(following)
        return None


def next_text(text: str, at: int, complete: bool) -> int:
    """Where the next line that is not blank begins."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at == len(text) and not complete:
        raise NeedMore
    return at


def dropped(text: str, at: int, complete: bool, sources: int) -> int | None:
    """The end of what no reader shall see: thinking, link and footnote definitions, source lists of the model's own."""
    cursor = Cursor(text, at, complete)
    char = cursor.peek()
    if char == "<":
        return thinking_end(cursor)
    if char == "[":
        return definition_end(cursor, sources)
    return source_list_end(cursor, sources)


def thinking_end(cursor: Cursor) -> int | None:
    """After a thinking block that begins a line; one that never closes hides all that follows."""
    start = cursor.at
    for name in THINK_NAMES:
        if cursor.take(f"<{name}>"):
            closing = re.compile(f"</{name}>", re.IGNORECASE).search(cursor.text, cursor.at)
            if closing is None:
                if not cursor.complete:
                    raise NeedMore
                return len(cursor.text)
            return after_space(cursor, closing.end())
        if cursor.take(f"</{name}>"):
            return after_space(cursor, cursor.at)
        cursor.at = start
    return None


def after_space(cursor: Cursor, at: int) -> int:
    cursor.at = at
    while cursor.peek() in (" ", "\t", "\n") and cursor.peek():
        cursor.at += 1
    return cursor.at


def definition_end(cursor: Cursor, sources: int) -> int | None:
    """After "[1]: address", "[^1]: note" and "[1] Title https://…" on a line of its own."""
    start = cursor.at
    cursor.at += 1
    label = cursor.until("]", 80, stop="\n[")
    if label is not None and cursor.peek() == ":":
        line, end = whole_line(cursor, start)
        target = line.split("]:", 1)[1].strip()
        if label.startswith("^") or TARGET.match(target) or re.fullmatch(r"\W*\d+", label):
            return footnote_end(cursor, end) if label.startswith("^") else end
        return None
    cursor.at = start
    if marker_run(cursor, sources) is not None and cursor.peek() in (" ", "\t", "-", "–", ":"):
        line, end = whole_line(cursor, start)
        return end if ADDRESS.search(line) else None
    return None


def footnote_end(cursor: Cursor, at: int) -> int:
    """A footnote goes on over lines that are indented."""
    while True:
        cursor.at = at
        if cursor.peek() not in (" ", "\t") or not cursor.peek():
            return at
        line, end = whole_line(cursor, at)
        if not line.strip() or end == at:
            return at
        at = end


def source_list_end(cursor: Cursor, sources: int) -> int | None:
    """After a source list with its title; None when the title is none, or prose or a list of claims follows it."""
    start = cursor.at
    while (char := cursor.peek()) and char in "#*_ \t":
        cursor.at += 1
    if not any(cursor.take(title) and not cursor.peek().isalnum() for title in rewound(cursor)):
        return None
    while (char := cursor.peek()) and char in ":*_ \t：":
        cursor.at += 1
    if cursor.peek() not in ("\n", ""):
        titled = ":" in cursor.text[start : cursor.at] or "：" in cursor.text[start : cursor.at]
        line, end = whole_line(cursor, cursor.at) if titled else ("", 0)
        starts_marked = line[:1] in PAIRS and marker_run(Cursor(line, 0, True), sources) is not None
        return end if ADDRESS.search(line) or (starts_marked and len(line) > 8) else None
    return entries_end(cursor, cursor.at + len(cursor.peek()), sources)


def rewound(cursor: Cursor) -> list[str]:
    """The titles that could stand at the cursor, longest first; looking does not move it."""
    start = cursor.at
    found = []
    for title in SOURCE_TITLES:
        if cursor.take(title):
            found.append(title)
        cursor.at = start
    return sorted(found, key=len, reverse=True)


def entries_end(cursor: Cursor, at: int, sources: int) -> int | None:
    """The end of the entries after a title at `at`; None when the first line is no entry."""
    end, found = at, False
    while True:
        begin = next_text(cursor.text, end, cursor.complete)
        if begin == len(cursor.text):
            return begin
        line, after = whole_line(cursor, begin)
        if not is_entry(line, sources):
            return end if found else None
        end, found = after, True


def is_entry(line: str, sources: int) -> bool:
    """Whether a line looks like one of a source list: an address, a number first, or an item that cites nothing."""
    line = line.strip()
    if len(line) > LONGEST_ENTRY or line.startswith(("#", "|", "```")):
        return False
    if ADDRESS.search(line):
        return True
    bullet = re.match(rf"(?:[{BULLETS}]|\d{{1,3}}[.)])\s+", line)
    rest = line[bullet.end() :] if bullet else line
    starts_marked = rest[:1] in PAIRS and marker_run(Cursor(rest, 0, True), sources) is not None
    ends_marked = re.search(r"[\]】］](?:\([^()\s]*\))?[.\s*]*$", rest) is not None
    return starts_marked or (bullet is not None and not ends_marked)


def has_delimiter_row(text: str, at: int, complete: bool) -> bool:
    """Whether the line at `at` is the rule under a table's header."""
    cursor = Cursor(text, at, complete)
    start = cursor.at
    while (char := cursor.peek()) and char in "|-: \t":
        cursor.at += 1
    seen = cursor.text[start : cursor.at]
    return cursor.peek() in ("\n", "") and DELIMITER_ROW.fullmatch(seen) is not None


def cells_of(row: str) -> list[str]:
    """The cells of a table row, with the white space around them; bars that are escaped or in code part nothing."""
    inner = row.strip()
    inner = inner[1:] if inner.startswith("|") else inner
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    cells, current, in_code = [], "", False
    for position, char in enumerate(inner):
        if char == "`":
            in_code = not in_code and "`" in inner[position + 1 :]
        if char == "|" and not in_code and not current.endswith("\\"):
            cells.append(current)
            current = ""
        else:
            current += char
    return [*cells, current]

"""What stands in a line of an answer: words, citation markers in every spelling, and what only looks like one.

`read_item` looks at one position of text that may still be growing. Where more text could change what it finds it
raises `NeedMore`, so a decision once made never depends on how the text was cut into pieces.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from answerable.text.verbatim import is_verbatim

PAIRS = {"[": "]", "【": "】", "［": "］", "〔": "〕"}
DASHES = ("-", "–", "—", "‑", "−", "~", "～")
SPECIAL = re.compile(r"[\[【［〔\]`$\\<!*_(\n]")
PREFIX_WORDS = (
    "sources", "source", "src", "refs", "ref", "reference", "references", "citation", "citations", "cite", "cit",
    "documents", "document", "docs", "doc", "passages", "passage", "results", "result", "evidence", "page", "no",
    "quelle", "quellen", "fuente", "fuentes", "fonte", "fonti", "fontes", "bron", "bronnen", "источник", "источники",
    "来源", "來源", "资料", "出典", "資料", "출처", "المصدر", "स्रोत",
)  # fmt: skip
THINK_NAMES = ("thinking", "think", "reasoning", "reflection", "scratchpad", "thought")
LONGEST_RANGE = 20
LONGEST_MARKER = 160
LONGEST_LINK_TEXT = 200
LONGEST_ADDRESS = 2_000
LONGEST_SPAN = 400  # of code or a formula inside a line
ADDRESS = re.compile(r"(?i)\(<?(?:https?:|www\.|/|#|mailto:|\)|[\w-]+\.\w)")
ABSURD = 10**6  # a number that no list of sources reaches


class NeedMore(Exception):  # noqa: N818 - a signal, not an error
    """More text could change the decision."""


@dataclass(frozen=True, slots=True)
class Item:
    """text: words. opaque: shown as it is, and no sentence ends in it. marker: cites, shows nothing. end: of line."""

    kind: Literal["text", "opaque", "marker", "end"]
    end: int
    text: str = ""
    numbers: tuple[int, ...] = ()
    addresses: tuple[str, ...] = ()  # of links in the place of a marker


class Cursor:
    """Reads text character by character; past its end it raises `NeedMore` unless the text is complete."""

    def __init__(self, text: str, at: int, complete: bool) -> None:
        self.text, self.at, self.complete = text, at, complete

    def peek(self, ahead: int = 0) -> str:
        """The character, or "" at the end of a complete text."""
        if self.at + ahead < len(self.text):
            return self.text[self.at + ahead]
        if self.complete:
            return ""
        raise NeedMore

    def take(self, wanted: str) -> bool:
        """Passes `wanted` if it stands here, letters in either case."""
        for offset, char in enumerate(wanted):
            if self.peek(offset).lower() != char:
                return False
        self.at += len(wanted)
        return True

    def spaces(self, most: int = 4) -> int:
        count = 0
        while count < most and self.peek() in (" ", "\t", "\u00a0", "\u202f", "\u2009"):
            self.at += 1
            count += 1
        return count

    def until(self, closing: str, most: int, *, stop: str = "\n") -> str | None:
        """Text up to `closing`, which is passed; None when `stop`, the limit or the end comes first."""
        start = self.at
        while self.at - start <= most:
            char = self.peek()
            if not char or char in stop:
                return None
            if all(self.peek(offset) == wanted for offset, wanted in enumerate(closing)):
                found = self.text[start : self.at]
                self.at += len(closing)
                return found
            self.at += 1
        return None

    def address(self) -> str | None:
        """What stands in the round brackets of a link, brackets inside it balanced; an unfinished one at the very end
        of a text is taken as it is."""
        start, depth = self.at, 0
        while self.at - start <= LONGEST_ADDRESS:
            char = self.peek()
            if not char:
                return self.text[start : self.at]
            if char == "\n":
                return None
            depth += {"(": 1, ")": -1}.get(char, 0)
            self.at += 1
            if depth == 0:
                return self.text[start + 1 : self.at - 1]
        return None


def read_item(text: str, at: int, *, complete: bool, sources: int = 0) -> Item:
    """The next item of a line. `sources`: how many sources there are, which tells a year from a number."""
    special = SPECIAL.search(text, at)
    if special is None or special.start() > at:
        end = special.start() if special else len(text)
        return Item("text", end, text[at:end])
    char, cursor = text[at], Cursor(text, at, complete)
    if char == "\n":
        return Item("end", at + 1)
    if char == "`":
        return code_span(cursor)
    if char == "$":
        return dollar(cursor)
    if char == "\\":
        return escape(cursor)
    if char == "<":
        return tag(cursor, sources)
    if char == "]":
        return closing_bracket(cursor)
    if char == "!" and cursor.peek(1) != "[":
        return Item("text", at + 1, char)
    if char == "!":
        cursor.at += 1
        return link(cursor) or Item("text", at + 1, char)
    return marker_run(cursor, sources) or (bracket(cursor, at) if char in PAIRS else plain_run(text, at))


def plain_run(text: str, at: int) -> Item:
    end = at + 1
    while text[at] in "*_" and end < len(text) and text[end] == text[at]:
        end += 1
    return Item("text", end, text[at:end])


def marker_run(cursor: Cursor, sources: int) -> Item | None:
    """Markers side by side, with what wraps them (bold, round brackets, superscript) and the commas between them."""
    start, wrapper = cursor.at, opening_wrapper(cursor)
    if wrapper is None:
        cursor.at = start
        return None
    numbers: list[int] = []
    addresses: list[str] = []
    found, after = 0, cursor.at
    joined = False  # by a dash: "[1]–[3]"
    while (marker := read_marker(cursor, sources)) is not None:
        if joined and numbers and len(marker.numbers) == 1:
            numbers += range(numbers[-1] + 1, min(marker.numbers[0], numbers[-1] + LONGEST_RANGE))
        numbers += marker.numbers
        addresses += marker.addresses
        found, after = found + 1, cursor.at
        cursor.spaces()
        joined = cursor.peek() in DASHES
        if cursor.peek() in (",", ";", "、", "，", *DASHES):
            cursor.at += 1
            cursor.spaces()
    if not found:
        cursor.at = start
        return None
    cursor.at = after
    if wrapper:
        cursor.spaces()
        if not cursor.take(wrapper):
            if wrapper == ")":  # "(see [1] for more)": the bracket stays, the marker comes next
                cursor.at = start
                return None
            cursor.at = after
    return Item("marker", cursor.at, numbers=tuple(dict.fromkeys(numbers)), addresses=tuple(addresses))


def opening_wrapper(cursor: Cursor) -> str | None:
    """Passes what opens before a marker and says what closes after it; None when no marker can begin here."""
    char = cursor.peek()
    if char in PAIRS:
        return ""
    if char == "(":
        cursor.at += 1
        cursor.spaces()
        for word in ("see also", "see", *PREFIX_WORDS[:4]):
            if cursor.take(word):
                cursor.take(":")
                break
        cursor.spaces()
        return ")" if cursor.peek() in PAIRS else None
    if char in "*_":
        count = 1
        while cursor.peek(count) == char:
            count += 1
        before = cursor.text[cursor.at - 1 : cursor.at]
        cursor.at += count
        # Emphasis that opens: white space before it, or it could as well close what came earlier.
        return char * count if cursor.peek() in PAIRS and (not before or before.isspace()) else None
    return None


def read_marker(cursor: Cursor, sources: int) -> Item | None:
    """One bracket with numbers and whatever link the model hung on it; the cursor stays put when it is none."""
    start = cursor.at
    opening = cursor.peek()
    if opening not in PAIRS:
        return None
    cursor.at += 1
    double = cursor.peek() == opening
    if double:
        cursor.at += 1
    numbers = bracket_numbers(cursor)
    if numbers is None or not closes(cursor, opening, double) or is_verbatim(cursor.text, start, cursor.at, sources):
        cursor.at = start
        return None
    end = cursor.at
    addresses: tuple[str, ...] = ()
    if cursor.peek() == "(":
        address = cursor.address() if ADDRESS.match(first_characters(cursor)) else None
        end, addresses = (end, ()) if address is None else (cursor.at, (address,))
        cursor.at = end
    return Item("marker", end, numbers=tuple(numbers), addresses=addresses)


def first_characters(cursor: Cursor) -> str:
    """The next characters of an address, enough to tell it from a remark in brackets."""
    found = ""
    while len(found) < 12 and (char := cursor.peek(len(found))) and char not in " \n":
        found += char
    return found


def bracket_numbers(cursor: Cursor) -> list[int] | None:
    """The numbers of "1, 2-4", "Source 3", "^1", "3†source", "4:0†L12-L15"; None when anything else stands there."""
    numbers: list[int] = []
    start = cursor.at
    while cursor.at - start <= LONGEST_MARKER:
        cursor.spaces()
        if not prefix(cursor):
            return None
        first = integer(cursor)
        if first is None:
            return None
        last = range_end(cursor, first)
        if first <= last < first + LONGEST_RANGE:
            numbers.extend(range(first, last + 1))
        elif last < first or last > first:
            numbers.extend((first, last))
        suffix(cursor)
        cursor.spaces()
        if cursor.peek() in (",", ";", "、", "，", "&") or cursor.take("and") or cursor.take("und"):
            if cursor.peek() in (",", ";", "、", "，", "&"):
                cursor.at += 1
            continue
        return numbers
    return None


def prefix(cursor: Cursor) -> bool:
    """Passes "^", "#" or "Source" before a number; False when another word stands there."""
    if cursor.peek() in ("^", "#"):
        cursor.at += 1
        return True
    if not cursor.peek().isalpha():
        return True
    for word in PREFIX_WORDS:
        start = cursor.at
        if cursor.take(word) and not (cursor.peek().isalpha() or cursor.peek() == "_"):
            cursor.at += cursor.peek() in (".", ":", "_", "-", "#") and cursor.peek() != ""
            cursor.spaces()
            cursor.at += cursor.peek() == "#"
            return True
        cursor.at = start
    return False


def integer(cursor: Cursor) -> int | None:
    """Digits of any script, with a minus before them at most."""
    sign = 1
    if cursor.peek() in ("-", "−"):
        sign = -1
        cursor.at += 1
    value = count = 0
    while (char := cursor.peek()) and (digit := unicodedata.decimal(char, -1)) >= 0:
        value, count = min(value * 10 + digit, ABSURD), count + 1
        cursor.at += 1
        if count > 30:
            return None
    return sign * value if count else None


def range_end(cursor: Cursor, first: int) -> int:
    start = cursor.at
    cursor.spaces()
    if cursor.peek() in DASHES:
        cursor.at += 1
        cursor.spaces()
        prefix(cursor)
        if (last := integer(cursor)) is not None:
            return last
    cursor.at = start
    return first


def suffix(cursor: Cursor) -> None:
    """Passes what some models write behind the number: "†source", ":0†L12-L15"."""
    start = cursor.at
    if cursor.peek() == ":":
        cursor.at += 1
        if integer(cursor) is None or cursor.peek() != "†":
            cursor.at = start
            return
    if cursor.peek() == "†":
        while cursor.at - start < LONGEST_MARKER and (char := cursor.peek()) and char not in "[]【】［］〔〕\n,;":
            cursor.at += 1


def closes(cursor: Cursor, opening: str, double: bool) -> bool:
    cursor.spaces()
    if cursor.peek() != PAIRS[opening]:
        return False
    cursor.at += 1
    if double:
        if cursor.peek() != PAIRS[opening]:
            return False
        cursor.at += 1
    return True


def bracket(cursor: Cursor, at: int) -> Item:
    """A bracket that is no marker: a link loses its address, a year or a [draft] stays, anything else is words."""
    text = cursor.text
    cursor.at = at
    if text[at] == "[" and (found := nested_lists(cursor) or link(cursor)) is not None:
        return found
    cursor.at = at + 1
    inside = cursor.until(PAIRS[text[at]], LONGEST_LINK_TEXT, stop="\n[<`")
    if not inside:
        return Item("text", at + 1, text[at])
    return Item("opaque", cursor.at, text[at : cursor.at])


def nested_lists(cursor: Cursor) -> Item | None:
    """A matrix such as [[1, 2], [3, 4]], which stays as it is."""
    start = cursor.at
    depth = inner = 0
    while cursor.at - start <= LONGEST_SPAN and (char := cursor.peek()) and char in "0123456789.,;- −[]":
        depth += {"[": 1, "]": -1}.get(char, 0)
        inner += char == "[" and depth == 2
        cursor.at += 1
        if depth == 0:
            if inner > 1:
                return Item("opaque", cursor.at, cursor.text[start : cursor.at])
            break
        if depth == 1 and not inner and cursor.at - start > 1:
            break  # "[12…": no list in a list
    cursor.at = start
    return None


def link(cursor: Cursor) -> Item | None:
    """[words](address) as its words and its address; None when it is no link."""
    start = cursor.at
    cursor.at += 1
    words = cursor.until("]", LONGEST_LINK_TEXT, stop="\n[<")
    if words is not None and cursor.peek() == "(":
        target = cursor.address()
        if target is not None:
            address = target.strip("( )").split(" ")[0].strip("<>")
            return Item("text", cursor.at, words, addresses=(address,) if address else ())
    cursor.at = start
    return None


def closing_bracket(cursor: Cursor) -> Item:
    """A "](address)" whose opening bracket was too far away loses its address all the same."""
    at = cursor.at
    cursor.at += 1
    if cursor.peek() == "(":
        if cursor.address() is not None:
            return Item("text", cursor.at, "]")
        return Item("text", at + 1, "] ")
    return Item("text", at + 1, "]")


def code_span(cursor: Cursor) -> Item:
    start, ticks = cursor.at, 0
    while cursor.peek() == "`":
        cursor.at += 1
        ticks += 1
    opened = cursor.at
    while cursor.at - opened <= LONGEST_SPAN and (char := cursor.peek()) and char != "\n":
        if char != "`":
            cursor.at += 1
            continue
        run = 0
        while cursor.peek() == "`":
            cursor.at += 1
            run += 1
        if run == ticks:
            return Item("opaque", cursor.at, cursor.text[start : cursor.at])
    return Item("text", opened, cursor.text[start:opened])


def dollar(cursor: Cursor) -> Item:
    """A formula between dollars; before a digit or a space the sign is money."""
    start = cursor.at
    double = cursor.peek(1) == "$"
    cursor.at += 2 if double else 1
    first = cursor.peek()
    if first and not first.isspace() and not first.isdigit():
        formula = cursor.until("$$" if double else "$", LONGEST_SPAN)
        if formula and not formula[-1].isspace() and not cursor.peek().isdigit():
            return Item("opaque", cursor.at, cursor.text[start : cursor.at])
    return Item("text", start + 1, "$")


def escape(cursor: Cursor) -> Item:
    """An escaped character, or a formula in \\( … \\) or \\[ … \\]."""
    start = cursor.at
    opening = cursor.peek(1)
    if opening in ("(", "["):
        cursor.at += 2
        if cursor.until("\\" + {"(": ")", "[": "]"}[opening], LONGEST_SPAN) is not None:
            return Item("opaque", cursor.at, cursor.text[start : cursor.at])
        return Item("opaque", start + 2, cursor.text[start : start + 2])
    width = 2 if opening and opening in "]\\`*_{}#+-.!|<>$" else 1
    return Item("opaque", start + width, cursor.text[start : start + width])


def tag(cursor: Cursor, sources: int) -> Item:
    """Thinking is dropped, <sup>[1]</sup> is a marker, <https://…> is words; other tags stay text."""
    start = cursor.at
    if cursor.take("<sup>"):
        if (found := marker_run(cursor, sources)) is not None:
            cursor.at = found.end
            cursor.take("</sup>")
            return Item("marker", cursor.at, numbers=found.numbers, addresses=found.addresses)
        return Item("text", start + 5, "<sup>")
    thought = thinking(cursor)
    if thought is not None:
        return thought
    cursor.at = start + 1
    if cursor.take("http"):
        cursor.at = start + 1
        address = cursor.until(">", LONGEST_ADDRESS, stop="\n <")
        if address is not None:
            return Item("text", cursor.at, address)
    return Item("text", start + 1, "<")


def thinking(cursor: Cursor) -> Item | None:
    """A thinking block, shown by a marker that cites nothing; one that never closes is none (inside a line)."""
    start = cursor.at
    for name in THINK_NAMES:
        if cursor.take(f"</{name}>"):
            return Item("marker", cursor.at)
        if cursor.take(f"<{name}>"):
            closing = re.compile(f"</{name}>", re.IGNORECASE).search(cursor.text, cursor.at)
            if closing is not None:
                return Item("marker", closing.end())
            if not cursor.complete:
                raise NeedMore
        cursor.at = start
    return None


def is_half_marker(text: str) -> bool:
    """Whether the end of a text that was cut off could have become a marker."""
    cursor = Cursor(text, 0, complete=False)
    if text[:1] == "\\" or text[:1] in "`$<!":
        return False
    try:
        wrapper = opening_wrapper(cursor)
        if wrapper is None or cursor.peek() not in PAIRS:
            return False
        opening = cursor.peek()
        cursor.at += 1
        if cursor.peek() == opening:
            cursor.at += 1
        bracket_numbers(cursor)
    except NeedMore:
        return any(bracket in text for bracket in PAIRS)
    return False

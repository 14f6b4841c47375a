"""Brackets with numbers that only look like citation markers: years, indexes of arrays, intervals, lists."""

from __future__ import annotations

import re
import unicodedata

INTERVAL_WORDS = {"interval", "intervals", "range", "ranges", "domain", "segment", "intervall", "bereich", "intervalle"}
LIST_WORDS = {
    "set",
    "list",
    "array",
    "vector",
    "tuple",
    "sequence",
    "matrix",
    "coordinates",
    "menge",
    "liste",
    "vektor",
}
LOOSE_INTERVAL_WORDS = {"in", "on", "over", "from", "within", "between", "∈", "auf", "von", "dans", "sur", "to", "="}


def is_verbatim(text: str, start: int, end: int, sources: int) -> bool:
    """Years, array indexes and intervals: brackets with numbers that are no citation."""
    inside = unicodedata.normalize("NFKC", text[start + 1 : end - 1]).strip()
    if re.fullmatch(r"1[5-9]\d\d|20\d\d|2100", inside) and int(inside) > sources:
        return True
    if re.fullmatch(r"\d+|\d+ ?[:,] ?\d+|i|-1", inside) and is_indexed(text[max(0, start - 40) : start]):
        return True
    if re.fullmatch(r"-\d+ ?[,;] ?-?\d+", inside):
        return True
    before = re.search(r"([^\W\d_]+|[∈=])[\s(]*$", text[max(0, start - 30) : start])
    if before and re.fullmatch(r"-?\d+(?: ?[,;] ?-?\d+)+", inside) and before[1].lower() in LIST_WORDS:
        return True
    if before and re.fullmatch(r"-?\d+(?: ?[,;] ?)-?\d+", inside):
        word = before[1].lower()
        return word in INTERVAL_WORDS or (word in LOOSE_INTERVAL_WORDS and re.match(r"0\b|-", inside) is not None)
    return False


def is_indexed(before: str) -> bool:
    """Whether the bracket hangs on a variable: x[1], my_rows[2], f(x)[0], but not "12 m[1]" or "tall[1]"."""
    name = re.search(r"(?:^|[\s(=,*+/])([\w.]+(?:\(\w*\))?(?:\[\d+\])*)$", before)
    if name is None:
        return False
    word = name[1]
    if re.fullmatch(r"[a-z]", word):
        return re.search(r"\d[\s\u00a0]?$", before[: name.start(1)]) is None
    return "_" in word.strip("_") or word.endswith(("]", "()")) and word[0].islower()

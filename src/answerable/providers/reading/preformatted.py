"""What stands in `<pre>`: code, or prose that was only broken to fit a terminal, as in manuals, RFCs and old mails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(r"[\w\s.,:;'’\"“”()!?-]")
_CODE_SIGNS = re.compile(r"[{}=<>\\|$#@;\[\]]")
_SENTENCE_ENDS = re.compile(r"[.!?:。！？][\"'”’)]*(?:\s|\Z)")
_FEWEST_WORDS = 8  # of a paragraph of prose
_LONGEST_WORD = 9.0  # letters, on average
_LETTERED = 0.93  # share of letters, spaces and the stops of a sentence
_SIGNS = 0.03  # share of the signs of code, at most; none in a short paragraph
_SHORT = 25  # words
_MOSTLY = 0.6  # share of the characters that stands in paragraphs of prose

Part = tuple[Literal["paragraph", "code"], str]


def parts_of(text: str) -> list[Part]:
    """Paragraphs of prose, their lines joined, and what stands between them as it is; one part of code where most of it
    is no prose."""
    paragraphs = [part for part in _BLANK.split(text) if part.strip()]
    told = [_is_prose(part) for part in paragraphs]
    if sum(len(part) for part, is_told in zip(paragraphs, told, strict=True) if is_told) < _MOSTLY * len(text):
        return [("code", text)]
    return list(_joined(paragraphs, told))


def _joined(paragraphs: list[str], told: list[bool]) -> Iterator[Part]:
    kept: list[str] = []
    for part, is_told in zip(paragraphs, told, strict=True):
        if not is_told:
            kept.append(part)
            continue
        if kept:
            yield "code", "\n\n".join(kept)
            kept = []
        yield "paragraph", " ".join(part.split())
    if kept:
        yield "code", "\n\n".join(kept)


def _is_prose(part: str) -> bool:
    words = _WORD.findall(part)
    if len(words) < _FEWEST_WORDS or not _SENTENCE_ENDS.search(part):
        return False
    if sum(map(len, words)) / len(words) > _LONGEST_WORD:
        return False
    bare = " ".join(part.split())
    return (
        len(_PLAIN.findall(bare)) >= _LETTERED * len(bare)
        and len(_CODE_SIGNS.findall(bare)) <= (_SIGNS * len(bare) if len(words) >= _SHORT else 0)
        and not any(re.search(r"\S {3,}\S", line) for line in part.split("\n")[1:])  # columns
    )

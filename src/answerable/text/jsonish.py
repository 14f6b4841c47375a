"""JSON as language models write it: in fences, with chatter around it, or as a plain list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from answerable.text.thinking import without_thinking

_OPENING = re.compile(r"[{\[]")
_FENCE = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.):])\s+(.+?)\s*$")
_QUOTED = ('""', "''", "“”", "„“", "«»", "「」", "``")
_LABELLED = re.compile(
    r"^[^:\"“”]{0,60}\b(?:question|query|standalone|rewritten|frage|pregunta|domanda)\b[^:\"“”]{0,40}:\s*(\S.*)$",
    re.IGNORECASE,
)
_DECODER = json.JSONDecoder()
_LONGEST_ITEM = 300  # characters; a longer line is prose, not an item
_MOST_ATTEMPTS = 200  # openings looked at, so that a wall of brackets costs little


def json_values(text: str) -> Iterator[object]:
    """Every balanced JSON object or array in the text, outermost, in order."""
    text = without_thinking(text)
    at = attempts = 0
    while (opening := _OPENING.search(text, at)) and attempts < _MOST_ATTEMPTS:
        attempts += 1
        try:
            value, at = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            at = opening.end()
            continue
        yield value


def string_list(text: str) -> list[str]:
    """The items of a numbered or bulleted list, or of a bare line; without quotes around them."""
    lines = [line for line in _FENCE.sub("", without_thinking(text)).splitlines() if line.strip()]
    items = [found[1] for line in lines if (found := _ITEM.match(line))]
    if not items and len(lines) == 1:
        items = [lines[0]]
    cleaned = [_unquoted(item.strip()) for item in items]
    return [item for item in cleaned if item and len(item) <= _LONGEST_ITEM]


def one_string(text: str) -> str:
    """The sentence a model meant to give where it wrote prose around it: quoted, after a label, or the question."""
    lines = [line.strip() for line in _FENCE.sub("", without_thinking(text)).splitlines() if line.strip()]
    quoted = next((line.lstrip("> ") for line in lines if line.startswith(">")), "")
    labelled = next((found[1] for line in lines if (found := _LABELLED.match(line))), "")
    asking = next((line for line in lines if line.endswith(("?", "？", "؟"))), "")
    return _unquoted((quoted or labelled or asking).strip("* "))


def strings_in(text: str, key: str) -> list[str]:
    """The strings a model meant to give: under `key` of an object, as an array, or as a plain list of lines."""
    for value in json_values(text):
        if isinstance(value, dict):
            value = value.get(key)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return [item.strip() for item in value if item.strip()]
    return string_list(text)


def _unquoted(item: str) -> str:
    for pair in _QUOTED:
        if len(item) > 1 and item[0] == pair[0] and item[-1] == pair[1]:
            return item[1:-1].strip()
    return item

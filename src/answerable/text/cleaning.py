"""Text as any database and any screen can hold it."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_FIRST_HALF = re.compile("[\ud800-\udbff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def storable(text: str) -> str:
    """Without NUL and other control characters; half surrogate pairs become U+FFFD, halves that meet the character
    they mean. Tabs and line ends stay."""
    text = _UNSTORABLE.sub("", text)
    if _HALF_PAIR.search(text):
        text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return _HALF_PAIR.sub("\ufffd", text)


def storable_json(value: object) -> object:
    """The same with every text in it storable: JSON may spell what no text can hold (`"\\ud800"`, `"\\u0000"`)."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [storable_json(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): storable_json(item) for key, item in value.items()}
    return value


class StorableStream:
    """`storable` for text that comes in pieces, however a pair is divided between them."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        text = self._half + _UNSTORABLE.sub("", text)
        self._half = text[-1:] if _FIRST_HALF.match(text[-1:]) else ""
        return storable(text[: len(text) - len(self._half)])

    def finish(self) -> str:
        half, self._half = self._half, ""
        return storable(half)


def shortened(text: str, limit: int) -> str:
    """White space folded; cut at a word before `limit` characters, with an ellipsis."""
    folded = " ".join(text.split())
    if len(folded) <= limit:
        return folded
    cut = folded[: limit - 1]
    word_end = cut.rfind(" ")
    return (cut[:word_end] if word_end > limit // 2 else cut).rstrip(" ,;:") + "…"

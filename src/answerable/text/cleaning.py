"""Text as any database and any screen can hold it."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def storable(text: str) -> str:
    """Without NUL and other control characters; half surrogate pairs become U+FFFD. Tabs and line ends stay."""
    return _HALF_PAIR.sub("\ufffd", _UNSTORABLE.sub("", text))


def shortened(text: str, limit: int) -> str:
    """White space folded; cut at a word before `limit` characters, with an ellipsis."""
    folded = " ".join(text.split())
    if len(folded) <= limit:
        return folded
    cut = folded[: limit - 1]
    word_end = cut.rfind(" ")
    return (cut[:word_end] if word_end > limit // 2 else cut).rstrip(" ,;:") + "…"

"""Pages nested deeper than the parser goes, made shallow: it stops at 2,048 levels and drops all that follows."""

from __future__ import annotations

import re

MAX_DEPTH = 1_000  # browsers stop nesting at some 500 and show what is deeper all the same
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_VOID = {
    "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}  # fmt: skip
_RAW = re.compile(
    r"<(script|style|textarea|title|xmp)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL
)


def flattened(source: str) -> str:
    """The page without the tags that open below MAX_DEPTH, and without those that close them. What scripts, styles and
    comments hold is not looked at."""
    kept: list[str] = []
    at = 0
    state = _Depth()
    for raw in _RAW.finditer(source):
        kept.append(_TAG.sub(state.keep, source[at : raw.start()]))
        kept.append(raw[0])
        at = raw.end()
    kept.append(_TAG.sub(state.keep, source[at:]))
    return "".join(kept)


class _Depth:
    """How deep the page is at the tag that is looked at, counted roughly: what is never closed counts on."""

    def __init__(self) -> None:
        self.depth = 0
        self.dropped: dict[str, int] = {}  # by name, of tags opened too deep and not closed yet

    def keep(self, tag: re.Match[str]) -> str:
        closes, name = bool(tag[1]), tag[2].lower()
        if name in _VOID or tag[3].endswith("/"):
            return tag[0]
        if not closes:
            if self.depth >= MAX_DEPTH:
                self.dropped[name] = self.dropped.get(name, 0) + 1
                return " "
            self.depth += 1
        elif self.dropped.get(name):
            self.dropped[name] -= 1
            return " "
        else:
            self.depth = max(0, self.depth - 1)
        return tag[0]

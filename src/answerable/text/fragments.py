"""Links that open a page at the words quoted from it, by the text fragments of the WICG draft."""

from __future__ import annotations

import re
from urllib.parse import quote as percent

LONGEST_EXACT = 300  # characters; the draft advises a start and an end for longer quotes
EDGE_WORDS = 5
EDGE_CHARS = 20  # where words are not parted by spaces


def text_fragment_link(url: str, quote: str) -> str:
    """`url` with a text fragment for `quote`; the address as it is when there is nothing to point to.

    A quote over several lines crosses blocks, which an exact match may not, so it is given by its first and last words.
    """
    lines = [" ".join(line.split()) for line in quote.splitlines() if line.strip()]
    if not lines or not url:
        return url
    if len(lines) == 1 and len(lines[0]) <= LONGEST_EXACT:
        directive = encoded(lines[0])
    else:
        directive = f"{encoded(edge(lines[0], first=True))},{encoded(edge(lines[-1], first=False))}"
    base, _, fragment = url.partition("#")
    return f"{base}#{fragment.split(':~:', 1)[0]}:~:text={directive}"


def edge(line: str, *, first: bool) -> str:
    words = line.split(" ")
    if len(words) <= 2 and len(line) > EDGE_CHARS * 2:
        return line[:EDGE_CHARS] if first else line[-EDGE_CHARS:]
    return " ".join(words[:EDGE_WORDS] if first else words[-EDGE_WORDS:])


def encoded(text: str) -> str:
    """Percent-encoded; also "-" and ",", which the syntax of the directive uses itself."""
    text = re.sub(r"[\ud800-\udfff]", "", text)
    return percent(text, safe="").replace("-", "%2D")

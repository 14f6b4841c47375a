"""RSS and Atom, read by feedparser."""

from __future__ import annotations

import io
from typing import Any


def parsed(body: bytes) -> Any:
    """feedparser's object; None for what is no feed."""
    import feedparser  # loads slowly: only when it is used

    # As a stream: text and bytes it takes for addresses and names of files before it takes them for a feed.
    feed = feedparser.parse(io.BytesIO(body))
    return feed if feed.get("version") else None

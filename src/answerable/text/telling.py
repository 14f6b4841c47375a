"""A turn told in words, the same on the page and in the terminal."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from answerable.types import Source, SupportCounts, Turn

BUILT_IN = "built-in collection"
ONLY_BUILT_IN = "No web search answered; only the built-in collection was searched."


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 page", "2 pages"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def support_in_words(counts: SupportCounts) -> str:
    """ "8 of 9 claims supported, 1 in part": the partly supported are told apart, not counted in. "" without claims."""
    if not counts.claims:
        return ""
    partly = f", {counts.partly} in part" if counts.partly else ""
    return f"{counts.supported} of {counted(counts.claims, 'claim')} supported{partly}"


def work_in_words(source: Source) -> str:
    """ "A. Turing, B. Lee and 3 others, Mind, 1950": who wrote a scholarly work and where it stands. "" for a page."""
    names = list(source.authors)
    if len(names) > 3:
        names = [*names[:2], f"{len(names) - 2} others"]
    authors = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
    return ", ".join(filter(None, (authors, source.venue, str(source.year or ""))))


def is_built_in(url: str, collection_hosts: Collection[str]) -> bool:
    """Whether an address is that of a page of the built-in collection."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and parts.hostname in collection_hosts
    except ValueError:
        return False


def only_built_in(turn: Turn, collection_hosts: Collection[str]) -> bool:
    """Whether the web failed, so that all that was read is from the built-in collection."""
    read = (*turn.sources, *turn.also_read)
    failed = any(note.code == "provider_failed" for note in turn.notes)
    return failed and bool(read) and all(is_built_in(source.url, collection_hosts) for source in read)

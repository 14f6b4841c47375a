"""Texts that are one text: copies on other hosts, passages said twice. Judged by shingles, words in a row."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.text.analysis import tokens

Shingles = frozenset[tuple[str, ...]]

_SIZE = 3
_SHARE = 0.8  # of the shorter text's shingles, which the longer one holds
_LEAST = 8  # shingles; shorter snippets of different pages are alike by chance
_HEAD = 2000  # characters of a page that are compared; what a host adds to an agency's text stands below it


def shingles(words: Sequence[str], size: int = _SIZE) -> Shingles:
    """A text of fewer words than a shingle has is one by itself."""
    return frozenset(tuple(words[i : i + size]) for i in range(max(1, len(words) - size + 1)))


def page_shingles(text: str) -> Shingles:
    """Of the beginning of a page or of its snippet."""
    return shingles(tokens(text[:_HEAD]))


def repeats(one: Shingles, other: Shingles) -> bool:
    """Whether most of the shorter text stands in the other, however short it is."""
    return len(one & other) >= _SHARE * min(len(one), len(other))


def is_copy(one: Shingles, other: Shingles) -> bool:
    """As `repeats`, for texts that are long enough for it to be no chance."""
    return min(len(one), len(other)) >= _LEAST and repeats(one, other)


def clusters(texts: Sequence[str]) -> list[list[int]]:
    """Which texts are one source: positions, each with the copies of the first of them, in the order given."""
    found: list[tuple[Shingles, list[int]]] = []
    for position, text in enumerate(texts):
        own = page_shingles(text)
        same = next((members for first, members in found if is_copy(own, first)), None)
        if same is None:
            found.append((own, [position]))
        else:
            same.append(position)
    return [members for _, members in found]

"""What stands on pages that never name the thing asked about: the price of a library for that of a viaduct. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from answerable.answering.candidates import Candidate, stems_of
from answerable.answering.weighing import FACTS, Wanted
from answerable.text.analysis import fold
from answerable.text.answertypes import holds

LIKELY = 0.5  # chance from which what is left answers of the thing itself
READ = 200_000  # characters of a page in which it is looked for
TRUSTED = 0.7  # chance from which a sentence needs no name: the model read the page's title with it
_TOLD = frozenset({"reason", "place"})
_WORD = re.compile(r"\w+")
_HEADS = re.compile(r"[:|·–—(]| - ")


def of_the_thing(ranked: Sequence[tuple[Candidate, float]], wanted: Wanted) -> Sequence[tuple[Candidate, float]]:
    """Without what stands elsewhere. When that would have led and nothing likely is left, nothing: the pages about the
    thing do not tell. For facts and reasons in English, where a model read the sentences."""
    if (
        not (FACTS | _TOLD) & set(wanted.kinds)
        or not wanted.language.startswith("en")
        or any(c.chance is None for c, _ in ranked)
    ):
        return ranked
    strange = strange_pages(wanted)
    own = [(c, score) for c, score in ranked if c.number not in strange or (c.chance or 0.0) >= TRUSTED]
    if len(own) == len(ranked):
        return ranked
    best = max(ranked, key=lambda pair: pair[0].chance or 0.0)[0]
    if any(c is best for c, _ in own) or any((c.chance or 0.0) >= LIKELY for c, _ in own):
        return own
    return []


def told_as_asked(c: Candidate, wanted: Wanted) -> bool:
    """For "why" a word for a cause, for "in which country" a place, where the model does not make it likely without."""
    if c.chance is None or c.chance >= LIKELY or c.is_row:
        return True
    return all(holds(c.text, kind) for kind in wanted.kinds if kind in _TOLD)


def strange_pages(wanted: Wanted) -> frozenset[int]:
    """Numbers of the pages that name nothing of what is asked about, where another does."""
    names, least = (wanted.names, 1) if wanted.names else _titled(wanted)
    if not names:
        return frozenset()
    texts = (f"{fold(f'{page.title} {page.site} {page.url}')} {_told(page.text)}" for page in wanted.pages)
    held = [sum(name in text for name in names) for text in texts]
    if max(held) < len(names):
        return frozenset()
    return frozenset(number for number, count in enumerate(held, start=1) if count < least)


@lru_cache(maxsize=32)
def _told(text: str) -> str:
    """Folded: a long page is asked about several times a turn."""
    return fold(text[:READ])


def _titled(wanted: Wanted) -> tuple[frozenset[str], int]:
    """What a question in small letters calls by the whole title of a page, and how many of its words tell it."""
    asked = _worded(wanted.question)
    for page in wanted.pages:
        for part in _HEADS.split(page.title):
            stems = stems_of(part, wanted.language)
            if len(stems) > 1 and _worded(part) in asked:
                return stems, len(stems) // 2 + 1
    return frozenset(), 0


def _worded(text: str) -> str:
    return f" {' '.join(_WORD.findall(fold(text)))} "

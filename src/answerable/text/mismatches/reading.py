"""Claims and evidence as words with their places, and where the two run alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from answerable.text.analysis import UNSPACED, fold, stem, without_accents
from answerable.text.stopwords import STOP_WORDS

WORD = re.compile(rf"\d+(?:[.,:]\d+)*|[{UNSPACED}]|[^\W\d_{UNSPACED}]+(?:['’][^\W\d_]+)*")
OPENING = re.compile(r"(?:^|[.!?…:]\s+|\n)[\s\W]*$")
SHORT = 4  # words of a place that is taken for another wording of the same place
VERBATIM = 0.6  # share of the words that run alike, from which a difference is no paraphrase
SAME_START = 5  # letters that two forms of a word share


@dataclass(frozen=True, slots=True)
class Word:
    folded: str
    stem: str
    start: int
    end: int
    name: bool  # capitalised where that is not a matter of course
    opening: bool  # the first word of a sentence
    content: bool


@dataclass(frozen=True, slots=True)
class Reading:
    text: str
    language: str
    words: tuple[Word, ...]
    stems: frozenset[str]
    said: frozenset[str]  # folded words


@dataclass(frozen=True, slots=True)
class Difference:
    """`hard`: such a claim is never supported, whatever else it shares with its evidence."""

    kind: str
    reason: str
    hard: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """Where a claim and its evidence run alike around different words; either side may be empty."""

    claimed: tuple[Word, ...]
    said: tuple[Word, ...]
    before: int  # words in common just before, and just after
    after: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A claim, the sentences that bear on it, and all that stands near them (the passage, its headings and title)."""

    claim: Reading
    source: Reading
    near: Reading
    places: tuple[Place, ...]
    alike: float  # share of the claim's words that stand in the source in the same order
    added: tuple[tuple[Word, ...], ...] = ()  # runs of the claim's words that nothing of the source stands against


@lru_cache(maxsize=1024)
def read(text: str, language: str) -> Reading:
    stop = STOP_WORDS.get(language.split("-")[0], STOP_WORDS["en"])
    words = []
    for match in WORD.finditer(text):
        folded = fold(match[0])
        capital = match[0][0].isupper()
        opening = bool(OPENING.search(text[max(0, match.start() - 12) : match.start()]))
        content = folded not in stop and (len(folded) > 1 or not folded.isascii() or folded.isdigit())
        base = without_accents(stem(folded, language)) if folded else ""
        words.append(Word(folded, base, match.start(), match.end(), capital and not opening, opening, content))
    return Reading(text, language, tuple(words), frozenset(w.stem for w in words), frozenset(w.folded for w in words))


def compare(claim: str, source: str, near: str, language: str) -> Compared:
    claimed, said = read(claim, language), read(source, language)
    matcher = SequenceMatcher(None, [w.stem for w in claimed.words], [w.stem for w in said.words], autojunk=False)
    steps = matcher.get_opcodes()
    alike = sum(last - first for kind, first, last, _, _ in steps if kind == "equal")
    places = tuple(places_of(claimed, said, steps))
    added = tuple(
        claimed.words[first:last]
        for kind, first, last, begin, end in steps
        if kind == "delete" or (kind == "replace" and not any(w.content for w in said.words[begin:end]))
    )
    return Compared(claimed, said, read(near, language), places, alike / max(1, len(claimed.words)), added)


def places_of(claim: Reading, source: Reading, steps: Sequence[tuple[str, int, int, int, int]]) -> Iterator[Place]:
    for at, (kind, first, last, begin, end) in enumerate(steps):
        if kind == "equal" or last - first > SHORT or end - begin > SHORT:
            continue
        before = steps[at - 1][2] - steps[at - 1][1] if at else 0
        after = steps[at + 1][2] - steps[at + 1][1] if at + 1 < len(steps) else 0
        yield Place(claim.words[first:last], source.words[begin:end], before, after)


def flanked(place: Place, compared: Compared, *, least: int = 2) -> bool:
    """Whether enough of the same words stand around a place for its two sides to be two wordings of one thing."""
    claim = compared.claim.words
    opens = place.claimed[:1] == claim[:1]
    closes = place.claimed[-1:] == claim[-1:]
    if place.before and place.after:
        return place.before + place.after >= least
    return (opens and place.after >= least) or (closes and place.before >= least)


def same_word(one: Word, stems: Collection[str]) -> bool:
    """Whether another form of the word is among the stems."""
    if one.stem in stems:
        return True
    start = one.stem[:SAME_START]
    return len(start) == SAME_START and any(other.startswith(start) for other in stems)


def shown(words: tuple[Word, ...], reading: Reading) -> str:
    return reading.text[words[0].start : words[-1].end] if words else ""

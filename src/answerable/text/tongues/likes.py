"""Whether a text says a word of the question in another form: a like word, a part of a compound, another script.

Questions in English are left alone: what they need stands in asking.py and kin.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache

from answerable.text.analysis import base, fold, stem, stems, tokens
from answerable.text.tongues.nouns import ADMISSION, GENERAL, THINGS
from answerable.text.tongues.words import ASKED_BY, COMPOUNDING, MATTERS

SAME, WHOLE, HEAD = 1.0, 0.9, 0.6  # a like word; "Wehrbrücke" for "Brücke"; "Brücke" for "Wehrbrücke"
PART, REST = 4, 3  # letters of a part of a compound that is looked for, and of what is left
START = 5  # letters that a name and its form in another script share
_CYRILLIC = re.compile("[\u0400-\u045f]")
_LATIN = dict(zip("абвгдзийклмнопрстуфыэ", "abvgdziyklmnoprstufye", strict=True)) | {
    "е": "e", "ё": "yo", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya",
    "ъ": "", "ь": "", "і": "i", "ї": "yi", "є": "ye", "ґ": "g",
}  # fmt: skip
_MATTERS = {**MATTERS, **THINGS}
MEASURES = frozenset({"height", "length", "depth", "width"})  # matters that one unit measures


def said(asked: str, language: str, words: frozenset[str], tongue: str = "") -> float:
    """From 0 to 1: how well a text says the stem `asked` of a question in `language` in other words. `words`: the
    text's stems, as that language makes them; `tongue`: the language of the text, where it is another one."""
    own, other = base(language), base(tongue or language)
    if own == "en":
        return 0.0
    return _said(asked, own, words, other)


@lru_cache(maxsize=50_000)
def _said(asked: str, own: str, words: frozenset[str], other: str) -> float:
    like = likes(asked, own, other)
    if not like.isdisjoint(words):
        return SAME
    if own == other and own in COMPOUNDING:
        return max((_compound(asked, like, word) for word in words), default=0.0)
    if other in COMPOUNDING and any(_ends(word, one, PART + 1) for one in like for word in words):
        return WHOLE
    return SAME if own != other and _spelt_out(asked, words) else 0.0


def _compound(asked: str, like: Collection[str], word: str) -> float:
    if _ends(word, asked, PART) or any(_ends(word, one, PART + 1) for one in like):
        return WHOLE
    return HEAD if _ends(asked, word, REST) else 0.0


def _ends(compound: str, head: str, least: int) -> bool:
    return len(head) >= least and len(compound) >= len(head) + REST and compound.endswith(head)


def _spelt_out(asked: str, words: Iterable[str]) -> bool:
    """Whether a word is the same name in the other script: "Верхнеозёрске" for "Verkhneozyorsk"."""
    if len(asked) < START:
        return False
    plain = latin(asked)
    across = (word for word in words if bool(_CYRILLIC.match(word)) != bool(_CYRILLIC.match(asked)))
    return any(latin(word)[:START] == plain[:START] for word in across)


@lru_cache(maxsize=50_000)
def latin(word: str) -> str:
    """A Cyrillic word in Latin letters, as names on maps are; any other as it is."""
    return "".join(_LATIN.get(letter, letter) for letter in word) if _CYRILLIC.search(word) else word


@cache
def likes(asked: str, language: str, tongue: str) -> frozenset[str]:
    """Stems of words that stand for the same matter, in the language and in the tongue, as the language makes stems."""
    found: set[str] = set()
    for matter in _MATTERS:
        if asked in _stems(matter, language, language):
            found |= _stems(matter, tongue, language)
            if language == tongue and matter in MATTERS:
                found |= _stems(matter, language, language)
    return frozenset(found - {asked})


@cache
def _stems(matter: str, tongue: str, language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in tokens(_MATTERS[matter].get(tongue, "")))


@cache
def matters_of(asked: str, language: str) -> frozenset[str]:
    """The matters that a stem stands for."""
    own = base(language)
    return frozenset(matter for matter in _MATTERS if asked in _stems(matter, own, own))


def of_another_measure(question: str, text: str, language: str) -> bool:
    """Whether a height is told where a depth is asked for, in another language than English."""
    own = base(language)
    if own == "en":
        return False
    asked, told = (
        frozenset[str]().union(*(matters_of(w, own) for w in stems(t, own))) & MEASURES for t in (question, text)
    )
    return bool(asked and told) and not asked & told


def singly(asked: Iterable[str], language: str) -> list[str]:
    """Without the stems, in other languages than English, that stand for a matter that one before them stands for."""
    kept: dict[object, str] = {}
    for one in asked:
        matters = matters_of(one, language) if base(language) != "en" else frozenset()
        kept.setdefault(matters or one, one)
    return list(kept.values())


@cache
def admission(language: str) -> frozenset[str]:
    """Stems that speak of being let in, and at which price."""
    own = base(language)
    return frozenset(stem(word, own) for word in tokens(ADMISSION.get(own, "")))


@cache
def is_general(asked: str, language: str) -> bool:
    """Whether a stem says what kind of thing is meant, or almost nothing."""
    return asked in _general(base(language))


@cache
def _general(language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in tokens(GENERAL.get(language, "")))


def spelled_out(question: str, language: str) -> str:
    """The question with a word for what it asks by its build alone: "hat … auf?" asks when a place opens."""
    own = base(language)
    asked = fold(question)
    more = [MATTERS[matter][own].split()[0] for matter, pattern in ASKED_BY.get(own, ()) if re.search(pattern, asked)]
    return " ".join((question, *more)) if more else question

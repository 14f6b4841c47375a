"""The months that a text speaks of: "April to October", "1 Nov – 31 March", "in winter". Pure."""

from __future__ import annotations

import re

from answerable.text.measures import MONTH, SHORT_MONTH

_SEASONS = (  # of the northern half of the earth, as pages use the words for prices and hours
    ("winter winters hiver invierno inverno", (12, 1, 2)),
    ("spring frühling frühjahr printemps primavera lente", (3, 4, 5)),
    ("summer summers sommer été verano estate verão zomer", (6, 7, 8)),
    ("autumn fall herbst automne otoño autunno outono herfst", (9, 10, 11)),
)
_SEASON = {word: frozenset(months) for words, months in _SEASONS for word in words.split()}
_ALL_YEAR = re.compile(
    r"\b(?:all year|year-round|all the year|ganzjährig|toute l['’]année|todo el año|tutto l['’]anno)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+\.?")
_TO = re.compile(
    r"\s*(?:\d{1,2}(?:st|nd|rd|th)?,?)?\s*(?:to|till|until|through|bis(?: zum)?|à|au|a|al|tot|t/m|[-–—])"
    r"\s*(?:the )?(?:end of |mid-?)?(?:\d{1,2}(?:st|nd|rd|th|\.)?(?: of)?)?\s*",
    re.IGNORECASE,
)
_MEANT = re.compile(r"(?:\b(?:in|of|from|to|until|till|since|by|during|early|late|mid|and|or|\d{1,2})|[-–—])\s*$", re.I)
_DOUBTFUL = frozenset({"may", "march", "mars", "mar", "fall", "mai", "sept"})  # words of their own, too


def months_in(text: str) -> frozenset[int]:
    """January is 1. Months from one to another count all, over the end of the year as well; a season counts its three.
    A short name only with its capital ("Mar", not "mar")."""
    if _ALL_YEAR.search(text):
        return frozenset(range(1, 13))
    found: set[int] = set()
    last: tuple[int, int] | None = None  # month and where its name ends
    for word in _WORD.finditer(text):
        name = word[0].casefold().rstrip(".")
        if name in _SEASON and _is_meant(name, word, text):
            found |= _SEASON[name]
            continue
        month = MONTH.get(name) or (SHORT_MONTH.get(name) if word[0][0].isupper() else None)
        if month is None or not _is_meant(name, word, text):
            continue
        if last and _TO.fullmatch(text[last[1] : word.start()]):
            found.update((last[0] - 1 + n) % 12 + 1 for n in range((month - last[0]) % 12 + 1))
        found.add(month)
        last = month, word.end()
    return frozenset(found)


def in_season(asked: frozenset[int], told: frozenset[int]) -> bool | None:
    """Whether the months that are told hold most of the asked ones; None where one of both tells none."""
    if not asked or not told:
        return None
    return 2 * len(asked & told) > len(asked)


def _is_meant(name: str, word: re.Match[str], text: str) -> bool:
    """Whether "may" and the like are months there."""
    if name not in _DOUBTFUL:
        return True
    begins = not text[: word.start()].strip()
    return bool(_MEANT.search(text[: word.start()])) or (word[0][0].isupper() and (not begins or len(text.split()) < 5))

"""Keeps what nobody asked for out of a model's search queries: years, days, prices, places and names.

A model writes what it remembers: the year of its training, the best known brand, the country that it hears of most.
Such a query finds pages for another question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime

from answerable.text.analysis import content_words, fold, stem, stems
from answerable.text.languages import detect
from answerable.text.relative import relative_dates

_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b(?![.,]\d)")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"\b(?:(?P<iso>(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?)"
    rf"|(?:(?P<d1>[0-3]?\d)(?:st|nd|rd|th)?\s+)?(?P<m1>{_MONTH})\s+(?:(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?,?\s+)?(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CALENDAR = re.compile(rf"{_MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_BOUND = (
    r"(?:(?:under|below|less than|up to|over|above|more than|around|about|from|for|between|unter|über|bis|moins de|"
    r"menos de|fino a)\s+)?"
)
_PRICE = re.compile(
    rf"{_BOUND}(?:[$€£¥₹]\s?(?P<a>\d[\d.,]*)\s?k?\b|\b(?P<b>\d[\d.,]*)\s?"
    r"(?:[$€£¥₹]|(?:dollars?|euros?|pounds?|usd|eur|gbp)\b))",
    re.IGNORECASE,
)
_LAST_OR_NEXT = re.compile(
    r"\b(?:(?P<last>last|previous|letzte[sn]?|vorige[sn]?|l['’]ann[ée]e derni[èe]re|el año pasado)|"
    r"(?P<next>next|coming|nächste[sn]?|prochaine|próximo))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][\w’'.-]*")
_LINK = "(?:in|near|at|around|from|of|for|by|on|to|bei|aus|von|en|de|à|pour|near me)"
_LOOSE = re.compile(rf"(?:\s+(?:{_LINK}|the|and|&|vs\.?))+\s*$|^\s*(?:{_LINK}|and|&)\s+(?=$)", re.IGNORECASE)
# Lands and large cities: what a model adds most. With a capital, any other name is seen too.
_LANDS = """afghanistan algeria argentina australia austria bangladesh belgium brazil bulgaria canada chile
    china colombia croatia cuba cyprus czechia denmark egypt england estonia ethiopia finland france germany
    ghana greece hungary iceland india indonesia iran iraq ireland israel italy japan kenya korea latvia
    lithuania luxembourg malaysia mexico morocco netherlands nigeria norway pakistan peru philippines poland
    portugal romania russia scotland serbia singapore slovakia slovenia spain sweden switzerland taiwan
    thailand tunisia turkey uk ukraine usa vietnam wales europe africa asia america california texas florida
    ontario bavaria"""
_CITIES = """amsterdam athens atlanta auckland bangkok barcelona beijing berlin birmingham boston brussels
    budapest cairo chicago copenhagen dallas delhi dubai dublin edinburgh frankfurt geneva hamburg helsinki
    houston istanbul jakarta johannesburg kyiv lagos lisbon london madrid manchester melbourne miami milan
    montreal moscow mumbai munich nairobi osaka oslo paris philadelphia prague rome seattle seoul shanghai
    stockholm sydney tokyo toronto vancouver vienna warsaw zurich"""
_PLACES = frozenset(f"{_LANDS} {_CITIES}".split())
_ALSO_CALLED = {
    "france": "french",
    "netherlands": "dutch holland",
    "denmark": "danish danes",
    "uk": "british britain kingdom england english",
    "england": "english",
    "usa": "american america united states us",
    "wales": "welsh",
    "ireland": "irish",
    "spain": "spanish",
    "munich": "bavaria",
    "vienna": "viennese",
}
LEAST_LEFT = 2  # content words that a query without what was taken from it must keep


def as_asked(query: str, question: str, now: datetime, *, fresh: bool = True) -> str:
    """The query without what the question did not ask for; "" when too little is left of it.

    A day that stands for the question's "yesterday" gets its true date. With `fresh`, this year may stand.
    """
    asked_figures = {figure.strip(".,") for figure in re.findall(r"\d[\d.,]*", question)}
    cleaned = _PRICE.sub(lambda m: m[0] if (m["a"] or m["b"]).strip(".,") in asked_figures else "", query)
    cleaned = without_strange_dates(cleaned, question, now, fresh=fresh)
    names = without_strange_names(cleaned, question)
    if names != cleaned and len(content_words(names, detect(question))) < LEAST_LEFT:
        return ""
    return names


def without_strange_dates(query: str, question: str, now: datetime, *, fresh: bool = True) -> str:
    """Only the years and days that the reader named or meant stay."""
    meant = [one.meaning for one in relative_dates(question, now, detect(question))]
    asked = {*_YEAR.findall(question), *(meaning[:4] for meaning in meant)}
    if fresh:
        asked.add(str(now.year))
    for found in _LAST_OR_NEXT.finditer(question):
        asked.add(str(now.year + (-1 if found["last"] else 1)))
    day = next((meaning for meaning in meant if len(meaning) == 10), "")

    def dated(found: re.Match[str]) -> str:
        if _YEAR.findall(found[0])[-1] in asked and not (day and str(now.year) in found[0]):
            return found[0]
        return _spelled(day, plain=bool(found["iso"])) if day else ""

    return _tidy(_YEAR.sub(lambda year: year[0] if year[0] in asked else "", _DATE.sub(dated, query)))


def without_strange_names(query: str, question: str) -> str:
    """Names and places that the question has in no form are left out, with the preposition before them.

    Words of one language only are compared, and capitals tell names where not every noun or word has one.
    """
    language = detect(question)
    known = _known(question, language)
    words = list(_WORD.finditer(query))
    rest = words[1:]
    capitals = sum(word[0][0].isupper() for word in rest)  # beyond half of them it is a title
    telling = detect(query) == language != "de" and (capitals <= len(rest) / 2 or len(rest) < 2)
    own = {fold(word) for word in _WORD.findall(question)}

    def strange(place: int, word: str) -> bool:
        folded = fold(word).removesuffix("'s").rstrip(".")
        if known(folded) or _CALENDAR.fullmatch(word):
            return False
        if folded in _PLACES:
            return not _asked_place(folded, own)
        return telling and place > 0 and word[0].isupper() and not word.isupper() and word.lower() not in own

    taken = [word for place, word in enumerate(words) if strange(place, word[0])]
    if not taken or _spells_out(taken, question):
        return _tidy(query)
    return _tidy(_cut(query, taken))


def invents(rewritten: str, said: Iterable[str]) -> bool:
    """Whether a rewritten question has a name or a year that stood nowhere in what was said before it."""
    before = " ".join(said)
    years = set(_YEAR.findall(rewritten)) - set(_YEAR.findall(before))
    return bool(years) or without_strange_names(rewritten, before) != _tidy(rewritten)


def _known(question: str, language: str) -> Callable[[str], bool]:
    """Whether a folded word stands in the question: by its stem, or its first letters, for "Norway" and "Norwegian"."""
    own = set(stems(question, language))
    heads = {word[:4] for word in own if len(word) >= 4}
    return lambda word: stem(word, language) in own or (len(word) >= 4 and word[:4] in heads)


def _asked_place(place: str, own: set[str]) -> bool:
    if set(_ALSO_CALLED.get(place, "").split()) & own:
        return True
    return len(place) > 3 and any(word[:3] == place[:3] and len(word) > 4 for word in own)


def _spells_out(taken: list[re.Match[str]], question: str) -> bool:
    """ "World Health Organization" for the question's "WHO"."""
    initials = "".join(word[0][0] for word in taken)
    return len(initials) > 1 and bool(re.search(rf"\b{re.escape(initials)}\b", question))


def _cut(query: str, taken: list[re.Match[str]]) -> str:
    kept, at = "", 0
    for word in taken:
        before = re.sub(rf"(?:\b{_LINK}\s+(?:the\s+)?)$", "", query[at : word.start()], flags=re.IGNORECASE)
        kept, at = kept + before, word.end()
    return kept + query[at:]


def _spelled(day: str, *, plain: bool) -> str:
    moment = date.fromisoformat(day)
    return day if plain else f"{moment.day} {moment:%B} {moment.year}"


def _tidy(query: str) -> str:
    return _LOOSE.sub("", " ".join(re.sub(r"\(\s*\)|\"\s*\"", " ", query).split())).strip(" ,;-")

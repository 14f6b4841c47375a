"""Which words of a question in another language than English name a thing: what no page speaks of, none answers."""

from __future__ import annotations

import re
from functools import cache

from answerable.text.analysis import base, content_words, stem
from answerable.text.tongues.ages import is_number
from answerable.text.tongues.likes import matters_of
from answerable.text.tongues.nouns import ARTICLES
from answerable.text.tongues.words import MATTERS

_WORD = r"[^\W\d_][\w’-]*"
_CAPITAL = re.compile(r"(?<=\s)[A-ZÀ-ÞА-ЯЁ][\w’-]+")

_PLACE = re.compile(r"\b(?:in|aus|bei|von|nach|auf|um) ([A-ZÄÖÜ][\w’-]+)")
_RUSSIAN = re.compile(r"(?<=\s)[а-яё]{4,}")
_NO_NOUN = re.compile(  # endings of verbs and adjectives
    r"(?:[еиую]т|[ая]т|ть|ться|тся|л|ла|ло|ли|ый|ий|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ую|юю|ых|их|ым|им|ими|ыми|но|ко)$"
)


def things_of(question: str, language: str) -> frozenset[str]:
    """Stems of its nouns, those that stand for a matter (a price, opening hours) left out: in German the words with a
    capital, else what follows an article, and what has a capital."""
    own = base(language)
    if own == "en":
        return frozenset()
    found = _CAPITAL.findall(question)
    if own == "ru":
        found += [word for word in _RUSSIAN.findall(question) if not _NO_NOUN.search(word)]
    if (pattern := _after_article(own)) and not (found and own == "de"):  # unless it is typed without capitals
        found += pattern.findall(question)
    found = [word for word in found if not is_number(word)]
    stems = {stem(word, own) for name in found for word in content_words(name, own)}
    return frozenset(one for one in stems if not matters_of(one, own) & MATTERS.keys())


def places_of(question: str, language: str) -> frozenset[str]:
    """Stems of what stands after a preposition with a capital, in German, where every noun has one: "in Lindenroda"."""
    return frozenset(
        stem(word, base(language)) for name in _PLACE.findall(question) for word in content_words(name, language)
    )


@cache
def _after_article(language: str) -> re.Pattern[str] | None:
    articles = ARTICLES.get(language, "").split()
    if not articles:
        return None
    elided = [re.escape(word[:-1]) + "['’]" for word in articles if word.endswith("'")]
    if language == "hi":
        return re.compile(rf"(?<!\S)(?:{'|'.join(articles)})\s+([^\s?।]+)")
    plain = [rf"{word}\s+" for word in articles if not word.endswith("'")]
    return re.compile(rf"(?<![\w’'])(?:{'|'.join((*elided, *plain))})({_WORD})", re.IGNORECASE)

"""Finding a text again by whatever is typed: the terms a text is kept under, and those a search asks for."""

from __future__ import annotations

import re
import unicodedata

from answerable.text.analysis import TOKEN, UNSPACED_RUN, bigrams, fold, plain_number, without_accents

TERM_CHARS = 64
QUERY_TERMS = 16  # of a search; what comes after is not asked for
_SYMBOL = re.compile(r"[^\w\s\x00-\u00a0]")


def search_terms(text: str) -> list[str]:
    """The distinct terms of a text, sorted: folded words without accents, parts of numbers and of words with an
    apostrophe, pairs of characters of scripts without spaces, emoji."""
    found: set[str] = set()
    folded = fold(text)
    for token in TOKEN.findall(folded):
        if UNSPACED_RUN.match(token):
            found.update(bigrams(token), token[-1])  # a single character is found at the start of a pair, or last
        else:
            found.add(_whole(token))
            found.update(part for part in re.split(r"[.,']", without_accents(token)) if len(part) > 1)
    found.update(_symbols(folded))
    return sorted(term[:TERM_CHARS] for term in found)


def query_terms(text: str) -> list[tuple[str, bool]]:
    """What a text must hold, each with whether it may go on after it (`tram` finds `trams`).

    Nothing that is typed is an operator. Empty when there is no word or symbol in it.
    """
    folded = fold(text)
    wanted: dict[str, bool] = {}
    for token in TOKEN.findall(folded):
        if UNSPACED_RUN.match(token):
            pairs = bigrams(token)
            wanted |= {pair: len(pairs) == 1 for pair in pairs}
        else:
            wanted[_whole(token)[:TERM_CHARS]] = len(token) > 1  # a letter alone is a word of one letter
    wanted |= dict.fromkeys(_symbols(folded), False)
    return list(wanted.items())[:QUERY_TERMS]


def _whole(token: str) -> str:
    return without_accents(plain_number(token)).replace("'", "")


def _symbols(folded: str) -> list[str]:
    return [sign for sign in _SYMBOL.findall(folded) if unicodedata.category(sign) == "So"]

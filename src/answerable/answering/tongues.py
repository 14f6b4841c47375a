"""A part of what the sentence-reading model does for English, for other languages: like words, ages, who did it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answerable.answering.candidates import Candidate, stems_of
from answerable.text.analysis import base
from answerable.text.answertypes import AnswerType, holds
from answerable.text.languages import detect
from answerable.text.tongues.ages import age_asked, age_fits
from answerable.text.tongues.likes import HEAD, admission, matters_of, of_another_measure, said, spelled_out
from answerable.text.tongues.patterns import MONEY, PERSON_NAMED
from answerable.text.tongues.times import asks_the_end, tells_a_span, tells_time, time_asked
from answerable.types import Page

_PERSON = re.compile(PERSON_NAMED)
_PRICE = re.compile(rf"\d\s?(?:{MONEY}|[$£¥₹])|[€$£¥₹]\s?\d", re.IGNORECASE)
_CASED = re.compile("[A-Za-zА-Яа-я]")
TOLD_BY = 500  # characters of a page that tell its language
ACTS = frozenset({"make", "found", "find", "write", "lead"})  # matters that tell who did what
ADULT = 30  # an age that no reduced price is for
GROWN = 14  # years from which nobody is told by "child" alone
# In the units of weighing.py (a logit), set by hand.
AGED, OF_ANOTHER_AGE = 1.5, -3.0
GROWN_UP = -2.0  # the adult's price for a child
CAUSE = 1.2
ABROAD = -1.5  # a page in another language, where some speak the reader's
UNDONE = -2.0  # a person, but not what was done
OTHERS = frozenset({"child", "student", "senior"})  # matters: who pays another price than an adult
NOT_THEIRS, REDUCED = -2.0, -1.0  # a price for others than those asked about; no plain price
ADMITTED = 1.5  # for who pays what: what it costs to be let in
UNTIL = 1.0  # an end, where "until when" is asked
NO_SUCH_TIME = -3.5  # a year, where the hours are asked for


def tongues_of(pages: Sequence[Page]) -> tuple[str, ...]:
    """The language of each page."""
    return tuple(base(page.language or detect(page.text[:TOLD_BY])) for page in pages)


def attuned(candidates: Sequence[Candidate], question: str, language: str, pages: Sequence[Page]) -> list[Candidate]:
    """With the question's stems that they say in other words. For a question in English they stay as they are."""
    tongues = tongues_of(pages)
    if base(language) == "en":
        return list(candidates)
    asked = stems_of(spelled_out(question, language), language)
    return [_attuned(c, asked, language, tongues[c.number - 1]) for c in candidates]


def _attuned(c: Candidate, asked: frozenset[str], language: str, tongue: str) -> Candidate:
    words, around, near = (also(asked, stems, language, tongue) for stems in (c.words, c.around, c.near))
    return replace(c, words=c.words | words, around=c.around | around, near=c.near | near)


def also(asked: frozenset[str], words: frozenset[str], language: str, tongue: str = "") -> frozenset[str]:
    """The asked stems that the words say in another form."""
    return frozenset(one for one in asked - words if said(one, language, words, tongue) >= HEAD)


def stands_for(word: str, language: str) -> bool:
    """Whether a word with a capital is no name, in a language where others have it: "Kind", "Eintritt"."""
    return base(language) != "en" and bool(matters_of(word, language))


def told(
    c: Candidate,
    question: str,
    kinds: Sequence[AnswerType],
    language: str,
    tongues: Sequence[str],
    asked: frozenset[str],
) -> float:
    """What speaks for it, or against, beyond the figures of weighing.py."""
    own, tongue = base(language), tongues[c.number - 1]
    if own == "en":
        return 0.0
    score = _of_age(c, question, language, asked)
    if tongue != own and own in tongues:
        score += ABROAD
    if "reason" in kinds and holds(c.text, "reason"):
        score += CAUSE
    if "number" in kinds and "price" in _matters(asked, own):
        score += _of_payer(c, own, asked)
    if "date" in kinds and not tells_time(c.text, time_asked(question, own)):
        score += NO_SUCH_TIME
    if "date" in kinds and asks_the_end(question) and tells_a_span(c.text):
        score += UNTIL
    if "person" in kinds and not does(c, own, asked):
        score += UNDONE
    return score


def does(c: Candidate, language: str, asked: frozenset[str]) -> bool:
    """Whether it speaks of what was done ("founded", "designed"), where that is asked."""
    acts = frozenset(one for one in asked if matters_of(one, language) & ACTS)
    return not acts or bool(acts & (c.words | c.around if c.is_row else c.words))


def may_lead(c: Candidate, question: str, kinds: Sequence[AnswerType], language: str) -> bool:
    """Whether it can open an answer in another language than English: it tells such a time, or who did it."""
    if "date" in kinds and not tells_time(c.text, time_asked(question, language)):
        return False
    if "number" in kinds and of_another_measure(question, c.text, language):
        return False
    if kinds != ("person",):
        return True
    return does(c, base(language), stems_of(spelled_out(question, language), language)) and names_somebody(
        c.text, question
    )


def names_somebody(text: str, question: str) -> bool:
    """Whether it names a person whom the question does not, as far as capitals tell."""
    if not _CASED.search(text):
        return True
    known = question.casefold()
    return any(
        any(word.casefold() not in known for word in f[0].split() if word[0].isupper()) for f in _PERSON.finditer(text)
    )


def _of_age(c: Candidate, question: str, language: str, asked: frozenset[str]) -> float:
    who = _matters(asked, language) & {*OTHERS, "adult"}
    age = age_asked(question) or (ADULT if "adult" in who else None)
    fits = age_fits(c.text, age) if age is not None else None
    if fits is not None:
        return AGED if fits else OF_ANOTHER_AGE
    told_of = _matters(c.words, language) & {*OTHERS, "adult"}
    if age is not None and age < GROWN:
        return GROWN_UP if "adult" in told_of else 0.0
    return 0.0


def _of_payer(c: Candidate, language: str, asked: frozenset[str]) -> float:
    """For "what does a pensioner pay", what pensioners pay; the plain price where nobody is named."""
    who = _matters(asked, language) & {*OTHERS, "adult"}
    told_of = _matters(c.words, language) & {*OTHERS, "adult"}
    let_in = ADMITTED * (1.0 if who else 0.5) * bool(admission(language) & (c.words | c.around if who else c.words))
    if who & OTHERS:
        return let_in + (0.0 if who & told_of else NOT_THEIRS)
    plain = not told_of or "adult" in told_of or len(_PRICE.findall(c.text)) > 1
    return let_in + (0.0 if plain else REDUCED)


def _matters(stems: frozenset[str], language: str) -> frozenset[str]:
    return frozenset[str]().union(*(matters_of(one, language) for one in stems))

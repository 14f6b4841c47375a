"""The capitals that a hurried question leaves out, as the pages write the same names. English. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from answerable.text.analysis import content_words

LONGEST = 5  # words of a name
_WORD = re.compile(r"[^\W_](?:[\w’'&.-]*[^\W_])?(?:['’](?=s?\b))?", re.UNICODE)
_OWNS = re.compile(r"['’]s?$")
_BETWEEN = re.compile(r"[ \t\u00a0]+|-")
_OPENS = re.compile(r"(?:^|[.!?:;|•·\n“\"(\[>–—])\s*$")
_SELF = re.compile(r"I(?:['’]\w+)?$")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    low: str
    opens: bool  # a sentence, a cell or a line, where a capital says nothing
    follows: bool  # directly on the word before it


def with_capitals(question: str, texts: Iterable[str]) -> str:
    """The question with its names written as the texts mostly write them: "when did small harbour come out" asks for
    Small Harbour. As it is, where it has capitals of its own."""
    asked = list(_WORD.finditer(question))
    if any(_cased(word[0]) for word in asked[1:]):
        return question
    lows = [_OWNS.sub("", word[0]).casefold() for word in asked]
    written = _as_written(lows, [word for text in texts for word in _words(text)])
    pieces, end = list[str](), 0
    for k, found in enumerate(asked):
        own = _OWNS.search(found[0])
        kept = written[k] + (own[0] if own else "") if k in written else found[0]
        pieces += [question[end : found.start()], kept]
        end = found.end()
    return "".join((*pieces, question[end:]))


def _as_written(lows: Sequence[str], told: Sequence[_Word]) -> dict[int, str]:
    """By their places, the words that are part of a name; the longest names first."""
    places: dict[str, list[int]] = {low: [] for low in lows}
    for at, word in enumerate(told):
        if word.low in places:
            places[word.low].append(at)
    written: dict[int, str] = {}
    for size in range(min(LONGEST, len(lows)), 0, -1):
        for start in range(len(lows) - size + 1):
            words, span = lows[start : start + size], range(start, start + size)
            if _may_be_name(words) and not any(k in written for k in span):
                name = _written_mostly(_forms(words, places[words[0]], told))
                written |= dict(zip(span, name, strict=True)) if name else {}
    return written


def _cased(word: str) -> bool:
    return word != word.lower() and not _SELF.match(word)


def _words(text: str) -> list[_Word]:
    found, end = list[_Word](), 0
    for word in _WORD.finditer(text):
        bare = _OWNS.sub("", word[0])
        gap = text[end : word.start()]
        opens = bool(_OPENS.search(text[max(0, word.start() - 4) : word.start()]))
        found.append(_Word(bare, bare.casefold(), opens, bool(_BETWEEN.fullmatch(gap))))
        end = word.end()
    return found


def _may_be_name(words: Sequence[str]) -> bool:
    """It begins and ends with words that mean something, and is not a number alone."""
    if not any(word[0].isalpha() for word in words):
        return False
    return bool(content_words(words[0])) and (words[-1][0].isdigit() or bool(content_words(words[-1])))


def _forms(words: Sequence[str], starts: Sequence[int], told: Sequence[_Word]) -> Counter[tuple[str, ...]]:
    """How the texts write the words where they follow each other."""
    forms: Counter[tuple[str, ...]] = Counter()
    for at in starts:
        run = told[at : at + len(words)]
        if len(run) < len(words) or any(one.low != word for one, word in zip(run, words, strict=True)):
            continue
        if not all(one.follows for one in run[1:]):
            continue
        if len(run) == 1 and not (at and run[0].follows and told[at - 1].text.islower()):
            continue  # a label, an order ("Keep dry"), or "Bridge" of Skarre Bridge
        forms[tuple(one.text for one in run)] += 1
    return forms


def _written_mostly(forms: Counter[tuple[str, ...]]) -> tuple[str, ...]:
    """The commonest way as a name, when most are one: each word that means something has a capital."""
    names = {form: n for form, n in forms.items() if _is_name(form)}
    if not names or 2 * sum(names.values()) <= sum(forms.values()):
        return ()
    return max(names, key=lambda form: (names[form], form))


def _is_name(form: Sequence[str]) -> bool:
    telling = [word for word in form if word[0].isalpha() and content_words(word)]
    return bool(telling) and all(word != word.lower() for word in telling)

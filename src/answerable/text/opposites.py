"""Negations and opposite words: what shared words cannot show."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from answerable.text.analysis import content_of_folded, stem, without_accents

SCOPE = 5  # content words that a negation reaches
CLAUSE = re.compile(
    r"[,;:()。、，；]|\s-\s|\b(?:but|while|whereas|although|though|however|aber|sondern|mais|pero|ma|но)\b"
)
NEGATION = re.compile(
    r"\b(?:not(?! (?:only|just|merely|simply)\b)|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n't|"
    r"fail(?:s|ed)? to|lack(?:s|ed)?|"
    r"nicht(?! nur)|kein\w{0,2}|nie|niemals|ohne|weder|pas|jamais|aucune?|sans|nunca|ningún|ninguna|sin|tampoco|non|"
    r"senza|nessun\w?|não|sem|niet|geen|nooit|нет|не|без|ни)\b"
)
NOT_DENYING = re.compile(
    r"\b(?:no\.? \d|no doubt|not (?:only|just|merely|simply)|no longer than|nicht nur|non solo|no solo|pas seulement)\b"
)
# Japanese and Chinese put the negation inside the word.
UNSPACED_NEGATION = re.compile(r"ない|なかった|ません|ず(?:に|、|。|$)|不|没有|沒有|未|无法|無法|않|없|아니")
PAIRS = """rose/fell rise/fall rises/falls rising/falling increase/decrease increased/decreased increases/decreases
    increasing/decreasing grew/shrank grow/shrink up/down higher/lower highest/lowest more/fewer more/less
    larger/smaller largest/smallest bigger/smaller biggest/smallest longest/shortest longer/shorter
    oldest/youngest older/younger first/last before/after above/below gained/lost win/lose won/lost best/worst
    better/worse faster/slower majority/minority north/south northern/southern east/west eastern/western
    opened/closed open/closed accepted/rejected approved/rejected allowed/banned allow/ban legal/illegal
    present/absent maximum/minimum success/failure succeeded/failed import/export imports/exports
    imported/exported buy/sell bought/sold male/female men/women hot/cold early/late earlier/later
    inside/outside possible/impossible likely/unlikely safe/unsafe positive/negative benefit/harm all/none
    always/never widened/narrowed strengthened/weakened warmer/colder wet/dry stieg/sank steigt/sinkt
    höher/niedriger größer/kleiner mehr/weniger vor/nach augmenté/diminué plus/moins aumentó/disminuyó más/menos"""
OPPOSITE: dict[str, set[str]] = {}
for _pair in PAIRS.split():
    _one, _other = _pair.split("/")
    OPPOSITE.setdefault(_one, set()).add(_other)
    OPPOSITE.setdefault(_other, set()).add(_one)
CONTRASTS = """summer/winter men/women man/woman single/return morning/evening weekday/weekend day/night indoor/outdoor
    cooked/raw sommer/winter erwachsene/kinder été/hiver verano/invierno adultes/enfants adultos/niños лето/зима
    взрослых/детей adult/child adults/children adult/baby adults/babies grown/baby grown/child grown/children"""
CASES = """dry/cooked dry/cooking raw/cooking road/rail road/railway car/train bus/train gross/net
    day/week day/weekly daily/weekly day/monthly weekly/monthly week/month"""
CONTRAST: dict[str, set[str]] = {}  # what sets two cases of one thing apart…
CASE: dict[str, set[str]] = {}  # …and what does so where both give a value of it
for _pairs, _table in ((CONTRASTS, (CONTRAST, CASE)), (CASES, (CASE,))):
    for _one, _other in (_pair.split("/") for _pair in _pairs.split()):
        for _known in _table:
            _known.setdefault(_one, set()).add(_other)
            _known.setdefault(_other, set()).add(_one)
ORDER: dict[str, set[str]] = {  # what tells a thing of the same kind at another time
    word: CONTRAST.get(word, set()) | ({"first", "last"} - {word} if word in {"first", "last"} else set())
    for word in (
        "first",
        "last",
        "summer",
        "winter",
        "weekday",
        "weekend",
        "sommer",
        "été",
        "hiver",
        "verano",
        "invierno",
    )
}
WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Polarity:
    """Which of the given stems a text denies, and which it states plainly."""

    denied: frozenset[str]
    affirmed: frozenset[str]


def negated(folded: str, language: str, stems: Collection[str]) -> Polarity:
    denied: set[str] = set()
    affirmed: set[str] = set()
    for clause in CLAUSE.split(NOT_DENYING.sub(" ", folded)):
        mark = NEGATION.search(clause)
        before, after = (clause, "") if mark is None else (clause[: mark.start()], clause[mark.end() :])
        if UNSPACED_NEGATION.search(clause):
            before, after = "", clause
        reached = stems_of(after, language)
        scope = reached if UNSPACED_NEGATION.search(clause) else reached[:SCOPE]
        denied.update(base for base in scope if base in stems)
        affirmed.update(base for base in (*stems_of(before, language), *reached[len(scope) :]) if base in stems)
    return Polarity(frozenset(denied), frozenset(affirmed))


def stems_of(text: str, language: str) -> list[str]:
    return [without_accents(stem(word, language)) for word in content_of_folded(text, language)] if text else []


def opposite(claim: str, source: str) -> tuple[str, str] | None:
    """A word of the claim whose opposite, but not itself, is in the source."""
    claimed, said = WORD.findall(claim), set(WORD.findall(source))
    held = set(claimed)
    for word in claimed:
        turned = (OPPOSITE.get(word, set()) & said) - held
        if turned and word not in said:
            return word, min(turned)
    return None


def turned_to(text: str, known: str, pairs: Mapping[str, Collection[str]]) -> bool:
    """Whether the text has the counterpart of a word that is known, but not that word."""
    own, words = (set(WORD.findall(part.casefold())) for part in (text, known))
    return any(word not in own and (own & set(pairs[word])) - words for word in words & pairs.keys())

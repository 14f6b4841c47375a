"""Sources that give different values for one thing, found among the claims of an answer. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from answerable.answering.checking import CheckedAnswer
from answerable.text.analysis import content_words, stem
from answerable.text.numbers import Quantity, matches, quantities
from answerable.types import Citation, Conflict, ConflictSide, Plan

ALIKE = 0.5  # share of the shorter claim's words that both hold, from which they speak of one thing
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]+")
_MARKERS = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class _Claim:
    index: int
    citations: tuple[Citation, ...]
    words: frozenset[str]
    names: frozenset[str]
    values: tuple[Quantity, ...]

    @property
    def pages(self) -> frozenset[str]:
        return frozenset(citation.page_id for citation in self.citations)


def find_conflicts(plan: Plan, checked: CheckedAnswer) -> tuple[Conflict, ...]:
    """The first claim against the others: different pages, the same words and names, no value in common.

    Only the main claim is looked at: what else the sources may disagree on is not what was asked.
    """
    claims = [claim for claim in _claims(checked, plan.language) if claim.citations and claim.values]
    if not claims or claims[0].index != _first_cited(checked):
        return ()
    main = claims[0]
    against = [claim for claim in claims[1:] if _contradicts(main, claim)]
    if not against:
        return ()
    sides = [_side(main, against[0].values), *(_side(claim, main.values) for claim in against)]
    return (Conflict(plan.standalone_question, tuple(sides)),)


def _claims(checked: CheckedAnswer, language: str) -> list[_Claim]:
    names = {n for s in checked.sentences for n in _NAME.findall(s.text) if content_words(n, language)}
    return [
        _Claim(
            index=sentence.index,
            citations=tuple(c for c in checked.citations if c.sentence == sentence.index),
            words=frozenset(
                stem(word, language)
                for word in content_words(_MARKERS.sub("", sentence.text), language)
                if not word[0].isdigit()
            ),
            names=frozenset(name for name in names if name in sentence.text),
            values=tuple(q for q in quantities(_MARKERS.sub("", sentence.text)) if q.hard and q.dimension != "month"),
        )
        for sentence in checked.sentences
        if sentence.verdict in ("supported", "partly")
    ]


def _first_cited(checked: CheckedAnswer) -> int:
    return min((citation.sentence for citation in checked.citations), default=-1)


def _contradicts(one: _Claim, other: _Claim) -> bool:
    if one.pages & other.pages or (one.names - other.names and other.names - one.names):  # each names its own thing
        return False
    if len(one.words & other.words) < ALIKE * min(len(one.words), len(other.words)):
        return False
    return bool(_rivals(one.values, other.values)) and not any(
        matches(a, b) or matches(b, a) for a in one.values for b in other.values if _same_kind(a, b)
    )


def _rivals(values: Sequence[Quantity], others: Sequence[Quantity]) -> list[Quantity]:
    return [value for value in values if any(_same_kind(value, other) for other in others)]


def _same_kind(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension and one.is_year == other.is_year


def _side(claim: _Claim, others: Sequence[Quantity]) -> ConflictSide:
    rivals = _rivals(claim.values, others)
    dates = [citation.published for citation in claim.citations if citation.published]
    newest: datetime | None = max(dates, key=lambda date: date.timestamp(), default=None)
    return ConflictSide(rivals[0].text.strip(), tuple(sorted(claim.pages)), newest)

"""The extractive writer: the best sentences of the evidence, verbatim, in good order, each with its marker."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from answerable.answering.candidates import Candidate, candidates_of, cited, shown, stems_of
from answerable.text.answertypes import AnswerType, asked_for, holds
from answerable.text.phrases import phrase
from answerable.types import Evidence, Plan

_MOST = {"lookup": 3, "navigational": 2}  # sentences; other kinds have five
_ENOUGH = 0.62  # of the lead's score, for a sentence to be added
_SAME = 0.6  # shared stems from which two sentences say the same
_COLUMNS = 6
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_POINTING = re.compile(
    r"(?:it|its|he|she|his|her|they|their|this|that|these|those|such|but|however|also|there|here|then|and"
    r"|er|sie|es|dies\w*|jene\w*|sein\w*|ihre?\w*|il|elle|ils|elles|ce|cette|ces|cela|son|sa|ses|este|esta|esto|él|ella|su|sus"
    r"|questo|questa|esso|essa|suo|sua|ele|ela|isto|dit|deze|hij|zij|hun|он|она|оно|они|это|эта|этот|его|её|их)\b"
    r"|[它他她这該该其]|それ|これ|その|この|彼|यह|वह|इस|उस|ये|هذا|هذه|هو |هي |ذلك",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the question asks for: its stems weighed by how rare they are in the evidence, and the kind of answer."""

    weights: dict[str, float]
    kind: AnswerType | None
    newest: float  # how much being new counts
    dates: tuple[datetime | None, ...]  # of the sources

    def coverage(self, candidate: Candidate) -> float:
        """The share of the question that the words hold; what only the headings hold counts for less."""
        total = sum(self.weights.values())
        if not total:
            return 0.0
        held = sum(
            weight if word in candidate.words else 0.45 * weight * (word in candidate.around)
            for word, weight in self.weights.items()
        )
        return held / total

    def newness(self, number: int) -> float:
        """From 0 (oldest or undated) to 1 (newest)."""
        known = sorted({date.timestamp() for date in self.dates if date})
        date = self.dates[number - 1]
        if date is None or not known:
            return 0.0
        return (known.index(date.timestamp()) + 1) / len(known)


def extractive_answer(plan: Plan, evidence: Evidence) -> str:
    """Markdown, each quoted sentence with its marker `[k]` (source k is `evidence.pages[k - 1]`); "" without evidence."""
    candidates = candidates_of(evidence, plan.language)
    if not candidates:
        return ""
    wanted = _wanted(plan.standalone_question, plan, evidence, candidates)
    scores = {id(c): _score(c, wanted) for c in candidates}
    lead = max(candidates, key=lambda c: scores[id(c)])
    chosen = _with_support(lead, candidates, scores, wanted, plan)
    other = _other_side(lead, candidates, scores, wanted)
    return _written(lead, other, [c for c in chosen if c is not lead and c is not other], plan)


def _wanted(question: str, plan: Plan, evidence: Evidence, candidates: Sequence[Candidate]) -> _Wanted:
    held = Counter(word for c in candidates for word in c.words)
    near = {word for c in candidates for word in c.around}
    weights = {
        word: math.log(1 + len(candidates) / (0.5 + held[word]))
        for word in stems_of(question, plan.language)
        if held[word] or word in near  # a word that is nowhere says nothing about which sentence is best
    }
    newest = {"live": 0.3, "recent": 0.2, "evergreen": 0.0}[plan.freshness]
    return _Wanted(weights, asked_for(question), newest, tuple(page.published for page in evidence.pages))


def _score(candidate: Candidate, wanted: _Wanted) -> float:
    score = (
        wanted.coverage(candidate) + 0.5 * candidate.passage_score + wanted.newest * wanted.newness(candidate.number)
    )
    if wanted.kind:
        score += 0.25 if holds(candidate.text, wanted.kind) else -0.1
    score += 0.05 * candidate.first
    if _POINTING.match(candidate.text):
        score -= 0.12
    return score - _length_cost(candidate)


def _length_cost(candidate: Candidate) -> float:
    """Long sentences hold more words of the question by chance; very short ones say little."""
    size = len(candidate.words)
    return 0.012 * max(0, size - 22) + 0.04 * max(0, 5 - size) * (not candidate.is_row)


def _with_support(
    lead: Candidate, candidates: Sequence[Candidate], scores: dict[int, float], wanted: _Wanted, plan: Plan
) -> list[Candidate]:
    """The lead and what adds to it: another part of the question, or another source saying more."""
    chosen = [lead, *_parts(lead, candidates, plan)]
    most = _MOST.get(plan.kind, 5)
    floor = _ENOUGH * scores[id(lead)]
    ranked = sorted(candidates, key=lambda c: -scores[id(c)])[:40]
    while len(chosen) < most:
        covered = {word for c in chosen for word in c.words}
        sources = {c.number for c in chosen}
        best, best_value = None, floor
        for c in ranked:
            if any(c is other or _alike(c, other) for other in chosen):
                continue
            fresh = sum(weight for word, weight in wanted.weights.items() if word in c.words and word not in covered)
            value = scores[id(c)] + 0.4 * fresh / (sum(wanted.weights.values()) or 1) + 0.08 * (c.number not in sources)
            if value > best_value:
                best, best_value = c, value
        if best is None:
            break
        chosen.append(best)
    return chosen


def _parts(lead: Candidate, candidates: Sequence[Candidate], plan: Plan) -> list[Candidate]:
    """For a question in parts: the best sentence for each search query, unless the lead says it."""
    if plan.kind not in {"comparison", "multi_step"} or len(plan.queries) < 2:
        return []
    found: list[Candidate] = []
    for query in plan.queries:
        words = stems_of(query, plan.language)
        best = max(candidates, key=lambda c: (_share(words, c), c.passage_score))
        if _share(words, best) > _share(words, lead) and not any(_alike(best, other) for other in (lead, *found)):
            found.append(best)
    return found[:3]


def _share(words: frozenset[str], candidate: Candidate) -> float:
    held = len(words & candidate.words) + 0.45 * len(words & (candidate.around - candidate.words))
    return held / (len(words) or 1)


def _alike(one: Candidate, other: Candidate) -> bool:
    if one.is_row and other.is_row:
        return one.cells == other.cells
    smaller = min(len(one.words), len(other.words)) or 1
    return len(one.words & other.words) / smaller >= _SAME + 0.15 * (_figures(one) != _figures(other))


def _other_side(
    lead: Candidate, candidates: Sequence[Candidate], scores: dict[int, float], wanted: _Wanted
) -> Candidate | None:
    """The best sentence of another source that says the same thing with other figures. None is the safe answer."""
    if wanted.kind not in {"number", "date"} or lead.is_row or not _figures(lead):
        return None
    coverage = wanted.coverage(lead)
    for c in sorted(candidates, key=lambda c: -scores[id(c)])[:20]:
        if c.number == lead.number or c.is_row or not _figures(c) or _figures(c) & _figures(lead):
            continue
        if wanted.coverage(c) < 0.9 * coverage or scores[id(c)] < 0.8 * scores[id(lead)]:
            continue
        plain, lead_plain = (frozenset(w for w in x.words if not w[0].isdigit()) for x in (c, lead))
        if len(plain & lead_plain) >= 0.5 * min(len(plain), len(lead_plain)):
            return c
    return None


def _figures(candidate: Candidate) -> frozenset[str]:
    return frozenset(figure.replace(",", "") for figure in _FIGURE.findall(candidate.text))


def _written(lead: Candidate, other: Candidate | None, rest: Sequence[Candidate], plan: Plan) -> str:
    """A first paragraph with the answer, a second with what supports it, then rows of tables."""
    said = {c.text for c in (lead, *rest)} | ({other.text} if other else set())
    opening = [_line(lead, said)]
    if other:
        opening += [phrase("sources_differ", plan.language), _line(other, said)]
    ordered = sorted(rest, key=lambda c: (c.number != lead.number, c.number, c.start))
    prose = [_line(c, said) for c in ordered if not c.is_row]
    rows = [f"- {_line(c, said)}" for c in ordered if c.is_row]
    joint = "" if plan.language.split("-")[0] in {"zh", "ja"} else " "
    parts = [joint.join(opening), joint.join(prose), "\n".join(rows)]
    return "\n\n".join(part for part in parts if part)


def _line(candidate: Candidate, said: set[str]) -> str:
    """With its marker; after the sentence that a pronoun at its head points to, unless that is said already."""
    if candidate.is_row:
        return cited(_row(candidate), candidate.number)
    if _POINTING.match(candidate.text) and 0 < len(candidate.before) < 300 and candidate.before not in said:
        return f"{cited(candidate.before, candidate.number)} {cited(candidate.text, candidate.number)}"
    return cited(candidate.text, candidate.number)


def _row(candidate: Candidate) -> str:
    """A row read aloud: its first cell, then each value under its column's name."""
    cells = [shown(cell) for cell in candidate.cells[:_COLUMNS]]
    named = len(candidate.header) == len(candidate.cells)
    names = [shown(name) if named else "" for name in (candidate.header if named else cells)][: len(cells)]
    values = [f"{name}: {cell}" if name else cell for name, cell in zip(names[1:], cells[1:], strict=True) if cell]
    label = cells[0] or candidate.text
    return f"{label} – {'; '.join(values)}" if values else label

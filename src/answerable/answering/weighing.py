"""How likely each sentence answers: a few figures about it, combined by fitted weights."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answerable.answering.candidates import Candidate, stems_of
from answerable.protocols import Reranker
from answerable.text.answertypes import AnswerType, asked_for, holds, measures
from answerable.types import Evidence, Plan

POOL = 32  # candidates that the reranker looks at: what it scores within a tenth of a second
NEWEST = {"live": 2.5, "recent": 2.0, "evergreen": 0.15}  # what being the newest source adds to the score
WEIGHTS = Path(__file__).parents[1] / "models" / "sentences" / "weights.json"  # training/fit_sentences.py

FITTED = (
    "meaning",
    "meaning_rank",
    "coverage",
    "around",
    "rarest",
    "density",
    "kind",
    "kindless",
    "opening",
    "passage",
    "long",
    "short",
    "pointing",
    "turned",
    "row",
)
# What the data of the fit does not show: set by hand, in the same units (a logit).
SET = {
    "measured": 0.9,
    "unmeasured": -0.5,
    "named": 0.9,
    "unnamed": -1.2,
    "cell": 1.2,
    "column": 0.8,
    "cell_and_column": 1.0,
    "imperative": -0.7,
    "echo": 0.6,
}
POINTING = re.compile(
    r"(?:it|its|he|she|his|her|they|their|this|that|these|those|such|but|however|also|there|here|then|and"
    r"|er|sie|es|dies\w*|jene\w*|sein\w*|ihre?\w*|il|elle|ils|elles|ce|cette|ces|cela|son|sa|ses|este|esta|esto|él|ella|su|sus"
    r"|questo|questa|esso|essa|suo|sua|ele|ela|isto|dit|deze|hij|zij|hun|он|она|оно|они|это|эта|этот|его|её|их)\b"
    r"|[它他她这該该其]|それ|これ|その|この|彼|यह|वह|इस|उस|ये|هذا|هذه|هو |هي |ذلك",
    re.IGNORECASE,
)
TURNS = re.compile(
    r"\b(?:second|third|half|replica|copy|model|former|formerly|earlier|previous|previously|used to|once|no longer"
    r"|planned|proposed|expected|supposed|claimed|wrongly|almost|nearly|unlike|instead|ehemals?|früher|zweit\w+|bisher"
    r"|deuxième|ancien\w*|autrefois|segund[oa]|antigu[oa]|secondo|seconda|tweede|voormalig\w*|второй|бывш\w+)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"(?:add|allow|apply|ask|avoid|book|bring|buy|call|check|choose|come|copy|do not|don't|ensure|enter|find|give|go|keep|leave"
    r"|look|make|open|order|pay|place|please|press|put|read|remember|run|see|select|send|set|stir|take|tell|try|turn|use"
    r"|visit|wait|watch|write)\b",
    re.IGNORECASE,
)
_HOW_TO = re.compile(r"\bhow (?:do|can|should|to|long|much|many)\b|\bwhat (?:temp|do i|should)|\bfix\b|\bwie\b|\bcomment\b", re.I)
NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-ÞА-Я][\w’'-]+")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the question asks for: its stems weighed by how rare they are in the evidence, and the kind of answer."""

    weights: dict[str, float]
    kinds: tuple[AnswerType, ...]
    measure: re.Pattern[str] | None  # what a figure of the answer stands with
    names: frozenset[str]  # stems of the names in the question
    figures: frozenset[str]
    question: str
    language: str
    newest: float  # what being the newest source adds
    dates: tuple[datetime | None, ...]  # of the sources

    def coverage(self, candidate: Candidate, around: float = 0.45) -> float:
        """The share of the question that the words hold; what only the headings hold counts for less."""
        total = sum(self.weights.values())
        if not total:
            return 0.0
        held = sum(
            weight if word in candidate.words else around * weight * (word in candidate.around)
            for word, weight in self.weights.items()
        )
        return held / total

    def newness(self, number: int) -> float:
        """From 0 (oldest) to 1 (newest); in between when the source has no date."""
        known = sorted({date.timestamp() for date in self.dates if date})
        date = self.dates[number - 1]
        if date is None or not known:
            return 0.4
        return (known.index(date.timestamp()) + 1) / len(known)

    def overtaken(self, number: int, by: int) -> bool:
        """Whether newness matters and the one source is older than the other."""
        return self.newest > NEWEST["evergreen"] and self.newness(number) < self.newness(by)


def wanted_of(question: str, plan: Plan, evidence: Evidence, candidates: Sequence[Candidate]) -> Wanted:
    held = Counter(word for c in candidates for word in c.words)
    near = Counter(word for c in candidates for word in c.around)
    weights: dict[str, float] = {}
    for asked in sorted(stems_of(question, plan.language)):
        word = asked if held[asked] or near[asked] else _spelt_like(asked, held)
        if word:  # a word that is nowhere says nothing about which sentence is best
            weights[word] = math.log(1 + len(candidates) / (0.5 + held[word]))
    names = stems_of(" ".join(NAME.findall(question)), plan.language) & weights.keys()
    return Wanted(
        weights,
        asked_for(question),
        measures(question),
        frozenset(names),
        frozenset(_FIGURE.findall(question)),
        question,
        plan.language,
        NEWEST[plan.freshness],
        tuple(page.published for page in evidence.pages),
    )


def _spelt_like(word: str, known: Counter[str]) -> str | None:
    """What a mistyped word stands for, among the words of the evidence."""
    if len(word) < 5:
        return None
    near = [other for other in known if other[:1] == word[0] and abs(len(other) - len(word)) < 3]
    return next(iter(difflib.get_close_matches(word, sorted(near), 1, 0.8)), None)


async def weigh(candidates: Sequence[Candidate], wanted: Wanted, reranker: Reranker | None) -> list[tuple[Candidate, float]]:
    """Each candidate that may answer with its score (a logit), best first. At most `POOL` when a reranker reads them."""
    by_words = _scored(candidates, wanted, None)
    if reranker is None:
        return by_words
    pool = preselected(by_words)
    meanings = await reranker.score(wanted.question, [reading_text(c) for c in pool])
    return _scored(pool, wanted, meanings)


def preselected(ranked: Sequence[tuple[Candidate, float]]) -> list[Candidate]:
    """The best by words, and the best of each passage."""
    first: dict[tuple[int, str], Candidate] = {}
    for c, _ in ranked:
        first.setdefault((c.number, c.above), c)
    kept = list(first.values())[: POOL // 2]
    kept += [c for c, _ in ranked if not any(c is other for other in kept)][: POOL - len(kept)]
    return kept


def reading_text(candidate: Candidate) -> str:
    """What the reranker reads of it: with the title and headings without which it says less."""
    return f"{candidate.above[:120]}: {_spoken(candidate)[:500]}"


def _spoken(candidate: Candidate) -> str:
    if not candidate.is_row:
        return candidate.text
    if len(candidate.header) != len(candidate.cells):
        return " ".join(candidate.cells)
    return "; ".join(f"{name}: {cell}" for name, cell in zip(candidate.header, candidate.cells, strict=True) if cell)


def _scored(
    candidates: Sequence[Candidate], wanted: Wanted, meanings: Sequence[float] | None
) -> list[tuple[Candidate, float]]:
    if not candidates:
        return []
    chances = fitted_of(candidates, wanted, meanings) @ weights_for(meanings is not None)
    scores = [
        float(chance) + sum(SET[name] * value for name, value in set_of(c, wanted).items()) + wanted.newest * wanted.newness(c.number)
        for c, chance in zip(candidates, chances, strict=True)
    ]
    ranked = zip(candidates, scores, strict=True)
    return sorted(ranked, key=lambda pair: (-round(pair[1], 9), pair[0].number, pair[0].start))


@cache
def weights_for(meaning: bool) -> NDArray[np.float64]:
    """Intercept first, then one weight a name of `FITTED`. Without a reranker the words alone are weighed."""
    held = json.loads(WEIGHTS.read_text("utf-8"))["with_meaning" if meaning else "words_alone"]
    return np.array([held["intercept"], *(held[name] for name in FITTED)])


def fitted_of(
    candidates: Sequence[Candidate], wanted: Wanted, meanings: Sequence[float] | None
) -> NDArray[np.float64]:
    """A row a candidate: 1, then the figures named in `FITTED`."""
    best = max((c.prior for c in candidates), default=0.0) or 1.0
    top = max(meanings, default=0.0) if meanings else 0.0
    rarest = max(wanted.weights, key=lambda word: (wanted.weights[word], word), default="")
    rows = []
    for i, c in enumerate(candidates):
        meaning = meanings[i] if meanings else 0.0
        size = len(c.words)
        coverage = wanted.coverage(c, around=0.0)
        turned = {word.casefold() for word in TURNS.findall(c.text)} - set(wanted.question.casefold().split())
        figures = {
            "meaning": _logit(meaning) if meanings else 0.0,
            "meaning_rank": meaning / top if top else 0.0,
            "coverage": coverage,
            "around": wanted.coverage(c, around=1.0) - coverage,
            "rarest": float(rarest in c.words),
            "density": len(c.words & wanted.weights.keys()) / (size or 1),
            "kind": _kinds_held(c, wanted),
            "kindless": float(bool(wanted.kinds) and not _kinds_held(c, wanted)),
            "opening": 1 / (1 + c.place),
            "passage": c.prior / best,
            "long": max(0, size - 20) / 10,
            "short": max(0, 6 - size) / 4 * (not c.is_row),
            "pointing": float(bool(POINTING.match(c.text))),
            "turned": float(min(2, len(turned))),
            "row": 0.0,
        }
        rows.append([1.0, *(figures[name] for name in FITTED)])
    return np.array(rows)


def _logit(chance: float) -> float:
    kept = min(0.99, max(0.01, chance))
    return math.log(kept / (1 - kept))


def _kinds_held(candidate: Candidate, wanted: Wanted) -> float:
    kinds = [kind for kind in wanted.kinds if kind != "yes_no"]
    return sum(holds(_spoken(candidate), kind) for kind in kinds) / len(kinds) if kinds else 0.0


def set_of(candidate: Candidate, wanted: Wanted) -> dict[str, float]:
    """The figures named in `SET`."""
    text = _spoken(candidate)
    measured = bool(wanted.measure and wanted.measure.search(text))
    here = candidate.words | candidate.around
    missing = len(wanted.names - here) / len(wanted.names) if wanted.names else 0.0
    figures = wanted.figures & set(_FIGURE.findall(text + " " + candidate.above))
    found = {
        "measured": float(measured),
        "unmeasured": float(bool(wanted.measure) and not measured),
        "named": len(wanted.names & candidate.words) / len(wanted.names) if wanted.names else 0.0,
        "unnamed": missing,
        "imperative": float(bool(_IMPERATIVE.match(candidate.text)) and not _HOW_TO.search(wanted.question)),
        "echo": len(figures) / len(wanted.figures) if wanted.figures else 0.0,
    }
    if candidate.is_row:
        found |= _row_fit(candidate, wanted)
    return found


def _row_fit(candidate: Candidate, wanted: Wanted) -> dict[str, float]:
    """A row answers when a cell is what was asked about and another column what was asked of it."""
    asked = wanted.weights.keys()
    cells = [stems_of(cell, wanted.language) for cell in candidate.cells]
    cell = any(stems and stems <= asked for stems in cells)
    column = any(stems_of(name, wanted.language) & asked for name in candidate.header)
    return {"cell": float(cell), "column": float(column), "cell_and_column": float(cell and column)}

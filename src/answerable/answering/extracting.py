"""The extractive writer: the best sentences of the evidence, verbatim, in good order, each with its marker."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from answerable.answering.candidates import Candidate, candidates_of, cited, figures_of, shown, stems_of
from answerable.text.answertypes import AnswerType, asked_for, holds, measures
from answerable.text.phrases import phrase
from answerable.types import Evidence, Plan

_MOST = {"lookup": 3, "navigational": 2}  # sentences; other kinds have five
_ENOUGH = 0.62  # of the lead's score, for a sentence to be added…
_ENOUGH_FOR_LOOKUP = 0.72
_ON_SUBJECT = 0.3  # …and the share of the question it must hold
_SURE = 0.6  # coverage from which a lead is about the thing asked, so that another figure is a quarrel
_EVERGREEN = 0.05  # weight of newness where it hardly matters
_PART = 0.1  # share of the question that a sentence adds, from which it speaks of another part of it
_OUTDATED = timedelta(days=900)  # older by this, a source with other figures is no side but the past
_SAME = 0.6  # shared stems from which two sentences say the same
_COLUMNS = 6
_POINTING = re.compile(
    r"(?:it|its|he|she|his|her|they|their|this|that|these|those|such|but|however|also|there|here|then|and"
    r"|er|sie|es|dies\w*|jene\w*|sein\w*|ihre?\w*|il|elle|ils|elles|ce|cette|ces|cela|son|sa|ses|este|esta|esto|él|ella|su|sus"
    r"|questo|questa|esso|essa|suo|sua|ele|ela|isto|dit|deze|hij|zij|hun|он|она|оно|они|это|эта|этот|его|её|их)\b"
    r"|[它他她这該该其]|それ|これ|その|この|彼|यह|वह|इस|उस|ये|هذا|هذه|هو |هي |ذلك",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:second|third|half|replica|copy|model|former|formerly|earlier|previous|previously|used to|once|no longer"
    r"|planned|proposed|expected|supposed|claimed|wrongly|almost|nearly|unlike|instead|ehemals?|früher|zweit\w+|bisher"
    r"|deuxième|ancien\w*|autrefois|segund[oa]|antigu[oa]|secondo|seconda|tweede|voormalig\w*|второй|бывш\w+)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?!(?:In|On|At|By|Since|From|To|About|Only|Some|January|February|March|April|May|June|July|August|September"
    r"|October|November|December)\b)[A-Z][a-z]+ \d+\b"  # "Apollo 11" is not "Apollo 17"
)
_NAME = re.compile(r"[A-ZÀ-ÞА-Я][\w’'-]*(?: (?:of )?(?:[A-ZÀ-ÞА-Я][\w’'-]*|\d+))*")
_PAIR = re.compile(
    rf"({_NAME.pattern}) (?:and|or|vs\.?|und|oder|et|ou|y|o|e|en|of|и|или) (?:\w{{1,3}} )?({_NAME.pattern})"
)
_NAMES = re.compile(r"(?<=[\w,;] )[A-ZÀ-ÞА-Я][\w’'-]+")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the question asks for: its stems weighed by how rare they are in the evidence, and the kind of answer."""

    weights: dict[str, float]
    kinds: tuple[AnswerType, ...]
    measure: re.Pattern[str] | None  # what a figure of the answer stands with
    question: str
    language: str
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

    def overtaken(self, number: int, by: int) -> bool:
        """Whether newness matters and the one source is older than the other."""
        return self.newest > _EVERGREEN and self.newness(number) < self.newness(by)


def extractive_answer(plan: Plan, evidence: Evidence) -> str:
    """Markdown, each quote with its marker `[k]` (source k is `evidence.pages[k - 1]`); "" without evidence."""
    candidates = candidates_of(evidence, plan.language)
    if not candidates:
        return ""
    wanted = _wanted(plan.standalone_question, plan, evidence, candidates)
    scores = {id(c): _score(c, wanted) for c in candidates}
    lead = max(candidates, key=lambda c: scores[id(c)])
    chosen = _with_support(lead, candidates, scores, wanted, plan, evidence)
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
    newest = {"live": 0.5, "recent": 0.35, "evergreen": _EVERGREEN}[plan.freshness]
    dates = tuple(page.published for page in evidence.pages)
    return _Wanted(weights, asked_for(question), measures(question), question, plan.language, newest, dates)


def _score(candidate: Candidate, wanted: _Wanted) -> float:
    text = candidate.text
    score = wanted.coverage(candidate) + 0.6 * candidate.prior + wanted.newest * wanted.newness(candidate.number)
    score += 0.2 * len(candidate.words & wanted.weights.keys()) / (len(candidate.words) or 1)
    if wanted.kinds:
        score += 0.35 * sum(holds(text, kind) for kind in wanted.kinds) / len(wanted.kinds) - 0.1
    if candidate.is_row:
        score += _row_fit(candidate, wanted)
    elif wanted.measure:
        score += 0.2 * bool(wanted.measure.search(text))
    score += 0.05 * candidate.first - 0.12 * bool(_POINTING.match(text)) - _strange(candidate, wanted)
    return score - _length_cost(candidate)


def _row_fit(candidate: Candidate, wanted: _Wanted) -> float:
    """A row answers when its first cell is what was asked about and one of its columns what was asked of it."""
    label = stems_of(candidate.cells[0], wanted.language)
    columns = stems_of(" ".join(candidate.header[1:]), wanted.language)
    named = bool(label and label <= wanted.weights.keys())
    fits = bool(columns & stems_of(wanted.question, wanted.language))
    return 0.3 * named + 0.2 * fits + 0.3 * (named and fits)


def _strange(candidate: Candidate, wanted: _Wanted) -> float:
    """Words that turn a sentence to something else than was asked: "the second highest", "a replica in Las Vegas"."""
    question = wanted.question.casefold()
    turned = [word for word in _TURNS.findall(candidate.text) if word.casefold() not in question]
    cost = 0.12 * min(2, len(turned))
    if not {"person", "place"} & set(wanted.kinds):
        names = [name for name in _NAMES.findall(candidate.text) if name.casefold() not in question]
        cost += 0.03 * min(4, len(names))
    return cost


def _length_cost(candidate: Candidate) -> float:
    """Long sentences hold more words of the question by chance; very short ones say little."""
    size = len(candidate.words)
    return 0.012 * max(0, size - 22) + 0.04 * max(0, 5 - size) * (not candidate.is_row)


def _with_support(
    lead: Candidate,
    candidates: Sequence[Candidate],
    scores: dict[int, float],
    wanted: _Wanted,
    plan: Plan,
    evidence: Evidence,
) -> list[Candidate]:
    """The lead and what adds to it: another part of the question, or another source saying more."""
    chosen = [lead, *_parts(lead, candidates, wanted, plan, evidence)]
    most = _MOST.get(plan.kind, 5)
    best_prose = max((scores[id(c)] for c in candidates if not c.is_row), default=0.0)  # rows score higher
    floor = (_ENOUGH_FOR_LOOKUP if plan.kind == "lookup" else _ENOUGH) * min(scores[id(lead)], best_prose)
    total = sum(wanted.weights.values()) or 1.0
    ranked = sorted(candidates, key=lambda c: -scores[id(c)])[:40]
    while len(chosen) < most:
        covered = {word for c in chosen for word in c.words}
        sources = {c.number for c in chosen}
        missing = [kind for kind in wanted.kinds if not any(holds(c.text, kind) for c in chosen)]
        best, best_value = None, floor
        for c in ranked:
            fresh = sum(w for word, w in wanted.weights.items() if word in c.words and word not in covered) / total
            if any(c is other or _alike(c, other) for other in chosen) or wanted.coverage(c) < _ON_SUBJECT:
                continue
            if _competes(c, lead, wanted) and (fresh < _PART or wanted.overtaken(c.number, lead.number)):
                continue
            value = scores[id(c)] + 0.4 * fresh + 0.08 * (c.number not in sources)
            value += 0.3 * any(holds(c.text, kind) for kind in missing)
            if value > best_value:
                best, best_value = c, value
        if best is None:
            break
        chosen.append(best)
    return chosen


def _competes(candidate: Candidate, lead: Candidate, wanted: _Wanted) -> bool:
    """Whether it gives other figures where one was asked for: beside the answer they are noise, or another thing's.

    True differences between sources are shown by `_other_side`.
    """
    if not {"number", "date"} & set(wanted.kinds) or not figures_of(lead.text):
        return False
    own = figures_of(candidate.text)
    return bool(own) and not own & figures_of(lead.text)


def _parts(
    lead: Candidate, candidates: Sequence[Candidate], wanted: _Wanted, plan: Plan, evidence: Evidence
) -> list[Candidate]:
    """For a question in parts: the best sentence for each part, unless the lead says it."""
    found: list[Candidate] = []
    for weights, name in _weights_of_parts(wanted, plan, evidence, candidates):
        part = replace(wanted, weights=weights)  # its kinds stay those of the whole question
        about = [c for c in candidates if name <= c.words | c.around] if name else candidates
        best = max(about, key=lambda c: _score(c, part), default=lead)
        if part.coverage(best) > part.coverage(lead) and not any(_alike(best, other) for other in (lead, *found)):
            found.append(best)
    return found[:4]


def _weights_of_parts(
    wanted: _Wanted, plan: Plan, evidence: Evidence, candidates: Sequence[Candidate]
) -> list[tuple[dict[str, float], frozenset[str]]]:
    """Names side by side ("K2 or Mount Everest") make a part each, with the words they share; so does each query."""
    several = plan.kind in {"comparison", "multi_step"}
    names = [stems_of(name, plan.language) for name in _sides(wanted.question, several)]
    named = frozenset[str]().union(*names)
    parts: list[tuple[dict[str, float], frozenset[str]]] = []
    for name in names if len(names) > 1 else ():
        own = {word: weight for word, weight in wanted.weights.items() if word in name or word not in named}
        parts.append(({word: weight * (1.5 if word in name else 1.0) for word, weight in own.items()}, name))
    if several:
        queries = [query for query in plan.queries if query != plan.standalone_question]
        parts += [(_wanted(query, plan, evidence, candidates).weights, frozenset()) for query in queries]
    return parts


def _sides(question: str, several: bool) -> list[str]:
    """Names that the question sets side by side; all its names when it compares."""
    if several:
        return list(dict.fromkeys(_NAME.findall(question.partition(" ")[2])))[:3]
    pair = _PAIR.search(question.partition(" ")[2])
    return [pair[1], pair[2]] if pair else []


def _alike(one: Candidate, other: Candidate) -> bool:
    if one.is_row and other.is_row:
        return one.cells == other.cells
    smaller = min(len(one.words), len(other.words)) or 1
    return len(one.words & other.words) / smaller >= _SAME + 0.15 * (figures_of(one.text) != figures_of(other.text))


def _other_side(
    lead: Candidate, candidates: Sequence[Candidate], scores: dict[int, float], wanted: _Wanted
) -> Candidate | None:
    """The best sentence of another source that answers with other figures. None is the safe answer."""
    if not {"number", "date"} & set(wanted.kinds) or lead.is_row or not figures_of(lead.text):
        return None
    if wanted.coverage(lead) < _SURE:
        return None
    for c in sorted(candidates, key=lambda c: -scores[id(c)])[:20]:
        if c.number == lead.number or c.is_row or not _competes(c, lead, wanted):
            continue
        if wanted.coverage(c) >= 0.7 * wanted.coverage(lead) and _same_thing(c, lead, wanted):
            return c
    return None


def _same_thing(candidate: Candidate, lead: Candidate, wanted: _Wanted) -> bool:
    """Whether both speak of one thing at one time: same names, same measure, neither long before the other."""
    if set(_NUMBERED.findall(candidate.text)) != set(_NUMBERED.findall(lead.text)):
        return False
    known = f"{wanted.question} {lead.text}".casefold()
    if any(name.casefold() not in known for name in _NAMES.findall(candidate.text)):
        return False
    if any(word.casefold() not in known for word in _TURNS.findall(candidate.text)):
        return False
    if wanted.measure and not wanted.measure.search(candidate.text):
        return False
    one, other = wanted.dates[candidate.number - 1], wanted.dates[lead.number - 1]
    if one and other and abs(one - other) > _OUTDATED:
        return False
    asked = [word for word in wanted.weights if word in lead.words]
    lacking = [word for word in asked if word not in candidate.words]
    return len(lacking) <= (1 if len(asked) > 4 else 0)


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

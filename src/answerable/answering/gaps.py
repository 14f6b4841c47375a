"""Is the evidence enough? Does it answer each asked part; if not, what to search for next."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from answerable.answering.candidates import candidates_of
from answerable.answering.choosing import chance_of_answer, choice_of
from answerable.answering.compound import asked_parts
from answerable.answering.enough import JUDGED, Signs, about, fitted, look, weights_for
from answerable.answering.parts import compared, names_of
from answerable.answering.releases import tells_release
from answerable.answering.sites import is_sought
from answerable.answering.weighing import Judges, wanted_of
from answerable.protocols import Embedder, Reranker
from answerable.text.analysis import content_words, fold
from answerable.text.answertypes import measures, without_asking
from answerable.text.asking import lists_keywords, terms_of
from answerable.text.worded import NO_WORDS
from answerable.types import Evidence, Note, Passage, Plan

MOST_QUERIES = 2  # a round
LEAST_JUDGED = 4  # windows a part
COVERED = 0.6  # share of a compared thing's name that a page must hold to speak of it
THROUGH_ANOTHER = re.compile(  # "the river that flows through …": a thing named by another one
    r"\w (?:that|which|who|whose|where|dont|qui|que|che) ", re.IGNORECASE
)
FOUND_NAME = re.compile(r"(?:(?<=[\w,;(] )|(?<=^The ))(?!The )[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]+(?: [A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]+)*")


@dataclass(frozen=True, slots=True)
class Assessment:
    """`missing`: asked parts that the evidence does not answer. `queries`: what to search for next, also when an answer
    is there but doubtful; empty when no new idea is left."""

    coverage: float  # share of the parts that are answered
    missing: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    reason: str = ""  # why a part counts as missing, in words
    nearest: str = ""  # the words of the evidence that come nearest to an answer
    denial: str = ""  # the words of the evidence that deny what the question takes for granted

    @property
    def enough(self) -> bool:
        """Nothing is missing, and no other search is worth its time."""
        return not self.missing and not self.queries

    @property
    def answerable(self) -> bool:
        """At least one part is answered."""
        return self.coverage > 0


async def assess(
    plan: Plan,
    evidence: Evidence,
    everything: Sequence[Passage],
    asked: Collection[str],
    reranker: Reranker,
    embedder: Embedder,
    answers: Reranker | None = None,
    now: datetime | None = None,
    *,
    named: bool = False,
) -> Assessment:
    """`everything`: all passages of the turn, for what they speak of at all; `asked`: search queries already sent;
    `answers`: tells of English sentences whether they answer; `now`: later dates than this are plans; `named`: what the
    question described got its name from the evidence."""
    await asyncio.to_thread(fitted)  # the first time it reads a file, which is nothing for the event loop
    sides = compared(plan.standalone_question)
    parts = sides or asked_parts(plan.standalone_question)
    if not any(term.word[:1].isalpha() for term in terms_of(plan.standalone_question, plan.language)):
        return Assessment(0.0, parts, reason=NO_WORDS)
    if not evidence.passages:
        return Assessment(0.0, parts, _fresh((q for part in parts for q in _queries(part, plan)), asked, plan))
    if any(is_sought(page, plan) for page in evidence.pages) or tells_release(plan.standalone_question, evidence):
        return Assessment(1.0)
    if sides:
        absent = tuple(side for side in sides if not _spoken_of(side, evidence, plan.language))
        return Assessment(1 - len(absent) / len(sides), absent, _fresh(absent, asked, plan))

    async def seen(part: str, judge: int) -> Signs:
        signs = await look(part, plan.language, evidence, everything, reranker=reranker, embedder=embedder, judge=judge)
        if answers is not None and plan.language.startswith("en"):
            told = await _told(part, plan, evidence, Judges(reranker, answers), signs, now)
            signs = replace(signs, told=told, named=named)
        return replace(signs, unread=lists_keywords(part, plan.language))

    found = {part: await seen(part, max(LEAST_JUDGED, JUDGED // len(parts))) for part in parts}
    missing = tuple(part for part, signs in found.items() if not signs.answer(weights_for(part)))
    if len(missing) == len(parts) > 1:  # parts cut from their question may mean little; the whole is asked, too
        whole = await seen(plan.standalone_question, JUDGED)
        missing = () if whole.answer(weights_for(plan.standalone_question)) else missing
    wished = [
        query
        for part, signs in found.items()
        if part in missing or signs.score(weights_for(part)) < weights_for(part).doubtful or _bridge(part, plan, signs)
        for query in _queries(part, plan, signs)
    ]
    worst = found[missing[0]] if missing else None
    return Assessment(
        1 - len(missing) / len(parts),
        missing,
        _fresh(wished, asked, plan),
        worst.reason if worst else "",
        worst.best if worst else "",
        next((found[part].denial for part in missing if found[part].denial), ""),
    )


async def _told(
    part: str, plan: Plan, evidence: Evidence, judges: Judges, signs: Signs, now: datetime | None
) -> float | None:
    """The chance that a sentence or row of the evidence answers the part; None where no model read them."""
    candidates = candidates_of(evidence, plan.language)
    wanted = wanted_of(part, plan, evidence, candidates, now=now)
    return chance_of_answer(await choice_of(candidates, wanted, judges), signs)


def searched_again(done: int, assessment: Assessment) -> list[Note]:
    """Why another round was begun after so many, and what it searches for: kept in the turn."""
    why = assessment.reason or ("an answer was found, but a doubtful one" if assessment.answerable else "nothing fits")
    lacking = f", lacking: {'; '.join(assessment.missing)}" if assessment.missing else ""
    told = f"Round {done + 1} searched for: {'; '.join(assessment.queries)} ({why}{lacking})"
    return [Note("searched_again", told, about="; ".join(assessment.queries))]


def _spoken_of(side: str, evidence: Evidence, language: str) -> bool:
    terms = terms_of(f"of {names_of(side)}", language)
    pages = about(evidence, language)
    return any(sum(term.held(page) for term in terms) >= COVERED * len(terms) for page in pages)


def _queries(part: str, plan: Plan, signs: Signs | None = None) -> list[str]:
    """The part itself; what it is about by way of another thing; its names, or its rarer words, alone."""
    queries = [bridge] if signs and (bridge := _bridge(part, plan, signs)) else []
    queries.append(part)
    terms = [term for term in terms_of(part, plan.language) if term.specific]
    names = [term.word for term in terms if term.name]
    if any(word.isalpha() for word in names):
        queries.append(" ".join(names))
    elif len(terms) > 2:
        queries.append(" ".join(sorted((term.word for term in terms), key=len)[-2:]))
    return queries


def _bridge(part: str, plan: Plan, signs: Signs) -> str:
    """For "how long is the river that flows through Lake Geneva?" with a sentence that names the river but no length:
    the name it gives and what is asked of it; else ""."""
    if signs.fits or not measures(part) or not THROUGH_ANOTHER.search(part):
        return ""
    known = fold(part)
    names = [name for name in FOUND_NAME.findall(signs.best) if fold(name) not in known]
    kept = set(content_words(without_asking(part), plan.language))
    asking = [word for word in content_words(part, plan.language) if word not in kept]
    return " ".join((names[0], *asking)) if names and asking else ""


def _fresh(queries: Iterable[str], asked: Collection[str], plan: Plan) -> tuple[str, ...]:
    """Those whose words were not searched for yet."""
    seen = {_words(query, plan) for query in asked}
    kept: dict[frozenset[str], str] = {}
    for query in queries:
        if _words(query, plan) not in seen:
            kept.setdefault(_words(query, plan), query)
    return tuple(kept.values())[:MOST_QUERIES]


def _words(query: str, plan: Plan) -> frozenset[str]:
    return frozenset(content_words(query, plan.language)) or frozenset({fold(query)})

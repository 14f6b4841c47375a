"""Round after round: search, read, rank, and enough? Until the evidence answers or no idea is left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from answerable.answering.budget import Stopwatch
from answerable.answering.gaps import Assessment, assess, searched_again
from answerable.answering.gathering import Gathered, gather, rank_gathered
from answerable.answering.naming import (
    Named,
    holding,
    names_for,
    queries_for,
    reason_for,
    telling,
    with_name,
    with_what_tells_of,
)
from answerable.answering.planning import Planned
from answerable.answering.standing import as_it_stands
from answerable.answering.trying import that_answers
from answerable.answering.weighing import Judges
from answerable.answering.widening import widened
from answerable.events import Emit, Progress
from answerable.protocols import Parts
from answerable.text.casing import with_capitals
from answerable.types import Evidence, Plan, Question


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of the rounds. `plan`: for what the evidence is; it says by name what the question described, as the
    sentences of `named` tell."""

    plan: Plan
    gathered: Gathered
    evidence: Evidence
    assessment: Assessment
    named: tuple[Named, ...] = ()


async def look_for_evidence(planned: Planned, question: Question, parts: Parts, emit: Emit, watch: Stopwatch) -> Looked:
    """At most as many rounds as the limits allow. What a name that was found does not answer falls back on what the
    question answered without it."""
    plan, gathered, queries = planned.plan, Gathered(notes=planned.notes), planned.plan.queries
    judges = Judges(parts.reranker, parts.answers)
    named, may_be = tuple[Named, ...](), tuple[Named, ...]()
    before, found = list[Looked](), None
    for round_number in range(1, parts.limits.rounds + 1):
        gathered = await gather(queries, plan, question, parts, gathered, emit, watch)
        if may_be:
            with watch("checking_evidence"):
                found = await that_answers(may_be, plan, gathered.passages, gathered.by_id, judges)
            plan, named = (with_name(plan, found), (*named, found)) if found else (plan, named)
        if round_number == 1:
            with watch("checking_evidence"):
                plan = await as_it_stands(plan, question, gathered.passages, gathered.by_id, judges)
        looked = await _judged(plan, gathered, named, question, parts, emit, watch)
        plan, gathered, assessment = looked.plan, looked.gathered, looked.assessment
        if round_number == parts.limits.rounds:
            break
        with watch("checking_evidence"):
            unknown = bool(may_be) and not found  # no name answered: another round would not either
            may_be = () if unknown else await _names(plan, looked, judges, parts)
        if may_be:
            before.append(looked)
            assessment = replace(assessment, queries=queries_for(plan, may_be), reason=reason_for(may_be), missing=())
        elif assessment.enough or not assessment.queries:
            break
        queries = assessment.queries
        gathered = gathered.noting(searched_again(round_number, assessment))
    answered = [looked, *reversed(before)]
    best = next((one for one in answered if one.assessment.answerable), looked)
    return replace(best, gathered=looked.gathered)


async def _names(plan: Plan, looked: Looked, judges: Judges, parts: Parts) -> tuple[Named, ...]:
    """What the thing that the question describes may be called, by all that was read."""
    asks = telling(plan)
    if asks is None:
        return ()
    gathered = looked.gathered
    evidence = await widened(asks, looked.evidence, gathered.passages, gathered.by_id, judges, parts.limits)
    return await names_for(plan, evidence, judges)


def as_written(plan: Plan, evidence: Evidence) -> Plan:
    """The plan whose question writes names as the evidence does: much that tells names apart goes by their capitals."""
    if not plan.language.startswith("en"):
        return plan
    texts = (*(passage.text for passage in evidence.passages), *(page.title for page in evidence.pages))
    return replace(plan, standalone_question=with_capitals(plan.standalone_question, texts))


async def _judged(
    plan: Plan,
    gathered: Gathered,
    named: tuple[Named, ...],
    question: Question,
    parts: Parts,
    emit: Emit,
    watch: Stopwatch,
) -> Looked:
    emit(Progress("ranking", f"Ranking {len(gathered.passages)} passages"))
    with watch("ranking"):
        ranked, gathered = await rank_gathered(plan, gathered, parts, question.now)
    evidence, pages = holding(ranked.evidence, named, gathered.by_id), gathered.by_id
    plan = as_written(plan, evidence)
    emit(Progress("checking_evidence", "Checking whether the evidence is enough"))
    with watch("checking_evidence"):
        judges = Judges(parts.reranker, parts.answers)
        evidence = await widened(plan, evidence, gathered.passages, pages, judges, parts.limits)
        if named:
            evidence = await with_what_tells_of(named[-1], plan, evidence, gathered.passages, pages, judges)
        assessment = await assess(
            plan,
            evidence,
            gathered.passages,
            gathered.asked,
            parts.reranker,
            parts.embedder,
            parts.answers,
            question.now,
            named=bool(named),
        )
    return Looked(plan, gathered, evidence, assessment, named)

"""The way of a question: plan, search, read, rank, enough?, write, check. Read this first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from answerable.answering.budget import Stopwatch
from answerable.answering.checking import AnswerChecker, OnCheck
from answerable.answering.finishing import chat_turn, finish, keep_cited, not_enough_evidence, wanting
from answerable.answering.gaps import assess, searched_again
from answerable.answering.gathering import Gathered, gather, rank_gathered
from answerable.answering.related import related_questions
from answerable.answering.starting import plan_beside_search
from answerable.answering.weighing import Judges
from answerable.answering.writing import write_answer, writer_for
from answerable.events import Emit, Progress
from answerable.protocols import Parts
from answerable.types import Evidence, Question, Turn

OnEvidence = Callable[[Evidence], None]


async def answer_question(
    question: Question,
    parts: Parts,
    turn: Turn,
    emit: Emit,
    on_check: OnCheck = lambda check: None,
    on_evidence: OnEvidence = lambda evidence: None,
) -> Turn:
    """The finished turn; `turn` is the running one it completes. Raises what is neither a page's, a provider's nor a
    model's failure: those are data in the turn."""
    watch = Stopwatch()
    emit(Progress("planning", "Understanding the question"))
    with watch("planning"):
        planned = await plan_beside_search(question, parts)
    plan = planned.plan
    if plan.kind == "chat":
        return chat_turn(turn, planned, watch, emit)

    gathered, queries = Gathered(notes=planned.notes), plan.queries
    for round_number in range(1, parts.limits.rounds + 1):
        gathered = await gather(queries, plan, question, parts, gathered, emit, watch)
        emit(Progress("ranking", f"Ranking {len(gathered.passages)} passages"))
        with watch("ranking"):
            ranked, gathered = await rank_gathered(plan, gathered, parts, question.now)
        emit(Progress("checking_evidence", "Checking whether the evidence is enough"))
        with watch("checking_evidence"):
            everything, asked = gathered.passages, gathered.asked
            assessment = await assess(
                plan, ranked.evidence, everything, asked, parts.reranker, parts.embedder, parts.answers
            )
        queries = assessment.queries
        if assessment.enough or not queries:
            break
        again = searched_again(round_number, assessment) if round_number < parts.limits.rounds else []
        gathered = gathered.noting(again)

    if wanting(ranked.evidence, assessment):
        return not_enough_evidence(turn, question, planned, gathered, ranked.evidence, assessment, watch, emit)

    emit(Progress("writing", "Writing the answer"))
    on_evidence(ranked.evidence)
    checker = AnswerChecker(ranked.evidence, parts.support, emit, on_check)
    with watch("writing"):
        written = await write_answer(
            plan,
            ranked.evidence,
            llm=writer_for(plan, question, parts),
            checker=checker,
            limits=parts.limits,
            now=question.now,
            emit=emit,
            judges=Judges(parts.reranker, parts.answers),
        )
        checked = await checker.finish(cut=written.truncated)
    if not checked.answer:
        gathered = replace(gathered, notes=(*gathered.notes, *written.notes))
        return not_enough_evidence(turn, question, planned, gathered, ranked.evidence, assessment, watch, emit)
    await keep_cited(checked, gathered, parts.pages)
    related = await related_questions(question, plan, checked, gathered, parts)
    return finish(turn, question, planned, gathered, assessment, checked, written, related, watch)

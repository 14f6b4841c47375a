"""The way of a question: plan, search, read, rank, enough?, write, check. Read this first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from answerable.answering.budget import Stopwatch
from answerable.answering.checking import AnswerChecker, OnCheck
from answerable.answering.finishing import chat_turn, finish, keep_cited, not_enough_evidence, wanting
from answerable.answering.related import related_questions
from answerable.answering.rounds import as_written, look_for_evidence
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

    looked = await look_for_evidence(planned, question, parts, emit, watch)
    gathered, evidence, assessment = looked.gathered, looked.evidence, looked.assessment
    planned = replace(planned, plan=as_written(plan, evidence))
    if wanting(evidence, assessment):
        return not_enough_evidence(turn, question, planned, gathered, evidence, assessment, watch, emit)

    emit(Progress("writing", "Writing the answer"))
    on_evidence(evidence)
    checker = AnswerChecker(evidence, parts.support, emit, on_check)
    with watch("writing"):
        written = await write_answer(
            looked.plan,
            evidence,
            llm=writer_for(plan, question, parts),
            checker=checker,
            limits=parts.limits,
            now=question.now,
            emit=emit,
            judges=Judges(parts.reranker, parts.answers),
            named=looked.named,
        )
        checked = await checker.finish(cut=written.truncated)
    if not checked.answer:
        gathered = replace(gathered, notes=(*gathered.notes, *written.notes))
        return not_enough_evidence(turn, question, planned, gathered, evidence, assessment, watch, emit)
    await keep_cited(checked, gathered, parts.pages)
    related = await related_questions(question, plan, checked, gathered, parts)
    return finish(turn, question, planned, gathered, assessment, checked, written, related, watch)

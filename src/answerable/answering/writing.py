"""Writing the answer: by a model while it gives usable markers, else by extraction; nothing shown is taken back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from answerable.answering.checking import AnswerChecker
from answerable.answering.extracting import NOBODY, extract
from answerable.answering.naming import Named, as_described
from answerable.answering.prompting import answer_messages
from answerable.answering.telling_both import Side, left_out
from answerable.answering.weighing import Judges
from answerable.errors import LLMError
from answerable.events import Emit, Notice
from answerable.protocols import LLM, Limits, Message, Parts, Piece
from answerable.text.phrases import phrase
from answerable.types import Evidence, Note, Plan, Question, Usage

PATIENCE = 3  # claims without any usable marker, after which a model is stopped


@dataclass(frozen=True, slots=True)
class Written:
    """`model` names who wrote, None for extraction alone; `truncated`: the length limit cut the text;
    `missing`: asked parts without a sentence of their own."""

    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    notes: tuple[Note, ...] = ()
    truncated: bool = False
    missing: tuple[str, ...] = ()


@dataclass(slots=True)
class _Draft:
    """What the model has done so far."""

    shown: bool = False
    truncated: bool = False
    usage: Usage = field(default_factory=Usage)
    failure: Note | None = None


def writer_for(plan: Plan, question: Question, parts: Parts) -> LLM | None:
    """The model that the plan wants, of those there are; None: the sources speak."""
    if question.writer == "extractive":
        return None
    return parts.quick_model if plan.size == "small" and parts.quick_model is not None else parts.writer_model


async def write_answer(
    plan: Plan,
    evidence: Evidence,
    *,
    llm: LLM | None,
    checker: AnswerChecker,
    limits: Limits,
    now: datetime,
    emit: Emit,
    judges: Judges = NOBODY,
    named: Sequence[Named] = (),
) -> Written:
    """Feeds the checker; the caller finishes it. `plan` says by name what `named` tells. A model's failure is told in a
    notice and a note, never raised."""
    extracted = await extract(plan, evidence, judges, now, named)
    if llm is None:
        await checker.feed(extracted.text)
        return Written(missing=extracted.missing)
    draft = await _by_model(as_described(plan, named), evidence, llm, checker, limits, now, extracted.sides)
    if draft.failure is None:
        await _add_sides(extracted.sides, plan, checker)
        if draft.truncated:
            emit(Notice("truncated", "The model reached its length limit: the answer may lack its end."))
        return Written(llm.name, draft.usage, truncated=draft.truncated)
    emit(Notice(draft.failure.code, draft.failure.message, draft.failure.about))
    if draft.shown:
        await checker.close_block()
        await checker.feed(f"### {phrase('from_sources', plan.language)}\n\n")
    await checker.feed(extracted.text)
    missing = () if draft.shown else extracted.missing
    return Written(llm.name if draft.shown else None, draft.usage, (draft.failure,), missing=missing)


async def _add_sides(sides: Sequence[Side], plan: Plan, checker: AnswerChecker) -> None:
    """What sources say otherwise and the model did not tell follows in their words."""
    if not sides:
        return
    await checker.close_block()  # the last sentence is checked only when it ends
    if text := left_out(sides, checker.told, plan.language, checker.answer):
        await checker.feed(text)


async def _by_model(
    plan: Plan,
    evidence: Evidence,
    llm: LLM,
    checker: AnswerChecker,
    limits: Limits,
    now: datetime,
    sides: Sequence[Side],
) -> _Draft:
    draft = _Draft()
    try:
        async with asyncio.timeout(limits.answer_timeout) as budget:
            try:
                messages = answer_messages(plan, evidence, now, sides)
                await _stream(messages, llm, checker, draft, _left(budget))
            except LLMError as error:
                if error.cause != "too_long" or draft.shown or len(evidence.passages) < 2:
                    raise
                await _stream(answer_messages(plan, _fewer(evidence), now), llm, checker, draft, _left(budget))
    except LLMError as error:
        draft.failure = _note("model_failed", f"{error.message} {error.hint}".strip(), llm.name)
    except TimeoutError:
        draft.failure = _note(
            "model_failed", f"The model {llm.name!r} did not finish in {limits.answer_timeout:g} s.", llm.name
        )
    return draft


async def _stream(messages: list[Message], llm: LLM, checker: AnswerChecker, draft: _Draft, timeout: float) -> None:
    pieces = llm.stream(messages, timeout=timeout)
    try:
        async for piece in pieces:
            draft.shown = draft.shown or bool(piece.text.strip())
            draft.truncated = piece.end == "length"
            draft.usage += piece.usage or Usage()
            if piece.text:
                await checker.feed(piece.text)
            if checker.claims_seen >= PATIENCE and not checker.usable_markers:
                draft.failure = _note(
                    "no_markers", f"The model {llm.name!r} cited no source and was stopped.", llm.name
                )
                return
        if draft.shown and not checker.usable_markers:
            await checker.close_block()  # the last sentence is checked only when it ends
            if checker.claims_seen and not checker.usable_markers:
                draft.failure = _note("no_markers", f"The model {llm.name!r} cited no source.", llm.name)
    finally:
        await _close(pieces)


def _fewer(evidence: Evidence) -> Evidence:
    """The better half of the passages; sources keep their numbers."""
    half = len(evidence.passages) // 2
    return replace(evidence, passages=evidence.passages[:half], scores=evidence.scores[:half])


async def _close(pieces: AsyncIterator[Piece]) -> None:
    """Ends the request at once when the model is stopped early, instead of when the generator is collected."""
    close = getattr(pieces, "aclose", None)
    if close is not None:
        await close()


def _left(budget: asyncio.Timeout) -> float:
    until = budget.when()
    return 0.0 if until is None else max(0.0, until - asyncio.get_running_loop().time())


def _note(code: str, message: str, model: str) -> Note:
    return Note(code, f"{message} What follows is quoted from the sources.", about=model)

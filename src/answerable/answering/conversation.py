"""One attempt, from its start to its record: history, answer, and saving whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial

from answerable.answering.background import OfOneRun
from answerable.answering.checking import ClaimCheck, OnCheck
from answerable.answering.flights import Answered, Flights
from answerable.answering.fold import fold
from answerable.answering.judging import judge_turn
from answerable.answering.pipeline import answer_question
from answerable.errors import AnswerableError, StorageError
from answerable.events import Done, Emit, Event, Failed, Final, Progress, Start
from answerable.protocols import ConversationStore, Parts
from answerable.types import Evidence, Question, State, Turn

_log = logging.getLogger(__name__)


async def answer_and_save(
    turn: Turn,
    question: Question,
    parts: Callable[[], Awaitable[Parts]],
    store: ConversationStore,
    emit: Emit,
    *,
    on_cancel: Callable[[], State] = lambda: "stopped",
    on_check: OnCheck = lambda check: None,
    flights: Flights | None = None,
) -> Turn:
    """Ends with `final` or `error`, then `done`, and returns the turn as it was saved. Between the two a judge, where
    there is one, may change verdicts.

    `parts` is awaited first; what goes wrong there is a failure of the turn.
    Cancelling it is how a run is stopped: the part that was released is kept, and `on_cancel` tells what to call it.
    `flights`: the answers under way that this one may be part of.
    """
    events: list[Event] = []
    answered: Answered | None = None

    def tell(event: Event) -> None:
        events.append(event)
        emit(event)

    tell(Start(turn.id, turn.conversation_id, turn.turn_id, turn.attempt, turn.created, turn.question))
    try:
        work = partial(_answer, turn, question, parts, on_check)
        finished, answered = await (flights or Flights()).answer(turn, question, work, tell)
    except asyncio.CancelledError:
        finished = fold(turn, events, state=on_cancel())
    except Exception as fault:  # noqa: BLE001  # the top of a run: whatever it is, the turn is kept and says so
        failure = _failure(fault, _stage(events))
        tell(failure)
        finished = fold(turn, events)
    saved = await _to_its_end(_save(finished, answered.evidence if answered else None, store, tell))
    if answered is not None and answered.judge is not None and saved.state == "done":
        saved = await _judged(saved, answered, store, tell)
    tell(Done())
    return saved


async def _answer(
    turn: Turn, question: Question, parts: Callable[[], Awaitable[Parts]], on_check: OnCheck, emit: Emit
) -> Answered:
    """The work itself, without what is one asker's own. Cancelling it ends what it left in the background, too."""
    ready = await parts()
    late = OfOneRun(ready.background)
    checks: list[ClaimCheck] = []
    evidence: list[Evidence] = []

    def checked(check: ClaimCheck) -> None:
        checks.append(check)
        on_check(check)

    try:
        finished = await answer_question(
            question, replace(ready, background=late), turn, emit, checked, evidence.append
        )
    except asyncio.CancelledError:
        late.cancel()
        raise
    finished = replace(finished, cost=finished.usage.cost)
    judge = None
    if ready.judge is not None:
        judge = partial(judge_turn, finished, checks, ready.judge, ready.limits)
    return Answered(finished, evidence[-1] if evidence else None, judge)


async def _judged(turn: Turn, answered: Answered, store: ConversationStore, tell: Emit) -> Turn:
    """The turn after a second opinion. It is shown and saved already: whatever happens here can only add to it."""
    try:
        found = await answered.judged()
    except asyncio.CancelledError:  # stopped while the judge was at work
        return turn
    except Exception:  # noqa: BLE001  # the top of a run, as above
        _log.exception("judging failed")
        return turn
    if not found.events:
        return turn
    usage = turn.usage + found.usage
    judged = fold(replace(turn, usage=usage, cost=usage.cost), found.events)
    try:
        await _to_its_end(_kept(judged, store))
    except AnswerableError as fault:
        _log.warning("the verdicts of the judge could not be saved: %s", fault.message)
        return turn
    for event in found.events:
        tell(event)
    return judged


async def _kept(turn: Turn, store: ConversationStore) -> Turn:
    await store.save(turn)
    return turn


async def _to_its_end(saving: Coroutine[None, None, Turn]) -> Turn:
    """A stop that comes this late, or a second one, changes nothing any more: the record must be whole."""
    task = asyncio.create_task(saving)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({task})
    return task.result()


async def _save(turn: Turn, evidence: Evidence | None, store: ConversationStore, tell: Emit) -> Turn:
    tell(Progress("saving", "Saving"))
    try:
        await store.save(turn, evidence)
    except AnswerableError as fault:
        # The answer was shown; asking again would not save it, so this is not for retrying.
        failed = Failed(fault.code, fault.message, "saving", retryable=False, hint=fault.hint)
        turn = fold(turn, [failed])
        tell(failed)
    else:
        if turn.state != "failed":
            tell(Progress("completed", "Done"))
            tell(Final(turn))
    return turn


def _failure(fault: Exception, stage: str) -> Failed:
    if isinstance(fault, AnswerableError):
        retryable = fault.retryable and not isinstance(fault, StorageError)
        return Failed(fault.code, fault.message, stage, retryable, fault.hint)
    _log.error("a run failed while %s", stage, exc_info=fault)
    return Failed(
        "internal_error",
        f"something went wrong while {stage.replace('_', ' ')}: {type(fault).__name__}",
        stage,
        retryable=True,
        hint="Try again; if it happens again, the server's log has the details.",
    )


def _stage(events: list[Event]) -> str:
    return next((event.stage for event in reversed(events) if isinstance(event, Progress)), "planning")

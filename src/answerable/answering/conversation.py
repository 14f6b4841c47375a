"""One attempt, from its start to its record: history, answer, and saving whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine

from answerable.answering.checking import OnCheck
from answerable.answering.fold import fold
from answerable.answering.pipeline import answer_question
from answerable.errors import AnswerableError, StorageError
from answerable.events import Done, Emit, Event, Failed, Final, Progress, Start
from answerable.protocols import ConversationStore, Parts
from answerable.types import Question, State, Turn

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
) -> Turn:
    """Ends with `final` or `error`, then `done`, and returns the turn as it was saved.

    `parts` is awaited first; what goes wrong there is a failure of the turn.
    Cancelling it is how a run is stopped: the part that was released is kept, and `on_cancel` tells what to call it.
    """
    events: list[Event] = []

    def tell(event: Event) -> None:
        events.append(event)
        emit(event)

    tell(Start(turn.id, turn.conversation_id, turn.turn_id, turn.attempt, turn.created, turn.question))
    try:
        finished = await answer_question(question, await parts(), turn, tell, on_check)
    except asyncio.CancelledError:
        finished = fold(turn, events, state=on_cancel())
    except Exception as fault:  # noqa: BLE001  # the top of a run: whatever it is, the turn is kept and says so
        failure = _failure(fault, _stage(events))
        tell(failure)
        finished = fold(turn, events)
    return await _to_its_end(_save(finished, store, tell))


async def _to_its_end(saving: Coroutine[None, None, Turn]) -> Turn:
    """A stop that comes this late, or a second one, changes nothing any more: the record must be whole."""
    task = asyncio.create_task(saving)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({task})
    return task.result()


async def _save(turn: Turn, store: ConversationStore, tell: Emit) -> Turn:
    tell(Progress("saving", "Saving"))
    try:
        await store.save(turn)
    except AnswerableError as fault:
        # The answer was shown; asking again would not save it, so this is not for retrying.
        failed = Failed(fault.code, fault.message, "saving", retryable=False, hint=fault.hint)
        turn = fold(turn, [failed])
        tell(failed)
    else:
        if turn.state != "failed":
            tell(Progress("completed", "Done"))
            tell(Final(turn))
    tell(Done())
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

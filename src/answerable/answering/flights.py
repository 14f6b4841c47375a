"""Single flight: one first question asked by several at the same moment is answered once; each gets a turn of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from answerable.answering.judging import Judgement
from answerable.events import Emit, Event
from answerable.types import Evidence, Question, Turn

LEAVE_SECONDS = 1.0
_NO_TIME = datetime.min.replace(tzinfo=UTC)  # two who ask the same ask it at almost the same time


@dataclass
class Answered:
    """What came of a question, for all who asked it. `judge` gives a second opinion on it."""

    turn: Turn
    evidence: Evidence | None = None
    judge: Callable[[], Coroutine[None, None, Judgement]] | None = None
    _verdicts: asyncio.Task[Judgement] | None = None
    _waiting: int = 0

    async def judged(self) -> Judgement:
        """The judge is asked once, and is stopped with the last who waits for it."""
        if self.judge is None:
            return Judgement()
        if self._verdicts is None:
            self._verdicts = asyncio.create_task(self.judge())
        self._waiting += 1
        try:
            return await asyncio.shield(self._verdicts)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._verdicts.cancel()


Work = Callable[[Emit], Coroutine[None, None, Answered]]


@dataclass
class _Flight:
    told: list[Event] = field(default_factory=list)
    askers: list[Emit] = field(default_factory=list)

    def tell(self, event: Event) -> None:
        self.told.append(event)
        for emit in tuple(self.askers):
            emit(event)


class Flights:
    """The answers under way that others may join.

    One that comes later is told what was said so far, then goes on with the rest. Work ends early only when all who
    asked for it were cancelled.
    """

    def __init__(self) -> None:
        self._under_way: dict[Question, tuple[_Flight, asyncio.Task[Answered]]] = {}

    async def answer(self, turn: Turn, question: Question, work: Work, emit: Emit) -> tuple[Turn, Answered]:
        """What `work` returns, and its turn as this asker's. Only the first attempt at a first question is shared."""
        if question.history or turn.attempt > 1:
            answered = await work(emit)
            return answered.turn, answered
        key = replace(question, now=_NO_TIME)
        known = self._under_way.get(key)
        if known is not None and not known[1].done() and not known[1].cancelling():
            flight, task = known
        else:
            flight = _Flight()
            task = asyncio.create_task(work(flight.tell))
            self._under_way[key] = flight, task
            task.add_done_callback(lambda task: self._forget(key, task))
        for event in flight.told:
            emit(event)
        flight.askers.append(emit)
        try:
            answered = await asyncio.shield(task)
        except asyncio.CancelledError:
            flight.askers.remove(emit)
            if not flight.askers and not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):  # its requests end before this does
                    await asyncio.wait({task}, timeout=LEAVE_SECONDS)
            raise
        return _as_of(answered.turn, turn), answered

    def _forget(self, key: Question, task: asyncio.Task[Answered]) -> None:
        if not task.cancelled():
            task.exception()  # each asker has seen it; without that the loop would call it never retrieved
        known = self._under_way.get(key)
        if known is not None and known[1] is task:
            del self._under_way[key]


def _as_of(answered: Turn, turn: Turn) -> Turn:
    return replace(
        answered,
        id=turn.id,
        conversation_id=turn.conversation_id,
        turn_id=turn.turn_id,
        attempt=turn.attempt,
        question=turn.question,
        created=turn.created,
    )

"""Runs over a real database whose answers are what a coroutine emits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from answerable.answering.fold import fold
from answerable.answering.runs import Answer, RunRegistry
from answerable.events import (
    Delta,
    Done,
    Emit,
    Event,
    Final,
    Start,
)
from answerable.protocols import Clock
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database
from answerable.storage.runlog import SqlRunLog
from answerable.types import Question, State, Turn

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def registry(
    database: Database, work: Callable[[Emit], object], *, clock: Clock = lambda: NOW, **options: Any
) -> RunRegistry:
    """Runs whose answer is what `work` emits, saved as the engine saves."""
    store = SqlConversationStore(database)

    async def answer(turn: Turn, question: Question, emit: Emit, on_cancel: Callable[[], State]) -> Turn:
        events: list[Event] = []

        def tell(event: Event) -> None:
            events.append(event)
            emit(event)

        tell(Start(turn.id, turn.conversation_id, turn.turn_id, turn.attempt, turn.created, turn.question))
        try:
            await work(tell)  # type: ignore[misc]
            finished = replace(fold(turn, events), state="done", outcome="answered")
        except asyncio.CancelledError:
            finished = fold(turn, events, state=on_cancel())
        await store.save(finished)
        tell(Final(finished))
        tell(Done())
        return finished

    typed: Answer = answer
    return RunRegistry(typed, store, SqlRunLog(database), clock, **options)


async def three_words(emit: Emit) -> None:
    for word in ("one ", "two ", "three"):
        emit(Delta(word))
        await asyncio.sleep(0)


async def never_ends(emit: Emit) -> None:
    emit(Delta("begun"))
    await asyncio.Event().wait()


async def watch(runs: RunRegistry, run_id: str, after: int = 0) -> list[tuple[int, Event]]:
    seen: list[tuple[int, Event]] = []
    while not (seen and isinstance(seen[-1][1], Done)):
        seen += await runs.events(run_id, after=seen[-1][0] if seen else after, timeout=5)
    return seen


async def until_released(runs: RunRegistry, run_id: str) -> None:
    seen = 0
    while not (await runs.turn(run_id)).answer:
        seen = (await runs.events(run_id, after=seen, timeout=5))[-1][0]

"""Single flight, and the signs of life by which the runs of a dead process are known."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from answerable.answering.background import BackgroundTasks, OfOneRun
from answerable.answering.flights import Answered, Flights
from answerable.answering.leases import SILENT_SECONDS, Lease
from answerable.events import Delta, Emit, Event
from answerable.types import PastTurn, Question, Turn

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
HOW = Question("How?", NOW)


class Kitchen:
    """Work that says "one", waits to be let go, says "two"."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.go_on, self.breaks = asyncio.Event(), breaks
        self.begun = self.cancelled = 0

    async def work(self, emit: Emit) -> Answered:
        self.begun += 1
        emit(Delta("one"))
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.breaks:
            raise RuntimeError("burnt")
        emit(Delta("two"))
        return Answered(replace(turn_of("cook"), state="done", answer="onetwo"))


def turn_of(name: str, attempt: int = 1) -> Turn:
    return Turn(f"run-{name}", f"con-{name}", f"turn-{name}", attempt, "How?", NOW)


class Asker:
    def __init__(self, flights: Flights, kitchen: Kitchen, name: str, question: Question = HOW, attempt: int = 1):
        self.heard: list[Event] = []
        self.task = asyncio.create_task(
            flights.answer(turn_of(name, attempt), question, kitchen.work, self.heard.append)
        )


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_same_first_question_at_the_same_moment_is_worked_on_once_and_each_gets_a_turn() -> None:
    flights, kitchen = Flights(), Kitchen()
    first = Asker(flights, kitchen, "a")
    await settle()
    second = Asker(flights, kitchen, "b", replace(HOW, now=NOW + timedelta(milliseconds=300)))
    await settle()
    kitchen.go_on.set()
    turns = [(await asker.task)[0] for asker in (first, second)]

    assert kitchen.begun == 1
    assert first.heard == second.heard == [Delta("one"), Delta("two")]
    assert [(turn.id, turn.conversation_id, turn.turn_id) for turn in turns] == [
        ("run-a", "con-a", "turn-a"),
        ("run-b", "con-b", "turn-b"),
    ]
    assert [turn.answer for turn in turns] == ["onetwo", "onetwo"]
    await Asker(flights, kitchen, "later").task
    assert kitchen.begun == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(HOW, owner="ada"),
        replace(HOW, focus="own"),
        replace(HOW, model="m"),
        replace(HOW, text="Why?"),
        replace(HOW, history=(PastTurn("Who?", "Who?", ""),)),
    ],
)
async def test_what_differs_is_worked_on_apart(other: Question) -> None:
    flights, kitchen = Flights(), Kitchen()
    kitchen.go_on.set()
    askers = [Asker(flights, kitchen, "a"), Asker(flights, kitchen, "b", other)]
    await asyncio.gather(*(asker.task for asker in askers))

    assert kitchen.begun == 2


async def test_a_retry_is_worked_on_by_itself() -> None:
    flights, kitchen = Flights(), Kitchen()
    kitchen.go_on.set()
    askers = [Asker(flights, kitchen, "a"), Asker(flights, kitchen, "b", attempt=2)]
    await asyncio.gather(*(asker.task for asker in askers))

    assert kitchen.begun == 2


async def test_one_who_stops_takes_the_answer_from_nobody_and_the_last_who_stops_ends_the_work() -> None:
    flights, kitchen = Flights(), Kitchen()
    first, second = Asker(flights, kitchen, "a"), Asker(flights, kitchen, "b")
    await settle()
    first.task.cancel()
    await settle()

    assert first.task.cancelled()
    assert kitchen.cancelled == 0
    second.task.cancel()
    await asyncio.wait({second.task})
    assert kitchen.cancelled == 1
    third = Asker(flights, kitchen, "c")
    kitchen.go_on.set()
    await third.task
    assert kitchen.begun == 2


async def test_what_goes_wrong_is_told_to_each() -> None:
    flights, kitchen = Flights(), Kitchen(breaks=True)
    askers = [Asker(flights, kitchen, "a"), Asker(flights, kitchen, "b")]
    kitchen.go_on.set()

    faults = await asyncio.gather(*(asker.task for asker in askers), return_exceptions=True)

    assert [str(fault) for fault in faults] == ["burnt", "burnt"]


class Register:
    """Processes, in memory."""

    def __init__(self) -> None:
        self.beats: dict[str, int] = {}

    async def beat(self, id: str) -> dict[str, int]:
        self.beats[id] = self.beats.get(id, 0) + 1
        return dict(self.beats)

    async def leave(self, ids: Sequence[str]) -> None:
        for id in ids:
            self.beats.pop(id, None)


async def test_a_process_is_dead_when_it_was_silent_for_a_while_or_was_never_heard() -> None:
    now, register = 0.0, Register()
    mine, other = Lease(register, clock=lambda: now), Lease(register, clock=lambda: now)
    await other.beat()
    await mine.beat()

    assert mine.lives(mine.id)
    assert mine.lives(other.id)
    assert not mine.lives("unknown")
    now += SILENT_SECONDS - 1
    await other.beat()
    await mine.beat()
    now += SILENT_SECONDS - 1
    assert mine.lives(other.id)
    now += 2
    await mine.beat()
    assert not mine.lives(other.id)
    await mine.bury()
    assert list(register.beats) == [mine.id]


async def test_a_process_that_closes_is_gone_at_once() -> None:
    register = Register()
    mine, other = Lease(register), Lease(register)
    await other.beat()
    await other.close()
    await mine.beat()

    assert not mine.lives(other.id)


async def test_stopping_a_run_ends_the_work_it_left_in_the_background_and_no_other() -> None:
    background = BackgroundTasks()
    mine, other = OfOneRun(background), OfOneRun(background)
    ended: list[str] = []

    async def read(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    mine(read("mine"))
    other(read("other"))
    await settle()
    mine.cancel()
    await settle()

    assert ended == ["mine"]
    await background.close()

"""Group commit: one transaction for all that waits, and a fault for those only whose events it concerns."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

import pytest

from answerable.answering.groupcommit import GroupCommit
from answerable.errors import NotFound, StorageError
from answerable.events import Delta, Event


class Log:
    """A RunLog in memory that tells how many runs each transaction was of."""

    def __init__(self) -> None:
        self.written: dict[str, list[Event]] = {}
        self.sizes: list[int] = []
        self.deleted: set[str] = set()
        self.full = False

    async def append_all(self, batches: Mapping[str, Sequence[Event]]) -> dict[str, int]:
        await asyncio.sleep(0)
        if self.full:
            raise StorageError("disk full")
        if any(event == Delta("\ud800") for events in batches.values() for event in events):
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        self.sizes.append(len(batches))
        for run_id, events in batches.items():
            if run_id not in self.deleted:
                self.written.setdefault(run_id, []).extend(events)
        return {run_id: len(self.written[run_id]) for run_id in batches if run_id not in self.deleted}

    async def append(self, run_id: str, events: Sequence[Event]) -> int:
        return (await self.append_all({run_id: events}))[run_id]

    async def read(self, run_id: str, *, after: int = 0) -> list[tuple[int, Event]]:
        return list(enumerate(self.written[run_id], start=1))[after:]

    async def forget(self, *, ended_before: datetime) -> int:
        return 0


async def test_what_comes_together_is_written_together_and_numbered_by_run() -> None:
    log = Log()
    group = GroupCommit(log)

    first = await asyncio.gather(*(group.append(f"run{n}", [Delta("a"), Delta("b")]) for n in range(50)))
    second = await asyncio.gather(*(group.append(f"run{n}", [Delta("c")]) for n in range(50)))

    assert set(first) == {2}
    assert set(second) == {3}
    assert len(log.sizes) <= 4
    assert log.written["run7"] == [Delta("a"), Delta("b"), Delta("c")]


async def test_one_whose_events_cannot_be_written_costs_the_others_nothing() -> None:
    log = Log()
    log.deleted.add("gone")
    group = GroupCommit(log)

    ended = await asyncio.gather(
        group.append("good", [Delta("a")]),
        group.append("odd", [Delta("\ud800")]),
        group.append("gone", [Delta("a")]),
        group.append("better", [Delta("a")]),
        return_exceptions=True,
    )

    assert ended[0] == ended[3] == 1
    assert isinstance(ended[1], UnicodeEncodeError)
    assert isinstance(ended[2], NotFound)


async def test_a_full_disk_is_told_to_all_and_the_next_are_written_again() -> None:
    log = Log()
    group = GroupCommit(log)
    log.full = True
    for _ in range(2):
        with pytest.raises(StorageError, match="disk full"):
            await group.append("run", [Delta("a")])
    log.full = False

    assert await group.append("run", [Delta("a")]) == 1


async def test_who_no_longer_waits_does_not_disturb() -> None:
    log = Log()
    group = GroupCommit(log)
    leaving = asyncio.create_task(group.append("left", [Delta("a")]))
    await asyncio.sleep(0)
    leaving.cancel()

    assert await group.append("stays", [Delta("a")]) == 1

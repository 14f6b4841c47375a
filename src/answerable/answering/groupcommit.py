"""Group commit: what many runs append to the log at the same moment is written in one transaction.

With 300 runs that write 20 pieces a second, a transaction each would be 6,000 a second, which no disk takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from answerable.errors import AnswerableError, NotFound
from answerable.events import Event
from answerable.protocols import RunLog

MOST = 200  # runs in one transaction


class GroupCommit:
    """`append` as that of a RunLog. While one transaction is written, those who come meanwhile gather for the next."""

    def __init__(self, log: RunLog) -> None:
        self._log = log
        self._waiting: list[tuple[str, Sequence[Event], asyncio.Future[int]]] = []
        self._task: asyncio.Task[None] | None = None

    async def append(self, run_id: str, events: Sequence[Event]) -> int:
        """Returns the number of the last event. Raises NotFound when the run was deleted, StorageError."""
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append((run_id, events, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        return await done

    async def _write(self) -> None:
        while self._waiting:
            group: dict[str, tuple[Sequence[Event], asyncio.Future[int]]] = {}
            for run_id, events, done in self._waiting:  # a run appends one batch after the other
                if len(group) < MOST and run_id not in group:
                    group[run_id] = (events, done)
            taken = {id(done) for _, done in group.values()}
            self._waiting = [one for one in self._waiting if id(one[2]) not in taken]
            await self._commit(group)

    async def _commit(self, group: dict[str, tuple[Sequence[Event], asyncio.Future[int]]]) -> None:
        try:
            last = await self._log.append_all({run_id: events for run_id, (events, _) in group.items()})
        except Exception as fault:  # noqa: BLE001  # told to each whose events these are
            if len(group) == 1 or isinstance(fault, AnswerableError):
                for _, done in group.values():
                    _tell(done, fault)
                return
            for run_id, one in group.items():  # one whose events cannot be written must not cost the others theirs
                await self._commit({run_id: one})
            return
        for run_id, (_, done) in group.items():
            if run_id in last and not done.done():
                done.set_result(last[run_id])
            elif run_id not in last:
                gone = f"the answer {run_id!r} is no longer there: its conversation was deleted"
                _tell(done, NotFound(gone))


def _tell(done: asyncio.Future[int], fault: Exception) -> None:
    if not done.done():
        done.set_exception(fault)

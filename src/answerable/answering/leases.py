"""Who works on a run: a process that lives says so again and again, and the runs of one that fell silent are ended."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from answerable.answering.runs import RunRegistry
from answerable.errors import AnswerableError
from answerable.protocols import Clock, History, Processes, RunLog

BEAT_SECONDS = 4.0
SWEEP = timedelta(hours=1)
EVENTS_KEPT = timedelta(hours=24)  # so long a reader may come back for each event; then for the turn
SILENT_SECONDS = 16.0  # a process under load or a database being backed up may miss a beat or two
_log = logging.getLogger(__name__)


class Lease:
    """This process's name among those that share a database.

    A process is judged by whether its count still grows, by the clock of the one who looks: clocks of two machines are
    never compared.
    """

    def __init__(self, processes: Processes, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.id = f"proc_{uuid.uuid4().hex[:16]}"
        self._processes, self._clock = processes, clock
        self._heard: dict[str, tuple[int, float]] = {}  # process -> its count, and when that was new

    async def beat(self) -> None:
        """Says that this process lives, and listens for the others."""
        now = self._clock()
        counts = await self._processes.beat(self.id)
        self._heard = {
            id: known if (known := self._heard.get(id)) and known[0] == count else (count, now)
            for id, count in counts.items()
        }

    def lives(self, holder: str) -> bool:
        """Whether a process may still work on its runs. One that never said so, or has left, does not."""
        if holder == self.id:
            return True
        heard = self._heard.get(holder)
        return heard is not None and self._clock() - heard[1] < SILENT_SECONDS

    def silent(self) -> list[str]:
        return [id for id in self._heard if not self.lives(id)]

    async def bury(self) -> None:
        """Forgets the processes that fell silent; call it when their runs are set right."""
        await self._processes.leave(self.silent())

    async def close(self) -> None:
        with contextlib.suppress(AnswerableError):
            await self._processes.leave([self.id])


@dataclass(frozen=True, slots=True)
class Keeper:
    """What has to be done again and again while an engine runs."""

    lease: Lease
    runs: RunRegistry
    log: RunLog
    history: History
    clock: Clock
    keep_days: int = 0  # conversations in which nothing happened for so long are deleted; 0: never

    def start(self) -> Callable[[], Awaitable[object]]:
        """Begins; call what is returned to end it."""
        task = asyncio.create_task(self.run())

        async def end() -> None:
            task.cancel()
            await asyncio.wait({task})

        return end

    async def run(self) -> None:
        """Until cancelled."""
        swept = self.clock() - SWEEP
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await self.beat()
                if self.clock() - swept >= SWEEP:
                    swept = self.clock()
                    await self.sweep()
            except AnswerableError as fault:
                _log.warning("the database cannot be looked after: %s", fault.message)

    async def beat(self) -> None:
        """Says that this process lives, and ends the runs of those that died."""
        await self.lease.beat()
        await self.runs.recover(self.lease.lives)
        await self.lease.bury()

    async def sweep(self) -> None:
        """Clears away what is kept for a time only."""
        now = self.clock()
        await self.log.forget(ended_before=now - EVENTS_KEPT)
        if self.keep_days:
            await self.history.expire(before=now - timedelta(days=self.keep_days))

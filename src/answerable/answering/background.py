"""Work that outlives the turn that began it, such as a late page on its way into the cache."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from answerable.protocols import Background

_log = logging.getLogger(__name__)


class BackgroundTasks:
    """Call it with a coroutine; `close` cancels what is left. A failure is logged, never lost in silence."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __call__(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            _log.info("background work failed: %s", fault)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class OfOneRun:
    """The background work that one run began, so that stopping the run ends it too."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._begun: list[asyncio.Task[Any]] = []

    def __call__(self, work: Coroutine[Any, Any, Any]) -> None:
        task = self._background(work)
        if task is not None:
            self._begun.append(task)

    def cancel(self) -> None:
        for task in self._begun:
            task.cancel()


async def within(seconds: float, name: str, close: Callable[[], Awaitable[object]]) -> None:
    """A part that does not close in time must not keep the process from ending."""
    task = asyncio.ensure_future(close())
    await asyncio.wait({task}, timeout=seconds)
    if not task.done():
        task.cancel()
        _log.warning("%s was not closed within %g s", name, seconds)
    else:
        task.result()

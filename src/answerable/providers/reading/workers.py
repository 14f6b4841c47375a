"""Extraction off the event loop: a few processes, started at the first page, replaced when one dies or hangs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from typing import Self

from answerable.errors import ReadError
from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import Extracted, Job
from answerable.providers.reading.worker import MEMORY, TOO_MUCH, packed_job, unpacked_result

Extract = Callable[[Job], Awaitable[Extracted]]
_CLOSE_SECONDS = 5.0  # a killed process is gone at once; its end may still go unnoticed
_START_SECONDS = 20.0  # half a second alone, several on a busy machine
_LINE_BYTES = 64_000_000
# What makes a page slow: its elements (120,000 of them take 4 s), and attributes without end, which are quadratic.
# An ordinary page of 100 kB has 2,000 elements and takes .03 s.
_HEAVY_BYTES, _HEAVY_TAGS, _HEAVY_ATTRIBUTES = 400_000, 10_000, 15_000
_LIGHT_SHARE = 0.5  # of the time limit, for a page that is not heavy


def is_heavy(body: bytes) -> bool:
    """Whether a page may take seconds, told from its bytes alone."""
    return len(body) > _HEAVY_BYTES or body.count(b"<") > _HEAVY_TAGS or body.count(b"=") > _HEAVY_ATTRIBUTES


async def extract_in_thread(job: Job) -> Extracted:
    """For scripts and tests; a server takes `ExtractionWorkers`, which one page can neither stall nor kill."""
    return await asyncio.to_thread(extract, job)


class ExtractionWorkers:
    """`extract(job)` in one of `count` processes, each page within `time_limit` seconds and `memory_limit` bytes of
    address space, what the process itself needs included. Close with `aclose`.

    Heavy pages take turns in all processes but one, so that a few of them do not keep every other page waiting.
    """

    def __init__(self, count: int = 2, *, time_limit: float = 8.0, memory_limit: int = MEMORY) -> None:
        self._count, self._time_limit, self._memory_limit = count, time_limit, memory_limit
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()
        self._starting: set[asyncio.Task[asyncio.subprocess.Process]] = set()
        self._places = asyncio.Semaphore(count)
        self._heavy = asyncio.Semaphore(max(1, count - 1))
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()

    async def warm_up(self) -> None:
        """Starts the processes before the first page asks for them."""
        started = await asyncio.gather(*(self._start() for _ in range(self._count - len(self._all))))
        self._idle += started

    async def extract(self, job: Job) -> Extracted:
        """Raises ReadError when the page takes too long or breaks its process, which is then replaced."""
        heavy = is_heavy(job.body)
        limit = job.patience * self._time_limit * (1 if heavy else _LIGHT_SHARE)
        async with self._heavy if heavy else nullcontext(), self._places:
            process = self._take_idle() or await self._start()
            clean = False
            try:
                async with asyncio.timeout(limit):
                    line = await _ask(process, job)
                result = unpacked_result(line)
                clean = result.message != TOO_MUCH
                return result
            except TimeoutError:
                message = f"its text could not be extracted within {limit:g} s"
                raise ReadError(job.asked or job.url, "timeout", message) from None
            except (ConnectionError, asyncio.IncompleteReadError):
                raise ReadError(job.asked or job.url, "decode", "its text could not be extracted") from None
            finally:
                # Whoever is cancelled in between leaves half an answer in the pipe: that process is not used again.
                if clean and not self._closed:
                    self._idle.append(process)
                else:
                    await self._stop(process)

    async def aclose(self) -> None:
        self._closed = True
        self._idle.clear()
        await asyncio.gather(*(self._stop(process) for process in list(self._all)))
        if self._starting:  # they see that all is closed, or that their process was killed
            await asyncio.wait(self._starting, timeout=_CLOSE_SECONDS)

    def _take_idle(self) -> asyncio.subprocess.Process | None:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._all.discard(process)  # ended while nobody looked, by the system's hand
        return None

    async def _start(self) -> asyncio.subprocess.Process:
        """Goes on when its caller is cancelled: a start cut short half-way may never end, and the loop waits for it."""
        task = asyncio.create_task(self._begin())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._keep_for_later)
            raise

    def _keep_for_later(self, task: asyncio.Task[asyncio.subprocess.Process]) -> None:
        if not task.cancelled() and task.exception() is None and not self._closed:
            self._idle.append(task.result())

    async def _begin(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "answerable.providers.reading.worker",
            str(self._memory_limit),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE_BYTES,
            start_new_session=True,  # Ctrl+C is ours to hear: they end when we kill them, or when their input ends
        )
        self._all.add(process)
        ready = False
        try:
            assert process.stdout is not None
            async with asyncio.timeout(0 if self._closed else _START_SECONDS):
                ready = await process.stdout.readline() == b"ready\n"
        finally:
            if not ready:
                await self._stop(process)
        if not ready:
            raise ReadError("", "decode", "the extraction process does not start")
        return process

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        if process in self._all:  # a second kill would take its end away from whoever waits for it
            self._all.discard(process)
            with suppress(ProcessLookupError):
                process.kill()
        if process.stdin is not None:
            process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await asyncio.shield(asyncio.ensure_future(process.wait()))


async def _ask(process: asyncio.subprocess.Process, job: Job) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(packed_job(job))
    await process.stdin.drain()
    return await process.stdout.readuntil(b"\n")

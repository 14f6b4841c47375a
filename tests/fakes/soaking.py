"""Many fetches against every fault at once, and what they leave behind."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import resource
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.fakes.faults import FAULTS, Fault, install, path_of
from tests.fakes.hostile import hostile_server

from answerable.errors import ReadError
from answerable.providers.reading.fetch import GuardedFetcher


@dataclass(slots=True)
class Soaked:
    """`wrong`: outcomes that no one expects of a fault; the rest is counted before and after."""

    fetches: int = 0
    wrong: list[tuple[str, str]] = field(default_factory=list)
    causes: Counter[str] = field(default_factory=Counter)
    worst_overrun: float = 0.0  # seconds past the deadline
    worst_fault: str = ""
    tasks_left: int = 0
    files_left: int = 0  # open descriptors, sockets included, beyond those before
    rss_kb: list[int] = field(default_factory=list)  # after each tenth


async def soak(fetches: int, *, timeout: float = 0.5, seed: int = 7, at_once: int = 8) -> Soaked:
    """Each fault in turn, in a shuffled order, `at_once` of them, from hosts of many names."""
    soaked, order = Soaked(), random.Random(seed)
    faults = [FAULTS[n % len(FAULTS)] for n in range(fetches)]
    order.shuffle(faults)
    tasks, files = len(asyncio.all_tasks()), open_files()
    async with hostile_server() as server:
        install(server)
        hosts = [f"h{n}.example" for n in range(20)]

        async def here(host: str, port: int) -> Sequence[str]:
            return ["127.0.0.1"]

        allowed = [f"{host}:{server.port}" for host in hosts]
        async with GuardedFetcher(allow_hosts=allowed, resolve=here, at_once=at_once) as door:
            for host in hosts:  # not under way of the faults: rules that are late close a site
                await door.rules(server.url("/", host), timeout=10)
            queue = iter(enumerate(faults))

            async def worker() -> None:
                for number, fault in queue:
                    await _one(door, server.url(path_of(fault), order.choice(hosts)), fault, timeout, soaked)
                    if number % max(1, fetches // 10) == 0:
                        server.asked.clear()  # the server's own records are no leak of the fetcher's
                        server.heads.clear()
                        soaked.rss_kb.append(resident_kb())

            await asyncio.gather(*(worker() for _ in range(at_once)))
    await asyncio.sleep(0.05)  # what was closed is gone at the loop's next turns
    gc.collect()
    soaked.tasks_left = len(asyncio.all_tasks()) - tasks
    soaked.files_left = open_files() - files
    return soaked


async def _one(door: GuardedFetcher, url: str, fault: Fault, timeout: float, soaked: Soaked) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        fetched = await door.fetch(url, timeout=timeout)
        outcome = "part" if fetched.cut else "whole"
    except ReadError as failure:
        outcome = failure.cause
    overrun = loop.time() - began - timeout
    if overrun > soaked.worst_overrun:
        soaked.worst_overrun, soaked.worst_fault = overrun, fault.name
    soaked.fetches += 1
    soaked.causes[outcome] += 1
    # On a busy machine any of them may be late, which is no fault of the fetcher's.
    if outcome not in fault.outcomes | {"timeout", "part"}:
        soaked.wrong.append((fault.name, outcome))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0


def resident_kb() -> int:
    """Of this process now; its highest so far where the system does not tell."""
    status = Path(f"/proc/{os.getpid()}/statm")
    if status.exists():
        return int(status.read_text("ascii").split()[1]) * resource.getpagesize() // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

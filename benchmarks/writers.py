"""Eight writers, each in a process of its own, and a lister, on one SQLite file: nobody may find it locked."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from answerable.errors import AnswerableError
from answerable.events import Delta
from answerable.protocols import ConversationFilter
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import open_database
from answerable.storage.history import SqlHistory
from answerable.storage.runlog import SqlRunLog
from answerable.types import Turn

ROOT = Path(__file__).parents[1]


@dataclass
class Crowd:
    writes: int = 0
    lists: int = 0
    faults: int = 0


async def crowd(folder: Path, *, seconds: float, writers: int = 8, processes: int = 4) -> Crowd:
    """Half of the writers in other processes, half in this one, as servers that share a folder would be."""
    file, result = folder / "store.sqlite", Crowd()
    database = await open_database(f"sqlite:///{file}")
    command = [sys.executable, "-m", "benchmarks.writers", str(file), str(seconds)]
    others = [
        await asyncio.create_subprocess_exec(*command, str(number), cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        for number in range(processes)
    ]
    until = time.monotonic() + seconds
    here = [
        _write(SqlConversationStore(database), SqlRunLog(database), f"here{n}", until, result)
        for n in range(writers - processes)
    ]
    await asyncio.gather(*here, _list(SqlHistory(database), until, result))
    for process in others:
        told, _ = await process.communicate()
        writes, faults = map(int, told.split() or (0, 1))
        result.writes += writes
        result.faults += faults + (process.returncode != 0)
    await database.close()
    return result


async def _write(store: SqlConversationStore, log: SqlRunLog, name: str, until: float, result: Crowd) -> None:
    number = 0
    while time.monotonic() < until:
        number += 1
        id = f"{name}-{number}"
        turn = Turn(f"run-{id}", f"con-{name}-{number // 3}", f"turn-{id}", 1, "How long is it?", datetime.now(UTC))
        try:
            await store.begin(turn)
            for word in range(5):
                await log.append(turn.id, [Delta(f"word {word} ")])
            await store.save(replace(turn, state="done", answer="It is long. " * 200))
        except AnswerableError as fault:
            print(fault.message, file=sys.stderr)
            result.faults += 1
        result.writes += 7
        await asyncio.sleep(0)


async def _list(history: SqlHistory, until: float, result: Crowd) -> None:
    while time.monotonic() < until:
        cursor: str | None = ""
        for _ in range(5):
            page = await history.list(ConversationFilter(search="long"), cursor=cursor or "")
            result.lists += 1
            cursor = page.next_cursor
            if cursor is None:
                break
        await asyncio.sleep(0)


async def main(file: str, seconds: str, number: str) -> None:
    database, result = await open_database(f"sqlite:///{file}"), Crowd()
    until = time.monotonic() + float(seconds)
    await _write(SqlConversationStore(database), SqlRunLog(database), f"other{number}", until, result)
    await database.close()
    print(result.writes, result.faults)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

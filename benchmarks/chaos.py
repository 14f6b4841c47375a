"""`make chaos`: kill -9 at any stage of a run, start again, and see that nothing is lost. Prints what was found.

The server is the real one in a process of its own, over HTTP; the web is the miniature web and the model a scripted
one, both on real sockets. Exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx2
from benchmarks.writers import crowd

from answerable.evals.copying import CopyingModel
from answerable.evals.miniweb import MiniWeb
from answerable.evals.scripted import ScriptedLLM
from answerable.text.miniweb import load_questions
from answerable.wiring import COLLECTION

STAGES = ("planning", "searching", "reading", "ranking", "checking_evidence", "writing", "saving", "completed")
AIMED = ("reading", "writing", "saving")  # each has to be met often enough
# Imported once and forked for each start: tests would spend most of their time importing.
FORKING = """
import os, signal, sys
import answerable.cli, answerable.web.app, answerable.wiring
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        sys.stdin.close()
        sys.argv = ["answerable", *line.split()]
        answerable.cli.main()
        os._exit(0)
    print(pid, flush=True)
"""


@dataclass
class Seen:
    """What a client was shown of a run before it was cut off."""

    key: str
    question: str
    id: str = ""
    text: str = ""
    stage: str = ""
    final: dict[str, Any] | None = None


@dataclass
class Report:
    runs: list[Seen] = field(default_factory=list)
    kills: int = 0
    stages: Counter[str] = field(default_factory=Counter)  # where runs were when they were killed
    broken: list[str] = field(default_factory=list)


class Server:
    """The real server on one data folder; `start` and `kill` it as often as wanted."""

    def __init__(self, folder: Path, settings: dict[str, str], *, forking: bool) -> None:
        known = {name: value for name, value in os.environ.items() if not name.startswith("ANSWERABLE_")}
        self._env = {**known, **settings, "ANSWERABLE_DATA_DIR": str(folder), "HOME": str(folder)}
        self._folder, self._forking, self.pid = folder, forking, 0
        self._process: subprocess.Popen[str] | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Returns when it listens."""
        await asyncio.to_thread(self._fork if self._forking else self._spawn)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            await asyncio.sleep(0.02)
        raise RuntimeError("the server did not start")

    def _spawn(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "answerable", "serve", "--port", str(self.port)],
            env=self._env,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.pid = self._process.pid

    def _fork(self) -> None:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", FORKING],
                env=self._env,
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"serve --port {self.port}\n")
        self._process.stdin.flush()
        while not (line := self._process.stdout.readline()).strip().isdigit():
            if not line:
                raise RuntimeError("the server could not be forked")
        self.pid = int(line)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        if self._process is not None and not self._forking:
            self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            while self.pid:  # until its port is free
                os.kill(self.pid, 0)
                time.sleep(0.002)

    def close(self) -> None:
        self.kill()
        if self._process is not None:
            self._process.kill()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe:
                    pipe.close()
            self._process.wait()


async def chaos(
    runs: int,
    *,
    together: int = 4,
    enough: int = 20,
    seed: int = 1,
    forking: bool = False,
    most_kills: int = 400,
    tell: Callable[[str], None] = lambda line: None,
) -> Report:
    """Asks `together` questions at once, kills the server when one of them is at the stage aimed at, starts it again
    and checks; until `runs` were killed, `enough` of them in each stage aimed at."""
    dice, report = random.Random(seed), Report()
    async with _world() as settings, AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="answerable-chaos-")))
        server = Server(folder, settings, forking=forking)
        stack.callback(server.close)
        await server.start()
        while report.kills < most_kills and (
            len(report.runs) < runs or any(report.stages[stage] < enough for stage in AIMED)
        ):
            aim = _aim(dice, report, enough)
            cut = await _until_killed(server, dice, aim, together)
            report.kills += 1
            report.runs += cut
            report.stages.update(seen.stage or "asking" for seen in cut)
            await server.start()
            report.broken += await _faults(server, folder, cut, dice)
            tell(f"kill {report.kills}: {', '.join(seen.stage or 'asking' for seen in cut)}")
            if report.broken:
                break
        report.broken += _faults_of_all(folder, report.runs)
    return report


def _aim(dice: random.Random, report: Report, enough: int) -> str:
    """Mostly where too few were met yet."""
    wanting = [stage for stage in AIMED if report.stages[stage] < enough]
    return dice.choice(wanting or STAGES) if dice.random() < 0.8 else dice.choice(STAGES)


@asynccontextmanager
async def _world() -> AsyncIterator[dict[str, str]]:
    """A web and a model that writes 50 pieces a second; yields the settings that lead to them."""
    model = CopyingModel(seed=1, share=0.0)
    async with (
        MiniWeb(COLLECTION) as web,
        ScriptedLLM(answer=lambda body: replace(model(body), delay=0.02)) as llm,
    ):
        yield {
            "ANSWERABLE_PROXY": web.proxy_url,
            "ANSWERABLE_SEARCH": "searxng",
            "ANSWERABLE_SEARXNG_URL": web.search_url,
            "ANSWERABLE_COLLECTION": "off",
            "ANSWERABLE_MODEL": "openai-compatible:scripted",
            "ANSWERABLE_MODEL_URL": llm.url,
            "ANSWERABLE_PLAN_TIMEOUT": "0.2",
            "ANSWERABLE_SUGGEST_TIMEOUT": "0.2",
            "ANSWERABLE_PAGES": "4",  # how much is read makes no difference here
            "ANSWERABLE_ROUNDS": "1",
        }


async def _until_killed(server: Server, dice: random.Random, aim: str, together: int) -> list[Seen]:
    questions = dice.sample([q.question for q in load_questions(COLLECTION) if not q.history], together)
    asked = [Seen(f"key-{uuid.uuid4().hex}", question) for question in questions]
    there = asyncio.Event()
    async with httpx2.AsyncClient(base_url=server.url, timeout=60) as client:
        watching = [
            asyncio.create_task(_watch(client, seen, aim if number == 0 else "", there, dice.random() * 0.5))
            for number, seen in enumerate(asked)
        ]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(30):
                await there.wait()
        if aim != "saving":
            await asyncio.sleep(dice.random() * 0.05)
        server.kill()
        ended = await asyncio.gather(*watching, return_exceptions=True)
    for fault in ended:  # the connection ends with the server; nothing else may go wrong
        if isinstance(fault, BaseException) and not isinstance(fault, httpx2.TransportError):
            raise fault
    return asked


async def _watch(client: httpx2.AsyncClient, seen: Seen, aim: str, there: asyncio.Event, later: float) -> None:
    """Notes what is shown; sets `there` at the stage `aim`. The others begin a little later, to be at other stages."""
    if not aim:
        await asyncio.sleep(later)
    body, headers = {"question": seen.question}, {"Idempotency-Key": seen.key}
    try:
        async with client.stream("POST", "/v1/answers", json=body, headers=headers) as response:
            if response.status_code != 200:
                raise RuntimeError(f"asking failed: {(await response.aread()).decode()}")
            name = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    _note(seen, name, json.loads(line[6:]))
                    if aim and (seen.stage == aim or name == "done"):
                        there.set()
    finally:
        if aim:
            there.set()


def _note(seen: Seen, name: str, data: dict[str, Any]) -> None:
    match name:
        case "start":
            seen.id = data["id"]
        case "progress":
            seen.stage = data["stage"]
        case "delta":
            seen.text += data["text"]
        case "final":
            seen.final, seen.stage = data, "completed"


async def _faults(server: Server, folder: Path, cut: list[Seen], dice: random.Random) -> list[str]:
    """What is not as promised after the server came back."""
    faults = []
    with _open(folder) as database:
        (running,) = database.execute("SELECT COUNT(*) FROM attempts WHERE state = 'running'").fetchone()
    if running:
        faults.append(f"{running} attempts are left running")
    async with httpx2.AsyncClient(base_url=server.url, timeout=60) as client:
        for seen in cut:
            if not seen.id:
                continue
            response = await client.get(f"/v1/answers/{seen.id}")
            if response.status_code != 200:
                faults.append(f"{seen.id} was shown and is not there: {response.status_code}")
                continue
            faults += _compared(seen, response.json())
            again = await client.get(f"/v1/answers/{seen.id}/events")
            if seen.text and not _told(again.text).startswith(seen.text):
                faults.append(f"{seen.id}: the events do not go on where the reader was")
        known = [seen for seen in cut if seen.id]
        if known and dice.random() < 0.2:
            faults += await _asked_again(client, dice.choice(known))
    return faults


def _compared(seen: Seen, turn: dict[str, Any]) -> list[str]:
    if seen.final is not None and (turn["state"], turn["answer"]) != (seen.final["state"], seen.final["answer"]):
        return [f"{seen.id} was finished and is {turn['state']} now"]
    if turn["state"] not in {"done", "interrupted"}:
        return [f"{seen.id} is {turn['state']}"]
    if not turn["answer"].startswith(seen.text):
        return [f"{seen.id} lost text that was shown"]
    return []


async def _asked_again(client: httpx2.AsyncClient, seen: Seen) -> list[str]:
    """The same key is the same run; what was interrupted can be retried."""
    headers = {"Idempotency-Key": seen.key}
    same = await client.post("/v1/answers", json={"question": seen.question, "stream": False}, headers=headers)
    if same.json().get("id") != seen.id:
        return [f"{seen.id}: its key began another run"]
    if same.json()["state"] == "interrupted":
        retried = (await client.post(f"/v1/answers/{seen.id}/retry", json={"stream": False})).json()
        if (retried.get("state"), retried.get("turn_id")) != ("done", same.json()["turn_id"]):
            return [f"{seen.id}: its retry ended as {retried.get('state')}"]
    return []


def _told(stream: str) -> str:
    lines = stream.splitlines()
    return "".join(
        json.loads(data[6:])["text"]
        for name, data in zip(lines, lines[1:], strict=False)
        if name == "event: delta" and data.startswith("data: ")
    )


def _faults_of_all(folder: Path, runs: list[Seen]) -> list[str]:
    """Of the whole database at the end."""
    faults = []
    with _open(folder) as database:
        known = {id: json.loads(record) for id, record in database.execute("SELECT id, record FROM attempts")}
        doubled = database.execute(
            "SELECT turn_id FROM attempts GROUP BY turn_id, attempt HAVING COUNT(*) > 1 "
            "UNION SELECT conversation_id FROM turns GROUP BY conversation_id HAVING COUNT(*) > 1"
        ).fetchall()
        faults += [f"{id} is there twice" for (id,) in doubled]
        cited: dict[str, set[tuple[int, int, str]]] = {}
        for id, sentence, n, page_id in database.execute("SELECT attempt_id, sentence, n, page_id FROM citations"):
            cited.setdefault(id, set()).add((sentence, n, page_id))
        for id, turn in known.items():
            told = {(c["sentence"], c["n"], c["page_id"]) for c in turn["citations"]}
            if told != cited.get(id, set()) or any(f"[{n}]" not in turn["answer"] for _, n, _ in told):
                faults.append(f"{id}: its citations are not those of its text")
        missing = "SELECT page_id FROM citations EXCEPT SELECT id FROM pages"
        faults += [f"the cited page {page} is not kept" for (page,) in database.execute(missing)]
        faults += [f"{table} holds {number} orphans" for table, number in _orphans(database) if number]
        (whole,) = database.execute("PRAGMA integrity_check").fetchone()
    faults += [] if whole == "ok" else [f"the file is damaged: {whole}"]
    faults += [f"{seen.id} is lost" for seen in runs if seen.final is not None and seen.id not in known]
    return faults


def _orphans(database: sqlite3.Connection) -> list[tuple[str, int]]:
    tables = {"citations": "attempt_id", "sources": "attempt_id", "evidence": "attempt_id", "run_events": "run_id"}
    found = []
    for table, column in tables.items():
        query = f"SELECT COUNT(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM attempts)"  # names of ours
        found.append((table, database.execute(query).fetchone()[0]))
    return found


@contextlib.contextmanager
def _open(folder: Path) -> Any:
    database = sqlite3.connect(folder / "answerable.sqlite", timeout=30)
    try:
        yield database
    finally:
        database.close()


async def main(runs: int, seconds: float, together: int, forking: bool) -> int:
    began = time.monotonic()
    report = await chaos(runs, together=together, forking=forking, tell=lambda line: print(line, flush=True))
    print(f"\n{len(report.runs)} runs, {report.kills} kills, {time.monotonic() - began:.0f} s")
    print("where runs were: " + ", ".join(f"{stage} {number}" for stage, number in report.stages.most_common()))
    print("finished before the kill: " + str(sum(seen.final is not None for seen in report.runs)))
    for fault in report.broken:
        print(f"BROKEN: {fault}")
    with tempfile.TemporaryDirectory() as folder:
        result = await crowd(Path(folder), seconds=seconds)
    done = f"{result.writes} writes, {result.lists} lists, {result.faults} faults"
    print(f"8 writers and a lister for {seconds:g} s: {done}")
    return 1 if report.broken or result.faults else 0


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=200)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--together", type=int, default=4, help="questions under way when the server is killed")
    options.add_argument("--forking", action="store_true", help="fork the server instead of importing it anew")
    given = options.parse_args()
    raise SystemExit(asyncio.run(main(given.runs, given.seconds, given.together, given.forking)))

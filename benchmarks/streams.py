"""`python -m benchmarks.streams`: many answers streamed at once by one server, beside one alone. Prints a table.

Each stream is of a question of its own, written by a scripted model at 20 tokens a second. With `--tokens 0` each lasts
as long as it takes to start them all, so that in the end all are open together: more than one process can write on two
cores, so that text comes late.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from benchmarks.chaos import Server

from answerable.evals.copying import CopyingModel
from answerable.evals.miniweb import MiniWeb
from answerable.evals.scoring import percentile
from answerable.evals.scripted import Reply, ScriptedLLM
from answerable.text.miniweb import load_questions
from answerable.wiring import COLLECTION

TOKENS_A_SECOND = 20


@dataclass
class Watched:
    first_text: float | None = None  # seconds after asking
    slowest_gap: float = 0.0  # between two events that bring text
    ended: str = ""  # state of the turn, or what went wrong
    refused: bool = False


PARAGRAPH = 70  # words, as answers have


class Writer:
    """A model that says what its sources say, over and over, for so many tokens."""

    def __init__(self, tokens: int, per_second: float, length: int = PARAGRAPH) -> None:
        self.tokens, self._delay, self._copies = tokens, 1 / per_second, CopyingModel(share=0.0)
        self._length = length

    def __call__(self, body: Mapping[str, Any]) -> Reply:
        reply = self._copies(body)
        if not body.get("stream"):
            return reply
        words = [f"{word} " for word in reply.text.split()]
        said = _in_paragraphs((words * (self.tokens // len(words) + 1))[: self.tokens], self._length)
        return Reply(pieces=tuple(said), delay=self._delay)


def _in_paragraphs(words: list[str], length: int) -> list[str]:
    """As answers are: a paragraph ends with a sentence, once it has so many words."""
    said, since = [], 0
    for word in words:
        since += 1
        ends = since >= length and word.rstrip().endswith((".", "]"))
        said.append(f"{word.rstrip()}\n\n" if ends else word)
        since = 0 if ends else since
    return said


@asynccontextmanager
async def serving(
    tokens: int, most: int, per_second: float = TOKENS_A_SECOND, *, paragraph: int = PARAGRAPH
) -> AsyncIterator[Server]:
    async with MiniWeb(COLLECTION) as web, ScriptedLLM(answer=Writer(tokens, per_second, paragraph)) as llm:
        settings = {
            "ANSWERABLE_PROXY": web.proxy_url,
            "ANSWERABLE_SEARCH": "searxng",
            "ANSWERABLE_SEARXNG_URL": web.search_url,
            "ANSWERABLE_COLLECTION": "off",
            "ANSWERABLE_MODEL": "openai-compatible:scripted",
            "ANSWERABLE_MODEL_URL": llm.url,
            "ANSWERABLE_ANSWER_TIMEOUT": "3000",
            "ANSWERABLE_MAX_RUNS": str(most),
            "ANSWERABLE_PLAN_TIMEOUT": "0.5",
            "ANSWERABLE_SUGGEST_TIMEOUT": "0.5",
        }
        with tempfile.TemporaryDirectory(prefix="answerable-streams-") as folder:
            server = Server(Path(folder), settings, forking=False)
            try:
                await server.start()
                yield server
            finally:
                server.close()


async def watch(client: httpx2.AsyncClient, question: str) -> Watched:
    seen, began = Watched(), time.monotonic()
    last = began
    try:
        async with client.stream("POST", "/v1/answers", json={"question": question}) as response:
            seen.refused = response.status_code == 503 and "retry-after" in response.headers
            name = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: ") and name == "delta":
                    now = time.monotonic()
                    if seen.first_text is None:
                        seen.first_text = now - began
                    else:
                        seen.slowest_gap = max(seen.slowest_gap, now - last)
                    last = now
                elif line.startswith("data: ") and name in {"final", "error"}:
                    told = json.loads(line[6:])
                    seen.ended = told["state"] if name == "final" else told["message"]
    except httpx2.HTTPError as fault:
        seen.ended = repr(fault)
    return seen


async def many(number: int, over: float, tokens: int) -> tuple[list[Watched], int, float, float]:
    """What each watcher saw, how many were open at once, and megabytes of the server before and at most."""
    questions = [q.question for q in load_questions(COLLECTION) if not q.history]
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=10)
    async with (
        serving(tokens, number) as server,
        httpx2.AsyncClient(base_url=server.url, timeout=None, limits=limits) as client,
    ):
        await watch_memory_until_warm(client)
        before = peak = memory(server)
        tasks, at_once = [], 1
        for n in range(number):
            question = f"{questions[n % len(questions)]} ({n})"
            tasks.append(asyncio.create_task(watch(client, question)))
            await asyncio.sleep(over / number if number > 1 else 0)
            peak, at_once = max(peak, memory(server)), max(at_once, sum(not task.done() for task in tasks))
        while not all(task.done() for task in tasks):
            await asyncio.wait(tasks, timeout=1, return_when=asyncio.FIRST_COMPLETED)
            peak = max(peak, memory(server))
            await asyncio.sleep(0.5)
        return [task.result() for task in tasks], at_once, before, peak


async def watch_memory_until_warm(client: httpx2.AsyncClient) -> None:
    """The first answer loads what all others share."""
    body = {"question": "How tall is the Eiffel Tower?", "stream": False, "writer": "extractive"}
    (await client.post("/v1/answers", json=body)).raise_for_status()


def memory(server: Server) -> float:
    """Megabytes that the server process holds; its extraction processes are apart."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def row(name: str, seen: list[Watched], at_once: int, before: float, peak: float) -> str:
    first = [one.first_text * 1000 for one in seen if one.first_text is not None]
    gaps = [one.slowest_gap * 1000 for one in seen]
    failed = sum(one.ended != "done" for one in seen)
    p50, p95 = percentile(first, 0.5) or 0, percentile(first, 0.95) or 0
    cells = [p50, p95, statistics.median(gaps), max(gaps), before, peak]
    return f"| {name} | {len(seen)} | {at_once} | {failed} | " + " | ".join(f"{cell:.0f}" for cell in cells) + " |"


async def main(number: int, over: float, tokens: int) -> int:
    tokens = tokens or int(over * TOKENS_A_SECOND)
    print(f"\n{number} streams started over {over:g} s, {tokens} tokens each at {TOKENS_A_SECOND} a second\n")
    print("| | streams | at once | failed | first text p50 ms | p95 ms | longest pause p50 | at most | MB | at most |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    alone = await many(1, 0, min(tokens, 300))
    print(row("one alone", *alone), flush=True)
    together = await many(number, over, tokens)
    print(row("together", *together), flush=True)
    for fault in sorted({one.ended for one in together[0]} - {"done"}):
        print(f"ended otherwise: {fault or 'without an end'}")
    return 1 if any(one.ended != "done" for one in together[0]) else 0


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--streams", type=int, default=300)
    options.add_argument("--over", type=float, default=120, help="seconds in which they are started")
    options.add_argument(
        "--tokens", type=int, default=240, help="of an answer; 0: enough to last until all have started"
    )
    given = options.parse_args()
    raise SystemExit(asyncio.run(main(given.streams, given.over, given.tokens)))

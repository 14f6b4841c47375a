"""`python -m benchmarks.streams`: many answers streamed at once by one server, beside one alone. Prints a table.

Each stream is of a question of its own, written by a scripted model at 20 tokens a second for as long as it takes to
start them all, so that in the end all are open together.
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

from answerable.evals.miniweb import MiniWeb
from answerable.evals.scoring import percentile
from answerable.evals.scripted import Reply, ScriptedLLM, says
from answerable.text.miniweb import load_questions
from answerable.wiring import COLLECTION

TOKENS_A_SECOND = 20
SENTENCE = (
    "Of",
    "this",
    "the",
    "pages",
    "that",
    "were",
    "read",
    "say",
    "more",
    "than",
    "one",
    "short",
    "line",
    "holds",
)


@dataclass
class Watched:
    first_text: float | None = None  # seconds after asking
    slowest_gap: float = 0.0  # between two events that bring text
    ended: str = ""  # state of the turn, or what went wrong
    refused: bool = False


class Writer:
    """A model that goes on for so many tokens, a sentence every 14 words and a marker in each."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens

    def __call__(self, body: Mapping[str, Any]) -> Reply:
        if not body.get("stream"):
            return says("I cannot say.")
        words = [self._word(number) for number in range(self.tokens)]
        return Reply(pieces=tuple(words), delay=1 / TOKENS_A_SECOND)

    def _word(self, number: int) -> str:
        place = number % len(SENTENCE)
        return SENTENCE[place] + (" [1]. " if place == len(SENTENCE) - 1 else " ")


@asynccontextmanager
async def serving(tokens: int, most: int) -> AsyncIterator[Server]:
    async with MiniWeb(COLLECTION) as web, ScriptedLLM(answer=Writer(tokens)) as llm:
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


async def many(number: int, over: float, tokens: int) -> tuple[list[Watched], float, float]:
    """What each watcher saw, and megabytes of the server before and at most."""
    questions = [q.question for q in load_questions(COLLECTION) if not q.history]
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=10)
    async with (
        serving(tokens, number) as server,
        httpx2.AsyncClient(base_url=server.url, timeout=None, limits=limits) as client,
    ):
        await watch_memory_until_warm(client)
        before = peak = memory(server)
        tasks = []
        for n in range(number):
            question = f"{questions[n % len(questions)]} ({n})"
            tasks.append(asyncio.create_task(watch(client, question)))
            await asyncio.sleep(over / number if number > 1 else 0)
            peak = max(peak, memory(server))
        while not all(task.done() for task in tasks):
            await asyncio.wait(tasks, timeout=1, return_when=asyncio.FIRST_COMPLETED)
            peak = max(peak, memory(server))
            await asyncio.sleep(0.5)
        return [task.result() for task in tasks], before, peak


async def watch_memory_until_warm(client: httpx2.AsyncClient) -> None:
    """The first answer loads what all others share."""
    body = {"question": "How tall is the Eiffel Tower?", "stream": False, "writer": "extractive"}
    (await client.post("/v1/answers", json=body)).raise_for_status()


def memory(server: Server) -> float:
    """Megabytes that the server process holds; its extraction processes are apart."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def row(name: str, seen: list[Watched], before: float, peak: float) -> str:
    first = [one.first_text * 1000 for one in seen if one.first_text is not None]
    gaps = [one.slowest_gap * 1000 for one in seen]
    failed = sum(one.ended != "done" for one in seen)
    p50, p95 = percentile(first, 0.5) or 0, percentile(first, 0.95) or 0
    return (
        f"| {name} | {len(seen)} | {failed} | {p50:.0f} | {p95:.0f} | {statistics.median(gaps):.0f} | {max(gaps):.0f} "
        f"| {before:.0f} | {peak:.0f} |"
    )


async def main(number: int, over: float, tokens: int) -> int:
    tokens = tokens or int(over * TOKENS_A_SECOND)
    print(f"\n{number} streams started over {over:g} s, {tokens} tokens each at {TOKENS_A_SECOND} a second\n")
    print("| | streams | failed | first text p50 ms | p95 ms | longest pause p50 ms | at most | MB before | at most |")
    print("|---|---|---|---|---|---|---|---|---|")
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
    options.add_argument("--tokens", type=int, default=0, help="of an answer; 0: enough to last until all have started")
    given = options.parse_args()
    raise SystemExit(asyncio.run(main(given.streams, given.over, given.tokens)))

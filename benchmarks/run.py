"""`make bench`: what an answer and a check cost over the built-in collection. Prints tables.

An extractive answer, stage by stage; milliseconds a claim for 1, 3 and 10 passages; and how long finished sentences
of a streamed answer waited for their check.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import ranking  # beside this file
import support

from answerable.errors import AnswerableError
from answerable.evals.copying import CopyingModel
from answerable.evals.scoring import percentile
from answerable.evals.scripted import ScriptedLLM
from answerable.events import Delta, Event
from answerable.telemetry import Telemetry
from answerable.text.miniweb import load_questions
from answerable.text.passages import split_passages
from answerable.types import Turn
from answerable.wiring import COLLECTION, Engine

ROOT = Path(__file__).parents[1]
GOAL_FIRST_TEXT_MS = 800
GOAL_WAIT_MS = 50


async def main() -> None:
    print(f"python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    print(f"virtual environment of the run lock: {size_of_environment()}")
    with tempfile.TemporaryDirectory() as data:
        settings = {"data_dir": data, "search": ["own"], "model": "", "writer": "extractive"}
        began = time.perf_counter()
        async with Engine.from_settings(settings) as engine:
            opened = time.perf_counter()
            await engine.warm_up()
            print(f"start {ms(began, opened):.0f} ms, collection and models ready {ms(opened):.0f} ms later")
            await answers(engine)
            await ranking_steps(engine)
    print("\n## Checking claims\n")
    await support.main()
    await waits()


async def answers(engine: Engine) -> None:
    """Distinct questions, warm, no answer cache, one at a time."""
    questions = [q.at(engine.clock()) for q in load_questions(COLLECTION) if not q.history]
    first: list[float] = []
    total: list[float] = []
    stages: dict[str, list[float]] = {}
    for question in questions:
        began = time.perf_counter()
        shown: list[float] = []

        def watch(event: Event, began: float = began, shown: list[float] = shown) -> None:
            if isinstance(event, Delta) and not shown:
                shown.append(ms(began))

        turn = await engine.ask(question.question, focus="own", emit=watch)
        total.append(ms(began))
        first += shown
        for stage, spent in turn.timings.items():
            stages.setdefault(stage, []).append(spent)
    print(f"\n{len(questions)} distinct questions, focus own, writer extractive\n")
    print("| stage | p50 ms | p95 ms | mean ms |\n|---|---|---|---|")
    for stage, spent in {**stages, "first text": first, "whole answer": total}.items():
        print(f"| {stage} | {percentile(spent, 0.5)} | {percentile(spent, 0.95)} | {statistics.mean(spent):.1f} |")
    p50 = percentile(first, 0.5) or 0.0
    print(f"\nfirst text p50 {p50:.0f} ms: {p50 / GOAL_FIRST_TEXT_MS:.2f} of the goal of {GOAL_FIRST_TEXT_MS} ms")


async def ranking_steps(engine: Engine, most: int = 300) -> None:
    """All passages of the collection, up to 300, ranked at once: ten times what a question brings."""
    pages, passages = [], []
    for file in sorted((COLLECTION / "hosts").rglob("*.html")):
        with contextlib.suppress(AnswerableError):
            page = await engine.reader.page_of(
                f"https://{file.relative_to(COLLECTION / 'hosts').as_posix()}", file.read_bytes(), "text/html"
            )
            pages.append(page)
            passages += split_passages(page)
        if len(passages) >= most:
            break
    asked = [q.question for q in load_questions(COLLECTION) if not q.history and q.question.isascii()]
    print("\n## Ranking")
    await ranking.steps_of(asked[:20], pages, passages[:most])


class Watching(Telemetry):
    """Keeps what the engine tells of the time that each finished claim waited for its check."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def turn_ended(self, turn: Turn, waits: Iterable[float] = ()) -> None:
        kept = list(waits)
        self.waits += kept
        super().turn_ended(turn, kept)


async def waits() -> None:
    """A scripted model streams twelve characters at a time, some 4 ms apart, and cites after each sentence."""
    copying = CopyingModel(share=0.0)
    async with ScriptedLLM(answer=lambda body: replace(copying(body), delay=0.004)) as server:
        with tempfile.TemporaryDirectory() as data:
            settings = {
                "data_dir": data,
                "search": ["own"],
                "model": "openai-compatible:scripted",
                "model_url": server.url,
                "writer": "model",
            }
            engine = Engine.from_settings(settings)
            watching = engine.telemetry = Watching()
            async with engine:
                await engine.warm_up()
                for question in load_questions(COLLECTION):
                    if not question.history:
                        await engine.ask(question.at(engine.clock()).question, focus="own")
    waited = [1000 * seconds for seconds in watching.waits]
    p95 = percentile(waited, 0.95) or 0.0
    print(f"\n{len(waited)} claims of streamed answers waited for their check:")
    print(f"p50 {percentile(waited, 0.5)} ms, p95 {p95} ms: {p95 / GOAL_WAIT_MS:.2f} of the goal of {GOAL_WAIT_MS} ms")


def size_of_environment() -> str:
    """Of a new environment with nothing but the run lock, as `make run` makes it."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "venv"
        lock = ROOT / "requirements" / "run.txt"
        steps = [
            [sys.executable, "-m", "venv", str(target)],
            [str(target / "bin/python"), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(lock)],
        ]
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True, check=False)
            if done.returncode:
                return (
                    f"could not be made here ({done.stderr.strip().splitlines()[-1] if done.stderr else 'no reason'})"
                )
        used = sum(file.stat().st_size for file in target.rglob("*") if file.is_file() and not file.is_symlink())
        return f"{used / 1e6:.0f} MB (goal: 600 MB at most)"


def ms(began: float, ended: float | None = None) -> float:
    return ((ended or time.perf_counter()) - began) * 1000


if __name__ == "__main__":
    asyncio.run(main())

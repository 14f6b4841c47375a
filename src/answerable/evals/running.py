"""Runs the questions of a miniature web through the whole engine, and writes what came of them."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

from answerable.errors import ReadError
from answerable.evals.copying import CopyingModel, Fault, fate_of
from answerable.evals.miniweb import MiniWeb
from answerable.evals.scoring import Answered, Summary, summarise
from answerable.evals.scripted import ScriptedLLM
from answerable.events import Delta, Event
from answerable.schemas import TURN
from answerable.text.miniweb import WebQuestion
from answerable.types import Freshness, Page, SearchResult, Turn, WriterName
from answerable.wiring import COLLECTION, Engine

Report = dict[str, Any]
COLUMNS = (
    "questions",
    "passed",
    "answer_right",
    "gold_cited",
    "honest_gaps",
    "sides_shown",
    "citation_precision",
    "citation_recall",
    "uncited_share",
    "checker_supported",
)


async def run_eval(
    folder: Path | None,
    *,
    writer: WriterName = "extractive",
    only: str | None = None,
    seed: int = 1,
    compare_rounds: bool = False,
    snippets: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> Report:
    """Each question in a fresh conversation of one engine with an empty data folder, over a real local web.

    With `writer="model"` a scripted model writes: it sees only the wire prompt, copies sentences of the evidence, and
    plants seeded faults in one of five claims. `only` is the id of a question or the name of a group. With
    `compare_rounds`, what was searched for more than once is asked again with one round alone. With `snippets` no page
    is read: what it costs to answer from the search provider's words.
    """
    async with AsyncExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="answerable-eval-"))
        web = await stack.enter_async_context(MiniWeb(folder or COLLECTION))
        settings: dict[str, object] = {
            "data_dir": data,
            "proxy": web.proxy_url,
            "search": ["searxng"],
            "searxng_url": web.search_url,
            "collection": False,
            "model": "",
            "model_small": "",
            "writer": writer,
        }
        copying = CopyingModel(seed=seed)
        if writer == "model":
            server = await stack.enter_async_context(ScriptedLLM(answer=copying))
            settings |= {"model": "openai-compatible:scripted", "model_url": server.url}
        engine = await stack.enter_async_context(Engine.from_settings(settings))
        await engine.warm_up()
        if snippets:
            engine.parts = replace(engine.parts, reader=_NoReader())
        questions = [q.at(web.now()) for q in web.web.questions if only in (None, q.id, q.group)]
        answered, planted = [], list[tuple[Fault, Turn]]()
        for question in questions:
            before = len(copying.faults)
            answered.append(await _answer(engine, question, tell))
            planted += [(fault, answered[-1].turn) for fault in copying.faults[before:]]
        rounds = await _what_rounds_changed(engine, answered) if compare_rounds else {}
    report: Report = {
        "summary": summarise(answered),
        "questions": [_record(one) for one in answered],
        "writer": writer,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    report["summary"] |= rounds
    if writer == "model":
        report["summary"] |= _fates(planted)
    return report


class _NoReader:
    """Leaves the engine with the snippets of the search provider."""

    async def read(self, result: SearchResult, *, freshness: Freshness = "evergreen") -> Page:
        raise ReadError(result.url, "timeout", "no page is read in this eval")


async def _what_rounds_changed(engine: Engine, answered: list[Answered]) -> dict[str, float]:
    """Of the questions that took a second round: how often it changed the answer, and which of the two passed."""
    again = [one for one in answered if one.searched_again]
    before = engine.parts
    engine.parts = replace(before, limits=replace(before.limits, rounds=1))
    try:
        alone = [await _answer(engine, one.question, lambda line: None) for one in again]
    finally:
        engine.parts = before
    pairs = list(zip(alone, again, strict=True))
    return {
        "rounds_more": float(len(pairs)),
        "rounds_changed": float(sum(first.turn.answer != last.turn.answer for first, last in pairs)),
        "rounds_helped": float(sum(last.passed and not first.passed for first, last in pairs)),
        "rounds_harmed": float(sum(first.passed and not last.passed for first, last in pairs)),
    }


def _fates(planted: Sequence[tuple[Fault, Turn]]) -> dict[str, float]:
    """What became of the planted faults: how many kept a citation that says `supported`, by kind too."""
    fates = [(fault.kind, fate_of(fault, turn)) for fault, turn in planted]
    kinds = ("wrong_number", "wrong_source", "invented")
    return {
        "faults_planted": float(sum(1 for _, fate in fates if fate != "not_shown")),
        "faults_survived": float(sum(1 for _, fate in fates if fate == "survived")),
        "faults_flagged": float(sum(1 for _, fate in fates if fate == "flagged")),
        **{
            f"faults_survived_{kind}": float(sum(1 for known, fate in fates if (known, fate) == (kind, "survived")))
            for kind in kinds
        },
    }


async def _answer(engine: Engine, question: WebQuestion, tell: Callable[[str], None]) -> Answered:
    conversation: str | None = None
    for earlier in question.history:
        conversation = (await engine.ask(earlier, conversation_id=conversation, focus=question.focus)).conversation_id
    began = time.perf_counter()
    first: list[float] = []

    def watch(event: Event) -> None:
        if isinstance(event, Delta) and not first:
            first.append((time.perf_counter() - began) * 1000)

    turn = await engine.ask(question.question, conversation_id=conversation, focus=question.focus, emit=watch)
    total = (time.perf_counter() - began) * 1000
    one = Answered(question, turn, first[0] if first else total, total)
    tell(f"{'ok  ' if one.passed else 'MISS'} {question.id:<28} {turn.outcome or turn.state:<20} {total:6.0f} ms")
    return one


def _record(one: Answered) -> Report:
    turn: dict[str, Any] = TURN.dump_python(one.turn, mode="json")
    kept = ("answer", "outcome", "state", "citations", "sources", "also_read", "support", "sentences", "notes", "plan")
    return {
        "id": one.question.id,
        "group": one.question.group,
        "question": one.question.question,
        "passed": one.passed,
        **{name: turn[name] for name in kept},
        "timings": turn["timings"],
        "first_text_ms": round(one.first_text_ms, 1),
        "total_ms": round(one.total_ms, 1),
    }


def table_of(report: Report) -> list[str]:
    """A Markdown table: the whole, then each group."""
    summary = report["summary"]
    rows = [("all", summary), *summary["by_group"].items()]
    lines = ["| group | " + " | ".join(COLUMNS) + " |", "|" + "---|" * (len(COLUMNS) + 1)]
    lines += [
        f"| {name} | " + " | ".join(_cell(figures, column) for column in COLUMNS) + " |" for name, figures in rows
    ]
    lines.append("")
    lines.append(f"first text: p50 {summary['first_text_p50_ms']} ms, p95 {summary['first_text_p95_ms']} ms")
    if "rounds_more" in summary:
        lines.append(
            f"another round: {summary['rounds_more']:.0f} questions; it changed the answer of "
            f"{summary['rounds_changed']:.0f}, made {summary['rounds_helped']:.0f} right and "
            f"{summary['rounds_harmed']:.0f} wrong"
        )
    if "faults_planted" in summary:
        kinds = ", ".join(
            f"{kind.replace('_', ' ')} {summary[f'faults_survived_{kind}']:.0f}"
            for kind in ("wrong_number", "wrong_source", "invented")
        )
        lines.append(
            f"planted faults shown: {summary['faults_planted']:.0f}, survived as supported: "
            f"{summary['faults_survived']:.0f} ({kinds}), as partly: {summary['faults_flagged']:.0f}"
        )
    return lines


def _cell(figures: Summary, column: str) -> str:
    value = figures[column]
    if value is None:
        return ""
    return f"{value:.0f}" if column == "questions" else f"{value:.2f}"


def floors_broken(report: Report, writer: WriterName) -> list[str]:
    """The figures that fell below (or, for shares of faults, rose above) the pinned floors of floors.json."""
    pinned: Mapping[str, Mapping[str, float]] = json.loads(
        resources.files("answerable.evals").joinpath("floors.json").read_text("utf-8")
    )
    summary = report["summary"]
    broken = []
    for name, bound in pinned[writer].items():
        at_most = name.startswith("at_most_")
        figure = summary.get(name.removeprefix("at_most_"))
        if figure is None or (figure > bound if at_most else figure < bound):
            broken.append(f"{writer}: {name} is {figure}, pinned at {bound}")
    return broken

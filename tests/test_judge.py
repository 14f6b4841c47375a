"""A judge on the real wire reads the whole engine's claims again, after the answer was shown and saved."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio

from answerable.answering.fold import fold
from answerable.evals.scripted import Reply, ScriptedLLM, says
from answerable.events import Done, Event, Final, Notice, VerdictChanged
from answerable.types import Ask, Turn
from answerable.wiring import Engine

TALL = "How tall is the Eiffel Tower?"
pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass
class Judged:
    """An engine over the built-in collection, and what its judge says."""

    engine: Engine
    server: ScriptedLLM
    reply: list[Reply] = field(default_factory=list)

    async def run(self) -> tuple[Turn, list[Event]]:
        events: list[Event] = []
        return await self.engine.ask(TALL, focus="own", emit=events.append), events


def opinion(claim: int, verdict: str, reason: str = "") -> Reply:
    return says(json.dumps({"verdicts": [{"claim": claim, "verdict": verdict, "reason": reason}]}))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def judged(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Judged]:
    replies: list[Reply] = []

    def answer(body: Mapping[str, Any]) -> Reply:
        return replies.pop(0)

    async with ScriptedLLM(answer=answer) as server:
        settings: dict[str, object] = {
            "data_dir": str(tmp_path_factory.mktemp("judge")),
            "search": ["own"],
            "judge": "openai-compatible:owl",
            "model_url": server.url,
            "judge_share": 1.0,
            "judge_timeout": 2.0,
        }
        async with Engine.from_settings(settings) as engine:
            yield Judged(engine, server, replies)


async def test_a_lowered_citation_keeps_its_number_and_later_reads_show_the_new_verdict(judged: Judged) -> None:
    judged.reply.append(opinion(1, "unsupported", "the passage speaks of a copy"))

    turn, events = await judged.run()

    names = [event.name for event in events]
    assert names[-4:] == ["final", "verdict", "notice", "done"], "the answer does not wait for the judge"
    shown = next(event.turn for event in events if isinstance(event, Final))
    assert shown.sentences[0].verdict == "supported"
    assert turn.sentences[0].verdict == "unsupported"
    lowered = [c for c in turn.citations if c.sentence == 0]
    assert [(c.n, c.verdict, c.reason) for c in lowered] == [
        (c.n, "unsupported", "the passage speaks of a copy") for c in shown.citations if c.sentence == 0
    ]
    assert turn.answer == shown.answer
    assert turn.support.unsupported == shown.support.unsupported + 1
    assert turn.usage.requests == shown.usage.requests + 1
    assert await judged.engine.store.turn(turn.id) == turn
    refolded = fold(shown, events)
    assert (refolded.sentences, refolded.citations, refolded.support, refolded.notes) == (
        (turn.sentences, turn.citations, turn.support, turn.notes)
    )
    later = await judged.engine.runs.events(turn.id, after=names.index("final") + 1, timeout=1)
    assert [event.name for _, event in later] == ["verdict", "notice", "done"]
    assert 'answerable_judged_total{result="judged"} 1.0' in judged.engine.metrics().decode()
    assert 'answerable_tokens_total{direction="input",model="openai-compatible:owl"} 120.0' in (
        judged.engine.metrics().decode()
    )


async def test_the_judge_sees_the_claim_and_the_quoted_passage_between_fences(judged: Judged) -> None:
    judged.reply.append(opinion(1, "supported"))

    turn, events = await judged.run()
    prompt = judged.server.requests[-1]["messages"][-1]["content"]

    assert "<<<PASSAGE 1 " in prompt
    assert turn.citations[0].quote in prompt
    assert "<<<CLAIM 1 " in prompt
    assert [event for event in events if isinstance(event, VerdictChanged)] == []


async def test_a_judge_that_is_silent_costs_its_time_and_nothing_else(judged: Judged) -> None:
    judged.reply.append(says("late", end="hang"))

    turn, events = await judged.run()

    shown = next(event.turn for event in events if isinstance(event, Final))
    assert [event.name for event in events][-3:] == ["final", "notice", "done"]
    assert (turn.state, turn.answer, turn.sentences) == ("done", shown.answer, shown.sentences)
    assert [note.code for note in turn.notes if note.code.startswith("judge")] == ["judge_failed"]
    assert await judged.engine.store.turn(turn.id) == turn


async def test_stopping_while_the_judge_is_at_work_leaves_the_finished_answer(judged: Judged) -> None:
    judged.reply.append(says("late", end="hang"))
    run = await judged.engine.runs.start(Ask(TALL, focus="own"))
    seen: list[tuple[int, Event]] = []
    while not any(isinstance(event, Final) for _, event in seen):
        seen += await judged.engine.runs.events(run.id, after=len(seen), timeout=10)

    shown = await judged.engine.runs.turn(run.id)
    stopped = await judged.engine.runs.stop(run.id)
    events = [event for _, event in await judged.engine.runs.events(run.id, timeout=1)]

    assert (shown.state, stopped.state) == ("done", "done")
    assert stopped == shown
    assert [event for event in events if isinstance(event, Notice | Done)] == [Done()]

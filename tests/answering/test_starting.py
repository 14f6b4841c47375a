"""A search begins before the plan is there, and costs nothing more when the plan wants it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.fakes.llm import FakeLLM
from tests.fakes.searching import FakeSearch, result

from answerable.answering.background import BackgroundTasks
from answerable.answering.retrieval import search_all
from answerable.answering.starting import plan_beside_search
from answerable.protocols import Limits, Parts
from answerable.providers.search.remembering import Remembering
from answerable.types import Question

NOW = datetime(2031, 2, 3, 10, tzinfo=UTC)
TALL = "How tall is the Eiffel Tower?"


class Waiting(FakeLLM):
    """Plans only when a search is under way."""

    def __init__(self, plan: str, search: FakeSearch) -> None:
        super().__init__(plan)
        self.search = search

    async def structured(self, messages: Any, output: Any, *, timeout: float) -> Any:
        await self.search.asked.wait()
        return await super().structured(messages, output, timeout=timeout)


def parts_with(search: FakeSearch, model: FakeLLM | None, background: BackgroundTasks) -> Parts:
    none: Any = None
    return Parts(
        searchers=(Remembering(search),),
        reader=none,
        embedder=none,
        reranker=none,
        support=none,
        background=background,
        pages=none,
        small_model=model,
        limits=Limits(plan_timeout=5.0),
    )


async def searched(parts: Parts, question: str) -> tuple[str, ...]:
    """Plans, then searches as the pipeline does; returns the queries of the plan."""
    plan = (await plan_beside_search(Question(question, NOW), parts)).plan
    await search_all(
        plan.queries,
        parts.searchers,
        freshness=plan.freshness,
        focus="web",
        locale=plan.language,
        limits=parts.limits,
    )
    return plan.queries


@pytest.mark.parametrize(
    "said",
    [
        pytest.param('{"queries": ["Eiffel Tower height"]}', id="nearly the same words"),
        pytest.param('{"queries": ["How tall is the Eiffel Tower?"]}', id="the same words"),
        pytest.param("I would rather not.", id="no plan"),
    ],
)
async def test_a_search_that_the_plan_agrees_with_is_kept_and_sent_once(said: str) -> None:
    search, background = FakeSearch("web", [result("https://a.example/")]), BackgroundTasks()

    queries = await searched(parts_with(search, Waiting(said, search), background), TALL)
    await background.close()

    assert queries == (TALL,)
    assert search.queries == [TALL]


@pytest.mark.parametrize(
    "said",
    [
        pytest.param('{"queries": ["iron lattice monument Eiffel metres"]}', id="other words"),
        pytest.param('{"queries": ["Eiffel Tower height"], "freshness": "live"}', id="fresher pages"),
    ],
)
async def test_a_search_that_the_plan_does_not_want_is_dropped(said: str) -> None:
    search, background = FakeSearch("web", 30.0, [result("https://a.example/")]), BackgroundTasks()

    queries = await searched(parts_with(search, Waiting(said, search), background), TALL)
    await background.close()

    assert TALL not in queries
    assert search.cancelled == 1
    assert search.queries == [TALL, *queries]


async def test_without_a_model_nothing_is_sent_before_the_plan() -> None:
    search, background = FakeSearch("web", [result("https://a.example/")]), BackgroundTasks()

    await plan_beside_search(Question(TALL, NOW), parts_with(search, None, background))

    assert search.queries == []


async def test_a_greeting_begins_no_search() -> None:
    search, background = FakeSearch("web"), BackgroundTasks()

    planned = await plan_beside_search(Question("Thanks!", NOW), parts_with(search, FakeLLM("no"), background))

    assert planned.plan.kind == "chat"
    assert search.queries == []


async def test_who_stops_a_question_stops_the_search_beside_its_plan() -> None:
    search, background = FakeSearch("web", 30.0), BackgroundTasks()
    slow = Waiting("{}", FakeSearch("never asked"))
    asking = asyncio.create_task(plan_beside_search(Question(TALL, NOW), parts_with(search, slow, background)))
    await search.asked.wait()

    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking

    assert search.cancelled == 1

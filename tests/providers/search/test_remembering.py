"""The same search is not sent twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.fakes.searching import FakeSearch, ask, result

from answerable.errors import SearchError
from answerable.protocols import SearchResults
from answerable.providers.search.remembering import KEPT, MOST, Remembering
from answerable.providers.search.resting import Resting
from answerable.types import Freshness

A = result("https://a.example/", "A")


class Time:
    def __init__(self) -> None:
        self.passed = 0.0

    def __call__(self) -> float:
        return self.passed


@pytest.mark.parametrize("freshness", KEPT)
async def test_an_answer_is_kept_for_as_long_as_its_subject_stays_fresh(freshness: Freshness) -> None:
    time, fake = Time(), FakeSearch("alpha", [A])
    provider = Remembering(fake, monotonic=time)
    first = await ask(provider, freshness=freshness)
    time.passed = KEPT[freshness] - 1
    assert await ask(provider, freshness=freshness) == first == [A]
    assert len(fake.queries) == 1
    time.passed = KEPT[freshness] + 1
    await ask(provider, freshness=freshness)
    assert len(fake.queries) == 2


@pytest.mark.parametrize(
    "other",
    [{"limit": 3}, {"freshness": "live"}, {"focus": "news"}, {"locale": "de"}, {"domains": ("a.example",)}],
)
async def test_another_choice_is_another_search(other: dict[str, Any]) -> None:
    fake = FakeSearch("alpha", [A])
    provider = Remembering(fake)
    await ask(provider)
    await ask(provider, **other)
    assert len(fake.queries) == 2


async def test_nothing_found_is_kept_for_a_minute_only() -> None:
    time, fake = Time(), FakeSearch("alpha", [], [A])
    provider = Remembering(fake, monotonic=time)
    assert await ask(provider) == []
    time.passed = 61
    assert await ask(provider) == [A]


async def test_failures_are_not_kept_and_warnings_are() -> None:
    fake = FakeSearch("alpha", SearchError("alpha", "server", "failed"), [A], warnings=["without google"])
    provider = Remembering(fake)
    with pytest.raises(SearchError):
        await ask(provider)
    for _ in range(2):
        found = await ask(provider)
        assert isinstance(found, SearchResults)
        assert found.warnings == ("without google",)
    assert len(fake.queries) == 2


async def test_what_a_caller_does_to_its_list_is_its_own_affair() -> None:
    provider = Remembering(FakeSearch("alpha", [A]))
    (await ask(provider)).clear()
    assert await ask(provider) == [A]


class Gate(FakeSearch):
    """Answers when it is opened."""

    def __init__(self) -> None:
        super().__init__("gate", [A])
        self.open = asyncio.Event()

    async def search(self, query: str, **choices: Any) -> Any:
        self.queries.append(query)
        self.asked.set()
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return [A]


async def test_searches_side_by_side_are_one() -> None:
    gate = Gate()
    provider = Remembering(gate)
    tasks = [asyncio.create_task(ask(provider)) for _ in range(3)]
    await gate.asked.wait()
    gate.open.set()
    assert await asyncio.gather(*tasks) == [[A], [A], [A]]
    assert len(gate.queries) == 1


async def test_one_who_leaves_does_not_end_it_for_the_others_and_the_last_one_does() -> None:
    gate = Gate()
    provider = Remembering(gate)
    first, second = (asyncio.create_task(ask(provider)) for _ in range(2))
    await gate.asked.wait()
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert gate.cancelled == 0
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    third = asyncio.create_task(ask(provider))
    gate.open.set()
    assert await third == [A]
    assert (gate.cancelled, len(gate.queries)) == (1, 2)


async def test_the_memory_has_an_end() -> None:
    fake = FakeSearch("alpha", [A])
    provider = Remembering(fake)
    for number in range(MOST + 1):
        await ask(provider, f"query {number}")
    await ask(provider, f"query {MOST}")
    assert len(fake.queries) == MOST + 1
    await ask(provider, "query 0")
    assert len(fake.queries) == MOST + 2


async def test_it_tells_of_a_rest_below_it_and_answers_from_memory_meanwhile() -> None:
    fake = FakeSearch("alpha", [A], SearchError("alpha", "rate_limited", "too often", retry_after=30))
    provider = Remembering(Resting(fake))
    assert await ask(provider, "one") == [A]
    with pytest.raises(SearchError):
        await ask(provider, "two")
    assert provider.resting is not None
    assert await ask(provider, "one") == [A]
    assert len(fake.queries) == 2


async def test_closing_ends_what_is_under_way() -> None:
    gate = Gate()
    provider = Remembering(gate)
    task = asyncio.create_task(ask(provider))
    await gate.asked.wait()
    await provider.aclose()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert gate.cancelled == 1

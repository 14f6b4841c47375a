"""A provider that failed for a while is left alone for that while."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.fakes.searching import FakeSearch, result

from answerable.errors import SearchCause, SearchError
from answerable.protocols import SearchProvider
from answerable.providers.search.ddgs import Ddgs
from answerable.providers.search.resting import Resting
from answerable.providers.search.wikipedia import Wikipedia
from answerable.types import SearchResult

NOW = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)


class Time:
    def __init__(self) -> None:
        self.passed = 100.0

    def monotonic(self) -> float:
        return self.passed

    def clock(self) -> datetime:
        return NOW + timedelta(seconds=self.passed - 100)


async def ask(provider: SearchProvider) -> list[SearchResult]:
    return await provider.search("tower", limit=8, freshness="evergreen", focus="web", locale="en")


def failing(cause: SearchCause, wait: float | None = None) -> SearchError:
    return SearchError("alpha", cause, "is not there", hint="Do something.", retry_after=wait)


@pytest.mark.parametrize(
    ("failure", "rest"),
    [
        (failing("rate_limited", 30), 30),
        (failing("rate_limited"), 60),
        (failing("connection"), 60),
        (failing("quota"), 600),
        (failing("rate_limited", 10**9), 3600),
    ],
)
async def test_it_rests_for_the_time_told_and_is_asked_again_after_it(failure: SearchError, rest: int) -> None:
    time = Time()
    fake = FakeSearch("alpha", failure, [result("https://a.example/")])
    provider = Resting(fake, clock=time.clock, monotonic=time.monotonic)
    with pytest.raises(SearchError):
        await ask(provider)
    time.passed += rest - 1
    with pytest.raises(SearchError, match="is not there; it is not asked again until") as caught:
        await ask(provider)
    assert (caught.value.cause, caught.value.hint, caught.value.retry_after) == (failure.cause, failure.hint, 1)
    assert provider.resting is failure
    assert len(fake.queries) == 1
    time.passed += 2
    assert provider.resting is None
    assert len(await ask(provider)) == 1


@pytest.mark.parametrize("cause", ["bad_key", "timeout", "malformed", "server", "refused"])
async def test_other_failures_are_no_reason_to_rest(cause: SearchCause) -> None:
    fake = FakeSearch("alpha", failing(cause))
    provider = Resting(fake)
    for _ in range(2):
        with pytest.raises(SearchError):
            await ask(provider)
    assert len(fake.queries) == 2


async def test_the_moment_is_told_in_local_time() -> None:
    time = Time()
    provider = Resting(FakeSearch("alpha", failing("connection")), clock=time.clock, monotonic=time.monotonic)
    for _ in range(2):
        with pytest.raises(SearchError) as caught:
            await ask(provider)
    until = (NOW + timedelta(seconds=60)).astimezone()
    assert caught.value.message == f"alpha: is not there; it is not asked again until {until:%H:%M:%S}"


async def test_a_wrapped_provider_keeps_its_name_and_scope_and_can_be_closed() -> None:
    provider = Resting(FakeSearch("collection", scope="fallback"))
    assert (provider.name, provider.scope) == ("collection", "fallback")
    await provider.aclose()


@pytest.fixture
def silent_port() -> Any:
    """A port that neither takes nor refuses connections: its queue is full, so the kernel drops what knocks."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        knocking = []
        for _ in range(4):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(listening.getsockname())
            knocking.append(one)
        yield listening.getsockname()[1]
        for one in knocking:
            one.close()


@pytest.mark.parametrize("kind", ["ddgs", "wikipedia"])
async def test_a_silent_web_costs_one_connect_time_out_and_is_remembered(
    kind: str, silent_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    inner: SearchProvider = (
        Ddgs(probe=(f"127.0.0.1:{silent_port}",), connect_timeout=0.2, search=lambda *_, **__: asked.append("x") or [])
        if kind == "ddgs"
        else Wikipedia(base_url=f"http://127.0.0.1:{silent_port}", connect_timeout=0.2)
    )
    provider = Resting(inner)
    failures = await asyncio.gather(ask(provider), ask(provider), return_exceptions=True)
    assert [failure.cause for failure in failures if isinstance(failure, SearchError)] == ["connection", "connection"]
    monkeypatch.setattr(provider, "provider", None)  # asking it now would break
    with pytest.raises(SearchError, match="not asked again until"):
        await ask(provider)
    assert asked == []


async def test_silence_twice_running_is_a_reason_to_rest_and_longer_when_it_goes_on() -> None:
    time = Time()
    late = failing("timeout")
    fake = FakeSearch("alpha", late)
    provider = Resting(fake, clock=time.clock, monotonic=time.monotonic)
    await asyncio.gather(ask(provider), ask(provider), return_exceptions=True)
    assert provider.resting is None, "searches side by side are one silence"
    for rest in (30, 60, 120, 240, 300, 300):
        time.passed += 1
        with pytest.raises(SearchError):
            await ask(provider)
        assert provider.resting is late
        time.passed += rest
        assert provider.resting is None


async def test_an_answer_between_two_silences_is_a_new_start() -> None:
    time = Time()
    late = failing("timeout")
    provider = Resting(FakeSearch("alpha", late, [], late), clock=time.clock, monotonic=time.monotonic)
    for _ in range(3):
        time.passed += 1
        await asyncio.gather(ask(provider), return_exceptions=True)
    assert provider.resting is None

"""The parts of the engine over HTTP and on the page: listed without keys, each tried out alone, and not too often."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import Served, serving

from answerable.web.app import create_app
from answerable.web.limits import RateLimiter
from answerable.web.parts_api import TESTS_A_MINUTE


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def client(server: Served, engine: FakeEngine) -> Iterator[httpx2.Client]:
    server.app.state.tests = RateLimiter()
    with server.using(engine) as address, httpx2.Client(base_url=address, timeout=60) as client:
        yield client


def test_parts_are_listed_with_the_names_of_what_they_take(client: httpx2.Client) -> None:
    parts = {one["part"]: one for one in client.get("/v1/parts").json()["parts"]}

    assert parts["search: tavily"] == {
        "part": "search: tavily", "used": False, "ready": False, "needs": ["TAVILY_API_KEY"], "helps": [], "uses": []
    }  # fmt: skip
    assert parts["model: anthropic:claude"]["uses"] == ["writer"]
    assert parts["reranker"]["ready"]


def test_one_part_is_tried_out_and_no_other(client: httpx2.Client, engine: FakeEngine) -> None:
    found = client.post("/v1/parts/test", json={"part": "search: wikipedia"})

    assert found.json() == {
        "part": "search: wikipedia", "ok": True, "detail": "3 results", "cure": "", "needed": False
    }  # fmt: skip
    assert engine.examined == ["search: wikipedia"]


@pytest.mark.parametrize(
    ("part", "status", "code", "words"),
    [
        ("model: anthropic:claude", 502, "part_failed", "refused the key"),
        ("search: tavily", 422, "bad_request", "needs TAVILY_API_KEY"),
        ("search: nowhere", 404, "not_found", "no part"),
        ("", 422, "invalid_request", "part"),
    ],
)
def test_a_part_that_cannot_be_used_is_a_problem_with_its_cure(
    client: httpx2.Client, part: str, status: int, code: str, words: str
) -> None:
    refused = client.post("/v1/parts/test", json={"part": part})

    problem = refused.json()
    assert (refused.status_code, problem["code"]) == (status, code)
    assert refused.headers["content-type"] == "application/problem+json"
    assert words in problem["detail"]
    assert problem["hint"] or status == 404


def test_one_part_can_be_tried_only_so_often(client: httpx2.Client, engine: FakeEngine) -> None:
    replies = [client.post("/v1/parts/test", json={"part": "search: wikipedia"}) for _ in range(TESTS_A_MINUTE + 1)]

    assert [reply.status_code for reply in replies] == [*[200] * TESTS_A_MINUTE, 429]
    assert replies[-1].json()["code"] == "rate_limited"
    assert int(replies[-1].headers["retry-after"]) > 0
    assert client.post("/v1/parts/test", json={"part": "reranker"}).status_code == 200
    page = client.post("/settings", data={"part": "search: wikipedia"}, headers={"accept": "text/html"})
    assert page.status_code == 429
    assert "tested 6 times within a minute" in page.text
    assert len(engine.examined) == TESTS_A_MINUTE + 1

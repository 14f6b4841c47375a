"""What a watcher asks the server for: figures for Prometheus, and whether questions can be taken."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.fakes.engine import FakeEngine, FakeReadiness
from tests.fakes.serving import Served, serving

from answerable.types import Usage
from answerable.web.app import create_app

TOKEN = "t0ken"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine(), token=TOKEN)
    with serving(lambda: app) as address:
        yield Served(app, address)


def test_the_figures_come_as_prometheus_reads_them(server: Served) -> None:
    engine = FakeEngine()
    engine.telemetry.tokens_used("openai:m", Usage(120, 40, 1))
    with server.using(engine) as address:
        response = httpx2.get(f"{address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})

    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    samples = [s for family in text_string_to_metric_families(response.text) for s in family.samples]
    assert [s.value for s in samples if s.name == "answerable_tokens_total"] == [120, 40]


def test_without_the_token_there_are_no_figures_and_no_way_to_a_form(server: Served) -> None:
    response = httpx2.get(f"{server.address}/metrics")

    assert (response.status_code, response.json()["code"]) == (401, "token_needed")


@pytest.mark.parametrize(
    ("ready", "status", "said"),
    [
        (FakeReadiness(), 200, "ready"),
        (FakeReadiness(warm=False), 503, "warming up"),
        (FakeReadiness(database=False), 503, "no database"),
    ],
)
def test_a_probe_is_told_without_a_token_whether_questions_can_be_taken(
    server: Served, ready: FakeReadiness, status: int, said: str
) -> None:
    engine = FakeEngine()
    engine.ready = ready
    with server.using(engine) as address:
        response = httpx2.get(f"{address}/readyz")

    assert (response.status_code, response.json()["status"]) == (status, said)
    assert response.json()["warm"] == ready.warm

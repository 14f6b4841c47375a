"""POST /v1/verify over a real socket."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import serving

from answerable.web.app import create_app

URL = "http://towers.example/height"


@pytest.fixture(scope="module")
def client() -> Iterator[httpx2.Client]:
    with serving(lambda: create_app(FakeEngine())) as address, httpx2.Client(base_url=address) as client:
        yield client


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("The tower is 330 metres tall.", "supported"), ("The tower is 300 metres tall.", "unsupported")],
)
def test_a_claim_is_verified_against_a_page_or_a_text(client: httpx2.Client, claim: str, verdict: str) -> None:
    by_page = client.post("/v1/verify", json={"claim": claim, "url": URL}).json()
    by_text = client.post("/v1/verify", json={"claim": claim, "text": "The tower is 330 metres tall."}).json()

    assert (by_page["verdict"], by_text["verdict"]) == (verdict, verdict)
    assert set(by_page) == {"claim", "verdict", "score", "reason", "quotes", "url", "title", "read_as"}


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"claim": "A tower is tall."}, 422, "either `url` or `text`"),
        ({"claim": "A tower is tall.", "url": URL, "text": "x"}, 422, "either `url` or `text`"),
        ({"claim": "", "text": "x"}, 422, "claim"),
        ({"claim": " \n ", "text": "x"}, 400, "empty"),
        ({"claim": "A tower is tall.", "url": "/etc/passwd"}, 400, "no web address"),
        ({"claim": "A tower is tall.", "url": "file:///etc/passwd"}, 400, "no web address"),
        ({"claim": "A tower is tall.", "url": "http://gone.example/"}, 502, "no such page"),
    ],
)
def test_what_cannot_be_verified_is_a_problem_that_says_why(
    client: httpx2.Client, body: dict[str, str], status: int, told: str
) -> None:
    response = client.post("/v1/verify", json=body)

    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert told in response.text

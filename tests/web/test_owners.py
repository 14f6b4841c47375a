"""Tokens: each opens what its owner asked and nothing else, as often and as dearly as it may."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from tests.fakes.engine import FakeEngine, Script, eiffel
from tests.fakes.serving import serving

from answerable.events import Event, Final
from answerable.text.tokens import hash_of, new_token, session_of
from answerable.types import Token, Turn, Usage
from answerable.web.access import Rules
from answerable.web.app import create_app

NOW = datetime.now(UTC)
ADMIN = "the admin's own"
NEEDED = Rules(token_needed=True)


def give(engine: FakeEngine, owner: str, **choices: Any) -> dict[str, str]:
    """A token of the owner, as the header that shows it."""
    secret = new_token()
    token = Token(f"tok_{owner}_{secret[-4:]}", owner, "", NOW, **choices)
    asyncio.run(engine.tokens.create(token, hash_of(session_of(secret))))
    return {"authorization": f"Bearer {secret}"}


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def client(engine: FakeEngine) -> Iterator[httpx2.Client]:
    with serving(lambda: create_app(engine, token=ADMIN)) as address, httpx2.Client(base_url=address) as client:
        yield client


def ask(client: httpx2.Client, who: dict[str, str], **fields: Any) -> dict[str, Any]:
    body = {"question": "How tall?", "stream": False, **fields}
    turn: dict[str, Any] = client.post("/v1/answers", json=body, headers=who).json()
    return turn


def test_an_owner_sees_its_own_and_for_another_it_does_not_exist(client: httpx2.Client, engine: FakeEngine) -> None:
    anna, bo, admin = give(engine, "anna"), give(engine, "bo"), {"authorization": f"Bearer {ADMIN}"}
    turn = ask(client, anna)
    paths = [
        f"/v1/answers/{turn['id']}",
        f"/v1/answers/{turn['id']}/sources",
        f"/v1/answers/{turn['id']}/events",
        f"/v1/conversations/{turn['conversation_id']}",
        f"/v1/pages/{turn['sources'][0]['page_id']}",
        f"/c/{turn['conversation_id']}",
        f"/turns/{turn['id']}/fragment",
        f"/pages/{turn['sources'][0]['page_id']}",
    ]

    assert [client.get(path, headers=anna).status_code for path in paths] == [200] * len(paths)
    assert [client.get(path, headers=admin).status_code for path in paths] == [200] * len(paths)
    assert [client.get(path, headers=bo).status_code for path in paths] == [404] * len(paths)


def test_nobody_changes_or_goes_on_with_what_is_anothers(client: httpx2.Client, engine: FakeEngine) -> None:
    anna, bo = give(engine, "anna"), give(engine, "bo")
    turn = ask(client, anna)

    assert client.delete(f"/v1/answers/{turn['id']}", headers=bo).status_code == 404
    assert client.post(f"/v1/answers/{turn['id']}/retry", headers=bo).status_code == 404
    assert ask(client, bo, conversation_id=turn["conversation_id"])["code"] == "not_found"
    assert ask(client, anna, conversation_id=turn["conversation_id"])["conversation_id"] == turn["conversation_id"]


def test_two_owners_may_use_the_same_idempotency_key(client: httpx2.Client, engine: FakeEngine) -> None:
    key = {"idempotency-key": "same"}
    anna, bo = give(engine, "anna") | key, give(engine, "bo") | key

    assert ask(client, anna)["id"] == ask(client, anna)["id"] != ask(client, bo)["id"]


def test_another_token_of_an_owner_opens_the_same(client: httpx2.Client, engine: FakeEngine) -> None:
    turn = ask(client, give(engine, "anna"))

    assert client.get(f"/v1/answers/{turn['id']}", headers=give(engine, "anna")).status_code == 200
    assert client.get(f"/v1/answers/{turn['id']}", headers=give(engine, "eve", admin=True)).status_code == 200


def test_a_token_that_was_revoked_or_has_expired_opens_nothing(client: httpx2.Client, engine: FakeEngine) -> None:
    revoked, expired = give(engine, "anna"), give(engine, "anna", expires_at=NOW - timedelta(seconds=1))
    assert client.get("/v1/models", headers=revoked).status_code == 200

    for token in asyncio.run(engine.tokens.all()):
        if token.expires_at is None:
            asyncio.run(engine.tokens.revoke(token.id, NOW))

    assert client.get("/v1/models", headers=revoked).status_code == 401
    assert client.get("/v1/models", headers=expired).status_code == 401


def test_figures_of_the_server_are_the_admins(client: httpx2.Client, engine: FakeEngine) -> None:
    refused = client.get("/metrics", headers=give(engine, "anna"))

    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert client.get("/metrics", headers={"authorization": f"Bearer {ADMIN}"}).status_code == 200


def test_an_owner_signs_in_on_the_page_and_the_cookie_is_not_the_token(
    client: httpx2.Client, engine: FakeEngine
) -> None:
    anna = give(engine, "anna")
    secret = anna["authorization"].removeprefix("Bearer ")
    turn, others = ask(client, anna), ask(client, give(engine, "bo"))

    signed = client.post("/login", data={"token": secret, "next": "/"})

    assert secret not in signed.headers["set-cookie"]
    assert client.get(f"/c/{turn['conversation_id']}").status_code == 200
    assert client.get(f"/c/{others['conversation_id']}").status_code == 404


def test_where_no_token_is_needed_any_key_is_taken_but_not_a_revoked_one(engine: FakeEngine) -> None:
    with serving(lambda: create_app(engine)) as address, httpx2.Client(base_url=address) as client:
        anna = give(engine, "anna")
        turn = ask(client, {})

        assert client.get(f"/v1/answers/{turn['id']}", headers={"authorization": "Bearer none"}).status_code == 200
        assert client.get(f"/v1/answers/{turn['id']}", headers=anna).status_code == 404
        asyncio.run(engine.tokens.revoke(asyncio.run(engine.tokens.all())[0].id, NOW))
        assert client.get(f"/v1/answers/{turn['id']}", headers=anna).status_code == 401


def test_requests_are_limited_by_token_and_say_when_to_come_back(engine: FakeEngine) -> None:
    rules = replace(NEEDED, rate_per_token=3)
    with serving(lambda: create_app(engine, rules=rules)) as address, httpx2.Client(base_url=address) as client:
        anna, bo, cy = give(engine, "anna"), give(engine, "bo"), give(engine, "cy", requests_per_minute=1)
        statuses = [client.post("/v1/verify", json={"claim": "x y z", "text": "x"}, headers=anna) for _ in range(4)]
        limited = client.post("/v1/chat/completions", json={"messages": []}, headers=anna)

        assert [reply.status_code for reply in statuses] == [200, 200, 200, 429]
        assert statuses[-1].json()["code"] == "rate_limited"
        assert 1 <= int(statuses[-1].headers["retry-after"]) <= 20
        assert limited.json()["error"]["type"] == "rate_limit_error"
        assert client.get("/v1/models", headers=anna).status_code == 200
        assert ask(client, bo)["state"] == "done"
        assert [ask(client, cy).get("code") for _ in range(2)] == [None, "rate_limited"]


def test_requests_are_limited_by_address_whatever_the_token(engine: FakeEngine) -> None:
    rules = Rules(token_needed=True, rate_per_address=2)
    with serving(lambda: create_app(engine, rules=rules)) as address, httpx2.Client(base_url=address) as client:
        codes = [ask(client, give(engine, name)).get("code") for name in ("anna", "bo", "cy")]
        signing_in = client.post("/login", data={"token": "guess"})

    assert codes == [None, None, "rate_limited"]
    assert signing_in.status_code == 429


def test_wrong_tokens_are_soon_told_to_wait(engine: FakeEngine) -> None:
    with serving(lambda: create_app(engine, rules=NEEDED)) as address, httpx2.Client(base_url=address) as client:
        tried = [client.get("/v1/models", headers={"authorization": f"Bearer {n}"}).status_code for n in range(32)]
        known = client.get("/v1/models", headers=give(engine, "anna"))

    assert (tried[0], tried[-1]) == (401, 429)
    assert known.status_code == 200


class Costly(Script):
    """An answer that a model wrote, at a price."""

    def steps(self, base: Turn) -> Iterator[Any]:
        for step in super().steps(base):
            yield _priced(step) if isinstance(step, Final) else step


def _priced(event: Final) -> Event:
    return Final(replace(event.turn, usage=Usage(900, 100, 1, cost=0.5), cost=0.5))


def costly() -> Script:
    script = eiffel()
    return Costly(script.parts, script.pages)


@pytest.mark.parametrize("rules", [replace(NEEDED, daily_budget=0.9), replace(NEEDED, daily_tokens=1500)])
def test_a_token_asks_until_its_budget_of_the_day_is_spent(rules: Rules) -> None:
    engine = FakeEngine(default=costly())
    with serving(lambda: create_app(engine, rules=rules)) as address, httpx2.Client(base_url=address) as client:
        anna, bo = give(engine, "anna"), give(engine, "bo")
        for spent in (1, 2):
            ask(client, anna | {"idempotency-key": f"run {spent}"})
            wait_until_counted(engine, spent)
        ask(client, bo)
        over = client.post("/v1/answers", json={"question": "More?"}, headers=anna)
        retried = client.post("/v1/answers/run-1/retry", headers=anna)

    assert (over.status_code, over.json()["code"]) == (429, "budget_spent")
    assert 0 < int(over.headers["retry-after"]) <= 86_400
    assert retried.status_code == 429
    assert len(engine.runs.asked) == 3


def test_a_tokens_own_budget_beats_the_one_for_all_and_a_repeated_request_is_counted_once() -> None:
    engine = FakeEngine(default=costly())
    rules = replace(NEEDED, daily_budget=0.1)
    with serving(lambda: create_app(engine, rules=rules)) as address, httpx2.Client(base_url=address) as client:
        anna, none = give(engine, "anna", daily_budget=0.9), give(engine, "bo", daily_budget=0.0)
        for _ in range(3):
            ask(client, anna | {"idempotency-key": "the same"})
            wait_until_counted(engine, 1)
        codes = [ask(client, anna).get("code"), ask(client, none)["code"]]

    assert codes == [None, "budget_spent"]


def wait_until_counted(engine: FakeEngine, runs: int) -> None:
    """A run is counted just after its end was shown."""
    until, day = time.monotonic() + 10, datetime.now(UTC).date().isoformat()
    token = next(token for token in asyncio.run(engine.tokens.all()) if token.owner == "anna")
    while asyncio.run(engine.tokens.spent(token.id, day)).requests < runs and time.monotonic() < until:
        time.sleep(0.01)
    assert asyncio.run(engine.tokens.spent(token.id, day)).requests == runs

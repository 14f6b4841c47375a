"""What every token store promises: who may ask, and what each has used."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from tests.fakes.tokens import FakeTokens

from answerable.errors import NotFound
from answerable.protocols import TokenStore
from answerable.storage.database import Database
from answerable.storage.tokens import SqlTokenStore
from answerable.types import Spending, Token, Usage

NOW = datetime(2026, 11, 20, 9, 0, 0, 123456, tzinfo=UTC)
ANNA = Token("tok_1", "anna", "laptop", NOW, daily_budget=1.5, requests_per_minute=20, expires_at=NOW + timedelta(1))
BO = Token("tok_2", "bo", "phone", NOW + timedelta(minutes=1), admin=True)


@pytest.fixture(params=["database", "memory"])
def store(request: pytest.FixtureRequest, database: Database) -> TokenStore:
    return SqlTokenStore(database) if request.param == "database" else FakeTokens()


async def test_a_token_is_found_by_its_hash_alone_as_it_was_made(store: TokenStore) -> None:
    await store.create(ANNA, "hash a")
    await store.create(BO, "hash b")

    assert await store.by_hash("hash a") == ANNA
    assert await store.by_hash("hash b") == BO
    assert await store.by_hash("HASH A") is None
    assert await store.by_hash("") is None
    assert await store.all() == [ANNA, BO]


async def test_a_revoked_token_says_since_when_and_stays_revoked_from_then(store: TokenStore) -> None:
    await store.create(ANNA, "hash a")
    first = await store.revoke("tok_1", NOW)
    again = await store.revoke("tok_1", NOW + timedelta(hours=1))

    assert first.revoked_at == again.revoked_at == NOW
    assert (await store.all())[0].revoked_at == NOW
    with pytest.raises(NotFound):
        await store.revoke("tok_9", NOW)


async def test_its_last_use_is_kept(store: TokenStore) -> None:
    await store.create(ANNA, "hash a")
    await store.used("tok_1", NOW + timedelta(minutes=5))

    known = await store.by_hash("hash a")
    assert known is not None
    assert known.last_used == NOW + timedelta(minutes=5)


async def test_what_is_used_adds_up_by_token_and_day(store: TokenStore) -> None:
    await store.create(ANNA, "hash a")
    await store.create(BO, "hash b")
    await store.spend("tok_1", "2026-11-20", Usage(100, 10, 1, cost=0.25))
    await store.spend("tok_1", "2026-11-20", Usage(1, 2, 1, cost=None))
    await store.spend("tok_1", "2026-11-21", Usage(7, 7, 1, cost=1.0))

    assert await store.spent("tok_1", "2026-11-20") == Spending(2, 101, 12, 0.25)
    assert await store.spent("tok_2", "2026-11-20") == Spending()


async def test_what_is_used_at_the_same_time_is_all_counted(store: TokenStore) -> None:
    await store.create(ANNA, "hash a")
    await asyncio.gather(*(store.spend("tok_1", "2026-11-20", Usage(1, 1, 1, cost=0.5)) for _ in range(8)))

    assert await store.spent("tok_1", "2026-11-20") == Spending(8, 8, 8, 4.0)

"""Opening brings any database to the newest schema: new, old, half changed, opened by two at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from answerable.errors import SettingsError, StorageError
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import database_address, open_database
from answerable.storage.migrations import scripts, upgrade
from answerable.storage.tables import SCHEMA, Base

CASE = json.loads((Path(__file__).parents[1] / "data/cases/storage/migrate-half-applied.json").read_text("utf-8"))
OLD_TURN = {
    "id": "run1",
    "conversation_id": "con1",
    "turn_id": "turn1",
    "attempt": 1,
    "question": "How long is the Sylva tunnel?",
    "created": "2026-01-01T00:00:01+00:00",
    "state": "done",
    "outcome": "answered",
    "answer": "2.4 km[1].",
    "citations": [
        {
            "n": 1,
            "page_id": "p1",
            "url": "http://a.example/",
            "title": "A",
            "site": "a.example",
            "published": None,
            "sentence": 0,
            "quote": "2.4 km",
            "start": 3,
            "end": 9,
            "verdict": "supported",
            "reason": "",
            "read_as": "page",
            "link": "http://a.example/",
        }
    ],
    "sources": [
        {
            "page_id": "p1",
            "url": "http://a.example/",
            "title": "A",
            "site": "a.example",
            "published": None,
            "read_as": "page",
            "n": 1,
        }
    ],
    "usage": {"input_tokens": 7, "output_tokens": 2, "requests": 1},
}
OLD_ROWS = (
    "INSERT INTO conversations (id, title, created, updated) VALUES ('con1', 'Sylva tunnel', "
    "'2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:05.000000Z'), ('con2', 'Empty', "
    "'2026-01-02T00:00:00.000000Z', '2026-01-02T00:00:00.000000Z')",
    "INSERT INTO turns (id, conversation_id, seq) VALUES ('turn1', 'con1', 1)",
    "INSERT INTO citations (attempt_id, sentence, n, page_id, verdict) VALUES ('run1', 0, 1, 'p1', 'supported')",
)


@asynccontextmanager
async def raw(address: str) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(database_address(address))
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


async def make_old(address: str) -> None:
    """A database at the first migration, with a conversation in it."""
    async with raw(address) as connection:
        await connection.run_sync(upgrade, "0001")
        record = {"record": json.dumps(OLD_TURN), "question": OLD_TURN["question"]}
        for statement in OLD_ROWS[:2]:
            await connection.execute(text(statement))
        await connection.execute(
            text(
                "INSERT INTO attempts (id, turn_id, attempt, state, outcome, question, record) "
                "VALUES ('run1', 'turn1', 1, 'done', 'answered', :question, :record)"
            ),
            record,
        )
        await connection.execute(text(OLD_ROWS[2]))


async def value(address: str, query: str) -> Any:
    async with raw(address) as connection:
        return (await connection.execute(text(query))).all()


async def assert_at_the_newest_schema(address: str) -> None:
    def differences(connection: Connection) -> list[Any]:
        return compare_metadata(MigrationContext.configure(connection), Base.metadata)

    async with raw(address) as connection:
        assert await connection.run_sync(differences) == []
    assert await value(address, "SELECT version_num FROM alembic_version") == [(SCHEMA,)]


async def assert_nothing_lost(address: str) -> None:
    database = await open_database(address)
    store = SqlConversationStore(database)
    conversation = await store.conversation("con1")
    await database.close()
    assert (conversation.title, [turn.answer for turn in conversation.turns]) == ("Sylva tunnel", ["2.4 km[1]."])
    assert await value(address, "SELECT quote, span_start, span_end FROM citations") == [("2.4 km", 3, 9)]
    assert await value(address, "SELECT page_id, n FROM sources") == [("p1", 1)]
    assert await value(address, "SELECT answer, input_tokens, created, ended FROM attempts") == [
        ("2.4 km[1].", 7, "2026-01-01T00:00:01.000000Z", "2026-01-01T00:00:01.000000Z")
    ]
    assert await value(address, "SELECT question, latest FROM turns") == [(OLD_TURN["question"], "run1")]
    assert await value(address, "SELECT id FROM conversations ORDER BY id") == [("con1",), ("con2",)]
    found = "SELECT DISTINCT conversation_id FROM search_terms WHERE term = 'sylva'"
    assert await value(address, found) == [("con1",)]


def test_the_newest_schema_is_that_of_the_newest_migration() -> None:
    assert scripts().get_current_head() == SCHEMA


async def test_a_new_database_gets_the_tables_as_the_models_have_them(empty_address: str) -> None:
    await (await open_database(empty_address)).close()

    await assert_at_the_newest_schema(empty_address)


async def test_an_older_database_is_brought_up_and_keeps_what_it_holds(empty_address: str) -> None:
    await make_old(empty_address)
    await (await open_database(empty_address)).close()

    await assert_at_the_newest_schema(empty_address)
    await assert_nothing_lost(empty_address)


async def test_a_database_that_was_made_without_writing_down_a_version_is_adopted(empty_address: str) -> None:
    await make_old(empty_address)
    async with raw(empty_address) as connection:
        await connection.execute(text("DROP TABLE alembic_version"))
    await (await open_database(empty_address)).close()

    await assert_at_the_newest_schema(empty_address)
    await assert_nothing_lost(empty_address)


@pytest.mark.parametrize("version_known", [True, False])
async def test_a_half_applied_migration_is_completed(empty_address: str, version_known: bool) -> None:
    """As the case has it: a table of the next version is there, a column is not, the version is still the old one."""
    assert "CREATE TABLE citations" in CASE["statements"][0]
    await make_old(empty_address)
    async with raw(empty_address) as connection:
        for statement in (
            "CREATE TABLE sources (attempt_id VARCHAR NOT NULL, position INTEGER NOT NULL, n INTEGER, "
            "page_id VARCHAR NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, site TEXT NOT NULL, published VARCHAR, "
            "read_as VARCHAR NOT NULL, PRIMARY KEY (attempt_id, position), "
            "FOREIGN KEY (attempt_id) REFERENCES attempts (id) ON DELETE CASCADE)",
            "INSERT INTO sources VALUES ('run1', 0, 1, 'p1', 'http://a.example/', 'A', 'a.example', NULL, 'page')",
            "ALTER TABLE attempts ADD COLUMN answer TEXT NOT NULL DEFAULT ''",
            *([] if version_known else ["DROP TABLE alembic_version"]),
        ):
            await connection.execute(text(statement))
    await (await open_database(empty_address)).close()

    await assert_at_the_newest_schema(empty_address)
    await assert_nothing_lost(empty_address)


async def test_a_migration_that_breaks_off_leaves_the_database_as_it_was(empty_address: str) -> None:
    await make_old(empty_address)
    async with raw(empty_address) as connection:
        await connection.execute(text("UPDATE attempts SET record = 'no JSON'"))
    with pytest.raises(json.JSONDecodeError):
        await open_database(empty_address)

    assert await value(empty_address, "SELECT version_num FROM alembic_version") == [("0001",)]
    async with raw(empty_address) as connection:
        await connection.execute(text("UPDATE attempts SET record = :record"), {"record": json.dumps(OLD_TURN)})
    await (await open_database(empty_address)).close()
    await assert_nothing_lost(empty_address)


async def test_of_servers_that_start_at_once_one_migrates_and_all_go_on(empty_address: str) -> None:
    await make_old(empty_address)

    opened = await asyncio.gather(*(open_database(empty_address) for _ in range(4)))

    for database in opened:
        await database.close()
    await assert_at_the_newest_schema(empty_address)
    await assert_nothing_lost(empty_address)


async def test_a_database_of_a_newer_version_is_left_alone(empty_address: str) -> None:
    await (await open_database(empty_address)).close()
    async with raw(empty_address) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(StorageError, match="newer version"):
        await open_database(empty_address)


@pytest.mark.parametrize("address", ["mysql://a@b/c", "nonsense", "postgresql:/x"])
def test_an_address_that_names_no_known_database_is_refused(address: str) -> None:
    with pytest.raises(SettingsError, match="ANSWERABLE_DATABASE"):
        database_address(address)


def test_an_address_is_taken_as_other_tools_write_it() -> None:
    url = database_address("postgres://me:s%40cret@db.example:5433/answers?sslmode=require")

    assert url.render_as_string(hide_password=False) == (
        "postgresql+asyncpg://me:s%40cret@db.example:5433/answers?ssl=require"
    )


async def test_a_server_that_does_not_answer_or_has_no_such_database_is_told_with_what_to_do(postgres: str) -> None:
    for address in (postgres.format(database="missing"), "postgresql://me:geheim@127.0.0.1:9/answers"):
        with pytest.raises(StorageError, match="could not be written") as caught:
            await open_database(address)
        assert "ANSWERABLE_DATABASE" in caught.value.hint
        assert "geheim" not in caught.value.message

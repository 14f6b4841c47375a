"""Fixtures: an empty database of each kind that the store must work on. One server serves a whole session."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.fakes.postgres import postgres_server

from answerable.storage.database import Database, open_database

MADE, EMPTY = "made", "empty"  # databases of the server: one with the tables, one without


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server, `{database}` standing for a name."""
    with postgres_server() as server:

        async def prepare() -> None:
            await _run(server, "postgres", f"CREATE DATABASE {MADE}", f"CREATE DATABASE {EMPTY}")
            await (await open_database(server.format(database=MADE))).close()

        with ThreadPoolExecutor(1) as aside:  # whoever asks for this fixture may have a loop running
            aside.submit(asyncio.run, prepare()).result()
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a database with nothing in it but the tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    server: str = request.getfixturevalue("postgres")
    await _run(server, MADE, _EMPTY_TABLES)
    return server.format(database=MADE)


@pytest.fixture(params=["sqlite", "postgresql"])
async def empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same without any table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    server: str = request.getfixturevalue("postgres")
    await _run(server, EMPTY, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return server.format(database=EMPTY)


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    database = await open_database(address)
    yield database
    await database.close()


# Deleting is quicker than TRUNCATE where tables hold a few rows. Rows that refer to others go with these.
_EMPTY_TABLES = "DELETE FROM conversations; DELETE FROM tokens; DELETE FROM pages; DELETE FROM processes"


async def _run(server: str, database: str, *statements: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(server.format(database=database))
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()

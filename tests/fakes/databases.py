"""Fixtures: an empty database of each kind that the store must work on."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.fakes.postgres import postgres_server

from answerable.storage.database import Database, open_database


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server whose database `made` is at the newest schema, for copying."""
    with postgres_server() as server:

        async def prepare() -> None:
            await create_database(server, "made")
            await (await open_database(server.format(database="made"))).close()

        with ThreadPoolExecutor(1) as aside:  # whoever asks for this fixture may have a loop running
            aside.submit(asyncio.run, prepare()).result()
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a database of its own for each test, at the newest schema or, a file, about to be."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    server: str = request.getfixturevalue("postgres")
    return await create_database(server, f"test_{uuid.uuid4().hex}", template="made")


@pytest.fixture(params=["sqlite", "postgresql"])
async def empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same without any table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    return await create_database(request.getfixturevalue("postgres"), f"test_{uuid.uuid4().hex}")


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    database = await open_database(address)
    yield database
    await database.close()


async def create_database(server: str, name: str, *, template: str = "template1") -> str:
    """Its address."""
    import asyncpg

    connection = await asyncpg.connect(server.format(database="postgres"))
    try:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    finally:
        await connection.close()
    return server.format(database=name)

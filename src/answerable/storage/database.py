"""One database: SQLite in WAL mode with one writer at a time, or what its address names."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from answerable.errors import StorageError
from answerable.storage.tables import Base

BUSY_SECONDS = 10.0  # another process may hold the file: a backup, a second server during a restart


class Database:
    """Made by `open_database`; `read` and `write` give a connection, `write` in a transaction of its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._reading = engine
        self._writing = engine.execution_options(sqlite_begin="IMMEDIATE")
        self._writer = asyncio.Lock()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Raises StorageError."""
        try:
            async with self._reading.connect() as connection:
                yield connection
        except SQLAlchemyError as fault:
            raise StorageError(f"the database could not be read: {_cause(fault)}", hint=_hint(fault)) from fault

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Whole or not at all. Raises StorageError."""
        try:
            async with self._writer, self._writing.begin() as connection:
                yield connection
        except SQLAlchemyError as fault:
            raise StorageError(f"the database could not be written: {_cause(fault)}", hint=_hint(fault)) from fault

    async def close(self) -> None:
        await self._reading.dispose()


_HINT = "Check that the data folder can be written and has free space; `answerable doctor` tests it."


_DAMAGED = "The file is damaged: put a backup of it in its place, or move it away to begin a new one."


def _hint(fault: SQLAlchemyError) -> str:
    damaged = any(words in _cause(fault) for words in ("not a database", "malformed"))
    return _DAMAGED if damaged else _HINT


def _cause(fault: SQLAlchemyError) -> str:
    return str(getattr(fault, "orig", None) or fault).splitlines()[0]


async def open_database(address: str) -> Database:
    """`address` as SQLAlchemy writes it, such as `sqlite+aiosqlite:///folder/file.sqlite`. Raises StorageError."""
    engine = create_async_engine(address)
    if engine.dialect.name == "sqlite":
        # Said here: the driver's thread outlives an attempt to open what cannot be opened.
        if engine.url.database and not Path(engine.url.database).parent.is_dir():
            raise StorageError(f"the database could not be written: no folder for {engine.url.database!r}", hint=_HINT)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin)
    database = Database(engine)
    try:
        async with database.write() as connection:
            await connection.run_sync(Base.metadata.create_all)
    except StorageError:
        await database.close()
        raise
    return database


def _prepare_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        f"busy_timeout={int(BUSY_SECONDS * 1000)}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
    connection.isolation_level = None  # the driver shall not begin on its own: `_begin` below does


def _begin(connection: Connection) -> None:
    # Readers take a snapshot and never wait; a writer takes the lock first, so it cannot fail half-way as "locked".
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('sqlite_begin', 'DEFERRED')}")

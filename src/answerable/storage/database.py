"""One database: SQLite in WAL mode with one writer at a time, or PostgreSQL."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from answerable.errors import BadRequest, SettingsError, StorageError
from answerable.storage.lanes import Lanes
from answerable.storage.tables import SCHEMA

BUSY_SECONDS = 30.0  # another process may hold the file: a backup, a second server during a restart or a migration
MIGRATION_LOCK = 0x616E7377  # any number that others are unlikely to lock
POOL = {"pool_size": 8, "max_overflow": 16, "pool_pre_ping": True, "pool_recycle": 1800}


class Database:
    """Made by `open_database`; `read` and `write` give a connection, `write` in a transaction of its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._reading = engine
        self._writing = engine.execution_options(sqlite_begin="IMMEDIATE") if self.is_sqlite else engine
        # One at a time on SQLite: who waits for the file's lock sleeps and tries again, who waits for ours is woken.
        self._lanes = Lanes() if self.is_sqlite else None

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Raises StorageError, and BadRequest for a name that no database can hold."""
        try:
            async with self._reading.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError, UnicodeError) as fault:
            _refuse_odd_text(fault)
            raise StorageError(f"the database could not be read: {_cause(fault)}", hint=self._hint(fault)) from fault

    @asynccontextmanager
    async def write(self, *, later: bool = False) -> AsyncIterator[AsyncConnection]:
        """Whole or not at all; `later` lets those go first for whom somebody waits. Raises StorageError."""
        try:
            turn = self._lanes.hold(later=later) if self._lanes else contextlib.nullcontext()
            async with turn, self._writing.begin() as connection:
                yield connection
        except (SQLAlchemyError, OSError, UnicodeError) as fault:
            _refuse_odd_text(fault)
            raise StorageError(f"the database could not be written: {_cause(fault)}", hint=self._hint(fault)) from fault

    async def close(self) -> None:
        await self._reading.dispose()

    def _hint(self, fault: Exception) -> str:
        if not self.is_sqlite:
            return "Check that the PostgreSQL server of ANSWERABLE_DATABASE runs and lets this user in."
        damaged = any(words in _cause(fault) for words in ("not a database", "malformed"))
        return _DAMAGED if damaged else _HINT


_HINT = "Check that the data folder can be written and has free space; `answerable doctor` tests it."
_DAMAGED = "The file is damaged: put a backup of it in its place, or move it away to begin a new one."


def _refuse_odd_text(fault: Exception) -> None:
    """Text of ours is cleaned before it comes here; what is not is an id that somebody made up."""
    odd = ("invalid byte sequence", "surrogates not allowed")  # of NUL, and of half a character, in PostgreSQL
    if isinstance(fault, UnicodeError) or any(words in _cause(fault) for words in odd):
        raise BadRequest("a name holds a character that cannot be stored", hint="Send ids as they came.") from fault


def _cause(fault: Exception) -> str:
    """The first line; the database's own words name no password."""
    return (str(getattr(fault, "orig", None) or fault) or type(fault).__name__).splitlines()[0]


def database_address(address: str) -> URL:
    """As people write it: `postgresql://user:password@host/name`, `sqlite:///folder/file`. Raises SettingsError."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise SettingsError([_EXPECTED]) from None
    name = url.drivername.split("+")[0]
    if name in {"postgresql", "postgres"}:
        if find_spec("asyncpg") is None:
            raise SettingsError(["ANSWERABLE_DATABASE names a PostgreSQL: install it with `answerable[postgres]`"])
        if "sslmode" in url.query:  # the name that PostgreSQL's own tools use
            url = url.update_query_dict({"ssl": url.query["sslmode"]}).difference_update_query(["sslmode"])
        return url.set(drivername="postgresql+asyncpg")
    if name == "sqlite":
        return url.set(drivername="sqlite+aiosqlite")
    raise SettingsError([_EXPECTED])


_EXPECTED = "ANSWERABLE_DATABASE: expected an address such as postgresql://user:password@host/name"


async def open_database(address: str) -> Database:
    """The database at the newest schema; see `database_address`. Raises StorageError, SettingsError."""
    url = database_address(address)
    sqlite = url.get_backend_name() == "sqlite"
    engine = create_async_engine(url, **({} if sqlite else POOL))
    if sqlite:
        # Said here: the driver's thread outlives an attempt to open what cannot be opened.
        if url.database and not Path(url.database).parent.is_dir():
            raise StorageError(f"the database could not be written: no folder for {url.database!r}", hint=_HINT)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin)
    database = Database(engine)
    try:
        async with database.write() as connection:
            await connection.run_sync(_bring_up)
    except BaseException:
        await database.close()
        raise
    return database


def _bring_up(connection: Connection) -> None:
    """One server at a time: the others wait for the lock and then find it done."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
    if _version(connection) == SCHEMA:
        return
    from answerable.storage.migrations import upgrade  # takes a while to import, and is seldom needed

    upgrade(connection)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _prepare_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={int(BUSY_SECONDS * 1000)}",  # first: switching to WAL needs the lock, too
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
    connection.isolation_level = None  # the driver shall not begin on its own: `_begin` below does


def _begin(connection: Connection) -> None:
    # Readers take a snapshot and never wait; a writer takes the lock first, so it cannot fail half-way as "locked".
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('sqlite_begin', 'DEFERRED')}")

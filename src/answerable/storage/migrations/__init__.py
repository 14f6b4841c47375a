"""Brings a database to the newest schema, whatever version or half of one it is at."""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, inspect

from answerable.errors import StorageError

BASE = "0001"  # what versions before the first release made without writing down a version


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return ScriptDirectory.from_config(config)


def upgrade(connection: Connection, target: str = "head") -> None:
    """Runs inside the caller's transaction: all of it, or nothing. Raises StorageError for a newer database."""
    found = scripts()
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables and "conversations" in tables:
        _run(connection, found, BASE, stamp=True)
    try:
        _run(connection, found, target)
    except CommandError as fault:
        raise StorageError(
            f"the database was made by a newer version ({fault})", hint="Install that version, or a newer one."
        ) from fault


def _run(connection: Connection, found: ScriptDirectory, target: str, *, stamp: bool = False) -> None:
    def steps(revision: object, context: object) -> object:
        return found._stamp_revs(target, revision) if stamp else found._upgrade_revs(target, revision)  # type: ignore[arg-type]

    with EnvironmentContext(Config(), found, fn=steps, destination_rev=target) as environment:
        environment.configure(connection=connection)
        with environment.begin_transaction():
            environment.run_migrations()

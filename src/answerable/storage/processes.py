"""Processes on SQLAlchemy."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, insert, select, update

from answerable.storage.database import Database
from answerable.storage.tables import ProcessRow


class SqlProcesses:
    """See Processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, id: str) -> dict[str, int]:
        async with self._database.write() as connection:
            known = await connection.execute(
                update(ProcessRow).where(ProcessRow.id == id).values(beats=ProcessRow.beats + 1)
            )
            if known.rowcount == 0:
                await connection.execute(insert(ProcessRow).values(id=id, beats=1))
            rows = (await connection.execute(select(ProcessRow.id, ProcessRow.beats))).all()
        return {row.id: row.beats for row in rows}

    async def leave(self, ids: Sequence[str]) -> None:
        if not ids:
            return
        async with self._database.write() as connection:
            await connection.execute(delete(ProcessRow).where(ProcessRow.id.in_(ids)))

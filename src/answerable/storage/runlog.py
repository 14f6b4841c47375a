"""RunLog on SQLAlchemy."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select

from answerable.events import Event
from answerable.schemas import dump_event, load_event
from answerable.storage.database import Database
from answerable.storage.tables import EventRow


class SqlRunLog:
    """See RunLog. One process appends to a run, so numbers are given under the database's write lock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, run_id: str, events: Sequence[Event]) -> int:
        async with self._database.write() as connection:
            last = await connection.scalar(select(func.max(EventRow.number)).where(EventRow.run_id == run_id)) or 0
            rows = [
                {"run_id": run_id, "number": number, "name": event.name, "data": dump_event(event)}
                for number, event in enumerate(events, start=last + 1)
            ]
            if rows:
                await connection.execute(insert(EventRow), rows)
            return last + len(rows)

    async def read(self, run_id: str, *, after: int = 0) -> list[tuple[int, Event]]:
        query = (
            select(EventRow.number, EventRow.name, EventRow.data)
            .where(EventRow.run_id == run_id, EventRow.number > after)
            .order_by(EventRow.number)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [(row.number, load_event(row.name, row.data)) for row in rows]

    async def forget(self, run_id: str) -> None:
        """Drops the events of a run whose turn is saved."""
        async with self._database.write() as connection:
            await connection.execute(delete(EventRow).where(EventRow.run_id == run_id))

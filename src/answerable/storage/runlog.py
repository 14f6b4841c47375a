"""RunLog on SQLAlchemy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, func, insert, select

from answerable.errors import NotFound
from answerable.events import Event
from answerable.schemas import dump_event, load_event
from answerable.storage.database import Database
from answerable.storage.tables import AttemptRow, EventRow, stored_time


class SqlRunLog:
    """See RunLog. One process appends to a run, so numbers are given under the database's write lock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, run_id: str, events: Sequence[Event]) -> int:
        last = await self.append_all({run_id: events})
        if run_id not in last:
            raise NotFound(f"the answer {run_id!r} is no longer there: its conversation was deleted")
        return last[run_id]

    async def append_all(self, batches: Mapping[str, Sequence[Event]]) -> dict[str, int]:
        async with self._database.write() as connection:
            # Held until the events are in, so that a conversation being deleted takes them along.
            attempts = select(AttemptRow.id).where(AttemptRow.id.in_(batches))
            there = (await connection.scalars(attempts.with_for_update(read=True, key_share=True))).all()
            highest = select(EventRow.run_id, func.max(EventRow.number)).where(EventRow.run_id.in_(there))
            ends = {row[0]: row[1] for row in await connection.execute(highest.group_by(EventRow.run_id))}
            rows, last = [], {}
            for run_id in there:
                first = ends.get(run_id, 0) + 1
                rows += [
                    {"run_id": run_id, "number": number, "name": event.name, "data": dump_event(event)}
                    for number, event in enumerate(batches[run_id], start=first)
                ]
                last[run_id] = first + len(batches[run_id]) - 1
            if rows:
                await connection.execute(insert(EventRow), rows)
        return last

    async def read(self, run_id: str, *, after: int = 0) -> list[tuple[int, Event]]:
        query = (
            select(EventRow.number, EventRow.name, EventRow.data)
            .where(EventRow.run_id == run_id, EventRow.number > after)
            .order_by(EventRow.number)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [(row.number, load_event(row.name, row.data)) for row in rows]

    async def forget(self, *, ended_before: datetime) -> int:
        ended = (AttemptRow.state != "running") & (AttemptRow.ended < stored_time(ended_before))
        runs = select(EventRow.run_id, func.max(EventRow.number).label("last")).join(
            AttemptRow, AttemptRow.id == EventRow.run_id
        )
        runs = runs.where(ended).group_by(EventRow.run_id).having(func.count() > 2)
        async with self._database.write() as connection:
            rows = (await connection.execute(runs)).all()
            for row in rows:
                await connection.execute(
                    delete(EventRow).where(EventRow.run_id == row.run_id, EventRow.number < row.last - 1)
                )
        return len(rows)

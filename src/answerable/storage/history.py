"""History on SQLAlchemy: conversations listed, found, changed, deleted, brought in and cleared away."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, exists, false, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from answerable.errors import BadRequest, NotFound
from answerable.protocols import Clock, ConversationFilter, ConversationList, ConversationSummary, Feedback
from answerable.schemas import TURN
from answerable.storage.conversations import TITLE_CHARS, ensure_turn, keep_terms
from answerable.storage.database import Database
from answerable.storage.feedback import feedback_values
from answerable.storage.records import TITLE_PART, attempt_values, replace_details, replace_terms
from answerable.storage.tables import AttemptRow, ConversationRow, FeedbackRow, TermRow, TurnRow, stored_time, time_of
from answerable.text.cleaning import shortened, storable
from answerable.text.finding import query_terms
from answerable.types import Turn

LAST_CHARACTER = "\U0010ffff"
BATCH = 200  # ids in one statement


class SqlHistory:
    """See History."""

    def __init__(self, database: Database, clock: Clock = lambda: datetime.now(UTC)) -> None:
        self._database, self._clock = database, clock

    async def list(
        self, wanted: ConversationFilter, *, cursor: str = "", limit: int = 30, owner: str | None = None
    ) -> ConversationList:
        place = _place(cursor, wanted) if cursor else None
        query = list_query(wanted, place=place, owner=owner)
        async with self._database.read() as connection:
            rows = (await connection.execute(query.limit(limit + 1))).all()
            shown = rows[:limit]
            ends = await _last_turns(connection, [row.id for row in shown])
        more = len(rows) > limit
        return ConversationList(
            tuple(_summary(row, ends) for row in shown), _cursor(shown[-1], wanted) if more else None
        )

    async def summary(self, id: str, *, owner: str | None = None) -> ConversationSummary:
        async with self._database.read() as connection:
            row = await _row(connection, id, owner)
            return _summary(row, await _last_turns(connection, [id]))

    async def change(
        self,
        id: str,
        *,
        owner: str | None = None,
        title: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = None,
    ) -> ConversationSummary:
        async with self._database.write() as connection:
            row = await _row(connection, id, owner)
            values: dict[str, Any] = {}
            if title is not None:
                values |= await _titled(connection, id, title)
            if pinned is not None and pinned != row.pinned:
                values |= {"pinned": pinned, "pinned_at": stored_time(self._clock()) if pinned else ""}
            if archived is not None:
                values["archived"] = archived
            if values:
                await connection.execute(update(ConversationRow).where(ConversationRow.id == id).values(**values))
            return _summary(await _row(connection, id, owner), await _last_turns(connection, [id]))

    async def delete(self, ids: Sequence[str], *, owner: str | None = None) -> tuple[str, ...]:
        async with self._database.write() as connection:
            known: list[str] = []
            for start in range(0, len(ids), BATCH):
                query = select(ConversationRow.id).where(ConversationRow.id.in_(ids[start : start + BATCH]))
                known += (await connection.scalars(_of(query, owner))).all()
            await _delete(connection, known)
        return tuple(known)

    async def attempts(self, id: str, *, owner: str | None = None) -> tuple[Turn, ...]:
        query = (
            select(AttemptRow.record)
            .join(TurnRow, TurnRow.id == AttemptRow.turn_id)
            .where(TurnRow.conversation_id == id)
            .order_by(TurnRow.seq, AttemptRow.attempt)
        )
        async with self._database.read() as connection:
            await _row(connection, id, owner)
            records = (await connection.scalars(query)).all()
        return tuple(TURN.validate_json(record) for record in records)

    async def keep(
        self, title: str, turns: Sequence[Turn], said: Sequence[Feedback] = (), *, owner: str | None = None
    ) -> None:
        async with self._database.write() as connection:
            for turn in turns:
                await ensure_turn(connection, turn, owner or "")
                await connection.execute(insert(AttemptRow).values(**attempt_values(turn, ended=turn.created)))
                await connection.execute(update(TurnRow).where(TurnRow.id == turn.turn_id).values(latest=turn.id))
                await replace_details(connection, turn, None)
                await keep_terms(connection, turn)
            if said:
                rows = [feedback_values(one, owner) for one in said]
                await connection.execute(insert(FeedbackRow), rows)
            id, last = turns[0].conversation_id, max(turn.created for turn in turns)
            values = {**await _titled(connection, id, title), "updated": stored_time(last)}
            await connection.execute(update(ConversationRow).where(ConversationRow.id == id).values(**values))

    async def prune(self, *, failed_before: datetime) -> int:
        failed = select(AttemptRow.id, AttemptRow.turn_id, TurnRow.conversation_id).join(
            TurnRow, TurnRow.id == AttemptRow.turn_id
        )
        failed = failed.where(AttemptRow.state == "failed", AttemptRow.ended < stored_time(failed_before))
        async with self._database.write() as connection:
            rows = (await connection.execute(failed)).all()
            for row in rows:
                await connection.execute(delete(AttemptRow).where(AttemptRow.id == row.id))
            for turn_id in {row.turn_id for row in rows}:
                await _settle(connection, turn_id)
            for id in {row.conversation_id for row in rows}:
                if not await connection.scalar(select(exists().where(TurnRow.conversation_id == id))):
                    await _delete(connection, [id])
        return len(rows)

    async def expire(self, *, before: datetime) -> int:
        under_way = exists().where(
            TurnRow.conversation_id == ConversationRow.id,
            AttemptRow.turn_id == TurnRow.id,
            AttemptRow.state == "running",
        )
        old = select(ConversationRow.id).where(
            ConversationRow.updated < stored_time(before), ConversationRow.pinned == false(), ~under_way
        )
        async with self._database.write() as connection:
            ids = (await connection.scalars(old)).all()
            await _delete(connection, ids)
        return len(ids)


def _of(query: Select[Any], owner: str | None) -> Select[Any]:
    return query if owner is None else query.where(ConversationRow.owner == owner)


def list_query(
    wanted: ConversationFilter, *, place: tuple[str, str] | None = None, owner: str | None = None
) -> Select[Any]:
    """Conversations in the order of the list, from after `place` (the value sorted by, and the id)."""
    order, rises = _order(wanted), wanted.sort == "title"
    query = _narrowed(_of(select(ConversationRow.__table__), owner), wanted)
    if place is not None:
        here, there = tuple_(order, ConversationRow.id), tuple_(*place)
        query = query.where(here > there if rises else here < there)
    return query.order_by(*(key.asc() if rises else key.desc() for key in (order, ConversationRow.id)))


def _order(wanted: ConversationFilter) -> Any:
    if wanted.pinned and wanted.sort == "updated":
        return ConversationRow.pinned_at
    return {
        "updated": ConversationRow.updated,
        "created": ConversationRow.created,
        "title": ConversationRow.title,
    }[wanted.sort]


def _narrowed(query: Select[Any], wanted: ConversationFilter) -> Select[Any]:
    for column, value in ((ConversationRow.pinned, wanted.pinned), (ConversationRow.archived, wanted.archived)):
        if value is not None:
            query = query.where(column == value)
    if wanted.focus is not None:
        query = query.where(_has_turn(AttemptRow.focus == wanted.focus))
    if wanted.outcome is not None:
        query = query.where(_has_turn(AttemptRow.outcome == wanted.outcome))
    if wanted.failed is not None:
        failed = _has_turn(AttemptRow.state == "failed")
        query = query.where(failed if wanted.failed else ~failed)
    for term, goes_on in query_terms(storable(wanted.search)):
        # A range rather than LIKE: it needs no escaping and uses the index on every database.
        same = (TermRow.term >= term) & (TermRow.term < term + LAST_CHARACTER) if goes_on else TermRow.term == term
        query = query.where(ConversationRow.id.in_(select(TermRow.conversation_id).where(same)))
    return query


def _has_turn(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(TurnRow.conversation_id == ConversationRow.id, AttemptRow.id == TurnRow.latest, condition)


def _cursor(row: Row[Any], wanted: ConversationFilter) -> str:
    value = getattr(row, _order(wanted).key)
    place = json.dumps([wanted.sort, bool(wanted.pinned), value, row.id], ensure_ascii=False)
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _place(cursor: str, wanted: ConversationFilter) -> tuple[str, str]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        sort, pinned, value, id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        fits = [sort, pinned] == [wanted.sort, bool(wanted.pinned)] and isinstance(value, str) and isinstance(id, str)
    except (ValueError, TypeError):
        fits = False
    if not fits or storable(value + id) != value + id:
        raise BadRequest(
            "this cursor is not from this list",
            hint="Send `next_cursor` as it came, with the same filters.",
        )
    return value, id


async def _row(connection: AsyncConnection, id: str, owner: str | None) -> Row[Any]:
    query = select(ConversationRow.__table__).where(ConversationRow.id == id)
    row: Row[Any] | None = (await connection.execute(_of(query, owner))).first()
    if row is None:
        raise NotFound(f"there is no conversation {id!r}")
    return row


async def _last_turns(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Of each conversation how many turns it has, and how the last one was asked and ended."""
    query = (
        select(TurnRow.conversation_id, AttemptRow.focus, AttemptRow.state, AttemptRow.outcome)
        .join(AttemptRow, AttemptRow.id == TurnRow.latest)
        .where(TurnRow.conversation_id.in_(ids))
        .order_by(TurnRow.seq)
    )
    found: dict[str, dict[str, Any]] = {}
    for row in await connection.execute(query):
        number = found.get(row.conversation_id, {}).get("turns", 0) + 1
        found[row.conversation_id] = {
            "turns": number,
            "focus": row.focus,
            "state": row.state,
            "outcome": row.outcome,
        }
    return found


def _summary(row: Row[Any], ends: dict[str, dict[str, Any]]) -> ConversationSummary:
    return ConversationSummary(
        row.id,
        row.title,
        time_of(row.created),
        time_of(row.updated),
        pinned_at=time_of(row.pinned_at) if row.pinned else None,
        archived=row.archived,
        **ends.get(row.id, {}),
    )


async def _titled(connection: AsyncConnection, id: str, title: str) -> dict[str, Any]:
    """What a title given by a person changes; an empty one brings back the first question."""
    given = shortened(storable(title), TITLE_CHARS)
    shown = given
    if not given:
        first = select(TurnRow.question).where(TurnRow.conversation_id == id).order_by(TurnRow.seq).limit(1)
        shown = shortened(await connection.scalar(first) or "", TITLE_CHARS)
    await replace_terms(connection, id, TITLE_PART, shown)
    return {"title": shown, "renamed": bool(given)}


async def _settle(connection: AsyncConnection, turn_id: str) -> None:
    """A turn whose attempts were dropped shows the newest that is left, or goes."""
    newest = (
        select(AttemptRow.id, AttemptRow.record)
        .where(AttemptRow.turn_id == turn_id)
        .order_by(AttemptRow.attempt.desc())
        .limit(1)
    )
    left = (await connection.execute(newest)).first()
    if left is None:
        conversation = select(TurnRow.conversation_id).where(TurnRow.id == turn_id).scalar_subquery()
        await connection.execute(
            delete(TermRow).where(TermRow.conversation_id == conversation, TermRow.part == turn_id)
        )
        await connection.execute(delete(TurnRow).where(TurnRow.id == turn_id))
        return
    await connection.execute(update(TurnRow).where(TurnRow.id == turn_id).values(latest=left.id))
    await keep_terms(connection, TURN.validate_json(left.record))


async def _delete(connection: AsyncConnection, ids: Sequence[str]) -> None:
    for start in range(0, len(ids), BATCH):
        await connection.execute(delete(ConversationRow).where(ConversationRow.id.in_(ids[start : start + BATCH])))

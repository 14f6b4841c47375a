"""ConversationStore on SQLAlchemy."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from sqlalchemy import Select, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from answerable.errors import NotFound
from answerable.protocols import Conversation
from answerable.schemas import ASK, TURN
from answerable.storage.database import Database
from answerable.storage.records import (
    TITLE_PART,
    attempt_values,
    choices_of,
    replace_details,
    replace_terms,
)
from answerable.storage.tables import AttemptRow, ConversationRow, SourceRow, TurnRow, stored_time, time_of
from answerable.text.cleaning import shortened, storable
from answerable.types import Ask, Evidence, PastTurn, Turn

TITLE_CHARS = 120


class SqlConversationStore:
    """See ConversationStore."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, turn: Turn, ask: Ask | None = None, *, holder: str = "") -> None:
        chosen = ask or Ask(turn.question)
        async with self._database.write() as connection:
            await ensure_turn(connection, turn, chosen.owner)
            values = {**attempt_values(turn), **choices_of(chosen), "holder": holder}
            await connection.execute(insert(AttemptRow).values(**values))
            await connection.execute(update(TurnRow).where(TurnRow.id == turn.turn_id).values(latest=turn.id))
            await _touch(connection, turn.conversation_id, turn.created)

    async def save(self, turn: Turn, evidence: Evidence | None = None, *, if_running: bool = False) -> bool:
        now = datetime.now(UTC)
        attempt = update(AttemptRow).where(AttemptRow.id == turn.id)
        if if_running:
            attempt = attempt.where(AttemptRow.state == "running")
        async with self._database.write() as connection:
            changed = await connection.execute(attempt.values(**attempt_values(turn, ended=now)))
            if changed.rowcount == 0 and if_running:
                return False
            if changed.rowcount == 0:
                raise NotFound(f"the answer {turn.id!r} is no longer there to be saved: its conversation was deleted")
            await replace_details(connection, turn, evidence)
            await keep_terms(connection, turn)
            await _touch(connection, turn.conversation_id, now)
        return True

    async def turn(self, id: str, *, owner: str | None = None) -> Turn:
        query = select(AttemptRow.record).where(AttemptRow.id == id)
        async with self._database.read() as connection:
            record = await connection.scalar(_of_owner(query, owner))
        if record is None:
            raise NotFound(f"there is no answer {id!r}")
        return TURN.validate_json(record)

    async def choices(self, id: str) -> Ask:
        """What was chosen with the question of an attempt, and whose it is."""
        query = (
            select(AttemptRow.question, AttemptRow.choices, ConversationRow.owner, ConversationRow.id)
            .join(TurnRow, TurnRow.id == AttemptRow.turn_id)
            .join(ConversationRow, ConversationRow.id == TurnRow.conversation_id)
            .where(AttemptRow.id == id)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            raise NotFound(f"there is no answer {id!r}")
        known = {"question": row.question, "owner": row.owner, "conversation_id": row.id}
        return ASK.validate_python({**json.loads(row.choices), **known})

    async def conversation(self, id: str, *, owner: str | None = None) -> Conversation:
        query = select(ConversationRow).where(ConversationRow.id == id)
        if owner is not None:
            query = query.where(ConversationRow.owner == owner)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).first()
            if row is None:
                raise NotFound(f"there is no conversation {id!r}")
            records = (await connection.scalars(latest_records(id))).all()
        turns = tuple(TURN.validate_json(record) for record in records)
        return Conversation(
            row.id,
            row.title,
            time_of(row.created),
            time_of(row.updated),
            turns,
            owner=row.owner,
            pinned_at=time_of(row.pinned_at) if row.pinned else None,
            archived=row.archived,
        )

    async def shows(self, page_id: str, *, owner: str | None = None) -> bool:
        query = (
            select(SourceRow.attempt_id)
            .join(AttemptRow, AttemptRow.id == SourceRow.attempt_id)
            .where(SourceRow.page_id == page_id)
        )
        async with self._database.read() as connection:
            return await connection.scalar(_of_owner(query, owner).limit(1)) is not None

    async def history(self, id: str, *, limit: int = 3, before: str | None = None) -> tuple[PastTurn, ...]:
        query = latest_records(id).where(AttemptRow.state == "done").order_by(None).order_by(TurnRow.seq.desc())
        if before is not None:
            query = query.where(TurnRow.seq < select(TurnRow.seq).where(TurnRow.id == before).scalar_subquery())
        async with self._database.read() as connection:
            records = (await connection.scalars(query.limit(limit))).all()
        turns = [TURN.validate_json(record) for record in reversed(records)]
        return tuple(
            PastTurn(
                question=turn.question,
                standalone_question=turn.standalone_question or turn.question,
                summary=turn.summary,
                sources=tuple(source.title for source in turn.sources),
            )
            for turn in turns
        )

    async def running(self) -> dict[str, str]:
        query = select(AttemptRow.id, AttemptRow.holder).where(AttemptRow.state == "running")
        async with self._database.read() as connection:
            return {row.id: row.holder for row in await connection.execute(query)}


def _of_owner(query: Select[str], owner: str | None) -> Select[str]:
    """`query` of attempts, of those that are the owner's."""
    if owner is None:
        return query
    return (
        query.join(TurnRow, TurnRow.id == AttemptRow.turn_id)
        .join(ConversationRow, ConversationRow.id == TurnRow.conversation_id)
        .where(ConversationRow.owner == owner)
    )


def latest_records(conversation_id: str) -> Select[str]:
    return (
        select(AttemptRow.record)
        .join(TurnRow, TurnRow.latest == AttemptRow.id)
        .where(TurnRow.conversation_id == conversation_id)
        .order_by(TurnRow.seq)
    )


async def ensure_turn(connection: AsyncConnection, turn: Turn, owner: str) -> None:
    # Locked where the database has more than one writer: two questions at once must not get the same place.
    conversation = select(ConversationRow.id).where(ConversationRow.id == turn.conversation_id).with_for_update()
    if await connection.scalar(conversation) is None:
        moment = stored_time(turn.created)
        title = shortened(storable(turn.question), TITLE_CHARS)
        values = {"id": turn.conversation_id, "owner": owner, "title": title, "created": moment, "updated": moment}
        await connection.execute(insert(ConversationRow).values(**values))
        await replace_terms(connection, turn.conversation_id, TITLE_PART, title)
    if await connection.scalar(select(TurnRow.id).where(TurnRow.id == turn.turn_id)) is None:
        last = select(func.max(TurnRow.seq)).where(TurnRow.conversation_id == turn.conversation_id)
        seq = (await connection.scalar(last) or 0) + 1
        place = {"id": turn.turn_id, "conversation_id": turn.conversation_id, "seq": seq}
        await connection.execute(insert(TurnRow).values(**place, question=storable(turn.question)))
        await keep_terms(connection, turn)


async def keep_terms(connection: AsyncConnection, turn: Turn) -> None:
    """What a turn is found by: its question and its answer."""
    await replace_terms(connection, turn.conversation_id, turn.turn_id, f"{turn.question}\n{turn.answer}")


async def _touch(connection: AsyncConnection, conversation_id: str, moment: datetime) -> None:
    await connection.execute(
        update(ConversationRow).where(ConversationRow.id == conversation_id).values(updated=stored_time(moment))
    )

"""ConversationStore on SQLAlchemy."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from answerable.errors import NotFound
from answerable.protocols import Conversation
from answerable.schemas import TURN
from answerable.storage.database import Database
from answerable.storage.tables import AttemptRow, CitationRow, ConversationRow, TurnRow, stored_time
from answerable.text.cleaning import shortened
from answerable.types import PastTurn, Turn

TITLE_CHARS = 120


class SqlConversationStore:
    """See ConversationStore."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, turn: Turn) -> None:
        async with self._database.write() as connection:
            await _ensure_turn(connection, turn)
            await connection.execute(insert(AttemptRow).values(**_attempt_values(turn)))
            await _touch(connection, turn.conversation_id, turn.created)

    async def save(self, turn: Turn) -> None:
        async with self._database.write() as connection:
            changed = await connection.execute(
                update(AttemptRow).where(AttemptRow.id == turn.id).values(**_attempt_values(turn))
            )
            if changed.rowcount == 0:
                raise NotFound(f"the answer {turn.id!r} is no longer there to be saved: its conversation was deleted")
            await connection.execute(delete(CitationRow).where(CitationRow.attempt_id == turn.id))
            rows = [
                {"attempt_id": turn.id, "sentence": c.sentence, "n": c.n, "page_id": c.page_id, "verdict": c.verdict}
                for c in turn.citations
            ]
            if rows:
                await connection.execute(insert(CitationRow), rows)
            await _touch(connection, turn.conversation_id, datetime.now(UTC))

    async def turn(self, id: str) -> Turn:
        async with self._database.read() as connection:
            record = await connection.scalar(select(AttemptRow.record).where(AttemptRow.id == id))
        if record is None:
            raise NotFound(f"there is no answer {id!r}")
        return TURN.validate_json(record)

    async def conversation(self, id: str) -> Conversation:
        async with self._database.read() as connection:
            row = (await connection.execute(select(ConversationRow).where(ConversationRow.id == id))).first()
            if row is None:
                raise NotFound(f"there is no conversation {id!r}")
            records = (await connection.scalars(_latest_attempts(id))).all()
        turns = tuple(TURN.validate_json(record) for record in records)
        return Conversation(row.id, row.title, _time(row.created), _time(row.updated), turns)

    async def history(self, id: str, *, limit: int = 3, before: str | None = None) -> tuple[PastTurn, ...]:
        query = _latest_attempts(id).where(AttemptRow.state == "done").order_by(None).order_by(TurnRow.seq.desc())
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

    async def running(self) -> list[str]:
        async with self._database.read() as connection:
            return list((await connection.scalars(select(AttemptRow.id).where(AttemptRow.state == "running"))).all())


def _latest_attempts(conversation_id: str):  # type: ignore[no-untyped-def]  # the type of a select is its columns
    latest = (
        select(AttemptRow.turn_id, func.max(AttemptRow.attempt).label("attempt"))
        .join(TurnRow, TurnRow.id == AttemptRow.turn_id)
        .where(TurnRow.conversation_id == conversation_id)
        .group_by(AttemptRow.turn_id)
        .subquery()
    )
    return (
        select(AttemptRow.record)
        .join(latest, (latest.c.turn_id == AttemptRow.turn_id) & (latest.c.attempt == AttemptRow.attempt))
        .join(TurnRow, TurnRow.id == AttemptRow.turn_id)
        .order_by(TurnRow.seq)
    )


async def _ensure_turn(connection: AsyncConnection, turn: Turn) -> None:
    conversation = select(ConversationRow.id).where(ConversationRow.id == turn.conversation_id)
    if await connection.scalar(conversation) is None:
        moment = stored_time(turn.created)
        title = shortened(turn.question, TITLE_CHARS)
        values = {"id": turn.conversation_id, "title": title, "created": moment, "updated": moment}
        await connection.execute(insert(ConversationRow).values(**values))
    if await connection.scalar(select(TurnRow.id).where(TurnRow.id == turn.turn_id)) is None:
        last = select(func.max(TurnRow.seq)).where(TurnRow.conversation_id == turn.conversation_id)
        seq = (await connection.scalar(last) or 0) + 1
        await connection.execute(insert(TurnRow).values(id=turn.turn_id, conversation_id=turn.conversation_id, seq=seq))


async def _touch(connection: AsyncConnection, conversation_id: str, moment: datetime) -> None:
    await connection.execute(
        update(ConversationRow).where(ConversationRow.id == conversation_id).values(updated=stored_time(moment))
    )


def _attempt_values(turn: Turn) -> dict[str, object]:
    return {
        "id": turn.id,
        "turn_id": turn.turn_id,
        "attempt": turn.attempt,
        "state": turn.state,
        "outcome": turn.outcome,
        "question": turn.question,
        "record": TURN.dump_json(turn).decode(),
    }


def _time(stored: str) -> datetime:
    return datetime.strptime(stored, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)

"""FeedbackStore on SQLAlchemy."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Delete, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from answerable.errors import NotFound
from answerable.protocols import Feedback
from answerable.storage.database import Database
from answerable.storage.tables import AttemptRow, ConversationRow, FeedbackRow, TurnRow, stored_time, time_of
from answerable.text.cleaning import storable

VOTES = ("up", "down")


class SqlFeedback:
    """See FeedbackStore."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, feedback: Feedback, *, owner: str | None = None) -> None:
        async with self._database.write() as connection:
            await _check(connection, feedback.answer_id, owner)
            if feedback.kind in VOTES:
                await connection.execute(_votes(feedback.answer_id, owner))
            await connection.execute(insert(FeedbackRow).values(**feedback_values(feedback, owner)))

    async def withdraw(self, answer_id: str, *, owner: str | None = None) -> None:
        async with self._database.write() as connection:
            await _check(connection, answer_id, owner)
            await connection.execute(_votes(answer_id, owner))

    async def of_conversation(self, id: str, *, owner: str | None = None) -> tuple[Feedback, ...]:
        query = (
            select(FeedbackRow.__table__)
            .join(AttemptRow, AttemptRow.id == FeedbackRow.attempt_id)
            .join(TurnRow, TurnRow.id == AttemptRow.turn_id)
            .join(ConversationRow, ConversationRow.id == TurnRow.conversation_id)
            .where(TurnRow.conversation_id == id)
            .order_by(FeedbackRow.created, FeedbackRow.id)
        )
        if owner is not None:
            query = query.where(ConversationRow.owner == owner)
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(Feedback(row.attempt_id, row.kind, time_of(row.created), row.reason, row.detail) for row in rows)

    async def counts(self, *, owner: str | None = None) -> dict[str, int]:
        query = select(FeedbackRow.kind, func.count()).group_by(FeedbackRow.kind)
        if owner is not None:
            query = query.where(FeedbackRow.owner == owner)
        async with self._database.read() as connection:
            return {row[0]: row[1] for row in await connection.execute(query)}


def feedback_values(feedback: Feedback, owner: str | None) -> dict[str, Any]:
    """The row of one."""
    return {
        "id": f"fb_{uuid.uuid4().hex[:20]}",
        "attempt_id": feedback.answer_id,
        "owner": owner or "",
        "kind": feedback.kind,
        "reason": storable(feedback.reason),
        "detail": storable(feedback.detail),
        "created": stored_time(feedback.created),
    }


async def _check(connection: AsyncConnection, answer_id: str, owner: str | None) -> None:
    query = (
        select(ConversationRow.owner)
        .join(TurnRow, TurnRow.conversation_id == ConversationRow.id)
        .join(AttemptRow, AttemptRow.turn_id == TurnRow.id)
        .where(AttemptRow.id == answer_id)
    )
    found = await connection.scalar(query)
    if found is None or owner not in {None, found}:
        raise NotFound(f"there is no answer {answer_id!r}")


def _votes(answer_id: str, owner: str | None) -> Delete:
    return delete(FeedbackRow).where(
        FeedbackRow.attempt_id == answer_id, FeedbackRow.owner == (owner or ""), FeedbackRow.kind.in_(VOTES)
    )

"""The tables. A turn has attempts; the record of an attempt is the turn as the API shows it."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class ConversationRow(Base):
    __tablename__ = "conversations"
    __table_args__ = (Index("conversations_by_update", "updated", "id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    created: Mapped[str]  # ISO 8601 in UTC, so that order of text is order of time on every database
    updated: Mapped[str]


class TurnRow(Base):
    __tablename__ = "turns"
    __table_args__ = (Index("turns_by_conversation", "conversation_id", "seq", unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    seq: Mapped[int]


class AttemptRow(Base):
    __tablename__ = "attempts"
    __table_args__ = (
        Index("attempts_by_turn", "turn_id", "attempt", unique=True),
        Index("attempts_by_state", "state"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)  # also the id of the run
    turn_id: Mapped[str] = mapped_column(ForeignKey("turns.id", ondelete="CASCADE"))
    attempt: Mapped[int]
    state: Mapped[str]
    outcome: Mapped[str | None]
    question: Mapped[str] = mapped_column(Text)
    record: Mapped[str] = mapped_column(Text)  # the turn as JSON


class CitationRow(Base):
    __tablename__ = "citations"
    __table_args__ = (Index("citations_by_page", "page_id"),)

    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True)
    sentence: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
    page_id: Mapped[str]
    verdict: Mapped[str]


class PageRow(Base):
    """A version of a page as it was read; `id` names address and text together."""

    __tablename__ = "pages"
    __table_args__ = (Index("pages_by_url", "url", "fetched"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(Text)
    fetched: Mapped[str]
    read_as: Mapped[str]
    record: Mapped[str] = mapped_column(Text)  # the page as JSON


class EventRow(Base):
    __tablename__ = "run_events"

    run_id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    data: Mapped[str] = mapped_column(Text)  # as it goes over the wire


def stored_time(moment: datetime) -> str:
    """Fixed width, in UTC: sorts as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

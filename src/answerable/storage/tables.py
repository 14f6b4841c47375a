"""The tables. A turn has attempts; the record of an attempt is the turn as the API shows it.

A change here needs a migration in `migrations/versions`; a test compares the two on every database.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Double, ForeignKey, Index, Text, false, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

SCHEMA = "0004"  # the newest migration

# Compared byte by byte on every database, so that a range of terms is a range of the index.
Term = Text().with_variant(Text(collation="C"), "postgresql")
_EMPTY, _ZERO = text("''"), text("0")


class Base(DeclarativeBase):
    pass


class ConversationRow(Base):
    __tablename__ = "conversations"
    __table_args__ = (
        Index("conversations_by_update", "updated", "id"),
        Index("conversations_by_owner", "owner", "updated", "id"),
        Index("conversations_by_pin", "pinned", "pinned_at", "id"),
        Index("conversations_by_owner_and_pin", "owner", "pinned", "pinned_at", "id"),
        Index("conversations_by_creation", "created", "id"),
        Index("conversations_by_owner_and_creation", "owner", "created", "id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    created: Mapped[str]  # ISO 8601 in UTC, so that order of text is order of time on every database
    updated: Mapped[str]
    owner: Mapped[str] = mapped_column(server_default=_EMPTY)
    renamed: Mapped[bool] = mapped_column(server_default=false())  # by a person; else the title is its first question
    pinned: Mapped[bool] = mapped_column(server_default=false())
    pinned_at: Mapped[str] = mapped_column(server_default=_EMPTY)  # empty, not null, so that it sorts alike everywhere
    archived: Mapped[bool] = mapped_column(server_default=false())


class TurnRow(Base):
    __tablename__ = "turns"
    __table_args__ = (Index("turns_by_conversation", "conversation_id", "seq", unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    seq: Mapped[int]
    question: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    latest: Mapped[str] = mapped_column(server_default=_EMPTY)  # id of its newest attempt


class AttemptRow(Base):
    """What is asked of the database stands in columns of its own, taken from the record when that is written."""

    __tablename__ = "attempts"
    __table_args__ = (
        Index("attempts_by_turn", "turn_id", "attempt", unique=True),
        Index("attempts_by_state", "state", "ended"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)  # also the id of the run
    turn_id: Mapped[str] = mapped_column(ForeignKey("turns.id", ondelete="CASCADE"))
    attempt: Mapped[int]
    state: Mapped[str]
    outcome: Mapped[str | None]
    question: Mapped[str] = mapped_column(Text)
    record: Mapped[str] = mapped_column(Text)  # the turn as JSON
    holder: Mapped[str] = mapped_column(server_default=_EMPTY)  # the process that works on it, or did
    choices: Mapped[str] = mapped_column(Text, server_default=text("'{}'"))  # what was chosen with the question, JSON
    focus: Mapped[str] = mapped_column(server_default=text("'web'"))
    created: Mapped[str] = mapped_column(server_default=_EMPTY)
    ended: Mapped[str] = mapped_column(server_default=_EMPTY)
    standalone_question: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    answer: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    summary: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    model: Mapped[str | None]
    plan: Mapped[str] = mapped_column(Text, server_default=text("'null'"))  # JSON
    timings: Mapped[str] = mapped_column(Text, server_default=text("'{}'"))  # JSON, milliseconds a stage
    claims: Mapped[int] = mapped_column(server_default=_ZERO)
    supported: Mapped[int] = mapped_column(server_default=_ZERO)
    partly: Mapped[int] = mapped_column(server_default=_ZERO)
    unsupported: Mapped[int] = mapped_column(server_default=_ZERO)
    uncited: Mapped[int] = mapped_column(server_default=_ZERO)
    input_tokens: Mapped[int] = mapped_column(server_default=_ZERO)
    output_tokens: Mapped[int] = mapped_column(server_default=_ZERO)
    cost: Mapped[float | None] = mapped_column(Double)  # US dollars


class SourceRow(Base):
    """A page as the reader of an attempt saw it; `n` is null when it was not cited."""

    __tablename__ = "sources"
    __table_args__ = (Index("sources_by_page", "page_id"),)

    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int | None]
    page_id: Mapped[str]
    url: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    site: Mapped[str] = mapped_column(Text)
    published: Mapped[str | None]
    read_as: Mapped[str]


class CitationRow(Base):
    __tablename__ = "citations"
    __table_args__ = (Index("citations_by_page", "page_id"),)

    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True)
    sentence: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
    page_id: Mapped[str]
    verdict: Mapped[str]
    quote: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    span_start: Mapped[int] = mapped_column(server_default=_ZERO)  # code points of the page's text
    span_end: Mapped[int] = mapped_column(server_default=_ZERO)
    reason: Mapped[str] = mapped_column(Text, server_default=_EMPTY)


class EvidenceRow(Base):
    """A passage that the writer of an attempt saw, best first."""

    __tablename__ = "evidence"

    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    passage_id: Mapped[str]
    page_id: Mapped[str]
    span_start: Mapped[int]
    span_end: Mapped[int]
    score: Mapped[float] = mapped_column(Double)
    text: Mapped[str] = mapped_column(Text)


class PageRow(Base):
    """A version of a page as it was read; `id` names address and text together."""

    __tablename__ = "pages"
    __table_args__ = (Index("pages_by_url", "url", "fetched"), Index("pages_by_use", "used"))

    id: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(Text)
    fetched: Mapped[str]
    read_as: Mapped[str]
    record: Mapped[str] = mapped_column(Text)  # the page as JSON
    checked: Mapped[str] = mapped_column(Text, server_default=_EMPTY)  # when its host last said that this is its text
    fresh_until: Mapped[str] = mapped_column(Text, server_default=_EMPTY)  # empty: not found by its address
    stale_until: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    used: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    etag: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    last_modified: Mapped[str] = mapped_column(Text, server_default=_EMPTY)
    validated_url: Mapped[str] = mapped_column(Text, server_default=_EMPTY)  # which gave etag and last_modified
    size: Mapped[int] = mapped_column(server_default=_ZERO)  # characters of the record


class FeedbackRow(Base):
    """What a reader made of an answer: `up`, `down`, `copied`, `source_opened`, `reformulated`."""

    __tablename__ = "feedback"
    __table_args__ = (
        Index("feedback_by_attempt", "attempt_id"),
        Index("feedback_by_kind", "kind", "created"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"))
    owner: Mapped[str] = mapped_column(server_default=_EMPTY)
    kind: Mapped[str]
    reason: Mapped[str] = mapped_column(Text, server_default=_EMPTY)  # of `down`
    detail: Mapped[str] = mapped_column(Text, server_default=_EMPTY)  # the source opened, the question put anew
    created: Mapped[str]


class TokenRow(Base):
    """Who may ask. The token itself is not kept, only its hash."""

    __tablename__ = "tokens"
    __table_args__ = (Index("tokens_by_hash", "hash", unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    owner: Mapped[str]
    hash: Mapped[str]
    admin: Mapped[bool] = mapped_column(server_default=false())
    created: Mapped[str]
    revoked_at: Mapped[str | None]
    expires_at: Mapped[str | None]
    last_used: Mapped[str | None]
    daily_budget: Mapped[float | None] = mapped_column(Double)  # US dollars; null: no limit
    requests_per_minute: Mapped[int | None]  # null: the setting


class SpendingRow(Base):
    """What a token has used on a day (UTC)."""

    __tablename__ = "spending"

    token_id: Mapped[str] = mapped_column(ForeignKey("tokens.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[str] = mapped_column(primary_key=True)  # 2026-03-04
    requests: Mapped[int] = mapped_column(server_default=_ZERO)
    input_tokens: Mapped[int] = mapped_column(server_default=_ZERO)
    output_tokens: Mapped[int] = mapped_column(server_default=_ZERO)
    cost: Mapped[float] = mapped_column(Double, server_default=_ZERO)


class ProcessRow(Base):
    """A process that works on runs. `beats` grows while it lives."""

    __tablename__ = "processes"

    id: Mapped[str] = mapped_column(primary_key=True)
    beats: Mapped[int]


class TermRow(Base):
    """A word of a conversation, for finding it; `part` is the id of the turn, or `title`."""

    __tablename__ = "search_terms"
    __table_args__ = (Index("search_terms_by_conversation", "conversation_id", "part"),)

    term: Mapped[str] = mapped_column(Term, primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True)
    part: Mapped[str] = mapped_column(primary_key=True)


class EventRow(Base):
    __tablename__ = "run_events"

    run_id: Mapped[str] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    data: Mapped[str] = mapped_column(Text)  # as it goes over the wire


def stored_time(moment: datetime) -> str:
    """Fixed width, in UTC: sorts as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def time_of(stored: str) -> datetime:
    return datetime.strptime(stored, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)

"""Owners, pins and search of conversations; sources, evidence and feedback of answers; tokens; who works on a run."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from answerable.storage.migrations.steps import ensure_columns, ensure_index, ensure_table
from answerable.text.finding import search_terms

revision = "0002"
down_revision = "0001"

SUPPORT = ("claims", "supported", "partly", "unsupported", "uncited")
SOURCE = ("n", "page_id", "url", "title", "site", "published", "read_as")


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns))


conversations = _table("conversations", "id", "title")
turns = _table("turns", "id", "conversation_id", "question", "latest")
attempts = _table(
    "attempts",
    *("id", "turn_id", "attempt", "record", "created", "ended", "standalone_question", "answer", "summary", "model"),
    *("plan", "timings", "cost", "input_tokens", "output_tokens", *SUPPORT),
)
citations = _table("citations", "attempt_id", "sentence", "n", "quote", "reason", "span_start", "span_end")
sources = _table("sources", "attempt_id", "position", *SOURCE)
terms = _table("search_terms", "term", "conversation_id", "part")


def upgrade() -> None:
    _conversations()
    _attempts()
    _citations()
    _sources_and_evidence()
    _feedback()
    _tokens()
    _fill()


def _text(name: str, default: str = "", kind: type[sa.String] = sa.String) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, server_default=sa.text(f"'{default}'"))


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, nullable=False, server_default=sa.text("0"))


def _switch(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


def _parent(name: str, table: str) -> sa.Column[Any]:
    return sa.Column(name, sa.String, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), primary_key=True)


def _conversations() -> None:
    ensure_columns(
        "conversations",
        _text("owner"),
        _switch("renamed"),
        _switch("pinned"),
        _text("pinned_at"),
        _switch("archived"),
    )
    ensure_index("conversations_by_owner", "conversations", "owner", "updated", "id")
    ensure_index("conversations_by_pin", "conversations", "pinned", "pinned_at", "id")
    ensure_index("conversations_by_owner_and_pin", "conversations", "owner", "pinned", "pinned_at", "id")
    ensure_index("conversations_by_creation", "conversations", "created", "id")
    ensure_index("conversations_by_owner_and_creation", "conversations", "owner", "created", "id")
    term = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    ensure_table(
        "search_terms",
        sa.Column("term", term, primary_key=True),
        sa.Column(
            "conversation_id", sa.String, sa.ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("part", sa.String, primary_key=True),
    )
    ensure_index("search_terms_by_conversation", "search_terms", "conversation_id", "part")


def _attempts() -> None:
    ensure_columns("turns", _text("question", kind=sa.Text), _text("latest"))
    ensure_columns(
        "attempts",
        _text("holder"),
        _text("choices", "{}", sa.Text),
        _text("focus", "web"),
        _text("created"),
        _text("ended"),
        _text("standalone_question", kind=sa.Text),
        _text("answer", kind=sa.Text),
        _text("summary", kind=sa.Text),
        sa.Column("model", sa.String),
        _text("plan", "null", sa.Text),
        _text("timings", "{}", sa.Text),
        _number("claims"),
        _number("supported"),
        _number("partly"),
        _number("unsupported"),
        _number("uncited"),
        _number("input_tokens"),
        _number("output_tokens"),
        sa.Column("cost", sa.Double),
    )
    ensure_index("attempts_by_state", "attempts", "state", "ended")
    ensure_table(
        "processes", sa.Column("id", sa.String, primary_key=True), sa.Column("beats", sa.Integer, nullable=False)
    )


def _citations() -> None:
    ensure_columns(
        "citations",
        _text("quote", kind=sa.Text),
        _number("span_start"),
        _number("span_end"),
        _text("reason", kind=sa.Text),
    )


def _sources_and_evidence() -> None:
    ensure_table(
        "sources",
        _parent("attempt_id", "attempts"),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("n", sa.Integer),
        sa.Column("page_id", sa.String, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("published", sa.String),
        sa.Column("read_as", sa.String, nullable=False),
    )
    ensure_index("sources_by_page", "sources", "page_id")
    ensure_table(
        "evidence",
        _parent("attempt_id", "attempts"),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("passage_id", sa.String, nullable=False),
        sa.Column("page_id", sa.String, nullable=False),
        sa.Column("span_start", sa.Integer, nullable=False),
        sa.Column("span_end", sa.Integer, nullable=False),
        sa.Column("score", sa.Double, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )


def _feedback() -> None:
    ensure_table(
        "feedback",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("attempt_id", sa.String, sa.ForeignKey("attempts.id", ondelete="CASCADE"), nullable=False),
        _text("owner"),
        sa.Column("kind", sa.String, nullable=False),
        _text("reason", kind=sa.Text),
        _text("detail", kind=sa.Text),
        sa.Column("created", sa.String, nullable=False),
    )
    ensure_index("feedback_by_attempt", "feedback", "attempt_id")
    ensure_index("feedback_by_kind", "feedback", "kind", "created")


def _tokens() -> None:
    ensure_table(
        "tokens",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        _switch("admin"),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("revoked_at", sa.String),
        sa.Column("expires_at", sa.String),
        sa.Column("last_used", sa.String),
        sa.Column("daily_budget", sa.Double),
        sa.Column("requests_per_minute", sa.Integer),
    )
    ensure_index("tokens_by_hash", "tokens", "hash", unique=True)
    ensure_table(
        "spending",
        _parent("token_id", "tokens"),
        sa.Column("day", sa.String, primary_key=True),
        _number("requests"),
        _number("input_tokens"),
        _number("output_tokens"),
        sa.Column("cost", sa.Double, nullable=False, server_default=sa.text("0")),
    )


def _fill() -> None:
    """The new columns and tables, from the records that are there."""
    connection = op.get_bind()
    ids = connection.scalars(sa.select(attempts.c.id).order_by(attempts.c.turn_id, attempts.c.attempt)).all()
    for id in ids:  # one by one: a record may be large, and there may be many
        row = connection.execute(sa.select(attempts.c.record, attempts.c.turn_id).where(attempts.c.id == id)).one()
        record: dict[str, Any] = json.loads(row.record)
        connection.execute(sa.update(attempts).where(attempts.c.id == id).values(**_columns(record)))
        _fill_sources(connection, id, record)
        _fill_citations(connection, id, record)
        _fill_turn(connection, id, row.turn_id, record)
    _fill_titles(connection)


def _columns(record: dict[str, Any]) -> dict[str, Any]:
    usage, support = record.get("usage") or {}, record.get("support") or {}
    created = datetime.fromisoformat(record["created"]).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {
        "created": created,
        "ended": "" if record.get("state") == "running" else created,
        "standalone_question": record.get("standalone_question") or "",
        "answer": _plain(record.get("answer") or ""),
        "summary": _plain(record.get("summary") or ""),
        "model": record.get("model"),
        "plan": json.dumps(record.get("plan")),
        "timings": json.dumps(record.get("timings") or {}),
        "cost": record.get("cost"),
        "input_tokens": usage.get("input_tokens", 0),
        "output_tokens": usage.get("output_tokens", 0),
        **{name: support.get(name, 0) for name in SUPPORT},
    }


def _fill_sources(connection: sa.Connection, id: str, record: dict[str, Any]) -> None:
    connection.execute(sa.delete(sources).where(sources.c.attempt_id == id))
    shown = [*(record.get("sources") or []), *(record.get("also_read") or [])]
    for position, source in enumerate(shown):
        values = {name: _plain(source.get(name)) for name in SOURCE}
        connection.execute(sa.insert(sources).values(attempt_id=id, position=position, **values))


def _fill_citations(connection: sa.Connection, id: str, record: dict[str, Any]) -> None:
    for cited in record.get("citations") or []:
        connection.execute(
            sa.update(citations)
            .where(citations.c.attempt_id == id, citations.c.sentence == cited["sentence"], citations.c.n == cited["n"])
            .values(
                quote=_plain(cited.get("quote") or ""),
                reason=_plain(cited.get("reason") or ""),
                span_start=cited.get("start", 0),
                span_end=cited.get("end", 0),
            )
        )


def _fill_turn(connection: sa.Connection, id: str, turn_id: str, record: dict[str, Any]) -> None:
    question = _plain(record.get("question") or "")
    connection.execute(sa.update(turns).where(turns.c.id == turn_id).values(question=question, latest=id))
    _fill_terms(connection, record["conversation_id"], turn_id, f"{question}\n{record.get('answer') or ''}")


def _fill_titles(connection: sa.Connection) -> None:
    for row in connection.execute(sa.select(conversations.c.id, conversations.c.title)).all():
        _fill_terms(connection, row.id, "title", row.title)


def _fill_terms(connection: sa.Connection, conversation_id: str, part: str, text: str) -> None:
    connection.execute(sa.delete(terms).where(terms.c.conversation_id == conversation_id, terms.c.part == part))
    rows = [{"term": term, "conversation_id": conversation_id, "part": part} for term in search_terms(text)]
    if rows:
        connection.execute(sa.insert(terms), rows)


def _plain(value: Any) -> Any:
    return value.replace("\x00", "") if isinstance(value, str) else value

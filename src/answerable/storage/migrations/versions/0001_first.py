"""The schema of the versions before the first release, which made it without writing down a version."""

from __future__ import annotations

import sqlalchemy as sa

from answerable.storage.migrations.steps import ensure_index, ensure_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    ensure_table(
        "conversations",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("updated", sa.String, nullable=False),
    )
    ensure_index("conversations_by_update", "conversations", "updated", "id")
    ensure_table(
        "turns",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("conversation_id", sa.String, sa.ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    ensure_index("turns_by_conversation", "turns", "conversation_id", "seq", unique=True)
    ensure_table(
        "attempts",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("turn_id", sa.String, sa.ForeignKey("turns.id", ondelete="CASCADE"), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("outcome", sa.String),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    ensure_index("attempts_by_turn", "attempts", "turn_id", "attempt", unique=True)
    ensure_index("attempts_by_state", "attempts", "state")
    ensure_table(
        "citations",
        sa.Column("attempt_id", sa.String, sa.ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("sentence", sa.Integer, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("page_id", sa.String, nullable=False),
        sa.Column("verdict", sa.String, nullable=False),
    )
    ensure_index("citations_by_page", "citations", "page_id")
    ensure_table(
        "pages",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("fetched", sa.String, nullable=False),
        sa.Column("read_as", sa.String, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    ensure_index("pages_by_url", "pages", "url", "fetched")
    ensure_table(
        "run_events",
        sa.Column("run_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )

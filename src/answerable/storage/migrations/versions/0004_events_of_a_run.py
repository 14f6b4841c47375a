"""The events of a run go with it when it is deleted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerable.storage.migrations.steps import ensure_table

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """By way of a new table: SQLite cannot add a reference to one that is there."""
    inspector = sa.inspect(op.get_bind())
    if not inspector.has_table("run_events_before"):
        if inspector.get_foreign_keys("run_events"):
            return
        op.rename_table("run_events", "run_events_before")
    ensure_table(
        "run_events",
        sa.Column("run_id", sa.String, sa.ForeignKey("attempts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.execute(
        "INSERT INTO run_events (run_id, number, name, data) SELECT run_id, number, name, data "
        "FROM run_events_before b WHERE EXISTS (SELECT 1 FROM attempts WHERE attempts.id = b.run_id) AND NOT EXISTS "
        "(SELECT 1 FROM run_events e WHERE e.run_id = b.run_id AND e.number = b.number)"
    )
    op.drop_table("run_events_before")

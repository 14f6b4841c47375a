"""How long a page may be shown from the cache, what to ask its host with, and when it was last of use."""

from __future__ import annotations

import sqlalchemy as sa

from answerable.storage.migrations.steps import ensure_columns, ensure_index

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for name in ("checked", "fresh_until", "stale_until", "used", "etag", "last_modified", "validated_url"):
        ensure_columns("pages", sa.Column(name, sa.Text, nullable=False, server_default=sa.text("''")))
    ensure_columns("pages", sa.Column("size", sa.Integer, nullable=False, server_default=sa.text("0")))
    ensure_index("pages_by_use", "pages", "used")

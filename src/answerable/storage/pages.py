"""PageCache on SQLAlchemy: each version of a page that was read, by address and by id."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import insert, select, update

from answerable.errors import NotFound
from answerable.schemas import PAGE
from answerable.storage.database import Database
from answerable.storage.tables import PageRow, stored_time
from answerable.text.urls import canonical_url
from answerable.types import Page


class SqlPageCache:
    """See PageCache. A page read again with the same text only gets a newer time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, url: str, *, newer_than: datetime) -> Page | None:
        query = (
            select(PageRow.record)
            .where(
                PageRow.url == canonical_url(url), PageRow.read_as == "page", PageRow.fetched >= stored_time(newer_than)
            )
            .order_by(PageRow.fetched.desc())
        )
        async with self._database.read() as connection:
            record = await connection.scalar(query.limit(1))
        return None if record is None else PAGE.validate_json(record)

    async def put(self, page: Page) -> None:
        values = {
            "url": canonical_url(page.url),
            "read_as": page.read_as,
            "fetched": stored_time(page.fetched or datetime.now(UTC)),
            "record": PAGE.dump_json(page).decode(),
        }
        async with self._database.write() as connection:
            known = await connection.execute(update(PageRow).where(PageRow.id == page.page_id).values(**values))
            if known.rowcount == 0:
                await connection.execute(insert(PageRow).values(id=page.page_id, **values))

    async def page(self, page_id: str) -> Page:
        """Raises NotFound."""
        async with self._database.read() as connection:
            record = await connection.scalar(select(PageRow.record).where(PageRow.id == page_id))
        if record is None:
            raise NotFound(f"there is no page {page_id!r}")
        return PAGE.validate_json(record)

"""PageCache on SQLAlchemy: each version of a page that was read, by address and by id."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Row, delete, exists, func, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from answerable.errors import NotFound
from answerable.protocols import HeldPage
from answerable.schemas import PAGE
from answerable.storage.database import Database
from answerable.storage.tables import CitationRow, PageRow, stored_time
from answerable.text.urls import canonical_url
from answerable.types import Page, Validators

USE_STEP = timedelta(minutes=5)  # use is written down this roughly, so that reading rarely writes
IN_USE = timedelta(minutes=10)  # what an answer under way may be about to cite is not thrown out
_ROOM = 0.9  # of the bound, that is left full after throwing out
_BATCH = 200


class SqlPageCache:
    """See PageCache. `max_bytes` bounds what is kept for later; what an answer cites stays beyond it."""

    def __init__(self, database: Database, *, max_bytes: int = 1_000_000_000) -> None:
        self._database, self._max_bytes = database, max_bytes
        self._waiting: list[tuple[dict[str, Any], asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._written = max_bytes  # since the size was last looked at; the first write looks

    async def held(self, url: str, *, now: datetime) -> HeldPage | None:
        query = (
            select(PageRow)
            .where(PageRow.url == canonical_url(url), PageRow.fresh_until != "")
            .order_by(PageRow.checked.desc())
            .limit(1)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        if row.used < stored_time(now - USE_STEP):
            async with self._database.write(later=True) as connection:
                await connection.execute(update(PageRow).where(PageRow.id == row.id).values(used=stored_time(now)))
        return _held(row)

    async def hold(self, held: HeldPage) -> None:
        validators = held.validators or Validators("")
        values = (
            {"id": held.page.page_id}
            | _values(held.page)
            | {
                "checked": stored_time(held.checked),
                "fresh_until": stored_time(held.fresh_until),
                "stale_until": stored_time(held.stale_until),
                "used": stored_time(held.checked),
                "etag": validators.etag,
                "last_modified": validators.last_modified,
                "validated_url": validators.url,
            }
        )
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((values, written))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write(held.checked))
        await written

    async def _write(self, now: datetime) -> None:
        """What came meanwhile in one transaction: many runs read many pages at once, and each waits for its own."""
        while self._waiting:
            taken, self._waiting = self._waiting, []
            try:
                async with self._database.write(later=True) as connection:
                    new = _insert(connection)
                    changed = {name: new.excluded[name] for name in taken[0][0] if name != "id"}
                    rows = [values for values, _ in taken]
                    await connection.execute(new.on_conflict_do_update(index_elements=["id"], set_=changed), rows)
                    self._written += sum(row["size"] for row in rows)
                    if self._written > self._max_bytes // 20:
                        self._written = 0
                        await self._make_room(connection, now)
            except Exception as fault:  # noqa: BLE001  # told to each whose page it is
                for _, written in taken:
                    if not written.done():
                        written.set_exception(fault)
                continue
            for _, written in taken:
                if not written.done():
                    written.set_result(None)

    async def put(self, page: Page) -> None:
        """Of a page that is there already nothing changes."""
        values = _values(page)
        async with self._database.write() as connection:
            new = _insert(connection).values(id=page.page_id, used=values["fetched"], **values)
            await connection.execute(new.on_conflict_do_nothing())

    async def drop(self, url: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(
                update(PageRow).where(PageRow.url == canonical_url(url)).values(fresh_until="", stale_until="")
            )

    async def page(self, page_id: str) -> Page:
        """Raises NotFound."""
        async with self._database.read() as connection:
            record = await connection.scalar(select(PageRow.record).where(PageRow.id == page_id))
        if record is None:
            raise NotFound(f"there is no page {page_id!r}")
        return PAGE.validate_json(record)

    async def size(self) -> int:
        """Bytes kept, those that answers cite included."""
        async with self._database.read() as connection:
            return int(await connection.scalar(select(func.coalesce(func.sum(PageRow.size), 0))) or 0)

    async def _make_room(self, connection: AsyncConnection, now: datetime) -> None:
        """Throws out what nobody cites and nobody asked for longest, until the bound is kept."""
        cited = exists(select(literal(1)).where(CitationRow.page_id == PageRow.id))
        free = ~cited & (PageRow.used < stored_time(now - IN_USE))
        size = int(await connection.scalar(select(func.coalesce(func.sum(PageRow.size), 0)).where(~cited)) or 0)
        if size <= self._max_bytes:
            return
        while size > self._max_bytes * _ROOM:
            oldest = select(PageRow.id, PageRow.size).where(free).order_by(PageRow.used).limit(_BATCH)
            gone: list[str] = []
            for row in (await connection.execute(oldest)).all():
                if size <= self._max_bytes * _ROOM:
                    break
                gone.append(row.id)
                size -= row.size
            if not gone:
                return
            await connection.execute(delete(PageRow).where(PageRow.id.in_(gone)))


def _values(page: Page) -> dict[str, Any]:
    record = PAGE.dump_json(page).decode()
    return {
        "url": canonical_url(page.url),
        "read_as": page.read_as,
        "fetched": stored_time(page.fetched or datetime.now(UTC)),
        "record": record,
        "size": len(record),
    }


def _insert(connection: AsyncConnection) -> Any:
    """An insert that can say what to do about a row that is there: another process may have read the same page."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    return dialect.insert(PageRow)


def _held(row: Row[Any]) -> HeldPage:
    checked = datetime.fromisoformat(row.checked)
    validators = Validators(row.validated_url, row.etag, row.last_modified) if row.etag or row.last_modified else None
    return HeldPage(
        replace(PAGE.validate_json(row.record), checked=checked),
        checked,
        datetime.fromisoformat(row.fresh_until),
        datetime.fromisoformat(row.stale_until),
        validators,
    )

"""The list of conversations is served by its indexes, as the databases' own plans say."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, text
from sqlalchemy.dialects import postgresql, sqlite

from answerable.protocols import ConversationFilter
from answerable.storage.database import Database
from answerable.storage.history import list_query
from answerable.storage.tables import ConversationRow

ROWS = 3000


async def fill(database: Database) -> None:
    moments = [f"2026-01-01T00:00:{number % 60:02}.{number:06}Z" for number in range(ROWS)]
    rows = [
        {
            "id": f"c{number}",
            "title": "T",
            "created": moment,
            "updated": moment,
            "owner": f"o{number % 3}",
            "pinned": number % 2 == 0,
            "pinned_at": moment if number % 2 == 0 else "",
        }
        for number, moment in enumerate(moments)
    ]
    async with database.write() as connection:
        await connection.execute(insert(ConversationRow), rows)
        await connection.execute(text("ANALYZE"))


async def plan(database: Database, wanted: ConversationFilter, owner: str | None) -> str:
    """Of a page in the middle of the list."""
    cursor = ["2026-01-01T00:00:30.000030Z", "c30"]
    dialect = sqlite.dialect() if database.is_sqlite else postgresql.dialect()  # type: ignore[no-untyped-call]
    query = list_query(wanted, place=(cursor[0], cursor[1]), owner=owner).limit(31)
    statement = str(query.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    explain = "EXPLAIN QUERY PLAN " if database.is_sqlite else "EXPLAIN "
    async with database.read() as connection:
        rows = (await connection.exec_driver_sql(explain + statement.replace("%", "%%"))).all()
    return "\n".join(" ".join(map(str, row)) for row in rows)


@pytest.mark.parametrize(
    ("wanted", "owner", "index"),
    [
        (ConversationFilter(), None, "conversations_by_update"),
        (ConversationFilter(), "o1", "conversations_by_owner"),
        (ConversationFilter(pinned=True), None, "conversations_by_pin"),
        (ConversationFilter(pinned=True), "o1", "conversations_by_owner_and_pin"),
        (ConversationFilter(sort="created"), "o1", "conversations_by_owner_and_creation"),
    ],
)
async def test_a_page_of_the_list_is_read_from_an_index_in_its_order(
    database: Database, wanted: ConversationFilter, owner: str | None, index: str
) -> None:
    await fill(database)

    found = await plan(database, wanted, owner)

    assert f"{index} " in found
    assert "Sort" not in found
    assert "TEMP B-TREE" not in found
    assert "Seq Scan" not in found

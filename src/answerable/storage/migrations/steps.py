"""Steps that a migration is made of. Each leaves alone what is there already, so a half-applied one is completed."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, MetaData, Table, inspect
from sqlalchemy.schema import SchemaItem


def ensure_table(name: str, *items: SchemaItem) -> None:
    """A table with these columns; one that lacks some of them gets them."""
    inspector = inspect(op.get_bind())
    if not inspector.has_table(name):
        op.create_table(name, *items)
        return
    ensure_columns(name, *(item for item in items if isinstance(item, Column) and not item.primary_key))


def ensure_columns(name: str, *columns: Column[object]) -> None:
    """What is not null needs a `server_default`: rows may be there."""
    known = {column["name"] for column in inspect(op.get_bind()).get_columns(name)}
    for column in columns:
        if column.name not in known:
            op.add_column(name, column)


def ensure_index(name: str, table: str, *columns: str, unique: bool = False) -> None:
    """An index of this name on exactly these columns."""
    inspector = inspect(op.get_bind())
    for known in inspector.get_indexes(table):
        if known["name"] == name:
            if known["column_names"] == list(columns):
                return
            op.drop_index(name, table_name=table)
    op.create_index(name, table, list(columns), unique=unique)


def table(name: str) -> Table:
    """As it is in the database now."""
    return Table(name, MetaData(), autoload_with=op.get_bind())

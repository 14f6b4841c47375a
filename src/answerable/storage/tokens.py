"""TokenStore on SQLAlchemy: who may ask, by the hash of what they show, and what each has used."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select, update

from answerable.errors import NotFound
from answerable.storage.database import Database
from answerable.storage.tables import SpendingRow, TokenRow, stored_time, time_of
from answerable.types import Spending, Token, Usage


class SqlTokenStore:
    """See TokenStore."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, token: Token, hash: str) -> None:
        values = {
            "id": token.id,
            "name": token.name,
            "owner": token.owner,
            "hash": hash,
            "admin": token.admin,
            "created": stored_time(token.created),
            "expires_at": stored_time(token.expires_at) if token.expires_at else None,
            "daily_budget": token.daily_budget,
            "requests_per_minute": token.requests_per_minute,
        }
        async with self._database.write() as connection:
            await connection.execute(insert(TokenRow).values(**values))

    async def by_hash(self, hash: str) -> Token | None:
        async with self._database.read() as connection:
            row = (await connection.execute(select(TokenRow).where(TokenRow.hash == hash))).first()
        return _token(row) if row else None

    async def all(self) -> list[Token]:
        async with self._database.read() as connection:
            rows = (await connection.execute(select(TokenRow).order_by(TokenRow.created, TokenRow.id))).all()
        return [_token(row) for row in rows]

    async def revoke(self, id: str, when: datetime) -> Token:
        async with self._database.write() as connection:
            row = (await connection.execute(select(TokenRow).where(TokenRow.id == id))).first()
            if row is None:
                raise NotFound(f"there is no token {id!r}", hint="`answerable token list` names them.")
            if row.revoked_at is None:
                revoked = update(TokenRow).where(TokenRow.id == id).values(revoked_at=stored_time(when))
                await connection.execute(revoked)
                row = (await connection.execute(select(TokenRow).where(TokenRow.id == id))).one()
        return _token(row)

    async def used(self, id: str, when: datetime) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(TokenRow).where(TokenRow.id == id).values(last_used=stored_time(when)))

    async def spent(self, id: str, day: str) -> Spending:
        query = select(SpendingRow).where(SpendingRow.token_id == id, SpendingRow.day == day)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).first()
        return Spending(row.requests, row.input_tokens, row.output_tokens, row.cost) if row else Spending()

    async def spend(self, id: str, day: str, usage: Usage) -> None:
        own = (SpendingRow.token_id == id, SpendingRow.day == day)
        more = {
            "requests": SpendingRow.requests + 1,
            "input_tokens": SpendingRow.input_tokens + usage.input_tokens,
            "output_tokens": SpendingRow.output_tokens + usage.output_tokens,
            "cost": SpendingRow.cost + (usage.cost or 0.0),
        }
        async with self._database.write() as connection:
            # Where there is more than one writer, the token's row makes them wait for each other.
            await connection.execute(select(TokenRow.id).where(TokenRow.id == id).with_for_update())
            changed = await connection.execute(update(SpendingRow).where(*own).values(**more))
            if changed.rowcount == 0:
                first = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
                values = {"token_id": id, "day": day, "requests": 1, "cost": usage.cost or 0.0, **first}
                await connection.execute(insert(SpendingRow).values(**values))


def _token(row: Row[Any]) -> Token:
    def moment(stored: str | None) -> datetime | None:
        return time_of(stored) if stored else None

    return Token(
        id=row.id,
        owner=row.owner,
        name=row.name,
        created=time_of(row.created),
        admin=row.admin,
        revoked_at=moment(row.revoked_at),
        expires_at=moment(row.expires_at),
        last_used=moment(row.last_used),
        daily_budget=row.daily_budget,
        requests_per_minute=row.requests_per_minute,
    )

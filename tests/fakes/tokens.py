"""A TokenStore in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from answerable.errors import NotFound
from answerable.types import Spending, Token, Usage


class FakeTokens:
    def __init__(self) -> None:
        self._held: dict[str, tuple[str, Token]] = {}
        self._spent: dict[tuple[str, str], Spending] = {}

    async def create(self, token: Token, hash: str) -> None:
        self._held[token.id] = (hash, token)

    async def by_hash(self, hash: str) -> Token | None:
        return next((token for known, token in self._held.values() if known == hash), None)

    async def all(self) -> list[Token]:
        return sorted((token for _, token in self._held.values()), key=lambda token: (token.created, token.id))

    async def revoke(self, id: str, when: datetime) -> Token:
        if id not in self._held:
            raise NotFound(f"there is no token {id!r}")
        return self._change(id, revoked_at=self._held[id][1].revoked_at or when)

    async def used(self, id: str, when: datetime) -> None:
        self._change(id, last_used=when)

    def _change(self, id: str, **fields: datetime) -> Token:
        hash, token = self._held[id]
        self._held[id] = (hash, replace(token, **fields))  # type: ignore[arg-type]
        return self._held[id][1]

    async def spent(self, id: str, day: str) -> Spending:
        return self._spent.get((id, day), Spending())

    async def spend(self, id: str, day: str, usage: Usage) -> None:
        was = await self.spent(id, day)
        self._spent[id, day] = Spending(
            was.requests + 1,
            was.input_tokens + usage.input_tokens,
            was.output_tokens + usage.output_tokens,
            was.cost + (usage.cost or 0.0),
        )

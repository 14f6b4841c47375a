"""An engine with a real database and real runs, whose answers are what a coroutine emits; the rest is the fake's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.fakes.engine import FakeEngine
from tests.fakes.runs import registry

from answerable.answering.exporting import Exported, exported, from_json
from answerable.events import Emit
from answerable.protocols import ConversationSummary
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database, open_database
from answerable.storage.feedback import SqlFeedback
from answerable.storage.history import SqlHistory
from answerable.storage.pages import SqlPageCache
from answerable.storage.tokens import SqlTokenStore
from answerable.types import Page


class KeptEngine(FakeEngine):
    def __init__(self, database: Database, work: Callable[[Emit], object], **options: Any) -> None:
        super().__init__()
        self.database = database
        self.runs: Any = registry(database, work, clock=lambda: datetime.now(UTC), **options)
        self.store: Any = SqlConversationStore(database)
        self.history: Any = SqlHistory(database)
        self.feedback: Any = SqlFeedback(database)
        self.tokens: Any = SqlTokenStore(database)
        self.pages = SqlPageCache(database)

    async def page(self, page_id: str) -> Page:
        return await self.pages.page(page_id)

    async def export(self, conversation_id: str, *, owner: str | None = None) -> Exported:
        return await exported(conversation_id, owner, self.store, self.history, self.feedback, self.pages)

    async def bring_in(self, body: bytes, *, owner: str | None = None) -> ConversationSummary:
        found = from_json(body)
        for page in found.pages:
            await self.pages.put(page)
        await self.history.keep(found.title, found.turns, found.feedback, owner=owner)
        return await self.history.summary(found.turns[0].conversation_id)


@asynccontextmanager
async def kept_engine(folder: Path, work: Callable[[Emit], object], **options: Any) -> AsyncIterator[KeptEngine]:
    database = await open_database(f"sqlite:///{folder / 'store.sqlite'}")
    engine = KeptEngine(database, work, **options)
    try:
        yield engine
    finally:
        await engine.runs.close(grace=0)
        await database.close()

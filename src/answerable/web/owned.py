"""The engine as one caller may see it: an owner's own answers, conversations and pages, within the day's budget."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from inspect import signature
from typing import Any, cast

from answerable.answering.exporting import Exported
from answerable.errors import AnswerableError, BudgetSpent, Forbidden, NotFound
from answerable.events import Done, Event
from answerable.protocols import ConversationSummary, FeedbackStore, History, TokenStore
from answerable.types import Ask, Page, Turn
from answerable.web.callers import Caller
from answerable.web.ports import AnswerEngine, Conversations, Run, Runs, Sources

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Budgets:
    """What a token may use a day (UTC) where it has no budget of its own; 0: no limit. Runs are counted at their end,
    so that those under way at once may go beyond it together."""

    dollars: float = 0.0
    model_tokens: int = 0
    counting: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def check(self, caller: Caller, tokens: TokenStore) -> None:
        """Raises BudgetSpent."""
        token = caller.token
        if token is None:
            return
        dollars = self.dollars if token.daily_budget is None else token.daily_budget
        if not dollars and not self.model_tokens and token.daily_budget is None:
            return
        now = datetime.now(UTC)
        spent = await tokens.spent(token.id, _day(now))
        over = (token.daily_budget is not None or dollars > 0) and spent.cost >= dollars
        over = over or 0 < self.model_tokens <= spent.input_tokens + spent.output_tokens
        if over:
            midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
            raise BudgetSpent(
                "today's budget of this token is spent",
                hint="It begins anew at midnight UTC.",
                retry_after=int((midnight - now).total_seconds()) + 1,
            )

    def count(self, caller: Caller, engine: AnswerEngine, run: Run) -> None:
        """Watches a run to its end, for what it used. The same run is counted once."""
        if caller.token is None or run.id in self.counting:
            return
        task = asyncio.create_task(self._count(caller.token.id, engine, run.id))
        self.counting[run.id] = task
        task.add_done_callback(lambda done: self.counting.pop(run.id, None))

    async def _count(self, token_id: str, engine: AnswerEngine, run_id: str) -> None:
        after = 0
        try:
            while True:
                events = await engine.runs.events(run_id, after=after, timeout=60)
                after = events[-1][0] if events else after
                if events and isinstance(events[-1][1], Done):
                    break
            turn = await engine.runs.turn(run_id)
            await engine.tokens.spend(token_id, _day(datetime.now(UTC)), turn.usage)
        except AnswerableError as fault:
            _log.warning("what a run of token %s used could not be counted: %s", token_id, fault.message)


FOR_EVERYBODY = {
    *("about", "web_status", "readiness", "telemetry"),
    *("search", "read", "recheck", "verify", "verify_text", "collection_file"),
}


def as_seen_by(caller: Caller, engine: AnswerEngine, budgets: Budgets) -> AnswerEngine:
    return engine if caller.token is None else cast(AnswerEngine, OwnedEngine(engine, caller, budgets))


class OwnedEngine:
    """An `AnswerEngine` for a caller with a token."""

    def __init__(self, engine: AnswerEngine, caller: Caller, budgets: Budgets) -> None:
        self._engine: AnswerEngine = engine
        self._caller = caller
        self.runs: Runs = OwnedRuns(engine, caller, budgets)
        self.store = (
            engine.store if caller.owner is None else cast(Conversations, OwnedStore(engine.store, caller.owner))
        )
        self.history, self.feedback = engine.history, engine.feedback
        if caller.owner is not None:
            self.history = cast(History, OwnedStore(engine.history, caller.owner))
            self.feedback = cast(FeedbackStore, OwnedStore(engine.feedback, caller.owner))
        self.tokens = engine.tokens
        shared = engine.sources
        self.sources = shared if caller.owner is None else cast(Sources, SharedSources(shared))

    async def export(self, conversation_id: str) -> Exported:
        return await self._engine.export(conversation_id, owner=self._caller.owner)

    async def bring_in(self, body: bytes) -> ConversationSummary:
        return await self._engine.bring_in(body, owner=self._caller.owner)

    def __getattr__(self, name: str) -> Any:
        """Reading the web, searching it and verifying are the same for everybody; the rest is not there."""
        if name not in FOR_EVERYBODY:
            raise AttributeError(name)
        return getattr(self._engine, name)

    async def page(self, page_id: str) -> Page:
        owner = self._caller.owner
        if owner is not None and not await self._engine.store.shows(page_id, owner=owner):
            raise NotFound(f"there is no page {page_id!r}")
        return await self._engine.page(page_id)

    def metrics(self) -> bytes:
        self._admin("figures of the whole server are the admin's")
        return self._engine.metrics()

    def setup(self) -> Any:
        self._admin("the settings of the server are the admin's")
        return self._engine.setup()

    async def examine(self, part: str | None = None) -> Any:
        self._admin("the settings of the server are the admin's")
        return await self._engine.examine(part)

    def _admin(self, words: str) -> None:
        if self._caller.owner is not None:
            raise Forbidden(words, hint="Use the admin token.")


class SharedSources:
    """The own index is one for all: every owner is answered from it, the admin alone changes it."""

    may_change = False

    def __init__(self, sources: Sources) -> None:
        self.listed = sources.listed

    async def _refuse(self, *_: object, **__: object) -> Any:
        raise Forbidden("the index is shared, and only the admin changes it", hint="Use the admin token.")

    add_url = add_file = add_site = remove = _refuse


class OwnedStore:
    """Every method of the store, for this owner; one that cannot be told whose it shall be is not there."""

    def __init__(self, store: object, owner: str) -> None:
        self._store, self._owner = store, owner

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._store, name)
        if "owner" not in signature(method).parameters:
            raise AttributeError(f"{name} of the store knows no owner")

        def of_owner(*arguments: Any, **options: Any) -> Any:
            return method(*arguments, **options | {"owner": self._owner})

        return of_owner


class OwnedRuns:
    def __init__(self, engine: AnswerEngine, caller: Caller, budgets: Budgets) -> None:
        self._engine, self._runs, self._caller, self._budgets = engine, engine.runs, caller, budgets
        self._seen: set[str] = set()

    async def start(self, ask: Ask) -> Run:
        owner = self._caller.owner
        if owner is not None:
            if ask.conversation_id is not None:
                await self._engine.store.conversation(ask.conversation_id, owner=owner)
            key = f"{owner}\n{ask.idempotency_key}" if ask.idempotency_key else None  # two owners may use one key
            ask = replace(ask, owner=owner, idempotency_key=key)
        await self._budgets.check(self._caller, self._engine.tokens)
        return await self._counted(await self._runs.start(ask))

    async def retry(self, run_id: str) -> Run:
        await self._own(run_id)
        await self._budgets.check(self._caller, self._engine.tokens)
        return await self._counted(await self._runs.retry(run_id))

    async def _counted(self, run: Run) -> Run:
        if (await self._runs.turn(run.id)).state == "running":  # else its key was used before, and it was counted
            self._budgets.count(self._caller, self._engine, run)
        return run

    async def events(self, run_id: str, *, after: int, timeout: float) -> list[tuple[int, Event]]:
        await self._own(run_id)
        return await self._runs.events(run_id, after=after, timeout=timeout)

    async def turn(self, run_id: str) -> Turn:
        await self._own(run_id)
        return await self._runs.turn(run_id)

    async def stop(self, run_id: str) -> Turn:
        await self._own(run_id)
        return await self._runs.stop(run_id)

    async def drop(self, conversation_ids: Collection[str]) -> None:
        """Of conversations that the store let this caller delete."""
        await self._runs.drop(conversation_ids)

    async def _own(self, run_id: str) -> None:
        """Raises NotFound for another's: whether it exists is not theirs to know."""
        if self._caller.owner is not None and run_id not in self._seen:
            await self._engine.store.turn(run_id, owner=self._caller.owner)
            self._seen.add(run_id)


def _day(moment: datetime) -> str:
    return moment.date().isoformat()

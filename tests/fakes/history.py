"""The list of conversations and the feedback over scripted runs; nothing is stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from answerable.errors import BadRequest, Unavailable
from answerable.protocols import ConversationFilter, ConversationList, ConversationSummary, Feedback


class Droppable:
    """For the fake registry: whose conversation was deleted needs no run any more."""

    runs: dict[str, Any]

    async def drop(self, conversation_ids: Collection[str]) -> None:
        for run in [one for one in self.runs.values() if one.conversation_id in conversation_ids]:
            run.task.cancel()
            del self.runs[run.id]


@dataclass
class FakeHistory:
    """`runs`: the fake registry. `refuses`: every change fails."""

    runs: Any
    refuses: bool = False
    changed: dict[str, dict[str, Any]] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)

    async def list(
        self, wanted: ConversationFilter, *, cursor: str = "", limit: int = 30, owner: str | None = None
    ) -> ConversationList:
        if cursor and not cursor.isdigit():
            raise BadRequest("the cursor is not from this list")
        found = [one for one in await self._all(owner) if self._fits(one, wanted)]
        found.sort(key=lambda one: one.title if wanted.sort == "title" else -one.updated.timestamp())  # type: ignore[return-value,arg-type]
        start = int(cursor or 0)
        more = str(start + limit) if start + limit < len(found) else None
        return ConversationList(tuple(found[start : start + limit]), more)

    async def _all(self, owner: str | None) -> list[ConversationSummary]:  # type: ignore[valid-type]
        ids = dict.fromkeys(run.conversation_id for run in self.runs.runs.values() if owner in {None, run.owner})
        return [await self.summary(id) for id in ids if id not in self.deleted]

    def _fits(self, one: ConversationSummary, wanted: ConversationFilter) -> bool:
        return (
            wanted.search.lower() in one.title.lower()
            and wanted.archived in {None, one.archived}
            and wanted.pinned in {None, one.pinned_at is not None}
            and wanted.focus in {None, one.focus}
            and wanted.outcome in {None, one.outcome}
            and wanted.failed in {None, one.state == "failed"}
        )

    async def summary(self, id: str, *, owner: str | None = None) -> ConversationSummary:
        conversation = await self.runs.conversation(id, owner=owner)
        last = conversation.turns[-1]
        when = conversation.updated + timedelta(minutes=int(id.rpartition("-")[2]))
        whole = ConversationSummary(
            id, conversation.title, when, when, turns=len(conversation.turns), state=last.state, outcome=last.outcome
        )
        change = dict(self.changed.get(id, {}))
        if "pinned" in change:
            change["pinned_at"] = when if change.pop("pinned") else None
        return replace(whole, **change)

    async def change(self, id: str, *, owner: str | None = None, **change: Any) -> ConversationSummary:
        self._refuse()
        await self.summary(id, owner=owner)
        self.changed.setdefault(id, {}).update({name: value for name, value in change.items() if value is not None})
        return await self.summary(id)

    async def delete(self, ids: Sequence[str], *, owner: str | None = None) -> tuple[str, ...]:
        self._refuse()
        there = {one.id for one in await self._all(owner)}
        gone = [id for id in ids if id in there]
        self.deleted += gone
        return tuple(gone)

    def _refuse(self) -> None:
        if self.refuses:
            raise Unavailable("the database does not answer", hint="Try again.")


@dataclass
class FakeFeedback:
    runs: Any
    given: list[Feedback] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    async def add(self, feedback: Feedback, *, owner: str | None = None) -> None:
        await self.runs.turn(feedback.answer_id, owner=owner)
        self.given.append(feedback)

    async def withdraw(self, run_id: str, *, owner: str | None = None) -> None:
        self.withdrawn.append(run_id)

    async def of_conversation(self, id: str, *, owner: str | None = None) -> tuple[Feedback, ...]:
        return tuple(self.given)

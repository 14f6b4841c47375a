"""The page of the conversations, and what its forms do without scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from answerable.errors import BadRequest
from answerable.protocols import ConversationFilter, ConversationSummary, Sort
from answerable.types import Focus, Outcome
from answerable.web.api import EngineDep
from answerable.web.ports import AnswerEngine
from answerable.web.showing import back_to, form_of, show, sidebar

ROWS = 30
MOST_PINNED = 100
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
FOCUSES: tuple[Focus, ...] = get_args(Focus)
SORTS: tuple[Sort, ...] = get_args(Sort)
CHANGES: dict[str, dict[str, bool]] = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "archive": {"archived": True},
    "restore": {"archived": False},
}
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was typed and chosen; what is not among the choices counts as not chosen."""

    search: str
    focus: Focus | None
    outcome: Outcome | None
    pinned: bool
    failed: bool
    archived: bool
    sort: Sort
    cursor: str

    @property
    def filter(self) -> ConversationFilter:
        return ConversationFilter(
            self.search,
            self.focus,
            self.outcome,
            self.failed or None,
            self.pinned or None,
            self.archived,
            self.sort,
        )

    @property
    def chosen(self) -> bool:
        return bool(self.search or self.focus or self.outcome or self.pinned or self.failed or self.archived)

    def query(self, cursor: str = "") -> str:
        given = {"search": self.search, "focus": self.focus, "outcome": self.outcome}
        given |= {name: "1" if getattr(self, name) else "" for name in ("pinned", "failed", "archived")}
        given |= {"cursor": cursor}
        given |= {"sort": "" if self.sort == "updated" else self.sort}
        told = urlencode({name: value for name, value in given.items() if value})
        return f"?{told}" if told else ""


def wanted_of(
    search: Annotated[str, Query(max_length=200)] = "",
    focus: str = "",
    outcome: str = "",
    pinned: str = "",
    failed: str = "",
    archived: str = "",
    sort: str = "updated",
    cursor: Annotated[str, Query(max_length=1000)] = "",
) -> Wanted:
    return Wanted(
        search.strip(),
        next((one for one in FOCUSES if one == focus), None),
        next((one for one in OUTCOMES if one == outcome), None),
        pinned == "1",
        failed == "1",
        archived == "1",
        next((one for one in SORTS if one == sort), "updated"),
        cursor,
    )


@router.get("/history")
async def history(request: Request, engine: EngineDep, wanted: Annotated[Wanted, Depends(wanted_of)]) -> Response:
    rows, after = await _rows(engine, wanted)
    return show(
        request,
        engine,
        "history.html",
        wanted=wanted,
        rows=rows,
        more=wanted.query(after) if after else "",
        outcomes=OUTCOMES,
        focuses=FOCUSES,
        sorts=SORTS,
    )


async def _rows(engine: AnswerEngine, wanted: Wanted) -> tuple[list[ConversationSummary], str | None]:
    """Pinned ones stand before the others, on the first page."""
    asked = wanted.filter
    if asked.pinned is not None:
        found = await engine.history.list(asked, cursor=wanted.cursor, limit=ROWS)
        return list(found.conversations), found.next_cursor
    pinned: list[ConversationSummary] = []
    if not wanted.cursor:
        top = ConversationFilter(asked.search, asked.focus, asked.outcome, asked.failed, True, asked.archived)
        pinned = list((await engine.history.list(top, limit=MOST_PINNED)).conversations)
    rest = ConversationFilter(asked.search, asked.focus, asked.outcome, asked.failed, False, asked.archived, asked.sort)
    found = await engine.history.list(rest, cursor=wanted.cursor, limit=ROWS)
    return [*pinned, *found.conversations], found.next_cursor


@router.get("/history/recent")
async def recent(request: Request, engine: EngineDep) -> Response:
    """What stands beside a page; the scripts fetch it again when a conversation has begun."""
    return show(request, engine, "recent.html", **await sidebar(request, engine))


@router.post("/history")
async def change(request: Request, engine: EngineDep) -> Response:
    """The forms without scripts. Raises NotFound for a conversation that is not the caller's."""
    form = await form_of(request)
    what, ids = form.get("do", [""])[-1], form.get("id", [])
    if what == "delete":
        await engine.runs.drop(await engine.history.delete(ids[:1000]))
    elif what == "rename" and ids:
        await engine.history.change(ids[0], title=form.get("title", [""])[-1][:200])
    elif what in CHANGES and ids:
        await engine.history.change(ids[0], **CHANGES[what])  # type: ignore[arg-type]
    else:
        raise BadRequest("nothing was chosen", hint="Choose a conversation and what to do with it.")
    back = form.get("back", [""])[-1]
    return back_to(request, f"/history{back if back.startswith('?') else ''}")

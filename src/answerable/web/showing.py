"""What every page shares: its frame, its addresses, its forms."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from answerable.errors import AnswerableError
from answerable.protocols import ConversationFilter, ConversationSummary
from answerable.web.ports import AnswerEngine
from answerable.web.telling import web_status
from answerable.web.templating import render
from answerable.web.views import Links
from answerable.web.words import words_for

SIDEBAR = "answerable_sidebar"  # the cookie that remembers a folded one
RECENT = 20  # conversations beside the page


def links_of(request: Request, engine: AnswerEngine) -> Links:
    return Links(request.scope.get("root_path", ""), frozenset(engine.about().collection_hosts))


def show(request: Request, engine: AnswerEngine, name: str, *, status: int = 200, **context: object) -> HTMLResponse:
    about = engine.about()
    return render(
        request,
        name,
        status=status,
        about=about,
        web_status=web_status(engine.web_status(), words_for(request)),
        **context,
    )


async def sidebar(request: Request, engine: AnswerEngine) -> dict[str, Any]:
    """What stands beside a page on wide screens. A page is shown without it rather than not at all."""
    try:
        recent = (await engine.history.list(ConversationFilter(), limit=RECENT)).conversations
    except AnswerableError:
        recent = ()
    return {"recent": pinned_first(recent), "sidebar_open": request.cookies.get(SIDEBAR) != "closed"}


def pinned_first(found: tuple[ConversationSummary, ...]) -> list[ConversationSummary]:
    return sorted(found, key=lambda one: one.pinned_at is None)


async def form_of(request: Request) -> dict[str, list[str]]:
    """An urlencoded form; the pages send no other kind here."""
    return parse_qs((await request.body()).decode("utf-8", "replace"))


def local(target: str) -> str:
    """A path on this server; whatever could lead elsewhere becomes the start page."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"


def back_to(request: Request, path: str) -> Response:
    return RedirectResponse(request.scope.get("root_path", "") + local(path), status_code=303)

"""The pages of what a person owns of the server: own sources, and its settings."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from answerable.answering.examining import Finding
from answerable.errors import TooOften, Unusable
from answerable.types import Added
from answerable.web.access import UPLOAD_BYTES
from answerable.web.api import EngineDep
from answerable.web.index_api import add_files, add_urls, upload_of
from answerable.web.parts_api import told, try_all, try_out
from answerable.web.ports import AnswerEngine
from answerable.web.rendering import safe_href
from answerable.web.showing import back_to, form_of, show

PAGES = (5, 20, 50, 100)  # of a site
router = APIRouter(include_in_schema=False)


@router.get("/sources")
async def sources(request: Request, engine: EngineDep) -> Response:
    return await _sources(request, engine)


@router.post("/sources", max_body_size=UPLOAD_BYTES)
async def add(request: Request, engine: EngineDep) -> Response:
    """Both forms: an address or a site, and files."""
    fields, files = await upload_of(request)
    url = fields.get("url", "").strip()
    added: list[Added] = []
    if url:
        url = url if "://" in url else f"https://{url}"
        pages = int(fields["pages"]) if fields.get("pages", "").isdigit() else 20
        added += await add_urls(engine, [url[:4000]], site=fields.get("site") == "1", pages=max(1, min(pages, 200)))
    added += await add_files(engine, files)
    return await _sources(request, engine, added=added, nothing=not added)


@router.post("/sources/remove")
async def remove(request: Request, engine: EngineDep) -> Response:
    await engine.sources.remove((await form_of(request)).get("url", [])[:1000])
    return back_to(request, "/sources")


async def _sources(
    request: Request, engine: AnswerEngine, *, added: list[Added] | None = None, nothing: bool = False
) -> HTMLResponse:
    pages = [(page, safe_href(page.url)) for page in await engine.sources.listed()]
    return show(
        request,
        engine,
        "sources.html",
        pages=pages,
        added=[one for one in added or [] if one.page],
        failed=[one for one in added or [] if not one.page],
        nothing=nothing,
        may_change=engine.sources.may_change,
        choices=PAGES,
    )


@router.get("/settings")
async def settings(request: Request, engine: EngineDep) -> Response:
    return _settings(request, engine, [])


@router.post("/settings")
async def examine(request: Request, engine: EngineDep) -> Response:
    """All parts tried out, or the one that was chosen."""
    part = (await form_of(request)).get("part", [""])[-1][:300]
    try:
        return _settings(
            request, engine, [await try_out(request, engine, part)] if part else await try_all(request, engine)
        )
    except TooOften as fault:
        return _settings(request, engine, [], fault=f"{fault.message}. {fault.hint}", status=429)
    except Unusable as fault:
        return _settings(request, engine, [told(part, fault)])


def _settings(
    request: Request, engine: AnswerEngine, findings: list[Finding], *, fault: str = "", status: int = 200
) -> HTMLResponse:
    access = "needed" if request.app.state.gate.needed else "open"
    found: dict[str, object] = {"findings": {one.part: one for one in findings}, "seen": [], "fault": fault}
    return show(request, engine, "settings.html", status=status, setup=engine.setup(), access=access, **found)

"""The pages: start, conversation, turn fragment, page as it was read, the collection, sign-in and sign-out, API."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, FastAPI, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from markupsafe import Markup, escape
from pydantic import ValidationError

from answerable.errors import AnswerableError, NotFound
from answerable.schemas import QUESTION_CHARS, AnswerRequest
from answerable.text.sitenames import shown_site_name
from answerable.types import Ask
from answerable.web import sse
from answerable.web.access import FOREIGN_HEADERS
from answerable.web.api import EngineDep, Id
from answerable.web.callers import COOKIE as SESSION
from answerable.web.callers import Gate, session_cookie
from answerable.web.ports import AnswerEngine
from answerable.web.rendering import clean, display_title
from answerable.web.showing import back_to, form_of, links_of, local, show, sidebar
from answerable.web.templating import render
from answerable.web.views import at_home, operations, passages_of, scope, turn_view
from answerable.web.words import COOKIE, LANGUAGES, words_for

STATIC = FilePath(__file__).parent / "static"
FORM_FIELDS = ("question", "conversation_id", "focus", "freshness", "writer")
router = APIRouter(include_in_schema=False)


class Assets(StaticFiles):
    """Files that are checked again each time: an update must not meet yesterday's scripts."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def install(app: FastAPI) -> None:
    app.include_router(router)
    app.mount("/static", Assets(directory=STATIC), name="static")


@router.get("/")
async def start(
    request: Request, engine: EngineDep, q: Annotated[str, Query(max_length=QUESTION_CHARS)] = ""
) -> Response:
    return await _start_page(request, engine, question=q)


@router.post("/ask")
async def ask(request: Request, engine: EngineDep) -> Response:
    """The form without scripts: waits for the answer, then shows it."""
    form = await _form(request)
    fields = {name: form[name] for name in FORM_FIELDS if form.get(name)}
    if form.get("example"):
        fields["question"] = form["example"]
    try:
        body = AnswerRequest.model_validate({"question": "", **fields})
        run = await engine.runs.start(Ask(**body.model_dump(exclude={"stream"})))
    except ValidationError as error:
        fault = error.errors()[0]["msg"].removeprefix("Value error, ")
        return await _start_page(request, engine, question=fields.get("question", ""), fault=f"{fault}.", status=422)
    except AnswerableError as error:
        fault = f"{error.message} {error.hint}"
        return await _start_page(request, engine, question=fields.get("question", ""), fault=fault, status=error.status)
    await sse.wait_for_end(engine.runs, run.id, request.app.state.closing)
    return _to_turn(request, run.conversation_id, run.turn_id)


@router.get("/c/{id}")
async def conversation(id: Id, request: Request, engine: EngineDep) -> Response:
    found = await engine.store.conversation(id)
    links, words = links_of(request, engine), words_for(request)
    views = [turn_view(await engine.runs.turn(t.id) if t.state == "running" else t, links, words) for t in found.turns]
    title, beside = clean(found.title, 120), await sidebar(request, engine)
    return show(request, engine, "conversation.html", conversation=found, title=title, views=views, **beside)


@router.get("/turns/{id}/fragment")
async def fragment(id: Id, request: Request, engine: EngineDep) -> Response:
    """One turn as the conversation page shows it; the scripts put it in the place of what they streamed."""
    view = turn_view(await engine.runs.turn(id), links_of(request, engine), words_for(request))
    return show(request, engine, "turn.html", view=view)


@router.post("/turns/{id}/retry")
async def retry(id: Id, request: Request, engine: EngineDep) -> Response:
    run = await engine.runs.retry(id)
    await sse.wait_for_end(engine.runs, run.id, request.app.state.closing)
    return _to_turn(request, run.conversation_id, run.turn_id)


@router.get("/pages/{id}")
async def page_as_read(
    id: Id,
    request: Request,
    engine: EngineDep,
    start: Annotated[int, Query(ge=0)] = 0,
    end: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """The stored text, with the quote marked."""
    page = await engine.page(id)
    links = links_of(request, engine)
    return show(
        request,
        engine,
        "page.html",
        page=page,
        title=display_title(page.title, page.url, words_for(request)("untitled")),
        site=clean(page.site, 80),
        site_name=shown_site_name(page.site_name, page.url),
        href=links.outside(page.url),
        builtin=links.is_builtin(page.url),
        blocks=passages_of(page, start, end),
        seen={},
        quoted=start < end <= len(page.text),
    )


@router.get("/turns/{id}/images/{place}")
async def image(id: Id, place: Annotated[int, Path(ge=0, le=99)], engine: EngineDep) -> Response:
    """A picture of a cited page, through this server: no reader's browser asks another host."""
    images = (await engine.runs.turn(id)).images
    if place >= len(images):
        raise NotFound(f"the answer has no picture {place}")
    body, kind = await engine.picture(images[place].url)
    return Response(body, media_type=kind, headers={"Cache-Control": "private, max-age=86400", **FOREIGN_HEADERS})


@router.get("/collection/{host}/{path:path}")
async def collection(host: str, path: str, request: Request, engine: EngineDep) -> Response:
    """A page of the built-in collection: foreign content, so without scripts or an origin."""
    body, kind = await engine.collection_file(host, path)
    if kind.startswith("text/html"):
        body = at_home(body, host, links_of(request, engine))
    return Response(body, headers={"Content-Type": kind, **FOREIGN_HEADERS})


@router.get("/login")
async def login(request: Request, next: str = "/") -> Response:
    return render(request, "login.html", next=local(next), fault="")


@router.post("/login")
async def log_in(request: Request) -> Response:
    form = await _form(request)
    gate: Gate = request.app.state.gate
    target = local(form.get("next", "/"))
    token = form.get("token", "").strip()
    if await gate.holder(token, request.app.state.engine.tokens) is None:
        return render(request, "login.html", status=401, next=target, fault=words_for(request)("wrong_token"))
    root = request.scope.get("root_path", "")
    response = RedirectResponse(root + target, status_code=303)
    if gate.needed:
        secure = request.url.scheme == "https"
        response.headers["Set-Cookie"] = session_cookie(token, path=root, secure=secure)
    return response


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """Forgets the session; the sign-in page then forgets the copies that this browser holds."""
    root = request.scope.get("root_path", "")
    response = RedirectResponse(f"{root}/login", status_code=303)
    response.delete_cookie(SESSION, path=root or "/")
    return response


@router.post("/language")
async def choose_language(request: Request) -> Response:
    """Remembers the reader's choice, and shows the page it was made on."""
    form = await _form(request)
    came_from = urlsplit(request.headers.get("referer", ""))
    here = came_from.path.removeprefix(request.scope.get("root_path", ""))
    response = back_to(request, here or "/")
    if form.get("to") in LANGUAGES:
        response.set_cookie(COOKIE, form["to"], max_age=31_536_000, samesite="lax", httponly=True)
    return response


@router.get("/docs")
async def docs(request: Request, engine: EngineDep) -> Response:
    """The API reference, without the scripts that the framework's own page loads from another host."""
    address = str(request.base_url).rstrip("/")
    described = Markup('<a href="{0}/openapi.json">/openapi.json</a>').format(request.scope.get("root_path", ""))
    named = {"code": Markup("<code>code</code>"), "hint": Markup("<code>hint</code>")}
    intro = Markup(escape(words_for(request).known["api_intro"])).format(address=described, **named)
    return show(
        request, engine, "docs.html", address=address, intro=intro, operations=operations(request.app.openapi())
    )


@router.get("/favicon.ico")
async def favicon(request: Request) -> Response:
    return RedirectResponse(request.scope.get("root_path", "") + "/static/favicon.svg", status_code=308)


async def _start_page(
    request: Request, engine: AnswerEngine, *, question: str = "", fault: str = "", status: int = 200
) -> Response:
    searched = scope(engine.about().providers, words_for(request))
    beside = await sidebar(request, engine)
    return show(request, engine, "start.html", status=status, question=question, fault=fault, scope=searched, **beside)


def _to_turn(request: Request, conversation_id: str, turn_id: str) -> Response:
    base = request.scope.get("root_path", "")
    return RedirectResponse(f"{base}/c/{quote(conversation_id)}#{quote(turn_id)}", status_code=303)


async def _form(request: Request) -> dict[str, str]:
    """The last value of each field."""
    return {name: values[-1] for name, values in (await form_of(request)).items()}

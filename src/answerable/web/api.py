"""The HTTP API under /v1, and the probes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.responses import JSONResponse, Response
from pydantic import TypeAdapter

from answerable.answering.rechecking import Recheck
from answerable.answering.verifying import Verification
from answerable.errors import BadRequest
from answerable.schemas import (
    PAGE,
    TURN,
    AnswerRequest,
    ReadRequest,
    RetryRequest,
    SourcesReply,
    VerifyRequest,
)
from answerable.telemetry import CONTENT_TYPE
from answerable.text.urls import is_web_url
from answerable.types import Ask, Page, Turn
from answerable.web import sse
from answerable.web.ports import AnswerEngine
from answerable.web.tagged import UNCHANGED, reply


def engine_of(request: Request) -> AnswerEngine:
    """The engine as whoever calls may see it."""
    engine: AnswerEngine = request.scope["engine"]
    return engine


EngineDep = Annotated[AnswerEngine, Depends(engine_of)]
Id = Annotated[
    str, Path(min_length=1, max_length=200, description="As it was given.", examples=["run_5f0c9a1b2c3d4e5f6071"])
]
_DETAILS = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"content": _DETAILS, "description": "Refused before the answer began"},
    "5XX": {"content": _DETAILS, "description": "The engine cannot take this now, or failed"},
}
EVENT = {"type": "object", "properties": {name: {"type": "string"} for name in ("id", "event", "data")}}
_STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events `start`, `progress`, `sources`, `delta`, `sentence`, `notice`, `final`, `verdict`, "
        "`error`, `done`; or the finished turn as JSON",
        "content": {"text/event-stream": {"schema": EVENT}},
        "model": Turn,
    },
    **PROBLEMS,
}
_SOURCES: TypeAdapter[SourcesReply] = TypeAdapter(SourcesReply)
router = APIRouter(prefix="/v1", responses=PROBLEMS)
probes = APIRouter()


@router.post("/answers", responses=_STREAMED, response_class=JSONResponse)
async def ask(
    request: Request,
    body: AnswerRequest,
    engine: EngineDep,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> Response:
    """Ask a question. The answer streams as events, or comes whole with `stream: false` or `Accept: application/json`.

    Leaving does not end the run: its events and its turn stay at the `id` that `start` carries.
    """
    fields = body.model_dump(exclude={"stream"})
    run = await engine.runs.start(Ask(**fields, idempotency_key=idempotency_key or None))
    return await _reply(request, engine, run.id, body.stream)


@router.get("/answers/{id}", response_model=Turn, responses=UNCHANGED)
async def answer(id: Id, request: Request, engine: EngineDep) -> Response:
    """The turn: finished, or as far as it has come."""
    return reply(request, TURN, await engine.runs.turn(id))


@router.delete("/answers/{id}", response_model=Turn)
async def stop(id: Id, engine: EngineDep) -> Response:
    """Stop a running answer. What was released stays."""
    return _json(TURN, await engine.runs.stop(id))


@router.get("/answers/{id}/sources", response_model=SourcesReply, responses=UNCHANGED)
async def sources(id: Id, request: Request, engine: EngineDep) -> Response:
    """The cited pages with their numbers, and the others that were read."""
    turn = await engine.runs.turn(id)
    return reply(request, _SOURCES, SourcesReply(sources=turn.sources, also_read=turn.also_read))


@router.get("/answers/{id}/events", response_class=JSONResponse, responses=_STREAMED | {204: {"description": "Over"}})
async def events(id: Id, request: Request, engine: EngineDep) -> Response:
    """The events of a run, all or those after `Last-Event-ID`, then live ones. 204 when none will follow."""
    after = sse.last_event_id(request.headers.get("last-event-id"))
    if await sse.is_over(engine.runs, id, after):
        return Response(status_code=204)
    return sse.event_stream(request, engine.runs, id, after=after)


@router.post("/answers/{id}/retry", responses=_STREAMED, response_class=JSONResponse)
async def retry(id: Id, request: Request, engine: EngineDep, body: RetryRequest | None = None) -> Response:
    """Answer the same turn again: a new `id`, the same `turn_id`. The former attempt stays."""
    run = await engine.runs.retry(id)
    return await _reply(request, engine, run.id, body.stream if body else None)


@router.post("/verify", response_model=Verification)
async def verify(body: VerifyRequest, engine: EngineDep) -> Verification:
    """Does the page (or the text) support the claim? With the words that bear on it."""
    if body.url is not None:
        return await engine.verify(body.claim, _address(body.url))
    return await engine.verify_text(body.claim, body.text or "")


@router.post("/conversations/{id}/recheck", response_model=list[Recheck])
async def recheck(id: Id, engine: EngineDep) -> list[Recheck]:
    """Reads the cited pages of a conversation again: which citations still hold?"""
    return await engine.recheck((await engine.store.conversation(id)).turns)


@router.get("/pages/{id}", response_model=Page, responses=UNCHANGED)
async def page(id: Id, request: Request, engine: EngineDep) -> Response:
    """A page's text as it was read; the offsets of citations point into it."""
    return reply(request, PAGE, await engine.page(id))


@router.post("/read", response_model=Page)
async def read(body: ReadRequest, engine: EngineDep) -> Response:
    """What the reader makes of a page now."""
    return _json(PAGE, await engine.read(_address(body.url)))


@probes.get("/healthz")
async def healthz(engine: EngineDep) -> dict[str, str]:
    """The process lives."""
    return {"status": "ok", "version": engine.about().version}


@probes.get("/readyz", responses={503: {"description": "Questions would wait, or could not be kept"}})
async def readyz(engine: EngineDep) -> JSONResponse:
    """Whether a question would be answered at once: the engine is warm and its database answers. 503 while not."""
    about, found = engine.about(), await engine.readiness()
    status = "ready" if found.warm and found.database else "warming up" if found.database else "no database"
    said = {
        "status": status,
        "warm": found.warm,
        "database": "ok" if found.database else "does not answer",
        "providers": list(about.providers),
        "writer": about.model or "extractive",
        "web": engine.web_status() or "ok",
    }
    return JSONResponse(said, 200 if status == "ready" else 503)


@probes.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(engine: EngineDep) -> Response:
    """What was counted since the start, in the text format of Prometheus. Needs the token where one is set."""
    return Response(engine.metrics(), media_type=CONTENT_TYPE)


def _address(url: str) -> str:
    """Files of this machine are not a caller's to read."""
    if not is_web_url(url):
        raise BadRequest(f"{url!r} is no web address", hint="Give an address that begins with http or https.")
    return url


def wants_json(accept: str, stream: bool | None) -> bool:
    """An explicit `stream` decides; else a caller that takes JSON and no event stream gets JSON."""
    if stream is not None:
        return not stream
    return "application/json" in accept and "text/event-stream" not in accept


async def _reply(request: Request, engine: AnswerEngine, run_id: str, stream: bool | None) -> Response:
    if not wants_json(request.headers.get("accept", ""), stream):
        return sse.event_stream(request, engine.runs, run_id)
    await sse.wait_for_end(engine.runs, run_id, request.app.state.closing)
    return _json(TURN, await engine.runs.turn(run_id))


def _json(adapter: TypeAdapter[Any], value: object) -> Response:
    return Response(adapter.dump_json(value), media_type="application/json")

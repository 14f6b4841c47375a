"""`POST /v1/chat/completions` and `GET /v1/models`: the engine for clients that speak OpenAI's chat format."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT

from answerable.errors import NotFound, Unusable
from answerable.events import Delta, Done, Failed
from answerable.schemas import Problem
from answerable.types import Turn
from answerable.web import sse
from answerable.web.api import EVENT, EngineDep
from answerable.web.openai_shapes import EXTRACTIVE, OWN_MODEL, ChatRequest, Completion, error_of
from answerable.web.ports import AnswerEngine

DONE = b"data: [DONE]\n\n"
_ERROR = {"content": {"application/json": {"schema": {"type": "object", "required": ["error"]}}}}
ERRORS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "Refused, in OpenAI's shape: `error` with `message`, `type`, `param`, `code`", **_ERROR},
    "5XX": {"description": "Failed, in the same shape", **_ERROR},
}
_COMPLETION: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A completion with `citations` and `search_results` beside its message, or its chunks",
        "content": {
            "application/json": {"schema": {"type": "object", "required": ["id", "choices"]}},
            "text/event-stream": {"schema": EVENT},
        },
    }
}
router = APIRouter(responses=ERRORS)


@router.post("/v1/chat/completions", responses=_COMPLETION, response_class=JSONResponse)
@router.post("/chat/completions", include_in_schema=False)
async def chat_completions(
    request: Request,
    body: ChatRequest,
    engine: EngineDep,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> Response:
    """Ask as OpenAI's clients do. The messages before the last are the question's context.

    Leaving a stream ends the run: this format has no way to come back to it.
    """
    try:
        run = await engine.runs.start(body.ask(idempotency_key or None))
    except Unusable as fault:
        raise NotFound(fault.message, hint=fault.hint) from None
    began = (await engine.runs.turn(run.id)).created
    completion = Completion(run.id, int(began.timestamp()), body)
    if body.stream:
        stream = _chunks(request, engine, run.id, completion)
        return StreamingResponse(stream, media_type="text/event-stream", headers=sse.HEADERS)
    await sse.wait_for_end(engine.runs, run.id, request.app.state.closing)
    turn = await engine.runs.turn(run.id)
    if turn.error is not None:
        return JSONResponse(_error(turn), status_code=502)
    return JSONResponse(completion.whole(turn))


@router.get("/v1/models", responses={200: {"description": "The names that `model` takes"}})
@router.get("/models", include_in_schema=False)
async def models(engine: EngineDep) -> dict[str, Any]:
    """The names that `model` takes; any other without a vendor stands for `answerable`."""
    names = [OWN_MODEL, EXTRACTIVE, *([model] if (model := engine.about().model) else [])]
    known = [{"id": name, "object": "model", "created": 0, "owned_by": "answerable"} for name in names]
    return {"object": "list", "data": known}


async def _chunks(request: Request, engine: AnswerEngine, run_id: str, completion: Completion) -> AsyncIterator[bytes]:
    state = request.app.state
    over = False
    try:
        yield _frame(completion.chunk({"role": "assistant", "content": ""}))
        async for events in sse.batches(engine.runs, run_id, ping=state.ping, closing=state.closing):
            if not events:
                yield KEEPALIVE_COMMENT
            for _, event in events:
                if isinstance(event, Delta):
                    yield _frame(completion.chunk({"content": event.text}))
                elif isinstance(event, Failed):
                    yield _frame(_failure(event.code, event.message, event.hint))
                elif isinstance(event, Done):
                    over = True
        turn = await engine.runs.turn(run_id)
        if over and turn.error is None:
            for chunk in completion.last_chunks(turn):
                yield _frame(chunk)
        yield DONE
    finally:
        if not over and not state.closing.is_set():
            _stop_apart(engine, run_id)


_stopping: set[asyncio.Task[Turn]] = set()  # else a task that nobody awaits may be collected


def _stop_apart(engine: AnswerEngine, run_id: str) -> None:
    """In a task of its own: the caller is being cancelled, and nothing it awaits would come to its end."""
    task = asyncio.create_task(engine.runs.stop(run_id))
    _stopping.add(task)
    task.add_done_callback(_stopping.discard)


def _frame(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"


def _error(turn: Turn) -> dict[str, Any]:
    assert turn.error is not None
    return _failure(turn.error.code, turn.error.message, turn.error.hint)


def _failure(code: str, message: str, hint: str) -> dict[str, Any]:
    return error_of(Problem(title="Bad Gateway", status=502, detail=message, code=code, hint=hint))

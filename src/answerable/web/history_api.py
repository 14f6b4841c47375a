"""The HTTP API of the history: conversations listed, changed, deleted, exported and brought in; feedback."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import TypeAdapter

from answerable.answering.exporting import FORMATS
from answerable.errors import NotFound
from answerable.protocols import Conversation, ConversationFilter, ConversationList, ConversationSummary, Feedback, Sort
from answerable.schemas import (
    CONVERSATION,
    BulkDelete,
    BulkDeleted,
    ConversationChange,
    FeedbackRequest,
)
from answerable.types import Focus, Outcome
from answerable.web.access import IMPORT_BYTES
from answerable.web.api import PROBLEMS, EngineDep, Id
from answerable.web.ports import AnswerEngine
from answerable.web.tagged import UNCHANGED, reply, tagged

_LIST: TypeAdapter[ConversationList] = TypeAdapter(ConversationList)
_SUMMARY: TypeAdapter[ConversationSummary] = TypeAdapter(ConversationSummary)
Format = Literal["markdown", "json", "html"]
router = APIRouter(prefix="/v1", responses=PROBLEMS)


@router.get("/conversations", response_model=ConversationList, responses=UNCHANGED)
async def conversations(
    request: Request,
    engine: EngineDep,
    cursor: Annotated[str, Query(max_length=1000, description="`next_cursor` of the page before.")] = "",
    limit: Annotated[int, Query(ge=1, le=100, description="The most that come at once.")] = 30,
    search: Annotated[
        str, Query(max_length=200, description="Words of the title, the questions or the answers; all must occur.")
    ] = "",
    focus: Annotated[Focus | None, Query(description="With a turn that was asked so.")] = None,
    outcome: Annotated[Outcome | None, Query(description="With a turn that ended so.")] = None,
    failed: Annotated[bool | None, Query(description="With a turn that failed, or with none.")] = None,
    pinned: Annotated[bool | None, Query(description="Only pinned ones, last pinned first; or only others.")] = None,
    archived: Annotated[bool | None, Query(description="Archived ones instead of the others.")] = False,
    sort: Annotated[Sort, Query(description="`updated` and `created`: newest first.")] = "updated",
) -> Response:
    """Your conversations, a page at a time. `next_cursor` is null on the last page."""
    wanted = ConversationFilter(search, focus, outcome, failed, pinned, archived, sort)
    return reply(request, _LIST, await engine.history.list(wanted, cursor=cursor, limit=limit))


@router.get("/conversations/{id}", response_model=Conversation, responses=UNCHANGED)
async def conversation(id: Id, request: Request, engine: EngineDep) -> Response:
    """A conversation with the latest attempt of each turn, oldest first."""
    return reply(request, CONVERSATION, await engine.store.conversation(id))


@router.patch("/conversations/{id}", response_model=ConversationSummary)
async def change(id: Id, body: ConversationChange, request: Request, engine: EngineDep) -> Response:
    """Rename, pin or archive a conversation. An empty title brings back the automatic one."""
    changed = await engine.history.change(id, title=body.title, pinned=body.pinned, archived=body.archived)
    return reply(request, _SUMMARY, changed)


@router.delete("/conversations/{id}", status_code=204)
async def delete(id: Id, engine: EngineDep) -> Response:
    """Delete a conversation. A run under way in it is stopped, and nothing of it is kept."""
    if not await _delete(engine, [id]):
        raise NotFound(f"there is no conversation {id!r}")
    return Response(status_code=204)


@router.post("/conversations/bulk-delete", response_model=BulkDeleted)
async def bulk_delete(body: BulkDelete, engine: EngineDep) -> BulkDeleted:
    """Delete several conversations. Those that are not there are left out of the reply."""
    return BulkDeleted(deleted=await _delete(engine, list(body.ids)))


async def _delete(engine: AnswerEngine, ids: list[str]) -> tuple[str, ...]:
    deleted = await engine.history.delete(ids)
    await engine.runs.drop(deleted)
    return deleted


@router.get("/conversations/{id}/export", response_class=Response, responses=UNCHANGED)
async def export(id: Id, request: Request, engine: EngineDep, format: Format = "markdown") -> Response:
    """A conversation as a file: with its sources, quotes and verdicts."""
    make, media_type, ending = FORMATS[format]
    body = make(await engine.export(id)).encode("utf-8", "replace")
    return tagged(
        request,
        body,
        media_type,
        {
            "Content-Disposition": f'attachment; filename="conversation.{ending}"',
            # The page's own policy would let it take scripts from this server.
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
    )


@router.post(
    "/conversations/import",
    response_model=ConversationSummary,
    status_code=201,
    max_body_size=IMPORT_BYTES,
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def bring_in(request: Request, engine: EngineDep) -> Response:
    """Bring in a conversation that was exported as JSON. It gets new ids; nothing is overwritten."""
    found = await engine.bring_in(await request.body())
    return Response(_SUMMARY.dump_json(found), status_code=201, media_type="application/json")


@router.get("/feedback", response_model=dict[str, int])
async def feedback_counts(engine: EngineDep) -> dict[str, int]:
    """How often each kind of feedback was given."""
    return await engine.feedback.counts()


@router.post("/answers/{id}/feedback", status_code=204)
async def feedback(id: Id, body: FeedbackRequest, engine: EngineDep) -> Response:
    """What you make of an answer. `up` and `down` take each other's place; `withdrawn` takes either back."""
    if body.kind == "withdrawn":
        await engine.feedback.withdraw(id)
    else:
        await engine.feedback.add(Feedback(id, body.kind, datetime.now(UTC), body.reason, body.detail))
    return Response(status_code=204)

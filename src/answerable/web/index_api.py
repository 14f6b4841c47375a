"""The HTTP API of the own index: what it holds, what is added, what is removed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException

from answerable.errors import BadRequest
from answerable.index.crawl import Bounds
from answerable.schemas import AddedReply, IndexReply, IndexRequest, RemovedReply
from answerable.types import Added
from answerable.web.access import UPLOAD_BYTES
from answerable.web.api import PROBLEMS, EngineDep
from answerable.web.ports import AnswerEngine

MOST_FILES = 20
SECONDS = 60.0  # that a site may take, since its caller waits
_FILES = {"type": "array", "items": {"type": "string", "format": "binary"}}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": IndexRequest.model_json_schema()},
            "multipart/form-data": {"schema": {"type": "object", "properties": {"files": _FILES}}},
        },
    }
}
router = APIRouter(prefix="/v1", responses=PROBLEMS)


@router.get("/index")
async def contents(engine: EngineDep) -> IndexReply:
    """The pages of the own index, by address: when each was read, and how many passages of it can be found."""
    return IndexReply(pages=tuple(await engine.sources.listed()))


@router.post("/index", openapi_extra=_BODY, max_body_size=UPLOAD_BYTES)
async def add(request: Request, engine: EngineDep) -> AddedReply:
    """Read addresses, the pages of a small site, or files (multipart, the field `files`) into the own index. What
    cannot be read is told with its cause; the rest is added. With tokens this is the admin's."""
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        _, files = await upload_of(request)
        if not files:
            raise BadRequest("no file was sent", hint="Send at least one in the field `files`.")
        return AddedReply(added=tuple(await add_files(engine, files)))
    try:
        body = IndexRequest.model_validate_json(await request.body() or b"null")
    except ValidationError as fault:
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in fault.errors()]) from None
    return AddedReply(added=tuple(await add_urls(engine, body.urls, site=body.site, pages=body.pages)))


@router.delete("/index")
async def remove(
    engine: EngineDep,
    url: Annotated[list[str], Query(min_length=1, max_length=100, description="Addresses as the list gives them.")],
) -> RemovedReply:
    """Remove pages from the own index. With tokens this is the admin's."""
    return RemovedReply(removed=await engine.sources.remove(url))


async def add_urls(engine: AnswerEngine, urls: list[str], *, site: bool, pages: int) -> list[Added]:
    added: list[Added] = []
    for url in urls:
        if site:
            added += await engine.sources.add_site(url, Bounds(pages=pages, seconds=SECONDS / len(urls)))
        else:
            added.append(await engine.sources.add_url(url))
    return added


async def add_files(engine: AnswerEngine, files: list[tuple[str, bytes]]) -> list[Added]:
    return [await engine.sources.add_file(name, body) for name, body in files]


async def upload_of(request: Request) -> tuple[dict[str, str], list[tuple[str, bytes]]]:
    """The fields of a multipart form, and its files by name. Raises BadRequest."""
    try:
        async with request.form(max_files=MOST_FILES, max_fields=20) as form:
            given = form.multi_items()
            fields = {name: value for name, value in given if isinstance(value, str)}
            files = [
                (one.filename, await one.read()) for _, one in given if isinstance(one, UploadFile) and one.filename
            ]
    except (MultiPartException, HTTPException) as fault:
        told = getattr(fault, "detail", None) or getattr(fault, "message", "")
        raise BadRequest(f"the form cannot be read: {told}", hint=f"Send {MOST_FILES} files at most.") from None
    return fields, files

"""Replies with an `ETag`: who has what is asked for already is told so, without a body."""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi import Request
from fastapi.responses import Response
from pydantic import TypeAdapter

UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "As it was, by its `ETag`"}}


def reply(request: Request, adapter: TypeAdapter[Any], value: object) -> Response:
    """JSON with an `ETag`; 304 without a body to whoever has it already."""
    return tagged(request, adapter.dump_json(value), "application/json", {})


def tagged(request: Request, body: bytes, media_type: str, headers: dict[str, str]) -> Response:
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {**headers, "ETag": tag, "Cache-Control": "private, no-cache"}
    known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    if request.method in {"GET", "HEAD"} and (tag in known or "*" in known):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)

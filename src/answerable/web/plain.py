"""ASGI without a framework: its types, and the replies that stand outside the application."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from answerable.schemas import Problem
from answerable.web.openai_shapes import PATHS, error_of

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]
TITLES = {
    401: "Unauthorized",
    403: "Forbidden",
    413: "Content Too Large",
    421: "Misdirected Request",
    429: "Too Many Requests",
}


def path_of(scope: Scope) -> str:
    """Below the prefix of a reverse proxy."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")) or "/"


def problem(scope: Scope, status: int, code: str, detail: str, hint: str, headers: Headers = ()) -> App:
    """Problem details, or OpenAI's error where its clients come."""
    found = Problem(title=TITLES[status], status=status, detail=detail, code=code, hint=hint)
    openai = path_of(scope) in PATHS
    fields = error_of(found) if openai else found.model_dump(exclude={"cause", "errors"})
    kind = b"application/json" if openai else b"application/problem+json"
    return respond(status, json.dumps(fields).encode(), [(b"content-type", kind), *headers])


def redirect(location: str, *, status: int = 303, cookie: str | None = None) -> App:
    headers = [(b"location", location.encode("latin-1")), (b"cache-control", b"no-store")]
    return respond(status, b"", headers + ([(b"set-cookie", cookie.encode())] if cookie else []))


def respond(status: int, body: bytes, headers: Headers) -> App:
    async def send_it(scope: Scope, receive: Receive, send: Send) -> None:
        length = [] if status == 204 else [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": [*headers, *length]})
        await send({"type": "http.response.body", "body": body})

    return send_it

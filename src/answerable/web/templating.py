"""Templates to responses: everything escaped, undefined names are errors, addresses keep the path prefix."""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from answerable.web.callers import COOKIE, Caller
from answerable.web.words import LANGUAGES, words_for

ENVIRONMENT = Environment(
    loader=PackageLoader("answerable.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.globals.update(languages=LANGUAGES)


def base_of(request: Request) -> str:
    """The path prefix of the whole application, also for what happens below a part mounted in it."""
    scope = request.scope
    base: str = scope.get("app_root_path", scope.get("root_path", ""))
    return base


def reader_of(request: Request) -> str:
    """A name for whoever reads, by which a browser knows whose copies it holds; it tells nothing else."""
    caller: Caller | None = request.scope.get("caller")
    return hashlib.sha256(caller.name.encode()).hexdigest()[:16] if caller else ""


def render(request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    words = words_for(request)
    signed = {"reader": reader_of(request), "can_sign_out": COOKIE in request.cookies}
    html = ENVIRONMENT.get_template(name).render(base=base_of(request), t=words, **signed, **context)
    headers = {"Cache-Control": "no-store", "Content-Language": words.language}
    return HTMLResponse(html, status_code=status, headers=headers)

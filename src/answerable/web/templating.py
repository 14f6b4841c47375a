"""Templates to responses: everything escaped, undefined names are errors, addresses keep the path prefix."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

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


def render(request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    words = words_for(request)
    html = ENVIRONMENT.get_template(name).render(base=base_of(request), t=words, **context)
    headers = {"Cache-Control": "no-store", "Content-Language": words.language}
    return HTMLResponse(html, status_code=status, headers=headers)

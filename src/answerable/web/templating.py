"""Templates to responses: everything escaped, undefined names are errors, addresses keep the path prefix."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

ENVIRONMENT = Environment(
    loader=PackageLoader("answerable.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    base = request.scope.get("root_path", "")
    html = ENVIRONMENT.get_template(name).render(base=base, **context)
    return HTMLResponse(html, status_code=status, headers={"Cache-Control": "no-store"})

"""Errors before the headers: RFC 9457 problem details for programs, a page for people."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from answerable.errors import AnswerableError, BudgetSpent, ReadError, TooOften
from answerable.schemas import Problem
from answerable.web import openai_shapes
from answerable.web.telling import fault
from answerable.web.templating import base_of, render
from answerable.web.words import words_for

_HINTS = {
    400: "Send one JSON object, in UTF-8.",
    404: "Check the address.",
    405: "Use one of the methods that `Allow` names.",
    413: "Send less.",
}
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}  # names that changed, the same on every Python
_NOT_AN_OBJECT = {"missing", "model_attributes_type", "dict_type", "model_type"}
_CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}


def install(app: FastAPI) -> None:
    app.add_exception_handler(AnswerableError, _on_own)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_unexpected)


def _respond(request: Request, problem: Problem, headers: dict[str, str] | None = None) -> Response:
    path = request.url.path.removeprefix(base_of(request))
    if path in openai_shapes.PATHS:
        status = 400 if problem.status == 422 else problem.status  # as OpenAI's own does
        return JSONResponse(openai_shapes.error_of(problem), status_code=status, headers=headers)
    wants_page = "text/html" in request.headers.get("accept", "")
    if wants_page and not path.startswith("/v1/"):
        return render(
            request, "error.html", status=problem.status, problem=problem, told=fault(problem, words_for(request))
        )
    return JSONResponse(
        problem.model_dump(exclude={name for name in ("cause", "errors") if not getattr(problem, name)}),
        status_code=problem.status,
        media_type="application/problem+json",
        headers=headers,
    )


def _title(status: int) -> str:
    if status in _TITLES:
        return _TITLES[status]
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


async def _on_own(request: Request, error: Exception) -> Response:
    assert isinstance(error, AnswerableError)
    headers = {"Retry-After": "1"} if error.status == 503 else None
    if isinstance(error, BudgetSpent | TooOften):
        headers = {"Retry-After": str(error.retry_after)}
    problem = Problem(
        title=_title(error.status), status=error.status, detail=error.message, code=error.code, hint=error.hint
    )
    if isinstance(error, ReadError):
        problem = problem.model_copy(update={"cause": error.cause})
    return _respond(request, problem, headers)


async def _on_invalid(request: Request, error: Exception) -> Response:
    """Every faulty field by name, in words a person can act on."""
    assert isinstance(error, RequestValidationError)
    faults = []
    for one in error.errors():
        where = ".".join(str(part) for part in one["loc"] if part not in {"body", "header", "query"}) or "body"
        if one["type"] == "json_invalid":
            where = "body"
        faults.append({"field": where, "message": _words(where, one)})
    detail = "; ".join(f"{fault['field']}: {fault['message']}" for fault in faults)
    problem = Problem(
        title=_title(422),
        status=422,
        detail=detail,
        code="invalid_request",
        hint=f"Correct {', '.join(fault['field'] for fault in faults)} and send again.",
        errors=faults,
    )
    return _respond(request, problem)


def _words(where: str, fault: dict[str, Any]) -> str:
    if fault["type"] == "extra_forbidden":
        return "is not a field of this request"
    if fault["type"] == "json_invalid":
        return f"is not JSON: {str(fault['ctx']['error']).lower()} at character {fault['loc'][-1]}"
    if where == "body" and fault["type"] in _NOT_AN_OBJECT:
        return "must be a JSON object, sent with Content-Type: application/json"
    return str(fault["msg"]).removeprefix("Value error, ")


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = Problem(
        title=_title(error.status_code),
        status=error.status_code,
        detail=str(error.detail),
        code=_CODES.get(error.status_code, "bad_request"),
        hint=_HINTS.get(error.status_code, ""),
    )
    return _respond(request, problem, dict(error.headers or {}))


async def _on_unexpected(request: Request, error: Exception) -> Response:
    """The cause is in the server's log, not in the reply: it may hold what a reader must not see."""
    problem = Problem(
        title=_title(500),
        status=500,
        detail="The server failed while handling this request.",
        code="internal_error",
        hint="Try again; if it happens again, the server's log has the cause.",
    )
    return _respond(request, problem)

"""What went wrong with a model call, in words a person can act on; keys never appear in them."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

import httpx2
from pydantic_ai import exceptions

from answerable.errors import LLMCause, LLMError

_KEY_LIKE = re.compile(r"\b(?:sk|gsk|pk|key|xai|AIza)[-_]?[A-Za-z0-9_\-]{12,}")
_TOO_LONG = re.compile(
    r"context.{0,12}(?:length|window|size)|maximum.{0,20}tokens|too many (?:input )?tokens|prompt is too long"
    r"|input is too long|exceeds?.{0,30}(?:context|token limit)",
    re.IGNORECASE,
)
_LONGEST = 300  # characters of a vendor's own words


@dataclass(frozen=True, slots=True)
class Where:
    """What a message may name."""

    name: str  # as the user wrote it
    model: str
    address: str
    variable: str  # that holds the key
    key: str | None

    def redacted(self, text: str) -> str:
        if self.key:
            text = text.replace(self.key, "***")
        return _KEY_LIKE.sub("***", " ".join(text.split()))[:_LONGEST]


def network_errors() -> tuple[type[Exception], ...]:
    """What HTTP clients raise when a connection breaks; some vendors' packages bring the older client."""
    legacy = sys.modules.get("httpx")
    return (httpx2.HTTPError, OSError, *((legacy.HTTPError,) if legacy else ()))


def failures() -> tuple[type[Exception], ...]:
    """All that a call may raise; ValueError is what no decoder could read."""
    return (exceptions.AgentRunError, exceptions.UserError, ValueError, *network_errors())


def failure_of(error: Exception, where: Where, *, begun: bool) -> LLMError:
    """The error to raise. `begun`: text had arrived before."""
    said = where.redacted(_words_of(error))
    cause = _cause(error, said, begun=begun)
    failure = told(cause, said, where)
    if isinstance(error, exceptions.ModelQuotaExceededError):
        message = f"The account behind the model {where.name!r} has no quota left ({said})."
        return LLMError(where.name, cause, message, hint="Check its plan and billing.")  # waiting does not help
    if isinstance(error, exceptions.ModelAPIError):
        failure.retry_after = error.retry_after
    return failure


def _cause(error: Exception, said: str, *, begun: bool) -> LLMCause:
    if isinstance(error, exceptions.ModelContextWindowExceededError):
        return "too_long"
    if isinstance(error, exceptions.ModelRequestRejectedError) and _TOO_LONG.search(said):
        return "too_long"
    for kind, cause in _CAUSES:
        if isinstance(error, kind):
            return "cut" if begun and cause == "connection" else cause
    if isinstance(error, exceptions.ModelAPIError):
        if "finish_reason" in said:
            return "cut"
        return "malformed" if "decode" in said else "server"
    if isinstance(error, network_errors()):
        return "cut" if begun else "connection"
    return "malformed"


_CAUSES: tuple[tuple[type[Exception], LLMCause], ...] = (
    (exceptions.ModelNotFoundError, "unknown_model"),
    (exceptions.ModelAuthenticationError, "bad_key"),
    (exceptions.ModelRateLimitError, "rate_limited"),
    (exceptions.ModelQuotaExceededError, "rate_limited"),
    (exceptions.ModelRequestTimeout, "timeout"),
    (exceptions.ModelTimeoutError, "timeout"),
    (exceptions.ModelConnectionError, "connection"),
    (exceptions.ModelUnavailableError, "server"),
    (exceptions.ModelServerError, "server"),
    (exceptions.ModelRequestRejectedError, "malformed"),
)


def told(cause: LLMCause, said: str, where: Where) -> LLMError:
    """The error for a cause; `said` is what the vendor said of it, redacted."""
    at = f" at {where.address}" if where.address else ""
    aside = f" ({said})" if said else ""
    name = f"the model {where.name!r}"
    there = ", or the address of its server" if where.address else ""
    texts: dict[LLMCause, tuple[str, str]] = {
        "unknown_model": (
            f"The model {where.model!r} is not known{at}{aside}.",
            f"Correct the name of the model{there}.",
        ),
        "bad_key": (f"The API key was refused for {name}{at}.", f"Check the key in {where.variable}."),
        "connection": (f"No connection to {name}{at}{aside}.", "Is its server running there?"),
        "rate_limited": (f"Too many requests to {name}{aside}.", "Ask again later."),
        "too_long": (f"The prompt is too long for {name}.", "Send fewer passages."),
        "timeout": (f"No answer from {name} in time{aside}.", "Allow more time, or take another model."),
        "cut": (f"The answer of {name} was cut off{aside}.", "Ask again."),
        "server": (f"The server of {name} failed{aside}.", "Ask again later."),
        "malformed": (f"The answer of {name} cannot be read{aside}.", "Take another model if this happens often."),
        "empty": (f"There was no text in the answer of {name}{aside}.", "Take another model, or allow more tokens."),
    }
    message, hint = texts[cause]
    return LLMError(where.name, cause, message, hint=hint)


def _words_of(error: Exception) -> str:
    """The vendor's own sentence, not the library's account of the response."""
    if isinstance(error, exceptions.ModelAPIError):
        body = error.body
        if isinstance(body, dict):
            inner = body.get("error", body)
            message = inner.get("message") if isinstance(inner, dict) else inner
            if isinstance(message, str):
                return message
        if isinstance(error, exceptions.ModelHTTPError):
            return f"HTTP {error.status_code}"
    return str(error) or type(error).__name__

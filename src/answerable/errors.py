"""One tree of errors; each class says one fact, and carries what its caller needs.

AnswerableError
├── SettingsError        settings are unknown or malformed; `faults` names every one
├── BadRequest           the request cannot be served as it stands
│   ├── NotFound         nothing has that id or address
│   ├── Unusable         the model or writer that was asked for cannot be had
│   ├── Conflict         what was asked contradicts what is under way
│   ├── Forbidden        the caller is known, and may not
│   ├── TooOften         the same was asked too often within a minute
│   └── BudgetSpent      the caller's token may cost no more today
├── SearchError          a provider did not answer; costs only itself
├── ReadError            a page could not be read; costs only itself
├── LLMError             a model call failed
├── RerankError          a reranker behind an address did not answer; the local one stands in
├── StorageError         saving or loading failed
├── PartFailed           a part that was tried out does not work
└── Unavailable          the engine cannot take this now
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

ReadCause = Literal[
    "blocked_by_robots",
    "private_address",
    "bad_url",
    "bad_redirect",
    "too_many_redirects",
    "timeout",
    "connection",
    "tls",
    "too_large",
    "decode",
    "not_text",
    "not_found",
    "login_required",
    "paywall",
    "consent_wall",
    "needs_javascript",
    "challenge",
    "empty",
    "http_error",
]
SearchCause = Literal[
    "bad_key", "rate_limited", "paced", "quota", "timeout", "connection", "refused", "malformed", "server"
]
LLMCause = Literal[
    "unknown_model",
    "bad_key",
    "connection",
    "rate_limited",
    "too_long",
    "server",
    "timeout",
    "empty",
    "cut",
    "malformed",
]


class AnswerableError(Exception):
    """Base of all errors of this package. `status` is the HTTP status it maps to, `code` its stable name."""

    code: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class SettingsError(AnswerableError):
    code = "bad_settings"

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults), hint="Correct these settings and start again.")
        self.faults = tuple(faults)


class BadRequest(AnswerableError):
    code = "bad_request"
    status = 400


class NotFound(BadRequest):
    code = "not_found"
    status = 404


class Unusable(BadRequest):
    status = 422


class Conflict(BadRequest):
    code = "conflict"
    status = 409


class Forbidden(BadRequest):
    code = "forbidden"
    status = 403


class TooOften(BadRequest):
    """`retry_after` is in seconds."""

    code = "rate_limited"
    status = 429

    def __init__(self, message: str, *, hint: str = "", retry_after: int = 60) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class BudgetSpent(BadRequest):
    """`retry_after` is in seconds."""

    code = "budget_spent"
    status = 429

    def __init__(self, message: str, *, hint: str = "", retry_after: int = 60) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class PartFailed(AnswerableError):
    code = "part_failed"
    status = 502


class SearchError(AnswerableError):
    """`retry_after`: seconds the provider asked us to wait, when it said."""

    code = "search_failed"
    status = 502
    retryable = True

    def __init__(
        self, provider: str, cause: SearchCause, message: str, *, hint: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(f"{provider}: {message}", hint=hint)
        self.provider, self.cause, self.retry_after = provider, cause, retry_after


class ReadError(AnswerableError):
    """`http_status` is set for cause `http_error`."""

    code = "read_failed"
    status = 502

    def __init__(self, url: str, cause: ReadCause, message: str = "", *, http_status: int | None = None) -> None:
        super().__init__(message or cause.replace("_", " "))
        self.url, self.cause, self.http_status = url, cause, http_status


class LLMError(AnswerableError):
    """`again` says whether the same call may succeed later; `retry_after` is in seconds."""

    code = "model_failed"
    status = 502
    retryable = True

    def __init__(
        self, model: str, cause: LLMCause, message: str, *, hint: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.model, self.cause, self.retry_after = model, cause, retry_after
        self.again = cause in {"rate_limited", "server", "timeout", "connection", "cut", "empty"}


class RerankError(AnswerableError):
    code = "rerank_failed"
    status = 502
    retryable = True

    def __init__(self, reranker: str, message: str) -> None:
        super().__init__(
            f"{reranker}: {message}", hint="Check its address and key, or take ANSWERABLE_RERANKER out of the settings."
        )
        self.reranker = reranker


class StorageError(AnswerableError):
    code = "storage_failed"


class Unavailable(AnswerableError):
    code = "unavailable"
    status = 503
    retryable = True

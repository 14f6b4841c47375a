"""OpenAI's chat format: what a request says of us, and a turn as a completion, in chunks or whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from answerable.answering.followups import standalone_question
from answerable.answering.searching import fresh_enough
from answerable.errors import BadRequest
from answerable.schemas import QUESTION_CHARS, Problem, RecencyName
from answerable.text.cleaning import shortened
from answerable.text.domains import MOST, domain_entries
from answerable.types import Ask, Citation, Focus, PastTurn, Turn, WriterName

PATHS = ("/v1/chat/completions", "/chat/completions", "/v1/models", "/models")
OWN_MODEL, EXTRACTIVE = "answerable", "answerable-extractive"
TURNS_SEEN = 3  # the last turns that a follow-up may know
SUMMARY_CHARS = 300
_MARKER = re.compile(r"\[(\d+)\]")


class ContentPart(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: str
    text: str = ""


class ChatMessage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPart] | None = None

    @property
    def words(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.text)
        return self.content or ""


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="ignore")
    include_usage: bool | None = None


class ResponseFormat(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: str = "text"


class ChatRequest(BaseModel):
    """OpenAI's request. Parameters that are not named here are taken and ignored."""

    model_config = ConfigDict(extra="ignore")
    messages: list[ChatMessage] = Field(
        min_length=1, max_length=1000, description="The last one is the question; those before it are its context."
    )
    model: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        default=OWN_MODEL,
        description="A model with its vendor, such as `openai:gpt-5-mini`; `answerable-extractive`: the sources' own "
        "sentences; any other name: the server's choice.",
    )
    stream: bool | None = Field(default=None, description="`true`: chunks as server-sent events, then `[DONE]`.")
    stream_options: StreamOptions | None = Field(
        default=None, description="`include_usage`: the tokens in a chunk of their own, the last."
    )
    n: int | None = Field(default=None, description="Only 1.")
    response_format: ResponseFormat | None = Field(default=None, description="Only `text`.")
    search_recency_filter: RecencyName | None = Field(default=None, description="How fresh the pages should be.")
    search_domain_filter: Annotated[tuple[str, ...], AfterValidator(domain_entries)] | None = Field(
        default=None, max_length=MOST, description="Only these sites; with a hyphen before it, never this one."
    )
    search_mode: Literal["web", "academic", "sec"] | None = Field(default=None, description="`academic`, or the web.")
    return_related_questions: bool | None = Field(default=None, description="`true`: with `related_questions`.")

    def ask(self, key: str | None) -> Ask:
        """Raises BadRequest for what this engine cannot do."""
        if self.n not in {None, 1}:
            raise BadRequest(f"n is {self.n}: one answer is given a request", hint="Leave `n` out.")
        if self.response_format is not None and self.response_format.type != "text":
            raise BadRequest(
                f"response_format {self.response_format.type!r} cannot be had: answers are text with citations",
                hint="Leave `response_format` out.",
            )
        question, history = _conversation(self.messages)
        writer: WriterName | None = "extractive" if self.model == EXTRACTIVE else None
        focus: Focus = "academic" if self.search_mode == "academic" else "web"
        return Ask(
            question,
            focus=focus,
            freshness=fresh_enough(self.search_recency_filter),
            model=self.model if ":" in self.model else None,
            writer=writer,
            idempotency_key=key,
            history=history,
            domains=self.search_domain_filter or (),
        )


def _conversation(messages: Sequence[ChatMessage]) -> tuple[str, tuple[PastTurn, ...]]:
    """The question, and what was said before. Only what a user asked can become a search query, never a system text."""
    spoken = [message for message in messages if message.role in {"user", "assistant"} and message.words.strip()]
    if not spoken or spoken[-1].role != "user":
        raise BadRequest("the last message must be the user's, with a text", hint="Put the question last.")
    last = spoken.pop()
    if isinstance(last.content, list) and not all(part.type in {"text", "input_text"} for part in last.content):
        raise BadRequest("only text can be read, no images or files", hint="Send the question as text.")
    if len(last.words) > QUESTION_CHARS:
        raise BadRequest(
            f"the question has {len(last.words):,} characters; {QUESTION_CHARS:,} can be read", hint="Shorten it."
        )
    history: tuple[PastTurn, ...] = ()
    asked: list[str] = []
    for message in spoken:
        if message.role == "user":
            asked.append(shortened(message.words, QUESTION_CHARS))
        elif asked:
            whole = " ".join(asked)
            alone = standalone_question(whole, history)
            history = (*history, PastTurn(whole, alone, shortened(message.words, SUMMARY_CHARS)))[-TURNS_SEEN:]
            asked = []
    if asked:  # asked again before there was an answer
        whole = " ".join(asked)
        history = (*history, PastTurn(whole, standalone_question(whole, history), ""))[-TURNS_SEEN:]
    return last.words, history


class Completion:
    """A run told as one completion: `chunk`s while it streams, `whole` at its end."""

    def __init__(self, run_id: str, created: int, request: ChatRequest) -> None:
        self._base: dict[str, Any] = {"id": run_id, "created": created, "model": request.model}
        self._request = request
        self._with_usage = bool(request.stream_options and request.stream_options.include_usage)

    def chunk(self, delta: dict[str, Any], **more: Any) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None} | more.pop("choice", {})
        usage = {"usage": None} if self._with_usage else {}
        return self._base | {"object": "chat.completion.chunk", "choices": [choice]} | usage | more

    def last_chunks(self, turn: Turn) -> Iterator[dict[str, Any]]:
        """The one with the finish reason and what was found, then the usage, where it was asked for apart."""
        usage = {} if self._with_usage else {"usage": usage_of(turn)}
        end = {"finish_reason": finish_reason(turn), "message": _message(turn)}
        yield self.chunk({}, choice=end, **self._beside(turn), **usage)
        if self._with_usage:
            yield self.chunk({}) | {"choices": [], "usage": usage_of(turn)}

    def whole(self, turn: Turn) -> dict[str, Any]:
        choice = {"index": 0, "message": _message(turn), "logprobs": None, "finish_reason": finish_reason(turn)}
        reply = self._base | {"object": "chat.completion", "choices": [choice], "usage": usage_of(turn)}
        return reply | self._beside(turn)

    def _beside(self, turn: Turn) -> dict[str, Any]:
        """`citations[n - 1]` is the address of `[n]`, and `search_results[n - 1]` tells of it."""
        beside: dict[str, Any] = {
            "citations": [source.url for source in turn.sources],
            "search_results": [_result(turn, source.n) | _dated(source) for source in turn.sources],
        }
        if self._request.return_related_questions:
            beside["related_questions"] = list(turn.related_questions)
        return beside


def _result(turn: Turn, n: int | None) -> dict[str, Any]:
    """`snippet` is the first of the page's words that support the answer."""
    quote = next((citation.quote for citation in turn.citations if citation.n == n), "")
    return {"snippet": " ".join(quote.split()), "source": "web"}


def _dated(source: Any) -> dict[str, Any]:
    date = source.published.date().isoformat() if source.published else None
    return {"title": source.title, "url": source.url, "date": date, "last_updated": None}


def _message(turn: Turn) -> dict[str, Any]:
    return {"role": "assistant", "content": turn.answer, "refusal": None, "annotations": list(_annotations(turn))}


def _annotations(turn: Turn) -> Iterator[dict[str, Any]]:
    """OpenAI's `url_citation`s: where each marker stands, and the page it leads to."""
    for sentence in turn.sentences:
        cited: dict[int, Citation] = {c.n: c for c in turn.citations if c.sentence == sentence.index}
        for marker in _MARKER.finditer(turn.answer, sentence.start, sentence.end):
            if citation := cited.get(int(marker[1])):
                place = {"start_index": marker.start(), "end_index": marker.end()}
                yield {
                    "type": "url_citation",
                    "url_citation": place | {"url": citation.link or citation.url, "title": citation.title},
                }


def finish_reason(turn: Turn) -> str:
    return "length" if any(note.code == "truncated" for note in turn.notes) else "stop"


def usage_of(turn: Turn) -> dict[str, Any]:
    """Tokens of the models behind the answer: none, where the sources speak for themselves."""
    used = turn.usage
    usage: dict[str, Any] = {
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "total_tokens": used.input_tokens + used.output_tokens,
        "num_search_queries": len(turn.plan.queries) if turn.plan else 0,
    }
    if turn.cost is not None:
        usage["cost"] = {"total_cost": turn.cost}
    return usage


def error_of(problem: Problem) -> dict[str, Any]:
    """A problem in the shape that OpenAI's clients raise from."""
    kinds = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
    kind = kinds.get(problem.status, "server_error" if problem.status >= 500 else "invalid_request_error")
    message = f"{problem.detail} {problem.hint}".strip()
    field = problem.errors[0]["field"] if problem.errors else None
    return {"error": {"message": message, "type": kind, "param": field, "code": problem.code}}

"""Single calls of a pydantic-ai model, in our words: messages in, pieces out, failures as LLMError."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from answerable.errors import LLMCause, LLMError
from answerable.protocols import Message, Piece
from answerable.providers.llm.failures import Where, failure_of, failures, told
from answerable.types import Usage

if TYPE_CHECKING:
    from answerable.providers.llm.pydantic import Target

Schema = dict[str, object]


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer given at once."""

    text: str
    usage: Usage


class Calls:
    """A model that was loaded. The library's own retries are off: they know nothing of our budgets."""

    def __init__(self, name: str, target: Target, model: Model) -> None:
        self._model = model
        self._where = Where(name, target.model, target.base_url or "", target.variable, target.key)

    @property
    def native_schema(self) -> bool:
        return bool(self._model.profile.get("supports_json_schema_output"))

    async def stream(
        self, messages: Sequence[Message], timeout: float, first: float, max_tokens: int | None
    ) -> AsyncGenerator[Piece]:
        """The text as the vendor sends it; the last piece has usage and end. Close it when you stop early.

        No cancel scope is open across a yield: the library holds its time-outs around each pull.
        """
        settings = self._settings(timeout, max_tokens)
        settings["first_event_timeout"] = max(0.0, first)
        begun = False
        opened = AsyncExitStack()
        try:
            response = await opened.enter_async_context(
                model_request_stream(self._model, _history(messages), model_settings=settings)
            )
            async for event in response:
                if text := _text_of(event):
                    begun = True
                    yield Piece(text)
            yield Piece("", _usage(response.get()), self._end(response.finish_reason))
        except failures() as error:
            raise failure_of(error, self._where, begun=begun) from error
        finally:
            await opened.aclose()

    async def whole(self, messages: Sequence[Message], timeout: float, schema: Schema | None) -> Whole:
        """The answer at once; with a schema, the vendor is made to keep to it."""
        wanted = None
        if schema is not None:
            wanted = ModelRequestParameters(
                output_mode="native", output_object=OutputObjectDefinition(json_schema=schema, name="answer")
            )
        try:
            response = await model_request(
                self._model,
                _history(messages),
                model_settings=self._settings(timeout, None),
                model_request_parameters=wanted,
            )
        except failures() as error:
            raise failure_of(error, self._where, begun=False) from error
        called = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
        said = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        return Whole(said or "\n".join(called), _usage(response) + Usage(requests=1))

    def failure(self, cause: LLMCause, said: str) -> LLMError:
        return told(cause, self._where.redacted(said), self._where)

    async def aclose(self) -> None:
        async with self._model:
            pass  # leaving closes the client that the provider made

    def _settings(self, timeout: float, max_tokens: int | None) -> ModelSettings:
        settings = ModelSettings(request_timeout=max(0.0, timeout), max_retries=0)
        if max_tokens is not None:
            settings["max_tokens"] = max_tokens
        return settings

    def _end(self, reason: str | None) -> Literal["complete", "length"]:
        if reason is None:
            raise self.failure("cut", "the stream ended without a reason")
        if reason == "content_filter":
            raise self.failure("cut", "its content filter stopped it")
        return "length" if reason == "length" else "complete"


def _history(messages: Sequence[Message]) -> list[ModelMessage]:
    """Our messages in the library's shape: what is said to the model side by side makes one request."""
    history: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            history.append(ModelResponse(parts=[TextPart(message.content)]))
            continue
        part = SystemPromptPart(message.content) if message.role == "system" else UserPromptPart(message.content)
        if history and isinstance(last := history[-1], ModelRequest):
            history[-1] = ModelRequest(parts=[*last.parts, part])
        else:
            history.append(ModelRequest(parts=[part]))
    return history


def _text_of(event: ModelResponseStreamEvent) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _usage(response: ModelResponse) -> Usage:
    """With its price in dollars, where the library's list of prices knows the model at that address."""
    used = response.usage
    try:
        cost = float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return Usage(used.input_tokens, used.output_tokens, cost=None)
    return Usage(used.input_tokens, used.output_tokens, cost=cost)

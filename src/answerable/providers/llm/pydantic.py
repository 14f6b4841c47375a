"""Any language model through pydantic-ai: streamed and structured calls within a budget, with our errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from answerable.errors import LLMError
from answerable.protocols import Message, Piece, Sleep, T
from answerable.text.cleaning import StorableStream
from answerable.text.thinking import ThinkingFilter
from answerable.types import Usage

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from answerable.providers.llm.calls import Calls

_FIRST_TOKEN_SHARE = 0.5  # of the budget: a model that is silent that long leaves no time to answer
_LEAST_REST = 1.0  # seconds of budget that a retry must find


@dataclass(frozen=True, slots=True)
class Target:
    """Where a model is. `variable` names its key, for messages; `key` never appears in any."""

    vendor: str
    model: str
    base_url: str | None
    key: str | None
    variable: str

    def __repr__(self) -> str:
        return f"Target({self.vendor}:{self.model} at {self.base_url or 'its vendor'})"


class PydanticLLM:
    """Implements `protocols.LLM`. Imports its library at the first call, off the event loop: that takes seconds."""

    def __init__(
        self,
        name: str,
        target: Target,
        *,
        first_token_timeout: float | None = None,
        sleep: Sleep = asyncio.sleep,
        on_usage: Callable[[str, Usage], None] = lambda name, usage: None,
    ) -> None:
        """`on_usage` is told of the tokens of each call that came to its end."""
        self.name = name
        self._on_usage = on_usage
        self._target = target
        self._first_token_timeout = first_token_timeout
        self._sleep = sleep
        self._loading: asyncio.Task[Calls] | None = None

    async def stream(
        self, messages: Sequence[Message], *, timeout: float, max_tokens: int | None = None
    ) -> AsyncGenerator[Piece]:
        """One retry, before any text was given: after a server error, or a wait the server asked for and that fits."""
        deadline = time.monotonic() + timeout
        tries = 0
        while True:
            tries += 1
            begun = False
            pieces = self._stream_once(messages, deadline, max_tokens, tries)
            try:
                async for piece in pieces:
                    begun = begun or bool(piece.text)
                    if piece.usage is not None:
                        self._on_usage(self.name, piece.usage)
                    yield piece
                return
            except LLMError as error:
                wait = None if begun or tries > 1 else _wait_before_retry(error, deadline)
                if wait is None:
                    raise
            finally:
                await pieces.aclose()
            await self._sleep(wait)

    async def structured(self, messages: Sequence[Message], output: type[T], *, timeout: float) -> tuple[T, Usage]:
        """`output` is anything pydantic can validate: a model, a dataclass, `list[str]`."""
        from answerable.providers.llm.structured import ask

        deadline = time.monotonic() + timeout
        calls = await self._load(deadline)
        try:
            answer = await ask(calls, messages, output, deadline)
        except LLMError as error:
            wait = _wait_before_retry(error, deadline)
            if wait is None:
                raise
            await self._sleep(wait)
            answer = await ask(calls, messages, output, deadline)
        self._on_usage(self.name, answer[1])
        return answer

    async def aclose(self) -> None:
        """Closes the connections kept open."""
        loading, self._loading = self._loading, None
        if loading is not None:
            await asyncio.wait([loading])
            if loading.exception() is None:
                await loading.result().aclose()

    async def warm(self) -> None:
        """Loads the library ahead of the first question. A failure is told by the first call instead."""
        loading = self._load_task()
        await asyncio.wait([loading])
        loading.exception()  # looked at, so that asyncio does not complain of it

    async def _stream_once(
        self, messages: Sequence[Message], deadline: float, max_tokens: int | None, tries: int
    ) -> AsyncGenerator[Piece]:
        calls = await self._load(deadline)
        left = deadline - time.monotonic()
        first = min(left, self._first_token_timeout or left * _FIRST_TOKEN_SHARE)
        thinking, clean = ThinkingFilter(), StorableStream()
        said = False
        pieces = calls.stream(messages, left, first, max_tokens)
        try:
            async for piece in pieces:
                text = clean.feed(thinking.feed(piece.text))
                if piece.end:
                    text += clean.feed(thinking.finish()) + clean.finish()
                said = said or bool(text.strip())
                if piece.end and not said:
                    raise calls.failure("empty", "it ended without text" if piece.end == "complete" else "length limit")
                if piece.end:
                    yield Piece(text, Usage(requests=tries) + (piece.usage or Usage()), piece.end)
                elif text:
                    yield Piece(text)
        finally:
            await pieces.aclose()

    async def _load(self, deadline: float) -> Calls:
        """A call whose budget ends while the library loads leaves it loading for the next one."""
        loading = self._load_task()
        await asyncio.wait([loading], timeout=max(0.0, deadline - time.monotonic()))
        if not loading.done():
            raise LLMError(self.name, "timeout", f"The model {self.name!r} was still being loaded.", hint="Ask again.")
        return loading.result()

    def _load_task(self) -> asyncio.Task[Calls]:
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(_build, self.name, self._target))
        return self._loading


def _wait_before_retry(error: LLMError, deadline: float) -> float | None:
    """Seconds to wait, or None when a second try is pointless or does not fit."""
    if error.cause == "rate_limited" and error.retry_after is not None:
        wait = error.retry_after
    elif error.cause == "server":
        wait = 0.2
    else:
        return None
    return wait if time.monotonic() + wait + _LEAST_REST < deadline else None


def _build(name: str, target: Target) -> Calls:
    from pydantic_ai.exceptions import UserError

    from answerable.providers.llm.calls import Calls

    try:
        return Calls(name, target, _model(target))
    except (ImportError, UserError, ValueError) as error:
        said = str(error).replace(target.key or "\0", "***")
        raise LLMError(name, "unknown_model", f"The model {name!r} cannot be used: {said}") from error


def _model(target: Target) -> Model:
    """Vendors speak through their own package; everything else through OpenAI's chat format.

    OpenAI's own models too: one wire format, the one our scripted server plays, instead of two.
    """
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider_class

    settings: dict[str, Any] = {"api_key": target.key}
    if target.base_url:
        settings["base_url"] = target.base_url
    if target.vendor in {"openai", "openai-compatible"}:
        return _openai_model(target)
    if target.vendor == "ollama":
        settings["api_key"] = target.key or "none"
    return infer_model(
        f"{target.vendor}:{target.model}", provider_factory=lambda name: infer_provider_class(name)(**settings)
    )


def _openai_model(target: Target) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    # A stream without a finish reason was cut; thinking tags are taken out here, where they may be split.
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True, thinking_tags=("\0", "\0"))
    if target.base_url is None:
        return OpenAIChatModel(target.model, provider=OpenAIProvider(api_key=target.key), profile=profile)
    provider = OpenAICompatibleProvider("openai-compatible", base_url=target.base_url, api_key=target.key or "none")
    return OpenAIChatModel(target.model, provider=provider, profile=profile)

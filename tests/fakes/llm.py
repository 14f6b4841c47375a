"""A language model in memory: gives the pieces and answers it was handed, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from answerable.errors import LLMError
from answerable.protocols import Message, Piece, T
from answerable.text.jsonish import json_values
from answerable.types import Usage

Step = str | Piece | LLMError


class FakeLLM:
    """Each call plays the next script: strings and pieces in order; an LLMError among them is raised there."""

    def __init__(self, *scripts: Sequence[Step] | str | LLMError, name: str = "fake") -> None:
        self.name = name
        self.prompts: list[list[Message]] = []
        self.closed_early = 0
        self._scripts: list[Any] = list(scripts)

    async def stream(
        self, messages: Sequence[Message], *, timeout: float, max_tokens: int | None = None
    ) -> AsyncGenerator[Piece]:
        ended = False
        try:
            for step in self._next(messages):
                if isinstance(step, LLMError):
                    ended = True
                    raise step
                piece = Piece(step) if isinstance(step, str) else step
                ended = ended or piece.end is not None
                yield piece
            if not ended:
                ended = True
                yield Piece(usage=Usage(10, 5, 1), end="complete")
        finally:
            self.closed_early += not ended

    async def structured(self, messages: Sequence[Message], output: type[T], *, timeout: float) -> tuple[T, Usage]:
        steps = self._next(messages)
        for step in steps:
            if isinstance(step, LLMError):
                raise step
            text = step if isinstance(step, str) else step.text
            for value in json_values(text):
                try:
                    return TypeAdapter(output).validate_python(value), Usage(10, 5, 1)
                except ValidationError:
                    continue
        raise LLMError(self.name, "malformed", "no JSON in the answer")

    def _next(self, messages: Sequence[Message]) -> Sequence[Step]:
        self.prompts.append(list(messages))
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        return [script] if isinstance(script, str | LLMError) else script

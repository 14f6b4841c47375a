"""What every language model promises: answer text only, an end, our errors, an answer in the form asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import pytest
from tests.fakes.llm import FakeLLM

from answerable.errors import LLMError
from answerable.evals.scripted import Reply, ScriptedLLM, fails, says
from answerable.protocols import LLM, Message
from answerable.providers.llm.names import make_llm

ASKED = [Message("system", "You answer."), Message("user", "How long is the tunnel?")]
Making = Callable[[Reply], AbstractAsyncContextManager[LLM]]


@dataclass
class Plan:
    queries: list[str]


@asynccontextmanager
async def over_the_wire(reply: Reply) -> AsyncIterator[LLM]:
    async with ScriptedLLM(answer=lambda body: reply) as server:
        llm = make_llm("openai:scripted", base_url=server.url, api_key="k-abc123")
        yield llm
        await llm.aclose()


@asynccontextmanager
async def in_memory(reply: Reply) -> AsyncIterator[LLM]:
    steps: list[str | LLMError] = list(reply.pieces)
    if reply.status == 401:
        steps = [LLMError("fake", "bad_key", "no")]
    if reply.end == "no_reason":
        steps.append(LLMError("fake", "cut", "cut"))
    yield FakeLLM(steps)


@pytest.fixture(params=[over_the_wire, in_memory])
def making(request: pytest.FixtureRequest) -> Making:
    made: Making = request.param
    return made


async def test_the_pieces_joined_are_the_answer_and_the_last_has_the_end(making: Making) -> None:
    async with making(says("It is 2.4 km long [1].", split=4)) as llm:
        pieces = [piece async for piece in llm.stream(ASKED, timeout=10)]

    assert "".join(piece.text for piece in pieces) == "It is 2.4 km long [1]."
    assert [piece.end for piece in pieces if piece.end] == ["complete"]
    assert pieces[-1].end == "complete"
    assert pieces[-1].usage is not None
    assert pieces[-1].usage.requests == 1


async def test_a_refused_key_is_an_error_before_any_piece(making: Making) -> None:
    async with making(fails(401, "Incorrect API key")) as llm:
        with pytest.raises(LLMError) as failure:
            _ = [piece async for piece in llm.stream(ASKED, timeout=10)]

    assert failure.value.cause == "bad_key"
    assert not failure.value.again


async def test_a_stream_that_breaks_gives_its_text_then_the_error(making: Making) -> None:
    text, cause = "", ""
    async with making(says("It is 2.4", end="no_reason")) as llm:
        try:
            async for piece in llm.stream(ASKED, timeout=10):
                text += piece.text
        except LLMError as error:
            cause = error.cause

    assert (text, cause) == ("It is 2.4", "cut")


async def test_an_answer_in_the_form_asked_for_is_given_as_that_type(making: Making) -> None:
    async with making(says('Here: {"queries": ["tunnel length"]} as asked.')) as llm:
        plan, usage = await llm.structured(ASKED, Plan, timeout=10)

    assert plan == Plan(["tunnel length"])
    assert usage.requests == 1


async def test_an_answer_in_no_form_is_malformed(making: Making) -> None:
    async with making(says("I would rather not.\nReally.")) as llm:
        with pytest.raises(LLMError) as failure:
            await llm.structured(ASKED, Plan, timeout=10)

    assert failure.value.cause == "malformed"

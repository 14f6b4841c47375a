"""Answers in a given form from models that keep to it, half keep to it, or do not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from answerable.errors import LLMError
from answerable.evals.scripted import Reply, ScriptedLLM, fails, says
from answerable.protocols import Message, T
from answerable.providers.llm.names import make_llm
from answerable.types import Usage

ASKED = [Message("system", "You plan."), Message("user", "Why is the Sylva low?")]


@dataclass
class Plan:
    queries: list[str]
    kind: str = "lookup"


class Rewritten(BaseModel):
    question: str


@pytest.fixture
async def server() -> AsyncIterator[ScriptedLLM]:
    async with ScriptedLLM() as server:
        yield server


async def ask(server: ScriptedLLM, output: type[T], *replies: Reply) -> tuple[T, Usage]:
    server.enqueue(*replies)
    llm = make_llm("openai:sandpiper", base_url=server.url)
    try:
        return await llm.structured(ASKED, output, timeout=10)
    finally:
        await llm.aclose()


@pytest.mark.parametrize(
    "said",
    [
        '{"queries": ["Sylva level", "snow melt"]}',
        '```json\n{"queries": ["Sylva level", "snow melt"]}\n```\nSee [docs]. [1]',
        'My plan:\n["Sylva level", "snow melt"]',
        "1. Sylva level\n2) \"snow melt\"",
        '<think>{"queries": ["no"]}</think>{"queries": ["Sylva level", "snow melt"]}',
    ],
)  # fmt: skip
async def test_chatter_around_the_answer_does_not_matter(said: str, server: ScriptedLLM) -> None:
    plan, usage = await ask(server, Plan, says(said))

    assert plan.queries == ["Sylva level", "snow melt"]
    assert usage == Usage(120, 40, 1, cost=None)


async def test_a_model_class_is_filled_too(server: ScriptedLLM) -> None:
    out, _ = await ask(server, Rewritten, says('{"question": "Why is the Sylva low?"}'))

    assert out == Rewritten(question="Why is the Sylva low?")


@pytest.mark.parametrize(
    "said",
    [
        "Sure! The standalone version of the question is:\n\n> How long is the tunnel?\n\nIt can be understood alone.",
        'Standalone question: "How long is the tunnel?"',
        "How long is the tunnel?\n\nExplanation: I replaced 'it'.",
    ],
)
async def test_a_sentence_stands_for_a_form_of_one_sentence(said: str, server: ScriptedLLM) -> None:
    out, usage = await ask(server, Rewritten, says(said))

    assert out == Rewritten(question="How long is the tunnel?")
    assert usage.requests == 1, "no repair was needed"


async def test_halves_of_characters_in_an_answer_are_replaced(server: ScriptedLLM) -> None:
    out, _ = await ask(server, Rewritten, says(r'{"question": "Why \ud800 is \u0000 it low?"}'))

    assert out == Rewritten(question="Why \ufffd is  it low?")


async def test_a_bare_list_can_be_asked_for(server: ScriptedLLM) -> None:
    out, _ = await ask(server, list[str], says("- one\n- two"))

    assert out == ["one", "two"]


async def test_a_wrong_answer_is_sent_back_once_with_what_was_wrong(server: ScriptedLLM) -> None:
    out, usage = await ask(server, Rewritten, says('{"q": 1}'), says('{"question": "Why?"}'))

    assert out.question == "Why?"
    assert usage.requests == 2
    sent = server.requests[1]["messages"]
    assert sent[-2] == {"role": "assistant", "content": '{"q": 1}'}
    assert "question" in sent[-1]["content"]


async def test_two_wrong_answers_are_malformed(server: ScriptedLLM) -> None:
    with pytest.raises(LLMError) as failure:
        await ask(server, Rewritten, says("no"), says("still no"))

    assert failure.value.cause == "malformed"
    assert len(server.requests) == 2


async def test_a_server_that_knows_no_schemas_is_asked_without(server: ScriptedLLM) -> None:
    out, _ = await ask(server, Plan, fails(400, "response_format is not supported"), says('{"queries": ["a"]}'))

    assert out.queries == ["a"]
    assert "response_format" in server.requests[0]
    assert "response_format" not in server.requests[1]


async def test_a_passing_failure_is_tried_once_more(server: ScriptedLLM) -> None:
    out, _ = await ask(server, Plan, fails(500), says('{"queries": ["a"]}'))

    assert out.queries == ["a"]


async def test_a_refused_key_is_told_at_once(server: ScriptedLLM) -> None:
    with pytest.raises(LLMError) as failure:
        await ask(server, Plan, fails(401, "bad"))

    assert failure.value.cause == "bad_key"


async def test_a_silent_server_costs_its_budget_only(server: ScriptedLLM) -> None:
    server.enqueue(says("", end="hang"))
    llm = make_llm("openai:sandpiper", base_url=server.url)
    await llm.warm()

    with pytest.raises(LLMError) as failure:
        await llm.structured(ASKED, Plan, timeout=0.5)
    await llm.aclose()

    assert failure.value.cause == "timeout"

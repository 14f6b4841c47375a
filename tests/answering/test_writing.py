"""Who writes, when a model is stopped, and what follows it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.evidence import NOW, evidence_of
from tests.fakes.llm import FakeLLM

from answerable.answering.writing import Written, write_answer
from answerable.errors import LLMError
from answerable.evals.scripted import ScriptedLLM, fails, says
from answerable.events import Event, Notice
from answerable.protocols import LLM, Limits, Piece
from answerable.providers.llm.names import make_llm
from answerable.types import Evidence, Plan, Usage

CASES = Path(__file__).parents[1] / "data" / "cases"
PLAN = Plan("How long is the Sylva tunnel?", ("Sylva tunnel length",))
EVIDENCE = evidence_of("The Sylva tunnel is 2.4 km long.", "The Sylva tunnel has two tubes.")
QUOTED = "The Sylva tunnel is 2.4 km long [1]."


class HearingChecker:
    """Takes what the writer feeds; every full stop ends a claim, every [n] is usable."""

    def __init__(self) -> None:
        self.fed = ""
        self.blocks = 0

    async def feed(self, text: str) -> None:
        self.fed += text

    async def close_block(self) -> None:
        self.blocks += 1
        self.fed += "\n\n"

    @property
    def claims_seen(self) -> int:
        return len(re.findall(r"\.\s|\.$", self.fed))

    @property
    def usable_markers(self) -> int:
        return len(re.findall(r"\[[12]\]", self.fed))


@dataclass
class Done:
    written: Written
    text: str
    notices: list[Notice]
    blocks: int


async def write(llm: LLM | None, evidence: Evidence = EVIDENCE, plan: Plan = PLAN, timeout: float = 10.0) -> Done:
    events: list[Event] = []
    checker: Any = HearingChecker()
    written = await write_answer(
        plan,
        evidence,
        llm=llm,
        checker=checker,
        limits=Limits(answer_timeout=timeout),
        now=NOW,
        emit=events.append,
    )
    return Done(written, checker.fed, [e for e in events if isinstance(e, Notice)], checker.blocks)


def error(cause: Any = "server") -> LLMError:
    return LLMError("fake", cause, "The server of the model failed.", hint="Ask again later.")


async def test_without_a_model_the_sources_are_quoted() -> None:
    done = await write(None)

    assert QUOTED in done.text
    assert done.written == Written()


async def test_a_model_that_cites_is_heard_to_its_end() -> None:
    done = await write(FakeLLM(["It is 2.4 km ", "long [1]."]))

    assert done.text == "It is 2.4 km long [1]."
    assert done.written == Written("fake", Usage(10, 5, 1))
    assert done.notices == []


@pytest.mark.parametrize("cause", ["server", "cut", "timeout", "malformed"])
async def test_what_was_shown_before_a_failure_stays_and_quotes_follow_under_a_heading(cause: str) -> None:
    done = await write(FakeLLM(["It is 2.4 km long [1]. It was ", error(cause)]))

    assert done.text.startswith("It is 2.4 km long [1]. It was \n\n### From the sources\n\n")
    assert QUOTED in done.text
    assert [notice.code for notice in done.notices] == ["model_failed"]
    assert done.written.model == "fake"
    assert [note.code for note in done.written.notes] == ["model_failed"]


async def test_a_failure_before_any_text_leaves_the_quotes_alone() -> None:
    done = await write(FakeLLM(error("bad_key")))

    assert "###" not in done.text
    assert done.text.startswith(QUOTED)
    assert done.written.model is None
    assert "The server of the model failed. Ask again later." in done.notices[0].message


async def test_a_model_without_a_usable_marker_is_stopped_after_three_claims() -> None:
    llm = FakeLLM([f"This is claim number {n}. " for n in range(10)])

    done = await write(llm)

    assert "claim number 2. " in done.text
    assert "claim number 3. " not in done.text
    assert done.notices[0].code == "no_markers"
    assert QUOTED in done.text
    assert llm.closed_early == 1


async def test_a_short_answer_without_a_marker_is_followed_by_quotes_too() -> None:
    done = await write(FakeLLM("It is 2.4 km long."))

    assert done.text.startswith("It is 2.4 km long.")
    assert done.notices[0].code == "no_markers"
    assert QUOTED in done.text


async def test_one_usable_marker_is_enough_to_go_on() -> None:
    done = await write(FakeLLM(["One. Two [1]. ", "Three. ", "Four. "]))

    assert done.text == "One. Two [1]. Three. Four. "


async def test_a_length_limit_is_told_and_the_text_kept() -> None:
    done = await write(FakeLLM(["It is 2.4 km [1]. It has elev", Piece(end="length", usage=Usage(9, 9, 1))]))

    assert done.written.truncated
    assert [notice.code for notice in done.notices] == ["truncated"]
    assert "###" not in done.text


async def test_a_model_that_never_ends_is_stopped_by_the_budget() -> None:
    async with ScriptedLLM(says("It is 2.4 km long [1]. ", end="hang")) as server:
        llm = make_llm("openai:x", base_url=server.url)
        await llm.warm()
        done = await write(llm, timeout=5.0)
        await llm.aclose()

    assert done.text.startswith("It is 2.4 km long [1].")
    assert "### From the sources" in done.text
    assert done.notices[0].code == "model_failed"


async def test_a_prompt_that_is_too_long_is_sent_once_more_with_fewer_passages() -> None:
    case = json.loads((CASES / "llm" / "llm-context-overflow.json").read_text("utf-8"))
    first, second = case["responses"]
    evidence = evidence_of(*(f"Source {n}. " + "x" * case["passage_chars"] for n in range(case["passages"])))
    async with ScriptedLLM(
        fails(first["status"], first["json"]["error"]["message"], code=first["json"]["error"]["code"]),
        says(second["text"]),
    ) as server:
        llm = make_llm("openai:x", base_url=server.url)
        done = await write(llm, evidence, Plan(case["question"], (case["question"],)))
        await llm.aclose()
        prompts = [str(request["messages"]) for request in server.requests]

    assert done.text == second["text"]
    assert done.notices == []
    assert len(prompts) == 2
    assert len(prompts[1]) < len(prompts[0])
    assert case["question"] in prompts[1]
    assert sources_in(prompts[0]) == [str(n) for n in range(1, 13)]
    assert sources_in(prompts[1]) == [str(n) for n in range(1, 7)]


async def test_a_prompt_that_stays_too_long_is_given_up() -> None:
    llm = FakeLLM(error("too_long"))

    done = await write(llm)

    assert len(llm.prompts) == 2
    assert QUOTED in done.text


def sources_in(prompt: str) -> Sequence[str]:
    return re.findall(r"<<<SOURCE (\d+) ", prompt)

"""A model on the wire, its pieces as badly cut as they come, through the real checker."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.fakes.evidence import NOW, evidence_of

from answerable.answering.checking import AnswerChecker, CheckedAnswer
from answerable.answering.writing import Written, write_answer
from answerable.evals.scripted import Reply, ScriptedLLM, fails, says, streams
from answerable.events import Delta, Event, Notice
from answerable.protocols import Limits
from answerable.providers.llm.names import make_llm
from answerable.providers.llm.pydantic import PydanticLLM
from answerable.providers.support.lexical import LexicalSupport
from answerable.types import Plan

CASES = Path(__file__).parents[1] / "data" / "cases"
PLAN = Plan("How long is the Sylva tunnel?", ("Sylva tunnel length",))
EVIDENCE = evidence_of("The Sylva tunnel is 2.4 km long.", "The Sylva tunnel has two tubes and 118 lamps.")
RIGHT = "The Sylva tunnel is 2.4 km long [1]. The Sylva tunnel has two tubes and 118 lamps [2]."
SHOWN = "The Sylva tunnel is 2.4 km long[1]. The Sylva tunnel has two tubes and 118 lamps[2]."


@pytest.fixture
async def server() -> AsyncIterator[ScriptedLLM]:
    async with ScriptedLLM() as server:
        yield server


@pytest.fixture
async def llm(server: ScriptedLLM) -> AsyncIterator[PydanticLLM]:
    llm = make_llm("openai:scripted", base_url=server.url)
    yield llm
    await llm.aclose()


async def answer(llm: PydanticLLM, plan: Plan = PLAN) -> tuple[CheckedAnswer, Written, list[str]]:
    events: list[Event] = []
    checker = AnswerChecker(EVIDENCE, LexicalSupport(), events.append)
    written = await write_answer(plan, EVIDENCE, llm=llm, checker=checker, limits=Limits(), now=NOW, emit=events.append)
    checked = await checker.finish(cut=written.truncated)
    assert "".join(event.text for event in events if isinstance(event, Delta)) == checked.answer
    return checked, written, [event.code for event in events if isinstance(event, Notice)]


@pytest.mark.parametrize(
    "reply",
    [
        says(RIGHT),
        says(RIGHT, split=1),
        says(RIGHT, split=5),
        says(RIGHT.replace("[1]", "【1】"), split=3),
        says(f"<think>Source 2 [2] is good.</think>{RIGHT}", split=2),
        says(RIGHT, reasoning=("Let me look. ", "Source 1.")),
    ],
)
async def test_however_it_is_cut_the_answer_is_the_same(reply: Reply, server: ScriptedLLM, llm: PydanticLLM) -> None:
    server.enqueue(reply)

    checked, written, notices = await answer(llm)

    assert checked.answer == SHOWN
    assert checked.support.supported == 2
    assert (written.model, notices) == ("openai:scripted", [])


async def test_two_numbers_in_one_marker_are_checked_apart(server: ScriptedLLM, llm: PydanticLLM) -> None:
    server.enqueue(says("The Sylva tunnel is 2.4 km long [1, 2].", split=4))

    checked, _, _ = await answer(llm)

    assert checked.answer == "The Sylva tunnel is 2.4 km long[1]."


async def test_a_wrong_number_keeps_no_marker(server: ScriptedLLM, llm: PydanticLLM) -> None:
    server.enqueue(says(f"The Sylva tunnel is 3.4 km long [1]. {RIGHT}"))

    checked, _, _ = await answer(llm)

    assert checked.answer.startswith("The Sylva tunnel is 3.4 km long. ")
    assert checked.sentences[0].verdict == "unsupported"


async def test_a_break_in_the_middle_keeps_what_was_shown_and_goes_on_with_quotes(
    server: ScriptedLLM, llm: PydanticLLM
) -> None:
    server.enqueue(says("The Sylva tunnel has two tubes and 118 lamps [2]. It was opened by [", split=3, end="cut"))

    checked, written, notices = await answer(llm)

    assert checked.answer.startswith("The Sylva tunnel has two tubes and 118 lamps[1]. It was opened by")
    assert "### From the sources\n\nThe Sylva tunnel is 2.4 km long[2]." in checked.answer
    assert "[\n" not in checked.answer
    assert (written.model, notices) == ("openai:scripted", ["model_failed"])


@pytest.mark.parametrize(
    ("reply", "notice"),
    [
        (fails(401, "bad key"), "model_failed"),
        (fails(429, "slow down", retry_after=600), "model_failed"),
        (says(""), "model_failed"),
        (says("<think>Only thoughts.</think>"), "model_failed"),
    ],
)  # fmt: skip
async def test_a_model_that_gives_nothing_leaves_the_quotes(
    reply: Reply, notice: str, server: ScriptedLLM, llm: PydanticLLM
) -> None:
    server.enqueue(reply)

    checked, written, notices = await answer(llm)

    assert checked.answer.startswith("The Sylva tunnel is 2.4 km long[1].")
    assert checked.support.claims == checked.support.supported
    assert (written.model, notices) == (None, [notice])


async def test_claims_without_markers_stay_marked_as_uncited(server: ScriptedLLM, llm: PydanticLLM) -> None:
    server.enqueue(says("The tunnel was dug by hand in 1901. " * 5, split=7))

    checked, _, notices = await answer(llm)

    assert notices == ["no_markers"]
    assert checked.support.uncited == 3
    assert "2.4 km long[1]" in checked.answer


async def test_what_the_sources_lack_may_be_said_without_a_marker(server: ScriptedLLM, llm: PydanticLLM) -> None:
    server.enqueue(says("The sources do not say when it was opened."))

    checked, _, notices = await answer(llm)

    assert checked.answer == "The sources do not say when it was opened."
    assert notices == []


async def test_an_answer_cut_by_its_length_shows_no_half_marker() -> None:
    """Case stream-length-cut: what its first sentence says is kept with its source."""
    case = CASES / "llm" / "stream-length-cut.sse"
    evidence = evidence_of("Line 4 opened in May. Line 4 has eleven stops.")
    events: list[Event] = []
    checker = AnswerChecker(evidence, LexicalSupport(), events.append)
    async with ScriptedLLM(streams(case.read_bytes())) as server:
        llm = make_llm("openai:scripted", base_url=server.url)
        written = await write_answer(
            Plan("When did line 4 open?", ("q",)),
            evidence,
            llm=llm,
            checker=checker,
            limits=Limits(),
            now=NOW,
            emit=events.append,
        )
        await llm.aclose()
    checked = await checker.finish(cut=written.truncated)
    expected = next(
        row["expected"]
        for row in map(json.loads, (CASES / "cases-llm.jsonl").read_text("utf-8").splitlines())
        if row["id"] == "stream-length-cut"
    )

    assert checked.answer.startswith(expected["text_starts"])
    assert [citation.n for citation in checked.citations] == expected["cited"]
    assert not checked.answer.rstrip().endswith(tuple(expected["must_not_show_at_end"]))
    assert written.truncated
    assert [event.code for event in events if isinstance(event, Notice)] == ["truncated"]

"""Plans by rules, and plans by a model that may fail."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

import pytest

from answerable.answering.compound import asked_parts
from answerable.answering.parts import compared
from answerable.answering.planning import PlanOut, StandaloneOut, plan_by_rules, plan_question
from answerable.errors import LLMError
from answerable.protocols import Limits, Message, Piece
from answerable.types import Kind, PastTurn, Question, Usage

NOW = datetime(2031, 2, 3, 10, tzinfo=UTC)


def question(text: str, *history: PastTurn) -> Question:
    return Question(text, NOW, history=history)


class Planner:
    """A model that returns what it was given, in turn."""

    name = "planner"

    def __init__(self, *outputs: object) -> None:
        self.outputs = list(outputs)

    async def structured(self, messages: Sequence[Message], output: type, *, timeout: float) -> tuple[object, Usage]:
        answer = self.outputs.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer, Usage(10, 5, 1)

    def stream(
        self, messages: Sequence[Message], *, timeout: float, max_tokens: int | None = None
    ) -> AsyncIterator[Piece]:
        raise AssertionError("a plan is not streamed")


@pytest.mark.parametrize(
    ("text", "freshness"),
    [
        ("What is the weather in Oslo?", "live"),
        ("What is the latest release of Sandpiper?", "recent"),
        ("Wer ist der aktuelle Bürgermeister?", "recent"),
        ("How tall is the Eiffel Tower?", "evergreen"),
    ],
)
def test_the_words_of_a_question_tell_how_fresh_its_answer_must_be(text: str, freshness: str) -> None:
    assert plan_by_rules(question(text)).freshness == freshness


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How tall is the Eiffel Tower?", "lookup"),
        ("Which is taller, the Eiffel Tower or Big Ben?", "comparison"),
        ("Who built the Eiffel Tower and when did it open?", "multi_step"),
        ("official website of the Louvre", "navigational"),
        ("What is the best kettle?", "opinion"),
        ("Thank you very much!", "chat"),
        ("Hallo", "chat"),
    ],
)
def test_the_words_of_a_question_tell_its_kind(text: str, kind: str) -> None:
    assert plan_by_rules(question(text)).kind == kind


def test_a_greeting_is_not_searched() -> None:
    assert plan_by_rules(question("thanks!")).queries == ()


def test_a_simple_question_is_one_query() -> None:
    assert plan_by_rules(question("How tall is the Eiffel Tower?")).queries == ("How tall is the Eiffel Tower?",)


def test_a_comparison_searches_both_sides() -> None:
    assert compared("Which is taller, the Eiffel Tower or Big Ben?") == ("the Eiffel Tower", "Big Ben")
    assert compared("Is Mont Blanc higher than Mount Elbrus?") == ("Mont Blanc", "Mount Elbrus")
    assert compared("What is the difference between a lock and a weir?") == ("a lock", "a weir")


def test_a_later_part_borrows_the_topic_of_the_first() -> None:
    parts = asked_parts("Who built the Eiffel Tower and when did it open?")

    assert len(parts) == 2
    assert "Eiffel Tower" in parts[1]


async def test_a_model_refines_the_plan_of_the_rules() -> None:
    planned = await plan_question(
        question("What is new in Sandpiper?"), Planner(PlanOut(["Sandpiper changelog 2024"], "recent")), Limits()
    )

    assert planned.plan.queries == ("Sandpiper changelog",)
    assert planned.plan.made_by == "model"
    assert planned.usage.requests == 1


async def test_a_follow_up_is_rewritten_by_the_model() -> None:
    past = PastTurn("Who designed the Halden viaduct?", "Who designed the Halden viaduct?", "Ingrid Solvang did.")
    model = Planner(StandaloneOut("When did Ingrid Solvang die?"), PlanOut(["Ingrid Solvang death"]))

    planned = await plan_question(question("When did she die?", past), model, Limits())

    assert planned.plan.standalone_question == "When did Ingrid Solvang die?"


@pytest.mark.parametrize("said", ["I cannot help with that.", "{queries: oops", ""])
async def test_what_is_no_query_is_not_searched_for(said: str) -> None:
    planned = await plan_question(question("How tall is the Eiffel Tower?"), Planner(PlanOut([said])), Limits())

    assert planned.plan.made_by == "rules"
    assert planned.plan.queries == ("How tall is the Eiffel Tower?",)


@pytest.mark.parametrize("cause", ["malformed", "timeout", "rate_limited"])
async def test_a_model_that_fails_leaves_the_plan_of_the_rules_and_a_note(cause: str) -> None:
    failing = Planner(LLMError("planner", cause, "planner: no valid JSON"))  # type: ignore[arg-type]

    planned = await plan_question(question("How tall is the Eiffel Tower?"), failing, Limits())

    assert planned.plan.made_by == "rules"
    assert planned.plan.queries
    assert [note.code for note in planned.notes] == ["plan_by_rules"]


@pytest.mark.parametrize(
    ("kind", "text", "size"),
    [
        ("lookup", "How tall is the Eiffel Tower?", "small"),
        ("comparison", "How tall is the Eiffel Tower?", "large"),
        ("lookup", "What is the usual dose of ibuprofen?", "large"),
    ],
)
async def test_a_plain_fact_is_for_the_small_model_and_the_rest_for_the_large_one(
    kind: Kind, text: str, size: str
) -> None:
    planned = await plan_question(question(text), Planner(PlanOut([text], kind=kind)), Limits())

    assert planned.plan.size == size


async def test_a_model_that_searches_in_english_only_leaves_a_german_question_its_own_query() -> None:
    asked = "Wann öffnet das Rathaus in Seeblick?"
    planned = await plan_question(question(asked), Planner(PlanOut(["Seeblick town hall opening hours"])), Limits())

    assert planned.plan.queries[0] == asked
    assert len(planned.plan.queries) == 2


async def test_a_rewritten_question_with_a_name_that_nobody_said_is_not_taken() -> None:
    past = PastTurn("Who designed the Halden viaduct?", "Who designed the Halden viaduct?", "Ingrid Solvang did.")
    model = Planner(StandaloneOut("When did Gustave Eiffel die?"), PlanOut(["Ingrid Solvang death"]))

    planned = await plan_question(question("When did she die?", past), model, Limits())

    assert planned.plan.standalone_question == "When did Ingrid Solvang die?"


async def test_a_plan_that_fails_keeps_the_question_as_the_model_rewrote_it() -> None:
    past = PastTurn("Who designed the Halden viaduct?", "Who designed the Halden viaduct?", "Ingrid Solvang did.")
    model = Planner(StandaloneOut("In which year did Ingrid Solvang die?"), LLMError("planner", "malformed", "no JSON"))

    planned = await plan_question(question("When did she die?", past), model, Limits())

    assert planned.plan.queries == ("In which year did Ingrid Solvang die?",)
    assert planned.usage.requests == 1

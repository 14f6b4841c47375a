"""What the words of a follow-up stand for is told by what was read, where no rule tells it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from tests.fakes.evidence import evidence_of

from answerable.answering.ellipsis import readings
from answerable.answering.followups import standalone_question
from answerable.answering.planning import plan_by_rules
from answerable.answering.standing import as_it_stands
from answerable.answering.weighing import Judges
from answerable.types import PastTurn, Plan, Question

BEFORE = "what is the range of the Lumo 3S"
TEXT = "The Lumo 3S has a range of 60 km. The Tapir has a range of 70 km. It is sold in Osk."


class Asked:
    """A model that is sure of the answers to one question, and takes no other for an answer."""

    def __init__(self, question: str) -> None:
        self.question = question

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.9 if question == self.question else 0.1 for _ in texts]


def told(before: str, summary: str = "") -> PastTurn:
    return PastTurn(before, before, summary)


async def as_asked(follow_up: str, likely: str, text: str = TEXT, before: str = BEFORE) -> Plan:
    question = Question(follow_up, datetime(2026, 11, 30, tzinfo=UTC), (told(before),))
    evidence = evidence_of(text)
    pages = {page.page_id: page for page in evidence.pages}
    return await as_it_stands(plan_by_rules(question), question, evidence.passages, pages, Judges(None, Asked(likely)))


async def test_the_reading_that_has_an_answer_is_taken() -> None:
    plan = await as_asked("and the tapir?", "what is the range of the tapir?")

    assert plan.standalone_question == "what is the range of the tapir?"


async def test_where_no_reading_has_a_better_answer_the_words_stand_behind_the_question() -> None:
    plan = await as_asked("and the tapir?", "what is the range of the Lumo 3S for the tapir?")

    assert plan.standalone_question == "what is the range of the Lumo 3S for the tapir?"


async def test_what_nothing_speaks_of_stays_behind_the_question() -> None:
    plan = await as_asked("and the heron?", "what is the range of the heron?")

    assert plan.standalone_question == "what is the range of the Lumo 3S for the heron?"


async def test_what_a_rule_tells_is_left_alone() -> None:
    plan = await as_asked("and in winter?", "what is the winter of the Lumo 3S?")

    assert plan.standalone_question == "what is the range of the Lumo 3S in winter?"


def test_new_words_stand_in_the_place_of_things_and_of_no_verbs() -> None:
    may_be = readings("what about kittens", told("how much does it cost to adopt a puppy from Second Leash"))

    assert may_be[0] == "how much does it cost to adopt a puppy from Second Leash for kittens?"
    assert "how much does it cost to adopt kittens from Second Leash?" in may_be
    assert not [asked for asked in may_be if "to kittens" in asked or "kittens cost" in asked]


@pytest.mark.parametrize(
    ("before", "question", "standalone"),
    [
        ("how many came to Tamsel Days in 2025", "and the year before?", "how many came to Tamsel Days in 2024?"),
        ("who was best in 2025-26", "and in the season before?", "who was best in 2024-25?"),
        ("what was the turnout in the 2022 vote", "and four years earlier", "what was the turnout in the 2018 vote?"),
        ("what is the default in PisteLog 4.2", "and since 4.3?", "what is the default in PisteLog 4.2 since 4.3?"),
        ("what impedance does the Fennel 4 Air have", "how much does it weigh", "how much does the Fennel 4 Air weigh"),
        ("who won the colliers Cup 2026", "when was it decided", "when was the colliers Cup 2026 decided"),
        ("do beta blockers help with nerves", "who mustn't take them", "who mustn't take beta blockers"),
        (
            "how long can i borrow films at the Orlane library",
            "what if i bring them back late",
            "what if i bring films back late (the Orlane library)?",
        ),
        (
            "what is Marshline Adult made of",
            "can dogs that cannot eat gluten have it?",
            "can dogs that cannot eat gluten have Marshline Adult?",
        ),
        (
            "who was the release manager of Tamsel 3.2",
            "who did the job for 3.1",
            "who did the job for 3.1 (the release manager of Tamsel)?",
        ),
        ("do I have to age C-45 sheet", "how long for C-45M", "how long for C-45M (C-45)?"),
    ],
)
def test_what_a_follow_up_points_to_is_told(before: str, question: str, standalone: str) -> None:
    assert standalone_question(question, [told(before)]) == standalone


def test_a_row_with_a_date_is_no_list_of_names() -> None:
    last = told("how much is the Velt Bursary for 2027", "Velt Bursary – How many: 120; Closing date: 15 March 2027.")

    assert "Closing" not in standalone_question("how many of those are given", [last])

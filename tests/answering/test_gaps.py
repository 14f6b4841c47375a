"""What the evidence lacks."""

from __future__ import annotations

from answerable.answering.gaps import assess, needed_parts
from answerable.types import Evidence, Page, Passage, Plan


def evidence(*texts: tuple[str, str]) -> Evidence:
    pages = tuple(Page(f"p{n}", f"http://{n}.example/", title, "", text) for n, (title, text) in enumerate(texts))
    passages = tuple(Passage(f"s{n}", f"p{n}", 0, len(text), text) for n, (_, text) in enumerate(texts))
    return Evidence(pages, passages, (1.0,) * len(passages))


def plan(question: str) -> Plan:
    return Plan(question, (question,))


TOWER = ("Eiffel Tower", "The tower is 330 metres tall and stands in Paris.")
BEN = ("Big Ben", "The clock tower is 96 metres tall.")


def test_evidence_that_holds_the_question_is_enough() -> None:
    found = evidence(TOWER)

    assert assess(plan("How tall is the Eiffel Tower?"), found, found.passages, ()).enough


def test_a_side_of_a_comparison_without_evidence_is_searched_for() -> None:
    found = evidence(TOWER)
    asked = ("Which is taller, the Eiffel Tower or Big Ben?",)

    assessment = assess(plan(asked[0]), found, found.passages, asked)

    assert assessment.missing == ("Big Ben",)
    assert assessment.queries == ("Big Ben",)


def test_both_sides_found_is_enough() -> None:
    found = evidence(TOWER, BEN)

    assert assess(plan("Which is taller, the Eiffel Tower or Big Ben?"), found, found.passages, ()).enough


def test_no_query_is_sent_twice() -> None:
    question = "What is the population of Atlantis Harbour?"
    asked: tuple[str, ...] = ()
    found = evidence(TOWER)
    rounds = 0
    while queries := assess(plan(question), found, found.passages, asked).queries:
        assert not set(queries) & set(asked)
        asked += queries
        rounds += 1

    assert 0 < rounds <= 3


def test_a_page_that_shares_only_common_words_does_not_cover_a_question() -> None:
    found = evidence(("Some harbour", "The population of the harbour is 300."), TOWER)

    assert assess(plan("What is the population of Atlantis Harbour?"), found, found.passages, ()).coverage < 0.7


def test_without_evidence_every_part_is_missing() -> None:
    question = "Who built the Eiffel Tower and when did it open?"

    assert assess(plan(question), Evidence(), (), ()).missing == needed_parts(plan(question))

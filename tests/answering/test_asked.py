"""What a model adds to a query of its own is left out; what the reader asked for stays."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.answering.asked import as_asked, invents, without_strange_dates

CASES = Path(__file__).parents[1] / "data" / "cases"
NOW = datetime(2031, 2, 3, 10, tzinfo=UTC)
STALE = next(
    case
    for case in map(json.loads, (CASES / "cases-planning.jsonl").read_text("utf-8").splitlines())
    if case["id"] == "fresh-stale-year-in-plan"
)
ITEMS = json.loads((CASES / STALE["file"]).read_text("utf-8"))


@pytest.mark.parametrize(("item", "expected"), list(zip(ITEMS["items"], STALE["expected"]["items"], strict=True)))
def test_the_year_of_a_models_training_gives_way_to_today(
    item: dict[str, list[str]], expected: dict[str, list[str]]
) -> None:
    now = datetime.fromisoformat(ITEMS["now"])
    queries = [as_asked(query, str(item["question"]), now) for query in item["plan"]]

    assert not [query for query in queries for text in expected["must_not_contain"] if text in query]
    assert all(any(text in query for query in queries) for text in expected.get("still_contains", ()))
    wanted = expected.get("must_contain_any", [""])
    assert any(text in query for query in queries for text in wanted)


@pytest.mark.parametrize(
    ("query", "question", "kept"),
    [
        ("best coffee machine DeLonghi under $200 Berlin", "What is the best coffee machine?", "best coffee machine"),
        ("coffee machine prices in germany", "What does a coffee machine cost?", "coffee machine prices"),
        ("height of the Eiffel Tower in Paris", "How tall is the Eiffel Tower?", "height of the Eiffel Tower"),
        ("budget 2031", "What is the budget?", "budget"),
        ("railway timetable 3 May 2024", "When does the railway run?", "railway timetable"),
        ("海鳴登山鉄道 始発 2024", "海鳴登山鉄道の始発は何時ですか", "海鳴登山鉄道 始発"),
        ("capital of France", "capital of the country with the Eiffel Tower", ""),
    ],
)
def test_what_was_not_asked_for_is_taken_out(query: str, question: str, kept: str) -> None:
    assert as_asked(query, question, NOW, fresh=False) == kept


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("best coffee machine under $200", "Which coffee machine below 200 dollars is best?"),
        ("parental leave Norway", "Norwegian parental leave?"),
        ("french presidential election turnout France", "How many people voted in the French election?"),
        ("sugar guideline World Health Organization", "What does the WHO say about sugar?"),
        ("Cologne Cathedral height", "Wie hoch ist der Kölner Dom?"),
        ("Python 3.14 release date", "When was Python 3.14 released?"),
        ("budget 2030", "What was last year's budget?"),
        ("budget 2024", "What was the budget of 2024?"),
        ("Eiffel Tower height", "how tall is the eiffel tower"),
    ],
)
def test_what_was_asked_for_stays(query: str, question: str) -> None:
    assert as_asked(query, question, NOW, fresh=False) == query


def test_this_year_stands_where_what_is_new_is_asked_for() -> None:
    assert without_strange_dates("strike news 2031", "strike news", NOW) == "strike news 2031"


def test_a_rewritten_question_may_only_name_what_was_named() -> None:
    said = ["When did she die?", "Who designed the Halden viaduct?", "Ingrid Solvang did."]

    assert not invents("When did Ingrid Solvang die?", said)
    assert invents("When did Gustave Eiffel die?", said)
    assert invents("Did she die in 1887?", said)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_can_be_a_query_and_nothing_is_added_to_it(query: str, question: str) -> None:
    kept = as_asked(query, question, NOW)

    assert len(kept) <= len(query) + 20  # a day that was meant is spelled out

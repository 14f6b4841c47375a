"""JSON and lists are found in what models write around them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.jsonish import json_values, one_string, string_list, strings_in

CASES = Path(__file__).parents[1] / "data" / "cases"
PLANS = [
    (item["raw"], queries)
    for case in map(json.loads, (CASES / "cases-llm.jsonl").read_text("utf-8").splitlines())
    if case["kind"] == "plan"
    for item, queries in zip(
        json.loads((CASES / case["file"]).read_text("utf-8"))["items"], case["expected"]["queries"], strict=True
    )
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(("raw", "queries"), PLANS)
def test_the_queries_of_a_plan_are_found(raw: str, queries: list[str]) -> None:
    assert strings_in(raw, "queries") == queries


@given(st.dictionaries(st.text(max_size=5), VALUES), st.sampled_from(["", "Sure: ", "```json\n", "<think>{}</think>"]))
def test_an_object_is_found_whatever_stands_before_it(value: dict[str, object], before: str) -> None:
    assert next(json_values(f"{before}{json.dumps(value)}\n```\n[1]")) == value


@given(st.text(alphabet='[]{}",: a1\n'))
def test_any_text_is_read_without_failing(text: str) -> None:
    assert all(isinstance(value, dict | list) for value in json_values(text))


def test_prose_is_no_list() -> None:
    assert string_list("I could not find anything.\nTry again later.") == []


def test_a_wall_of_brackets_costs_little() -> None:
    assert list(json_values("[{" * 50_000)) == []


def test_a_rewritten_question_is_found_in_the_chatter_around_it() -> None:
    rows = map(json.loads, (CASES / "cases-planning.jsonl").read_text("utf-8").splitlines())
    case = next(row for row in rows if row["id"] == "fu-rewriter-preamble")
    items = json.loads((CASES / case["file"]).read_text("utf-8"))["items"]

    assert [one_string(item["raw"]) for item in items] == case["expected"]["queries"]

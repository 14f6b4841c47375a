"""How well a passage supports a claim, by words, numbers and negations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.providers.support.lexical import SUPPORTED
from answerable.text.similarity import best_match, read_claim, support_score

CASES = Path(__file__).parents[1] / "data" / "cases"
SUPPORT = [
    (f"{case['id']}-{number}", file["passage"], claim, verdict)
    for line in (CASES / "cases-citing.jsonl").read_text("utf-8").splitlines()
    if (case := json.loads(line))["kind"] == "support"
    and (file := json.loads((CASES / case["file"]).read_text("utf-8")))
    for number, (claim, verdict) in enumerate(zip(file["claims"], case["expected"]["verdicts"], strict=True))
]
TEXT = (
    "The harbour was dredged in spring. The lighthouse at Harrow Point is 41 metres tall. "
    "It was lit in 1863 by the keeper Anna Voss. Visitors may climb it on Sundays."
)


@pytest.mark.parametrize(("passage", "claim", "verdict"), [c[1:] for c in SUPPORT], ids=[c[0] for c in SUPPORT])
def test_case_of_support(passage: str, claim: str, verdict: str) -> None:
    assert (support_score(claim, passage) >= SUPPORTED) == (verdict == "supported")


def test_the_evidence_is_the_shortest_run_of_sentences_that_holds_the_claim() -> None:
    one = best_match(read_claim("The lighthouse at Harrow Point is 41 metres tall."), TEXT)
    two = best_match(read_claim("The 41-metre lighthouse at Harrow Point was lit in 1863."), TEXT)

    assert TEXT[one.start : one.end] == "The lighthouse at Harrow Point is 41 metres tall."
    assert TEXT[two.start : two.end].startswith("The lighthouse")
    assert TEXT[two.start : two.end].endswith("Anna Voss.")


def test_numbers_may_stand_in_sentences_that_are_no_neighbours() -> None:
    text = "It was built in 1863. " + "Gulls nest near the rocks below. " * 5 + "The lighthouse is 41 metres tall."

    assert support_score("The lighthouse, built in 1863, is 41 metres tall.", text) >= SUPPORTED


def test_a_name_that_is_nowhere_lowers_the_score() -> None:
    right = support_score("It was lit in 1863 by the keeper Anna Voss.", TEXT)
    wrong = support_score("It was lit in 1863 by the keeper Maria Lund.", TEXT)

    assert right == 1.0
    assert wrong < SUPPORTED


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Exports of steel rose in the last quarter.", "Exports of steel fell in the last quarter."),
        ("The committee approved the new bridge.", "The committee rejected the new bridge."),
        ("The bridge is open to cars.", "The bridge is not open to cars."),
        ("The bridge was never closed to cars.", "The bridge was closed to cars."),
        ("Die Brücke ist für Autos offen.", "Die Brücke ist für Autos nicht offen."),
        ("橋は車が通れる。", "橋は車が通れない。"),
    ],
)
def test_the_opposite_in_the_same_words_is_no_support(claim: str, passage: str) -> None:
    match = best_match(read_claim(claim), passage)

    assert match.score < SUPPORTED
    assert match.reason


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The trial found no reduction in relapses.", "The trial found that the tablet did not reduce relapses."),
        ("The bridge is not open to cars.", "Cars cannot use the bridge, which is not open to them."),
        ("The tower is 41 metres tall.", "It is not the first of its kind, but the tower is 41 metres tall."),
    ],
)
def test_a_negation_that_both_share_or_that_concerns_something_else_does_no_harm(claim: str, passage: str) -> None:
    assert support_score(claim, passage) >= SUPPORTED


def test_words_of_the_title_help_but_do_not_carry_a_claim() -> None:
    claim = read_claim("The Harrow Point lighthouse is 41 metres tall.")
    passage = "It is 41 metres tall."

    assert best_match(claim, passage, "Harrow Point lighthouse").score > best_match(claim, passage).score
    assert best_match(claim, "It is painted white.", "Harrow Point lighthouse").score == 0.0


def test_the_numbers_of_a_stem_are_not_asked_of_the_source() -> None:
    assert (
        best_match(
            read_claim("a foot pump and hoses", "The 3 things in the kit are"), "A foot pump with two hoses."
        ).score
        > 0.5
    )


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_the_score_lies_between_0_and_1_and_the_span_in_the_text(claim: str, passage: str) -> None:
    match = best_match(read_claim(claim), passage)

    assert 0.0 <= match.score <= 1.0
    assert 0 <= match.start <= match.end <= len(passage)

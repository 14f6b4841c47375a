"""The summary's figures, each against answers counted by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from answerable.evals.scoring import Answered, percentile, summarise, summary_of
from answerable.text.miniweb import WebQuestion
from answerable.types import Citation, Outcome, Sentence, Turn, Verdict

NOW = datetime(2026, 3, 4, tzinfo=UTC)
GOLD, OTHER = "http://gold.example/page", "http://other.example/page"
TALL = WebQuestion("q1", "stable", "How tall?", expect=(("330 m", "330 metres"),), forbid=("324",), gold_urls=(GOLD,))
UNKNOWN = WebQuestion("q2", "unanswerable", "Who lives there?", abstain=True, forbid=("Smith",))


def turn(answer: str, *cited: tuple[str, str], outcome: Outcome = "answered", verdict: Verdict = "supported") -> Turn:
    """One claim, cited by pages with quotes."""
    citations = tuple(
        Citation(n, f"p{n}", url, "", "", None, 0, quote, 0, len(quote), verdict, "", "page", url)
        for n, (url, quote) in enumerate(cited, start=1)
    )
    return Turn(
        "r", "c", "t", 1, "?", NOW,
        state="done",
        outcome=outcome,
        answer=answer,
        sentences=(Sentence(0, answer, 0, len(answer), tuple(c.n for c in citations), verdict),),
        citations=citations,
    )  # fmt: skip


def answered(question: WebQuestion, given: Turn, first: float = 100.0) -> Answered:
    return Answered(question, given, first, 2 * first)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("It is 330 METRES tall.", True),
        ("It is 330 m tall.", True),
        ("It is tall.", False),
        ("It is 330 m, once 324 m, tall.", False),
    ],
)
def test_an_answer_is_right_with_all_that_is_expected_and_nothing_forbidden(answer: str, right: bool) -> None:
    assert answered(TALL, turn(answer, (GOLD, ""))).right is right


def test_a_gold_page_is_cited_under_any_spelling_of_its_address() -> None:
    assert answered(TALL, turn("x", ("https://www.gold.example/page/", ""))).gold_cited
    assert not answered(TALL, turn("x", (OTHER, ""))).gold_cited


def test_a_citation_is_good_when_its_page_is_gold_or_its_quote_holds_the_answer() -> None:
    one = answered(TALL, turn("330 m", (GOLD, "nothing"), (OTHER, "It is 330 m"), ("http://third.example/", "324 m")))

    summary = summary_of([one])

    assert summary["citation_precision"] == pytest.approx(2 / 3, abs=1e-4)
    assert summary["citation_recall"] == 1.0


def test_a_gap_is_honest_when_it_is_said_or_the_false_premise_is_named() -> None:
    assert answered(UNKNOWN, turn("I do not know.", outcome="not_enough_evidence")).honest
    assert not answered(UNKNOWN, turn("Smith.", outcome="not_enough_evidence")).honest
    assert not answered(UNKNOWN, turn("Jones.")).honest
    premise = replace(UNKNOWN, expect=(("never",),))
    assert answered(premise, turn("It never opened.")).honest


def test_both_sides_are_shown_when_one_address_of_each_is_cited() -> None:
    question = replace(TALL, both_sides=((GOLD,), (OTHER, "http://third.example/")))

    assert answered(question, turn("330 m", (GOLD, ""), (OTHER, ""))).sides_shown
    assert not answered(question, turn("330 m", (GOLD, ""))).sides_shown


def test_a_figure_that_concerns_no_question_is_none() -> None:
    summary = summary_of([answered(UNKNOWN, turn("?", outcome="not_enough_evidence"))])

    assert summary["answer_right"] is None
    assert summary["citation_precision"] is None
    assert summary["honest_gaps"] == 1.0


def test_groups_are_summed_apart() -> None:
    summary = summarise([answered(TALL, turn("330 m", (GOLD, ""))), answered(UNKNOWN, turn("Smith"))])

    groups = summary["by_group"]
    assert isinstance(groups, dict)
    assert set(groups) == {"stable", "unanswerable"}
    assert (groups["stable"]["answer_right"], groups["unanswerable"]["honest_gaps"]) == (1.0, 0.0)
    assert summary["questions"] == 2


@pytest.mark.parametrize(("share", "value"), [(0.5, 3), (0.95, 5), (0.2, 1), (0.21, 2)])
def test_a_percentile_is_the_nearest_rank(share: float, value: int) -> None:
    assert percentile([5, 3, 1, 4, 2], share) == value
    assert percentile([], share) is None

"""A number supports a claim only where the source gives it to the same thing."""

from __future__ import annotations

import pytest

from answerable import finalize_citations
from answerable.text.similarity import best_match, read_claim, support_score

PAGE = (
    "The Eiffel Tower is 330 metres tall, antennas included. The first floor lies at 57 metres, the third at 276 "
    "metres. Between 150 and 300 workers built it. It weighs 10,100 tonnes and has 1,665 steps. It opened in 1889."
)


@pytest.mark.parametrize(
    "claim",
    [
        "The Eiffel Tower is 300 metres tall.",
        "The Eiffel Tower is 57 metres tall.",
        "The Eiffel Tower is 276 m tall.",
        "The Eiffel Tower was built by 330 workers.",
        "The Eiffel Tower weighs 1,665 tonnes.",
        "The Eiffel Tower weighs 330 tonnes.",
        "The Eiffel Tower has 10,100 steps.",
    ],
)
def test_a_number_that_the_source_gives_to_another_thing_does_not_count(claim: str) -> None:
    assert support_score(claim, PAGE) == 0


@pytest.mark.parametrize(
    "claim",
    [
        "The Eiffel Tower is 330 metres tall.",
        "The Eiffel Tower is 330 m tall and its first floor lies at 57 metres.",
        "The Eiffel Tower weighs 10,100 tonnes.",
        "The Eiffel Tower has 1,665 steps.",
        "Some 300 workers built it.",
        "The Eiffel Tower is 330 metres tall and opened in 1889.",
    ],
)
def test_a_number_that_the_source_gives_to_the_same_thing_counts(claim: str) -> None:
    assert support_score(claim, PAGE) > 0.65


def test_the_quote_holds_the_number() -> None:
    match = best_match(read_claim("The Eiffel Tower has 1,665 steps."), PAGE)

    assert "1,665 steps" in PAGE[match.start : match.end]


def test_a_table_cell_needs_no_unit_beside_it() -> None:
    assert support_score("Tin melts at 232 °C.", "Metal | Melting point (°C)\nTin | 232\nIron | 1,538") > 0.5


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Berlin is the capital of France.", "Paris is the capital of France."),
        ("Oslo is the capital of Denmark.", "Copenhagen is the capital of Denmark."),
        ("Marie Curie won the prize in 1921.", "Albert Einstein won the prize in 1921."),
    ],
)
def test_a_name_that_opens_the_sentence_is_a_name(claim: str, source: str) -> None:
    assert support_score(claim, source) < 0.5


def test_a_denied_claim_keeps_no_citation() -> None:
    answer = "The drug does not cure malaria [1]."

    assert finalize_citations(answer, {1: "The drug does cure malaria."}, {1: "http://a.example/"}) == (
        "The drug does not cure malaria.",
        [],
        ["The drug does not cure malaria."],
    )


def test_workers_are_no_metres_in_the_plain_function_too() -> None:
    passages = {1: "The Eiffel Tower is 330 metres tall. A crew of 300 workers built it."}

    text, urls, uncited = finalize_citations(
        "The Eiffel Tower is 300 metres tall [1].", passages, {1: "http://a.example/"}
    )

    assert (text, urls) == ("The Eiffel Tower is 300 metres tall.", [])
    assert uncited == ["The Eiffel Tower is 300 metres tall."]


TABLE = "Planet | Diameter (km) | Day (h)\nMars | 6,792 | 24.7\nNeptune | 49,528 | 16.1"


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Neptune – Diameter (km): 49,528; Day (h): 16.1.", True),
        ("Neptune – Diameter (km): 6,792.", False),
        ("Neptune has a diameter of 6,792 km.", False),
        ("The diameter of Mars is 6,792 km.", True),
    ],
)
def test_a_value_of_another_row_is_another_things(claim: str, supported: bool) -> None:
    assert (support_score(claim, TABLE) > 0.5) is supported


@pytest.mark.parametrize("when", ["in 1885", "since 1885", "on 21 February 1885"])
def test_a_year_is_no_measure(when: str) -> None:
    source = f"The monument is 169 metres tall. It was dedicated {when}, when it was the tallest of all."

    assert support_score("The monument is 1885 metres tall.", source) == 0
    assert support_score("The monument was dedicated in 1885.", source) > 0.65

"""What every support checker keeps to, whatever it thinks."""

from __future__ import annotations

import pytest
from tests.fakes.support import FakeSupport

from answerable.protocols import SupportChecker
from answerable.providers.support.learned import LearnedSupport
from answerable.providers.support.lexical import LexicalSupport
from answerable.types import Passage

TEXT = "The harbour is old. The lighthouse at Harrow Point is 41 metres tall. It was lit in 1863."


def passage(page: str, text: str, *, start: int = 0, **more: str) -> Passage:
    return Passage(f"{page}-{start}", page, start, start + len(text), text, (), "prose", **more)


@pytest.fixture(params=[LexicalSupport, LearnedSupport, FakeSupport], ids=["lexical", "learned", "fake"])
def support(request: pytest.FixtureRequest) -> SupportChecker:
    return request.param()


@pytest.fixture(params=[LexicalSupport, LearnedSupport], ids=["lexical", "learned"])
def reading(request: pytest.FixtureRequest) -> SupportChecker:
    """Checkers that look at the words."""
    return request.param()


async def test_a_supported_claim_has_a_quote_that_stands_on_the_page(support: SupportChecker) -> None:
    page = "Before it. " + TEXT
    given = passage("a", TEXT, start=11)

    found = await support.check("The lighthouse at Harrow Point is 41 metres tall.", [given])

    assert found.verdict == "supported"
    assert 0.0 < found.score <= 1.0
    assert [(q.page_id, q.passage_id, page[q.start : q.end]) for q in found.quotes] == [
        ("a", "a-11", q.text) for q in found.quotes
    ]


async def test_there_is_one_quote_a_page_at_most(support: SupportChecker) -> None:
    passages = [passage("a", TEXT), passage("a", TEXT, start=500), passage("b", TEXT)]

    found = await support.check("The lighthouse at Harrow Point is 41 metres tall.", passages)

    assert sorted(quote.page_id for quote in found.quotes) == ["a", "b"]


async def test_without_passages_nothing_is_supported(support: SupportChecker) -> None:
    found = await support.check("The lighthouse at Harrow Point is 41 metres tall.", [])

    assert (found.verdict, found.quotes) == ("unsupported", ())
    assert found.reason


async def test_asked_twice_it_says_the_same(support: SupportChecker) -> None:
    claim, passages = "The lighthouse is 41 metres tall and white.", [passage("a", TEXT)]

    assert await support.check(claim, passages) == await support.check(claim, passages)


async def test_a_page_that_says_another_number_is_not_quoted(reading: SupportChecker) -> None:
    passages = [passage("a", TEXT), passage("b", "The lighthouse at Harrow Point is 44 metres tall.")]

    found = await reading.check("The lighthouse at Harrow Point is 41 metres tall.", passages)

    assert [quote.page_id for quote in found.quotes] == ["a"]


async def test_a_wrong_number_is_named(reading: SupportChecker) -> None:
    found = await reading.check("The lighthouse at Harrow Point is 44 metres tall.", [passage("a", TEXT)])

    assert (found.verdict, found.score) == ("unsupported", 0.0)
    assert found.reason == "the source says 41 metres, the claim says 44 metres"


async def test_pages_that_only_together_hold_the_claim_are_all_quoted(reading: SupportChecker) -> None:
    passages = [
        passage("a", "The lighthouse at Harrow Point is 41 metres tall."),
        passage("b", "Harrow Point had its light first lit by keeper Anna Voss in 1863."),
        passage("c", "Gulls nest on the cliffs."),
    ]

    found = await reading.check(
        "The lighthouse at Harrow Point is 41 metres tall and was first lit by keeper Anna Voss in 1863.", passages
    )

    assert found.verdict == "supported"
    assert sorted(quote.page_id for quote in found.quotes) == ["a", "b"]


async def test_a_claim_with_a_part_that_is_nowhere_is_partly_supported_and_the_part_is_named(
    reading: SupportChecker,
) -> None:
    found = await reading.check(
        "The lighthouse at Harrow Point is 41 metres tall, with marble stairs and gilded railings.",
        [passage("a", TEXT)],
    )

    assert found.verdict == "partly"
    assert [quote.page_id for quote in found.quotes] == ["a"]
    assert "marble" in found.reason


async def test_the_claims_own_markers_are_no_numbers_of_it(reading: SupportChecker) -> None:
    found = await reading.check("The lighthouse at Harrow Point is 41 metres tall [3][7].", [passage("a", TEXT)])

    assert found.verdict == "supported"


async def test_the_stem_before_the_line_break_need_not_be_in_the_source(reading: SupportChecker) -> None:
    found = await reading.check(
        "Five sights of the northern coast for families\nthe lighthouse at Harrow Point", [passage("a", TEXT)]
    )

    assert found.verdict == "supported"


async def test_a_table_row_is_understood_with_its_header(reading: SupportChecker) -> None:
    row = passage("a", "| Merlin | 5.2 m | 15 kg |\n| Kestrel | 4.1 m | 12 kg |", context="| Kite | Span | Mass |")

    found = await reading.check("The Merlin kite has a span of 5.2 m.", [row])

    assert found.verdict == "supported"
    assert found.quotes[0].text == "| Merlin | 5.2 m | 15 kg |"

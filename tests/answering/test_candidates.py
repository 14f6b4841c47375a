"""What of a page may be quoted."""

from __future__ import annotations

import pytest
from tests.fakes.evidence import evidence_of, page_of

from answerable.answering.candidates import candidates_of, shown
from answerable.types import Block


def quotable(kind: str, text: str) -> bool:
    page = page_of(text, blocks=(Block(kind, 0, len(text)),))  # type: ignore[arg-type]
    return [c.text for c in candidates_of(evidence_of(page), "en")] == [text]


@pytest.mark.parametrize(
    "item", ["Height: 1.38 m", "Adults: fl. 18 a year", "150 ml cream", "3 eggs", "½ kg oat flour"]
)
def test_a_list_item_with_a_label_or_an_amount_is_a_statement(item: str) -> None:
    assert quotable("list_item", item)


@pytest.mark.parametrize("item", ["Home", "Contact: Ida", "2026", "3."])
def test_a_list_item_that_states_nothing_is_none(item: str) -> None:
    assert not quotable("list_item", item)


@pytest.mark.parametrize("heading", ["6.1.2 (1 June 2026)", "Next: Brine and Soot (20 March – 19 September 2027)"])
def test_a_heading_with_a_day_or_a_version_says_something(heading: str) -> None:
    assert quotable("heading", heading)


@pytest.mark.parametrize(
    "heading", ["New library to cost 4.1 million", "Opening hours", "Annual report 2025/26", "Three ways to cook a cod"]
)
def test_any_other_heading_says_nothing_by_itself(heading: str) -> None:
    assert not quotable("heading", heading)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Truth values begin with is_ or has_.", "Truth values begin with is_ or has_."),
        ("the file _config is read", "the file \\_config is read"),
        ("2 * 3", "2 \\* 3"),
    ],
)
def test_page_text_is_no_markup(text: str, line: str) -> None:
    assert shown(text) == line

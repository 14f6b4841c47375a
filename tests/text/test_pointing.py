"""Whether a sentence speaks of what the one before it named."""

from __future__ import annotations

import pytest

from answerable.text.pointing import points


@pytest.mark.parametrize(
    "text",
    [
        "It is 193 km long.",
        "Today it is 193 km long.",
        "In 1990 it was widened.",
        "The first leaves at 05:35.",
        "Er ist alt.",
    ],
)
def test_a_subject_that_stands_before_is_told(text: str) -> None:
    assert points(text)


@pytest.mark.parametrize(
    "text",
    ["The first train leaves at 05:35.", "The Orra Canal is long.", "When Pell was dug, it was said to be deep."],
)
def test_a_sentence_with_its_own_subject_is_told(text: str) -> None:
    assert not points(text)

"""Thinking blocks are taken out whatever the split; other text passes unchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.thinking import ThinkingFilter, without_thinking

PARTS = ("<think>", "</think>", "<thinking>", "</thinking>", "<", "think", ">", "a", " b [1].", "\n", "</")
TEXTS = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<think>secret</think>\n\nHello.", "Hello."),
        ("<think>a</think><think>b</think>Hello.", "Hello."),
        ("<Thinking>secret</THINKING> Hello.", "Hello."),
        ("Hello <think>secret</think>there.", "Hello there."),
        ("<think>cut in the mid", ""),
        ("The tag <think> opens a block.", "The tag <think> opens a block."),
        ("a < b and <b>bold</b>", "a < b and <b>bold</b>"),
        ("ends with <thi", "ends with <thi"),
        ("", ""),
    ],
)
def test_only_thinking_is_taken_out(text: str, shown: str) -> None:
    assert without_thinking(text) == shown


@given(TEXTS, st.lists(st.integers(0, 40), max_size=6))
def test_any_split_gives_the_same_text(text: str, cuts: list[int]) -> None:
    thinking = ThinkingFilter()
    edges = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]

    shown = "".join(thinking.feed(text[a:b]) for a, b in zip(edges, edges[1:], strict=False)) + thinking.finish()

    assert shown == without_thinking(text)


@given(st.text(alphabet=st.characters(exclude_characters="<")))
def test_text_without_tags_passes_unchanged_but_for_space_before_it(text: str) -> None:
    assert without_thinking(text) == text.lstrip()

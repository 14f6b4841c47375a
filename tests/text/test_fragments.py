"""Links to the words quoted from a page."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.fragments import text_fragment_link


@pytest.mark.parametrize(
    ("url", "quote", "link"),
    [
        ("https://a.example/p", "It is tall.", "https://a.example/p#:~:text=It%20is%20tall."),
        ("https://a.example/p#top", "It is tall.", "https://a.example/p#top:~:text=It%20is%20tall."),
        ("https://a.example/p#:~:text=old", "new", "https://a.example/p#:~:text=new"),
        ("https://a.example/p", "9-3, a & b", "https://a.example/p#:~:text=9%2D3%2C%20a%20%26%20b"),
        ("https://a.example/p", "高い", "https://a.example/p#:~:text=%E9%AB%98%E3%81%84"),
        ("https://a.example/p", "one line\nanother one", "https://a.example/p#:~:text=one%20line,another%20one"),
        ("https://a.example/p", "", "https://a.example/p"),
        ("", "quote", ""),
    ],
)
def test_a_link_points_at_the_quote(url: str, quote: str, link: str) -> None:
    assert text_fragment_link(url, quote) == link


def test_a_long_quote_is_given_by_its_first_and_last_words() -> None:
    quote = "one two three four five six " * 20 + "and so it ends well"

    directive = text_fragment_link("https://a.example/", quote).split("text=")[1]

    assert unquote(directive) == "one two three four five,and so it ends well"


@given(st.text())
def test_no_quote_breaks_the_link(quote: str) -> None:
    link = text_fragment_link("https://a.example/", quote)

    assert link.isascii()
    assert not set(link) & set(' "<>\n')

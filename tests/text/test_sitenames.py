"""What a page calls its site is shown only where its address says so too."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.analysis import without_accents
from answerable.text.sitenames import shown_site_name


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("BBC News", "https://www.bbc.co.uk/news/1"),
        ("The Guardian", "https://www.theguardian.com/x"),
        ("DER SPIEGEL", "https://www.spiegel.de/"),
        ("Süddeutsche Zeitung", "https://www.sueddeutsche.de/"),
        ("Le Monde", "https://www.lemonde.fr/"),
        ("Stack Overflow", "https://stackoverflow.com/q/1"),
        ("Merriam-Webster", "https://www.merriam-webster.com/x"),
        ("Wikipedia", "https://hi.wikipedia.org/wiki/X"),
        ("Zoë", "https://zoe.github.io/post"),
    ],
)
def test_a_name_that_the_address_carries_is_shown(name: str, url: str) -> None:
    assert shown_site_name(f" {name} ", url) == name


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("BBC News", "https://evil.example/bbc"),
        ("BBC News", "https://bbc.evil.example/"),  # whoever owns evil.example gave out that name
        ("BBC News", "https://evil.github.io/bbc"),
        ("Evil | BBC News", "https://evil.example/"),
        ("bbc.co.uk", "https://bbc.example/"),  # would be read as the host
        ("The New York Times", "https://the.example/"),
        ("The New York Times", "https://times.example/"),
        ("News", "https://news.example/"),  # anybody's
        ("Evil\u202e swen", "https://evil.example/"),
        ("Evil\u200b", "https://evil.example/"),
        ("X", "https://x.example/"),
        ("127", "http://127.0.0.1/"),
        ("Tower", "file:///tower.html"),
        ("", "https://a.example/"),
    ],
)
def test_a_name_that_could_deceive_is_not(name: str, url: str) -> None:
    assert shown_site_name(name, url) == ""


WORDS = st.sampled_from(
    ["Evil", "evil", "BBC", "News", "The", "|", "Bank", "paypal.com", "Online", "É-vil", "ev", "illus"]
)


SITES = st.sampled_from(["https://evil.example/", "https://evil.co.uk/", "https://bbc.evil.de/x"])


@given(st.lists(WORDS, max_size=5).map(" ".join), SITES)
def test_no_other_name_comes_in_beside_that_of_the_address(name: str, url: str) -> None:
    rest = re.sub(r"[\W_]", "", without_accents(shown_site_name(name, url).lower()))

    assert re.sub("evil|news|the|online", "", rest) == ""


@given(st.text(max_size=80), SITES)
def test_whatever_a_page_says_its_address_is_in_what_is_shown(name: str, url: str) -> None:
    shown = shown_site_name(name, url)

    assert shown == "" or re.search("e.?v.?i.?l", without_accents(shown.lower()))

"""Extraction of what was never meant to be a page, or was meant to break a reader."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import Extracted, Job
from answerable.providers.reading.flattening import MAX_DEPTH, flattened
from answerable.providers.reading.htmltree import parse_html

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SENTENCE = "The ferry to Oravia leaves the north quay at noon and carries forty people across the water. "
SLOWEST = timedelta(seconds=20)  # a hang, on a machine that does ten other things


def read(body: bytes | str, content_type: str = "text/html", url: str = "https://site.example/page") -> Extracted:
    return extract(Job(body.encode() if isinstance(body, str) else body, url, content_type, NOW))


def check(page: Extracted) -> None:
    """Spans are exact, and nothing stands outside of them but white space."""
    at = 0
    for block in page.blocks:
        assert page.text[at : block.start].strip() == ""
        assert block.start < block.end
        at = block.end
    assert page.text[at:].strip() == "" or not page.blocks
    assert page.published is None or page.published <= NOW + timedelta(days=1)


@settings(max_examples=40, deadline=SLOWEST)
@given(
    st.binary(max_size=2000), st.sampled_from(["text/html", "", "text/html; charset=utf-16", "application/xhtml+xml"])
)
def test_any_bytes_are_read_or_refused(body: bytes, content_type: str) -> None:
    check(read(b"<html><body>" + body, content_type))


NAMES = st.sampled_from(
    [
        "div", "p", "span", "a", "ul", "li", "ol", "dl", "dt", "dd", "table", "tr", "td", "th", "caption", "pre",
        "code", "h1", "h2", "h3", "nav", "footer", "aside", "main", "article", "section", "form", "details",
        "summary", "figure", "figcaption", "blockquote", "sup", "sub", "del", "noscript", "template", "script",
        "style", "svg", "font", "br", "img", "time", "q",
    ]
)  # fmt: skip
ATTRIBUTES = st.sampled_from(
    [
        "", " class='content'", " class=comment", " hidden", " style='display:none'", " style='color:#fff'", " href=#",
        " itemprop=author", " itemprop=datePublished datetime=2024-01-01", " colspan=9999999", " rowspan=-1",
        " role=main",
        " class='a b c' id='\x00'", " aria-hidden=true", " rel=author", " type='application/ld+json'", " dir=rtl", " '",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [SENTENCE, "$12.00", "[12]", "4 May 2023", "by A. Karv", '{"@type":"Article",', "漢字かな。", "<!--", "]]>"]
    ),
)
PIECES = st.one_of(
    st.tuples(NAMES, ATTRIBUTES).map(lambda tag: f"<{tag[0]}{tag[1]}>"), NAMES.map(lambda name: f"</{name}>"), TEXTS
)


@settings(max_examples=80, deadline=SLOWEST)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_soup_of_markup_is_read_or_refused(markup: str) -> None:
    check(read(f"<html><head><title>Ferries</title></head><body>{markup}"))


@pytest.mark.parametrize("tag", ["div", "span", "font size=2", "div class='nav comment'", "blockquote", "ul><li"])
def test_what_follows_a_hundred_thousand_levels_is_read(tag: str) -> None:
    page = read(f"<html><body>{f'<{tag}>x' * 100_000}</body><article><h1>Ferries</h1><p>{SENTENCE * 12}</p></article>")

    check(page)
    assert "leaves the north quay" in page.text


@given(st.lists(PIECES, max_size=60).map("".join))
def test_a_shallow_page_is_not_changed_by_making_it_shallow(markup: str) -> None:
    assert flattened(markup) == markup


def test_a_deep_page_keeps_its_words_and_its_scripts_apart() -> None:
    deep = (
        "<div>" * (MAX_DEPTH + 50)
        + "<b>words</b><script>var a = '<i>';</script><p>more</p>"
        + "</div>" * (MAX_DEPTH + 50)
    )
    tree = parse_html(flattened(deep))

    assert tree is not None
    assert "".join(tree.xpath("//body//text()[not(parent::script)]")).split() == ["words", "more"]


@pytest.mark.parametrize(
    "body",
    [
        f"<div class='card item'><a href=#><h3>Ferry</h3></a><p>{SENTENCE * 2}</p></div>" * 16_000,
        "<table>" + f"<tr><td>{SENTENCE}</td><td>12</td></tr>" * 15_000 + "</table>",
        "<nav>" + "<li><a href=#>Ferry</a></li>" * 20_000 + f"</nav><p>{SENTENCE * 3_000}</p>",
        f"<p>{SENTENCE * 12}</p>" + "<span class='sr-only hidden' style='display:none'>x</span>" * 60_000,
        f"<p>{SENTENCE * 35_000}</p>",
        f"<p>{SENTENCE * 12}</p>" + "<!--" * 100_000,
        f"<p>{SENTENCE * 12}</p><style>" + ".a{display:none}" * 60_000 + "</style>" + "<p class=b>x</p>" * 1000,
    ],
    ids=["cards", "rows", "links", "hidden", "one-line", "comments", "rules"],
)
def test_three_megabytes_and_sixty_thousand_elements_are_read(body: str) -> None:
    page = read(f"<html><head><title>Ferries</title></head><body><main>{body}</main></body></html>")

    check(page)
    assert "leaves the north quay" in page.text

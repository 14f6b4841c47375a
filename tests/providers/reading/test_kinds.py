"""Documents that are no web pages: text, Markdown, JSON, feeds and tables, each with its structure."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import Extracted, Job
from answerable.text.passages import split_passages
from answerable.types import Page

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def read(body: str | bytes, name: str = "page", label: str = "") -> Extracted:
    data = body.encode() if isinstance(body, str) else body
    return extract(Job(data, f"https://site.example/{name}", label, NOW))


def blocks(page: Extracted) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(b.kind, page.text[b.start : b.end], b.headings) for b in page.blocks]


MARKDOWN = """---
title: "Tides of Oravia"
---

Tides
=====

The gauge stands at Harrow Point.
It is read at noon.

## Levels ##

| Day | Level |
|-----|-------|
| Mon | 4.31  |

1. Read the gauge.
2. Write it down.

```py
# not a heading

level = 4.31
```

> Mind the swell.

Night
-----
Nobody reads it.
"""


def test_markdown_keeps_its_words_and_shows_its_structure() -> None:
    page = read(MARKDOWN, "tides.md", "text/plain")

    assert (page.kind, page.title, page.text) == ("markdown", "Tides of Oravia", MARKDOWN.strip())
    assert blocks(page)[1:] == [
        ("heading", "Tides\n=====", ()),
        ("paragraph", "The gauge stands at Harrow Point.\nIt is read at noon.", ("Tides",)),
        ("heading", "## Levels ##", ("Tides",)),
        ("table", "| Day | Level |\n|-----|-------|\n| Mon | 4.31  |", ("Tides", "Levels")),
        ("list_item", "1. Read the gauge.", ("Tides", "Levels")),
        ("list_item", "2. Write it down.", ("Tides", "Levels")),
        ("code", "```py\n# not a heading\n\nlevel = 4.31\n```", ("Tides", "Levels")),
        ("quote", "> Mind the swell.", ("Tides", "Levels")),
        ("heading", "Night\n-----", ("Tides",)),
        ("paragraph", "Nobody reads it.", ("Tides", "Night")),
    ]
    assert [b.level for b in page.blocks if b.kind == "heading"] == [1, 2, 2]


def test_json_reads_as_lines_records_as_a_table_and_numbers_as_they_are_written() -> None:
    source = """{"station": "Harrow", "height_m": 4.310, "id": 12345678901234567890, "open": true, "keeper": null,
                 "place": {"river": "Lumva", "at": [59.1, 18.0]},
                 "levels": [{"day": "Mon", "m": 4.31}, {"day": "Tue", "m": null}]}"""
    page = read(source, "level", "application/json")

    assert blocks(page) == [
        (
            "paragraph",
            "station: Harrow\nheight_m: 4.310\nid: 12345678901234567890\nopen: true\nkeeper: null\n"
            "place:\n  river: Lumva\n  at:\n    1: 59.1\n    2: 18.0",
            (),
        ),
        ("heading", "levels", ()),
        ("table", "day | m\nMon | 4.31\nTue | –", ("levels",)),
    ]


def test_much_below_a_key_of_json_stands_under_it_as_a_heading() -> None:
    value = {"towns": {"Oravia": {f"fact {n}": n for n in range(20)}, "Harrow": {"people": 40}}}
    page = read(json.dumps(value), "facts.json")

    assert [(b.level, page.text[b.start : b.end]) for b in page.blocks if b.kind == "heading"] == [
        (1, "towns"),
        (2, "Oravia"),
    ]
    assert blocks(page)[1] == ("paragraph", "Harrow:\n  people: 40", ("towns",))


def test_json_lines_are_records_and_a_last_line_that_was_cut_is_left_out() -> None:
    page = read('{"station": "Harrow", "m": 4.31}\n{"station": "Quay", "m": 2}\n{"stat', "levels.jsonl")

    assert (page.kind, blocks(page)) == ("json", [("table", "station | m\nHarrow | 4.31\nQuay | 2", ())])


def test_broken_or_bottomless_json_is_read_as_text() -> None:
    assert read("{broken", "a.json", "application/json").text == "{broken"
    assert read("[" * 50_000, "b.json", "application/json").text == "[" * 50_000


ATOM = """<?xml version="1.0" encoding="iso-8859-1"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour &amp; quay</title><updated>2026-11-02T10:00:00Z</updated>
<entry><title type="html">New &lt;i&gt;ferry&lt;/i&gt;</title><link href="/news/ferry"/>
<author><name>Ada Lind</name></author>
<published>2026-11-01T09:30:00+02:00</published><updated>2026-11-02T10:00:00Z</updated>
<content type="html">&lt;p&gt;It takes 40 people.&lt;/p&gt;&lt;ul&gt;&lt;li&gt;Dogs free&lt;/li&gt;&lt;/ul&gt;
&lt;p style="display:none"&gt;Secret.&lt;/p&gt;</content></entry></feed>"""
RSS = """<rss version="2.0"><channel><title>Harbour</title><item><title>Quay closed</title>
<link>https://harbour.example/quay</link><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate>
<description><![CDATA[Until <b>Friday</b>.]]></description></item></channel></rss>"""
JSON_FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Harbour",
    "items": [
        {"title": "Quay closed", "url": "/quay", "content_html": "Until <b>Friday</b>.", "date_published": "2026-11-02"}
    ],
}


@pytest.mark.parametrize(
    ("source", "kind", "texts"),
    [
        (
            ATOM,
            "feed",
            [
                "Harbour & quay",
                "New ferry",
                "2026-11-01 · updated 2026-11-02 · Ada Lind · https://site.example/news/ferry",
                "It takes 40 people.",
                "Dogs free",
            ],
        ),
        (RSS, "feed", ["Harbour", "Quay closed", "2026-11-02 · https://harbour.example/quay", "Until Friday."]),
        (
            json.dumps(JSON_FEED),
            "json",
            ["Harbour", "Quay closed", "2026-11-02 · https://site.example/quay", "Until Friday."],
        ),
    ],
)  # fmt: skip
def test_an_entry_of_a_feed_stands_under_its_title_with_date_and_address(
    source: str, kind: str, texts: list[str]
) -> None:
    page = read(source, "feed", "application/xml")

    assert (page.kind, [text for _, text, _ in blocks(page)]) == (kind, texts)
    assert page.title == texts[0]
    assert page.modified is not None
    assert page.modified.date().isoformat() == "2026-11-02"


BOMB = '<!DOCTYPE x [<!ENTITY a "' + "b" * 1000 + '"><!ENTITY c "' + "&a;" * 900 + '">]>'


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("<rss><channel><title>x</title></channel></rss>", "empty"),
        ("<rss><channel><item><title>Half an ite", None),
        ("<feed><entry><title>x</title><updated>0000-99-99</updated></entry></feed>", None),
        (f"{BOMB}<rss><channel><item><title>&c;</title></item></channel></rss>", None),
    ],
)  # fmt: skip
def test_a_poor_feed_is_read_as_far_as_it_goes(source: str, cause: str | None) -> None:
    page = read(source, "feed", "application/rss+xml")

    assert (page.kind, page.cause) == ("feed", cause)
    assert len(page.text) < 5000


def test_a_sitemap_lists_its_addresses() -> None:
    page = read(
        "<?xml version='1.0'?><urlset><url><loc>https://a.example/?a=1&amp;b=2</loc><lastmod>2026-10-01</lastmod></url>"
        "<url><loc> https://a.example/b </loc></url></urlset>",
        "sitemap.xml",
    )

    assert page.text == "https://a.example/?a=1&b=2 (2026-10-01)\nhttps://a.example/b"


@pytest.mark.parametrize(
    ("source", "name", "table"),
    [
        ("station,level_m\r\nHarrow Point,4.31\r\n", "levels.csv", "station,level_m\nHarrow Point,4.31"),
        (
            'place,note\nHarrow,"calm, mostly"\nQuay,"two\nlines"\n',
            "a.csv",
            "place | note\nHarrow | calm, mostly\nQuay | two lines",
        ),
        ("Ort;Pegel\nHarrow;4,31\n", "a.csv", "Ort | Pegel\nHarrow | 4,31"),
        ("a\tb\n1\t\n", "a.tsv", "a | b\n1 | –"),
    ],
)
def test_a_table_in_a_text_file_is_a_table(source: str, name: str, table: str) -> None:
    page = read(source, name, "text/plain")

    assert (page.kind, blocks(page)) == ("table", [("table", table, ())])


def test_a_long_table_is_cut_by_rows_that_each_know_the_header() -> None:
    rows = "".join(f"Station {n};{n}.3 m;measured at noon by the harbour office\n" for n in range(120))
    page = read("Station;Level;Remark\n" + rows, "levels.csv")
    first, *rest = split_passages(Page("p", "u", "", "", page.text, page.blocks))

    assert len(rest) > 2
    assert {p.context for p in rest} == {"Station | Level | Remark"}


def test_what_only_calls_itself_a_table_is_text() -> None:
    assert read("One line, that is prose.\nAnother line.\n", "a.csv", "text/csv").kind == "text"


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=15),
    max_leaves=40,
)


@settings(max_examples=150, deadline=None)
@given(_VALUES)
def test_json_of_any_shape_reads_with_exact_spans(value: object) -> None:
    check_spans(read(json.dumps({"data": value}), "a.json", "application/json"))


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet=st.sampled_from('#=-|`~>* \n1.ab:;,\t"<&]漢'), max_size=200),
    st.sampled_from(["a.md", "a.csv", "a.txt", "a.json"]),
    st.sampled_from(["", "{", "[", "<rss><channel><item>", "<feed><entry>", "---\n"]),
)
def test_text_of_any_shape_reads_with_exact_spans(text: str, name: str, start: str) -> None:
    check_spans(read(start + text, name))


def check_spans(page: Extracted) -> None:
    at = 0
    for block in page.blocks:
        assert at <= block.start < block.end <= len(page.text)
        assert page.text[block.start : block.end].strip()
        assert not page.text[at : block.start].strip()
        at = block.end
    assert not page.text[at:].strip() or page.kind == "html"

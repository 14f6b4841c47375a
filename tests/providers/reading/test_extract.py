"""Extraction: structure kept, hidden text gone, walls named, spans exact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.providers.reading.extract import Extracted, Job, extract
from answerable.providers.reading.extracted import MAX_CHARS
from answerable.providers.reading.kinds.json import readable_json
from answerable.types import Block

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FILLER = "<p>" + "The ferry to Oravia leaves the north quay at noon and carries forty people across. " * 8 + "</p>"


def read(html: str, url: str = "https://site.example/page", content_type: str = "text/html") -> Extracted:
    return extract(Job(html.encode(), url, content_type, NOW))


def article(body: str, head: str = "<title>Ferries</title>") -> Extracted:
    return read(f"<html><head>{head}</head><body><article><h1>Ferries</h1>{FILLER}{body}</article></body></html>")


def of_kind(page: Extracted, kind: str) -> list[str]:
    return [page.text[b.start : b.end] for b in page.blocks if b.kind == kind]


def test_blocks_have_their_kind_and_the_headings_above_them() -> None:
    page = article(
        "<h2>Fares</h2><p>One euro each way.</p><h3>Groups</h3><ul><li>Twelve ride for ten.</li></ul>"
        "<h2>Dogs</h2><p>Free.</p>"
    )
    path = {page.text[b.start : b.end]: (b.kind, b.headings) for b in page.blocks}

    assert path["One euro each way."] == ("paragraph", ("Ferries", "Fares"))
    assert path["Twelve ride for ten."] == ("list_item", ("Ferries", "Fares", "Groups"))
    assert path["Dogs"] == ("heading", ("Ferries",))
    assert path["Free."] == ("paragraph", ("Ferries", "Dogs"))


def test_a_table_keeps_its_caption_its_header_and_what_spans_rows() -> None:
    page = article(
        "<table><caption>Levels in metres</caption><tr><th>Station</th><th colspan=2>Level</th></tr>"
        "<tr><td rowspan=2>Harrow Point</td><td>noon</td><td>4.31</td></tr><tr><td>night</td><td>1.02</td></tr></table>"
    )

    assert of_kind(page, "caption") == ["Levels in metres"]
    assert of_kind(page, "table") == [
        "Station | Level | Level\nHarrow Point | noon | 4.31\nHarrow Point | night | 1.02"
    ]


def test_a_table_that_only_lays_out_a_page_is_no_table() -> None:
    page = read(f"<html><body><table><tr><td><h1>Ferries</h1>{FILLER}</td></tr></table></body></html>")

    assert of_kind(page, "table") == []
    assert "north quay" in page.text


def test_code_is_verbatim_and_line_numbers_are_not_part_of_it() -> None:
    page = article(
        "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td>"
        "<td><pre>for x in y:\n    go(x)</pre></td></tr></table>"
    )

    assert of_kind(page, "code") == ["for x in y:\n    go(x)"]


def test_superscripts_struck_prices_and_reference_marks() -> None:
    page = article(
        "<p>About 10<sup>6</sup> people pay <s>9 euros</s> 7 euros a year.<sup><a href='#n12'>[12]</a></sup>"
        " The 21<sup>st</sup> boat came.<sup class=reference><a href='#n'>[3]</a></sup></p>"
    )

    assert "About 10⁶ people pay 7 euros a year. The 21st boat came." in page.text


def test_terms_stay_with_their_definitions() -> None:
    page = article("<dl><dt>Draught</dt><dd>How deep a hull reaches.</dd><dt>Beam</dt><dd>How wide it is.</dd></dl>")

    assert of_kind(page, "list_item") == ["Draught: How deep a hull reaches.", "Beam: How wide it is."]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display: none'>SECRET</p>",
        "<p style='visibility:hidden'>SECRET</p>",
        "<p style='opacity:0'>SECRET</p>",
        "<p style='font-size:0px'>SECRET</p>",
        "<p style='position:absolute;left:-5000px'>SECRET</p>",
        "<p style='text-indent:-9999px'>SECRET</p>",
        "<p style='color:#FFF;background:white'>SECRET</p>",
        "<p style='color: transparent'>SECRET</p>",
        "<p style='height:0;overflow:hidden'>SECRET</p>",
        "<p style='clip:rect(0 0 0 0)'>SECRET</p>",
        "<p hidden>SECRET</p>",
        "<p class='sr-only'>SECRET</p>",
        "<style>.x{color:red} p.ghost, .y{display:none}</style><p class='a ghost'>SECRET</p>",
        "<style>#one{visibility:hidden}</style><p id=one>SECRET</p>",
        "<noscript>SECRET</noscript><template>SECRET</template><!-- SECRET -->",
        "<script>var x = 'SECRET'</script><svg><title>SECRET</title></svg>",
        "<p>" + "".join(chr(0xE0000 + ord(c)) for c in "SECRET") + "</p>",
    ],
)
def test_text_that_nobody_sees_is_not_read(hidden: str) -> None:
    text = article(hidden + "<p>The last boat leaves at six in the evening, in winter at four.</p>").text

    assert "SECRET" not in "".join(chr(ord(c) - 0xE0000) if ord(c) >= 0xE0000 else c for c in text)
    assert "The last boat leaves at six" in text


def test_what_opens_on_a_click_is_read() -> None:
    page = article("<details><summary>May dogs ride?</summary><p>They ride free on the open deck.</p></details>"
                   "<div hidden='until-found'>Tickets stay valid for two sailings.</div>")  # fmt: skip

    assert "May dogs ride?" in of_kind(page, "heading")
    assert "They ride free" in page.text
    assert "valid for two sailings" in page.text


def test_a_page_most_of_which_its_own_style_hides_is_opened_by_a_script_and_read() -> None:
    page = read(f"<html><head><style>.wrap{{opacity:0}}</style></head><body><div class=wrap>{FILLER}</div></body>")

    assert "north quay" in page.text


@pytest.mark.parametrize(
    ("html", "cause"),
    [
        ("<title>Page not found - Site</title><h1>Sorry</h1><p>Try the search.</p>", "not_found"),
        ("<title>Site</title><h1>404</h1>", "not_found"),
        (
            "<title>Log in</title><form><input name=u><input type=password name=p></form><p>Members only.</p>",
            "login_required",
        ),
        ("<title>Just a moment...</title><p>Checking your browser before accessing site.example.</p>", "challenge"),
        ("<title>News</title><p>Rates rose.</p><p>Subscribe to continue reading this article.</p>", "paywall"),
        (
            "<title>Site</title><h1>Before you continue</h1><p>Your privacy: Accept all or manage options.</p>",
            "consent_wall",
        ),
        ("<title>App</title><div id=root></div><script src=a.js></script>", "needs_javascript"),
        ("<title>Site</title><p></p>", "empty"),
        ("", "empty"),
    ],
)
def test_walls_are_named(html: str, cause: str) -> None:
    assert read(html).cause == cause


def test_a_long_page_is_read_whatever_stands_beside_it() -> None:
    page = article(FILLER * 3 + "<p>Already a subscriber? Subscribe to continue.</p><form><input type=password></form>")

    assert page.cause is None


def test_a_short_page_that_is_all_there_is_counts_and_a_scrap_of_a_longer_one_does_not() -> None:
    assert (
        read(
            "<html><body><p>The last ferry to Oravia leaves the north quay at six in the evening, all year.</p></body>"
        ).cause
        is None
    )
    assert read("<html><body><p>Soon.</p><script>go()</script></body></html>").cause is not None


@pytest.mark.parametrize(
    ("head", "body", "published", "modified"),
    [
        ("<meta name=pubdate content='2024-03-01T09:00+02:00'>", "", "2024-03-01T09:00:00+02:00", None),
        ("<meta name=date content='2031-01-01'>", "", None, None),  # the future
        ("", "<p class=byline>By A. Karv, 4 May 2023</p>", "2023-05-04T00:00:00+00:00", None),
        ("", "<p>Last updated: May 4, 2023</p>", None, "2023-05-04T00:00:00+00:00"),
        ("", "<p>The bridge was opened on 4 May 2023 by the mayor and is free.</p>", None, None),
        ("", "<p>The first of them appeared on 4 May 2023. Nothing new was published.</p>", None, None),
        ("", "<time datetime='2023-05-04'>May</time>", "2023-05-04T00:00:00+00:00", None),
        ("", "<footer><time datetime='2023-05-04'>x</time> © 2009-2026</footer>", None, None),
        ("", "<div class=comments><time datetime='2023-05-04'>x</time></div>", None, None),
        ("", "<aside class=related><p>3 May 2024</p></aside>", None, None),
    ],
)  # fmt: skip
def test_dates_are_weighed(head: str, body: str, published: str | None, modified: str | None) -> None:
    page = article(body, f"<title>Ferries</title>{head}")

    assert (page.published and page.published.isoformat(), page.modified and page.modified.isoformat()) == (
        published,
        modified,
    )


def test_the_date_in_an_address_is_the_last_resort() -> None:
    page = read(f"<title>Ferries</title><article>{FILLER}</article>", "https://site.example/2024/02/03/ferries")

    assert page.published == datetime(2024, 2, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("head", "heading", "title"),
    [
        ("<title>Tides - Harbour Office</title><meta property='og:site_name' content='Harbour Office'>", "", "Tides"),
        ("<title>Site | Tide table for May</title>", "", "Tide table for May"),
        ("<title>Tide table: a guide | site.example</title>", "", "Tide table: a guide"),
        ("<title>Tide-table</title>", "", "Tide-table"),
        ("<title>Tides</title>", "<h1>Tides of the north coast</h1>", "Tides of the north coast"),
        ("<title>Tides of the coast</title>", "<h1>Harbour Office</h1>", "Tides of the coast"),
        ("<title></title>", "<h1>Tides</h1>", "Tides"),
        ("<title>Tides — Docs</title>", "<h1>Tides<a class=headerlink href='#t'>¶</a></h1>", "Tides"),
        ("<title>Untitled</title><meta property='og:title' content='Tides'>", "", "Tides"),
    ],
)  # fmt: skip
def test_the_title_is_the_pages_own(head: str, heading: str, title: str) -> None:
    assert read(f"<html><head>{head}</head><body>{heading}{FILLER}</body></html>").title == title


def test_the_language_is_what_the_page_says_or_else_what_it_is_written_in() -> None:
    german = (
        "<p>" + "Die Fähre nach Oravia verlässt den Nordkai am Mittag und bringt vierzig Leute hinüber. " * 8 + "</p>"
    )

    assert read(f"<html lang=pt-BR><body>{FILLER}</body></html>").language == "pt-BR"
    assert read(f"<html><body>{FILLER}</body></html>").language == "en"
    assert read(f"<html><body>{german}</body></html>").language == "de"
    assert (
        read("<html><body><p>Die letzte Fähre fährt um sechs, im Winter schon um vier Uhr ab.</p></body>").language
        is None
    )


def test_json_becomes_lines_that_can_be_quoted() -> None:
    assert readable_json('{"station": "Harrow", "levels": [{"m": 4.31}, {"m": 1}], "open": true}') == (
        "station: Harrow\nlevels:\n  1:\n    m: 4.31\n  2:\n    m: 1\nopen: true"
    )
    assert readable_json("{broken") == "{broken"


def test_markdown_has_headings_and_code() -> None:
    text = "# Tides\n\nThe gauge stands at Harrow Point.\n\n## Code\n\n```\nx = 1\n\ny = 2\n```\n- one\n- two\n"
    page = read(text, "https://site.example/tides.md", "text/plain")

    assert page.title == "Tides"
    assert of_kind(page, "code") == ["```\nx = 1\n\ny = 2\n```"]
    assert of_kind(page, "list_item") == ["- one", "- two"]
    assert page.blocks[-1].headings == ("Tides", "Code")


def test_a_feed_becomes_its_entries() -> None:
    page = read("<?xml version='1.0'?><rss><channel><title>News</title><item><title>Ferry</title>"
                "<description><![CDATA[<p>Out &amp; back.</p>]]></description></item></channel></rss>")  # fmt: skip

    assert page.text == "News\n\nFerry\n\nOut & back."


def test_a_page_nested_deeper_than_python_recurses_is_read() -> None:
    page = read("<html><body>" + "<div>" * 1500 + FILLER + "</div>" * 1500 + "</body></html>")

    assert "north quay" in page.text


def test_of_a_table_or_a_line_too_long_to_keep_the_beginning_is_read() -> None:
    rows = "".join(f"<tr><td>Ferry {i}</td><td>{'x' * 200}</td></tr>" for i in range(8_000))
    table = read(f"<html><body><h1>Ferries</h1><table>{rows}</table></body></html>")
    line = read(f"<html><body><p>{'The ferry leaves at noon. ' * 65_000}</p></body></html>")

    assert "Ferry 1000" in table.text
    assert table.text.endswith("x" * 200)
    assert MAX_CHARS - 10_000 < len(table.text) <= MAX_CHARS
    assert line.text.startswith("The ferry leaves at noon.")
    assert MAX_CHARS - 10_000 < len(line.text) <= MAX_CHARS


TAGS = st.sampled_from(["p", "div", "li", "ul", "table", "tr", "td", "th", "pre", "h2", "dl", "dt", "dd", "a", "br"])
WORDS = st.sampled_from([FILLER, "Noon. ", "&amp;", "<", ">", "[1]", "漢字。", "\x00", "&#0;", "&#xD800;"])
PIECES = st.one_of(TAGS.map(lambda tag: f"<{tag}>"), TAGS.map(lambda tag: f"</{tag}>"), WORDS)


@settings(max_examples=60, deadline=timedelta(seconds=5))
@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_markup_breaks_extraction_and_spans_are_exact(markup: str) -> None:
    page = read(f"<html><body>{markup}</body></html>")

    covered = "".join(page.text[b.start : b.end] for b in page.blocks)
    assert "".join(covered.split()) == "".join(page.text.split())
    assert all(isinstance(b, Block) and 0 <= b.start < b.end <= len(page.text) for b in page.blocks)


def test_an_advert_goes_and_a_small_ad_stays() -> None:
    sold = "".join(
        f"<div class=ad><p>Rowing boat number {n}, three metres, two oars, 200 euros.</p></div>" for n in range(9)
    )

    assert (
        "half price" not in article("<div class=ad><p>Advertisement</p><p>Maps at half price this week!</p></div>").text
    )
    assert (
        "half price" not in article("<div class=ads aria-hidden=true><p>Maps at half price this week!</p></div>").text
    )
    assert (
        "Rowing boat number 7" in read(f"<title>Boats for sale</title><main><h1>Boats for sale</h1>{sold}</main>").text
    )


def test_the_answer_that_the_asker_took_comes_before_the_others() -> None:
    question = "<div class=question><p>The ferry to Oravia is always late on Mondays, and nobody says why.</p></div>"
    other = "<div class=answer><p>Nobody knows when it sails, and nobody ever did.</p></div>tail"
    taken = (
        "<div class='answer accepted-answer' itemprop=acceptedAnswer><p>It is the tide, above four metres.</p></div>"
    )
    page = read(f"<h1>Why late?</h1>{question}{other}{taken}", url="https://forum.example/questions/1")

    assert -1 < page.text.find("always late") < page.text.find("It is the tide") < page.text.find("Nobody knows")

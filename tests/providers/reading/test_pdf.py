"""PDF files: text in reading order with its pages, and a clear word for those that hold none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.documents import Line, lines, pdf

from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import Extracted, Job

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BODY = [
    "The tide gauge at Harrow Point recorded a level of",
    "4.31 m on 12 January 2022, the highest since 1953.",
]


def read(body: bytes, url: str = "https://harbour.example/files/Tide%20report.pdf") -> Extracted:
    return extract(Job(body, url, "text/html", NOW))


def texts(page: Extracted, *kinds: str) -> list[str]:
    return [page.text[b.start : b.end] for b in page.blocks if not kinds or b.kind in kinds]


def test_a_block_knows_the_page_it_stands_on_and_lines_are_joined() -> None:
    page = read(pdf([lines(*BODY), lines("On the second page.", "", "", "It rained.")]))

    assert (page.kind, page.cause) == ("pdf", None)
    assert [(b.leaf, page.text[b.start : b.end]) for b in page.blocks] == [
        (1, " ".join(BODY)),
        (2, "On the second page."),
        (2, "It rained."),
    ]


def test_a_word_that_a_hyphen_broke_is_whole_and_one_written_with_a_hyphen_keeps_it() -> None:
    body = ["A long-term view of the tides, a com-", "parison of levels and a long-", "term plan of Oravia-", "Nord."]
    page = read(pdf([lines(*body)]))

    assert page.text == "A long-term view of the tides, a comparison of levels and a long-term plan of Oravia-Nord."


def test_the_outline_and_the_size_of_letters_make_headings() -> None:
    first = [Line("Tides of Oravia", 72, 740, 22), *lines("1 Levels", "", *BODY, "", "2 Winds", "", "They blow.")]
    page = read(pdf([first], outline=[("1 Levels", 0), ("2 Winds", 0), ("Nowhere", 0)]))

    assert [(page.text[b.start : b.end], b.level) for b in page.blocks if b.kind == "heading"] == [
        ("Tides of Oravia", 1),
        ("1 Levels", 1),
        ("2 Winds", 1),
    ]
    assert page.blocks[-1].headings == ("2 Winds",)
    assert page.title == "Tides of Oravia"


def test_bold_lines_are_headings_and_bulleted_ones_are_items() -> None:
    body = [
        Line("Fares", 72, 700, bold=True),
        *lines("One euro each way.", "• Dogs ride free.", "• Bicycles pay.", top=680),
    ]
    page = read(pdf([body]))

    assert texts(page, "heading") == ["Fares"]
    assert texts(page, "list_item") == ["• Dogs ride free.", "• Bicycles pay."]


def test_columns_are_read_one_after_the_other_below_what_crosses_them() -> None:
    left = [f"left line {n} of the first column here" for n in range(8)]
    right = [f"right line {n} of the second column" for n in range(8)]
    title = Line("A heading across both columns of this page of the report", 72, 740, 20)
    woven = [line for pair in zip(lines(*left), lines(*right, x=330), strict=True) for line in pair]
    page = read(pdf([[title, *woven]]))

    assert texts(page)[0].startswith("A heading across")
    assert page.text.index("left line 7") < page.text.index("right line 0")


def test_cells_below_each_other_are_a_table() -> None:
    rows = [("Station", "Level"), ("Harrow Point", "4.31"), ("Quay", "2.00")]
    cells = [Line(cell, x, 700 - 14 * n) for n, row in enumerate(rows) for cell, x in zip(row, (72, 300), strict=True)]
    page = read(pdf([[Line("Levels in metres:", 72, 730), *cells]]))

    assert texts(page, "table") == ["Station | Level\nHarrow Point | 4.31\nQuay | 2.00"]


def test_running_heads_and_page_numbers_go_and_a_title_like_them_stays() -> None:
    pages = [
        [
            Line("Harbour report 2022", 72, 770, 9),
            *lines(f"Fact number {n} of the harbour.", top=600),
            Line(f"Page {n} of 4", 280, 30, 9),
        ]
        for n in range(1, 5)
    ]
    pages[0].insert(1, Line("Harbour report 2022", 72, 700, 24))
    page = read(pdf(pages))

    assert page.text == "Harbour report 2022\n\n" + "\n\n".join(f"Fact number {n} of the harbour." for n in range(1, 5))


def test_a_sentence_cut_by_a_page_break_is_whole_where_it_begins() -> None:
    page = read(pdf([lines("The quay was closed. It will open"), lines("in spring. Until then boats land at Harrow.")]))

    assert [(b.leaf, page.text[b.start : b.end]) for b in page.blocks] == [
        (1, "The quay was closed. It will open in spring."),
        (2, "Until then boats land at Harrow."),
    ]


@pytest.mark.parametrize(
    ("info", "title", "published", "modified"),
    [
        (
            {"Title": "Tides", "CreationDate": "D:20220112093000+01'00'", "ModDate": "D:20230101"},
            "Tides",
            "2022-01-12T09:30:00+01:00",
            "2023-01-01T00:00:00+00:00",
        ),
        (
            {"Title": "Microsoft Word - tides.docx", "CreationDate": "D:20220112"},
            "Tide report.pdf",
            "2022-01-12T00:00:00+00:00",
            None,
        ),
        ({"Title": "untitled", "CreationDate": "D:20991231", "ModDate": "yesterday"}, "Tide report.pdf", None, None),
    ],
)  # fmt: skip
def test_what_a_file_says_of_itself_is_told_unless_a_program_filled_it_in(
    info: dict[str, str], title: str, published: str | None, modified: str | None
) -> None:
    page = read(pdf([lines(*BODY)], info={"Author": "Åda Lind", **info}))

    assert (page.title, page.author) == (title, "Åda Lind")
    assert [moment and moment.isoformat() for moment in (page.published, page.modified)] == [published, modified]


@pytest.mark.parametrize(
    ("body", "cause", "word"),
    [
        (pdf([[], []]), "empty", "scanned PDF: 2 pages"),
        (pdf([lines(*BODY)], encrypted=True), "decode", "encrypted"),
        (b"%PDF-1.7\nnothing of the kind", "decode", "broken"),
        (pdf([lines(*BODY)])[:300], "decode", "broken"),
        (pdf([lines("\x01\x02\x03\x04\x05\x06\x07\x08" * 4)]), "decode", "fonts"),
    ],
)  # fmt: skip
def test_a_file_without_readable_text_says_why(body: bytes, cause: str, word: str) -> None:
    page = read(body)

    assert (page.kind, page.cause) == ("pdf", cause)
    assert word in page.message


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_to_a_file_breaks_the_reader(data: st.DataObject) -> None:
    body = bytearray(pdf([lines(*BODY), []], info={"Title": "Tides"}, outline=[("Levels", 0)]))
    for _ in range(data.draw(st.integers(1, 12))):
        body[data.draw(st.integers(9, len(body) - 1))] = data.draw(st.integers(0, 255))
    page = read(bytes(body))

    assert all(page.text[b.start : b.end].strip() for b in page.blocks)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.builds(
            Line,
            st.text(alphabet=st.sampled_from("ab c.-•1|()\\"), min_size=1, max_size=30),
            st.integers(-50, 700),
            st.integers(-50, 900),
            st.sampled_from([0.5, 6, 11, 11, 24]),
            st.booleans(),
        ),
        max_size=25,
    )
)
def test_lines_anywhere_on_a_page_are_read_with_exact_spans(page: list[Line]) -> None:
    found = read(pdf([page, page[:3]]))
    ends = [0, *(b.end for b in found.blocks)]

    assert all(found.text[b.start : b.end].strip() for b in found.blocks)
    assert all(end <= b.start for end, b in zip(ends, found.blocks, strict=False))
    assert {b.leaf for b in found.blocks} <= {1, 2}

"""Pictures and tables beside an answer: of cited pages alone, and only those that bear on it."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.pages import page_of

from answerable.answering.checking import CheckedAnswer
from answerable.answering.gathering import Gathered
from answerable.answering.picturing import images_for, tables_for
from answerable.types import Block, Citation, Image, Page, SupportCounts

QUESTION = "How high does the tide rise at Harrow Point?"
TEXT = "The tide rises 4.31 m at Harrow Point.\n\nLevels\nDay | m\nMon | 4.31\n\nA café serves soup."
BLOCKS = (
    Block("paragraph", 0, 38),
    Block("caption", 40, 46),
    Block("table", 47, 65),
    Block("paragraph", 67, 86),
)


def image(name: str, caption: str, block: int = 3) -> Image:
    return Image(f"https://a.example/{name}.png", "", caption, block=block)


def page(url: str = "https://a.example/tides", *images: Image) -> Page:
    return replace(page_of(url, TEXT), blocks=BLOCKS, images=images)


def cited(*pages: Page, quote: str = "The tide rises 4.31 m at Harrow Point.") -> CheckedAnswer:
    start = TEXT.index(quote)
    citations = tuple(
        Citation(n, p.page_id, p.url, "", "", None, 0, quote, start, start + len(quote), "supported", "", "page", "")
        for n, p in enumerate(pages, start=1)
    )
    return CheckedAnswer("…", (), citations, tuple(p.page_id for p in pages), SupportCounts())


def test_what_fits_question_and_quote_is_shown_and_what_does_not_is_not() -> None:
    one = page(
        "https://a.example/tides",
        image("soup", "Soup of the day"),
        image("gauge", "The gauge at Harrow Point reads the tide"),
        image("point", "The point of the soup", block=3),
    )

    assert [i.url for i in images_for(QUESTION, cited(one), Gathered(pages=(one,)))] == ["https://a.example/gauge.png"]


def test_a_page_that_is_not_cited_lends_no_picture() -> None:
    one, other = page(), page("https://b.example/", image("gauge", "The tide at Harrow Point"))

    assert images_for(QUESTION, cited(one), Gathered(pages=(one, other))) == ()


def test_at_most_two_of_a_page_and_four_in_all_best_first() -> None:
    captions = ["The tide at Harrow", "The tide at Harrow Point", "High tide at Harrow Point", "Tide, Harrow"]
    pages = [page(f"https://{n}.example/", *(image(f"{n}{c}", t) for c, t in enumerate(captions))) for n in range(3)]
    found = images_for(QUESTION, cited(*pages), Gathered(pages=tuple(pages)))

    assert len(found) == 4
    assert [i.n for i in found] == [1, 2, 3, 1]
    assert found[0].caption == "High tide at Harrow Point"


def test_a_table_is_shown_when_its_words_are_quoted() -> None:
    one = page()
    (table,) = tables_for(cited(one, quote="Mon | 4.31"), Gathered(pages=(one,)))

    assert (table.title, table.text) == ("Levels", "Day | m\nMon | 4.31")
    assert tables_for(cited(one), Gathered(pages=(one,))) == ()

"""Passages: exact spans, nothing lost, nothing cut that should stay whole."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.text.analysis import index_tokens
from answerable.text.passages import (
    MAX_WORDS,
    MIN_CHARS,
    best_part,
    page_id_of,
    paragraphs_of,
    size_in_words,
    snippet_page,
    split_passages,
)
from answerable.types import Block, BlockKind, Page, SearchResult

SENTENCE = "The ferry to Oravia leaves the north quay at noon and carries forty people. "


def page_of(*parts: tuple[BlockKind, str], headings: tuple[str, ...] = ()) -> Page:
    """A page whose blocks are these texts, one line apart, each under the headings given."""
    text, blocks = "", []
    for kind, words in parts:
        start = len(text)
        text += words + "\n"
        blocks.append(Block(kind, start, start + len(words), headings))
    url = "https://site.example/page"
    return Page(page_id_of(url, text), url, "Title", "site.example", text, tuple(blocks))


KINDS = st.sampled_from(["heading", "paragraph", "list_item", "table", "code", "quote", "caption"])
WORDS = st.text(alphabet=st.sampled_from("ab .,!?\n|é漢字。ไทย1"), min_size=0, max_size=400)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(KINDS, st.one_of(WORDS, st.integers(1, 40).map(lambda n: SENTENCE * n))), max_size=12))
def test_passages_hold_all_text_of_the_blocks_once_in_order_with_exact_spans(
    parts: list[tuple[BlockKind, str]],
) -> None:
    page = page_of(*parts)
    passages = split_passages(page)

    assert [page.text[p.start : p.end] for p in passages] == [p.text for p in passages]
    assert "".join("".join(p.text for p in passages).split()) == "".join(page.text.split())
    assert all(a.end <= b.start for a, b in zip(passages, passages[1:], strict=False))
    assert len({p.passage_id for p in passages}) == len(passages)
    assert all(p.text == p.text.strip() and p.text for p in passages)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab .!\n\t漢。\r\u2028"), max_size=600))
def test_a_text_without_blocks_is_covered_too(text: str) -> None:
    page = Page(page_id_of("u", text), "u", "", "", text)

    assert "".join("".join(p.text for p in split_passages(page)).split()) == "".join(text.split())


# Sections of a size that shares no passage with a neighbour, each of words of its own.
SECTIONS = [
    (f"Part {n}", " ".join(f"In part {n} the gauge {k} at Harrow Point stood at {n * k} metres." for k in range(20)))
    for n in range(1, 9)
]


@settings(max_examples=60, deadline=None)
@given(
    st.permutations(range(len(SECTIONS))),
    st.sets(st.integers(0, len(SECTIONS) - 1), max_size=4),
    st.lists(st.tuples(st.integers(0, 8), st.integers(1, 60)), max_size=3),
)
def test_the_id_of_a_passage_stays_whatever_is_moved_put_in_or_taken_out_around_it(
    order: list[int], without: set[int], inserted: list[tuple[int, int]]
) -> None:
    def blocks(sections: list[tuple[str, str]]) -> Page:
        parts: list[tuple[BlockKind, str]] = []
        for heading, text in sections:
            parts += [("heading", heading), ("paragraph", text)]
        return page_of(*parts)

    before = {p.text: p.passage_id for p in split_passages(blocks(SECTIONS))}
    moved = [SECTIONS[n] for n in order if n not in without]
    for place, size in inserted:
        moved.insert(min(place, len(moved)), ("News", f"Something else was put in here, {place} and {size}. " * size))
    after = {p.text: p.passage_id for p in split_passages(blocks(moved))}

    same = before.keys() & after.keys()
    assert {before[text] for text in same} == {after[text] for text in same}
    assert all(before[text] == after[text] for text in same)
    assert len(set(after.values())) == len(after)
    assert inserted or len(same) >= len(moved)


def test_the_id_of_a_passage_depends_on_address_and_words_alone() -> None:
    def ids(url: str, *, title: str = "A", text: str = SENTENCE * 60) -> list[str]:
        page = Page(page_id_of(url, text), url, title, "site.example", text, paragraphs_of(text))
        return [p.passage_id for p in split_passages(page)]

    here = ids("https://site.example/page")
    assert len(here) == len(set(here)) > 2  # equal sentences, each with its place
    assert ids("http://www.site.example/page/?utm_source=x#top", title="B") == here
    assert ids("https://site.example/other")[0] != here[0]
    assert ids("https://site.example/page", text=SENTENCE.replace("noon", "one") * 60)[0] != here[0]


def test_equal_passages_of_a_page_have_ids_of_their_own() -> None:
    same = ("paragraph", SENTENCE * 12)
    passages = split_passages(page_of(("heading", "A"), same, ("heading", "B"), same, ("heading", "C"), same))

    assert len({p.passage_id for p in passages}) == len(passages) == 3


def test_a_long_section_is_cut_between_sentences_into_passages_of_the_usual_size() -> None:
    passages = split_passages(page_of(("heading", "Ferries"), ("paragraph", (SENTENCE * 60).strip())))

    assert all(p.text.endswith(".") for p in passages)
    assert all(140 <= size_in_words(p.text) <= MAX_WORDS for p in passages)


def test_sections_stay_whole_and_share_a_passage_when_they_fit_into_one() -> None:
    page = page_of(
        ("heading", "One"),
        ("paragraph", SENTENCE * 9),
        ("heading", "Two"),
        ("paragraph", "Too short to stand alone."),
        ("heading", "Three"),
        ("paragraph", SENTENCE * 9),
    )

    assert [p.text.split("\n")[0] for p in split_passages(page)] == ["One", "Three"]


def test_a_short_rest_of_a_section_stays_with_it() -> None:
    (passage,) = split_passages(page_of(("paragraph", (SENTENCE * 15).strip()), ("paragraph", "It rained.")))

    assert passage.text.endswith("It rained.")


def test_a_table_is_whole_with_its_caption_and_apart_from_the_prose() -> None:
    rows = "Day | Hours | Notes\n" + "\n".join(f"Day {n} | 10:00 - 18:00 | Tool loans in the morning" for n in range(9))
    page = page_of(
        ("paragraph", SENTENCE * 5), ("caption", "Opening hours"), ("table", rows), ("paragraph", SENTENCE * 5)
    )
    before, table, after = split_passages(page)

    assert (before.kind, table.kind, after.kind) == ("prose", "table", "prose")
    assert table.text == f"Opening hours\n{rows}"


def test_the_later_rows_of_a_long_table_carry_its_caption_and_header_row() -> None:
    rows = [f"Station {n} | {n}.3 m | measured at noon by the harbour office of Oravia" for n in range(90)]
    page = page_of(("caption", "Levels"), ("table", "\n".join(["Station | Level | Remark", *rows])))
    first, *rest = split_passages(page)

    assert first.context == ""
    assert len(rest) > 2
    assert {p.context for p in rest} == {"Levels\nStation | Level | Remark"}
    assert [row for p in (first, *rest) for row in p.text.split("\n")][2:] == rows


def test_later_items_of_a_long_list_carry_their_stem() -> None:
    items = [("list_item", f"Item {n}: a rope of twenty metres, checked by the warden last spring.") for n in range(60)]
    first, *rest = split_passages(page_of(("paragraph", "Wardens recommend that walkers carry:"), *items))

    assert first.text.startswith("Wardens recommend")
    assert {p.context for p in rest} == {"Wardens recommend that walkers carry:"}


def test_code_stays_whole_and_verbatim() -> None:
    code = "def fetch(url):\n" + "".join(f"    step_{n} = url + str({n})\n\n" for n in range(80)) + "    return url"
    page = page_of(("paragraph", SENTENCE * 4), ("code", code), ("paragraph", SENTENCE * 4))

    assert [p.text for p in split_passages(page) if p.kind == "code"] == [code]


def test_pages_without_spaces_between_words_are_sized_by_characters() -> None:
    passages = split_passages(page_of(("paragraph", "新桥长四百一十米，造价三点二亿元，去年十月通车。" * 80)))

    assert len(passages) >= 4
    assert all(p.text.endswith("。") and MIN_CHARS <= len(p.text) <= 2.5 * MAX_WORDS for p in passages)


def test_a_wall_of_words_without_a_full_stop_is_still_cut() -> None:
    passages = split_passages(page_of(("paragraph", "word " * 5000), ("paragraph", "漢" * 5000)))

    assert max(size_in_words(p.text) for p in passages) <= 2 * MAX_WORDS + 60


def test_the_headings_of_a_passage_are_those_that_hold_for_all_of_it() -> None:
    text = f"Guide\nTides\n{SENTENCE * 4}"
    blocks = (
        Block("heading", 0, 5),
        Block("heading", 6, 11, ("Guide",)),
        Block("paragraph", 12, len(text), ("Guide", "Tides")),
    )
    (passage,) = split_passages(Page("p", "u", "", "", text, blocks))
    mixed = page_of(("paragraph", SENTENCE * 2), headings=("Guide", "Tides"))
    more = Block("paragraph", len(mixed.text), len(mixed.text) + len(SENTENCE), ("Guide", "Winds"))
    (both,) = split_passages(replace(mixed, text=mixed.text + SENTENCE, blocks=(*mixed.blocks, more)))

    assert passage.headings == ("Guide", "Tides")
    assert both.headings == ("Guide",)


def test_lines_are_paragraphs_where_no_line_is_blank() -> None:
    assert [(b.start, b.end) for b in paragraphs_of("one\ntwo\n")] == [(0, 3), (4, 7)]
    assert [(b.start, b.end) for b in paragraphs_of("one\ntwo\n\nthree")] == [(0, 7), (9, 14)]


def test_the_best_part_of_a_long_page_is_what_shares_most_with_the_question() -> None:
    parts: list[tuple[BlockKind, str]] = []
    for n in range(30):
        parts += [("heading", f"Part {n}"), ("paragraph", SENTENCE * 8)]
    parts[41] = ("paragraph", "The kiln of the museum fires stoneware at 1,260 degrees for nine hours. " * 6)
    page = page_of(*parts)
    best = best_part(page, index_tokens("How hot does the museum kiln fire?"), 2_000)

    assert any("1,260 degrees" in p.text for p in best)
    assert sum(len(p.text) for p in best) <= 2_000
    assert list(best) == sorted(best, key=lambda p: p.start)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(KINDS, st.integers(1, 120)), min_size=10, max_size=20), st.sampled_from(["kiln", "noon"]))
def test_of_a_long_page_the_best_part_is_passages_of_the_whole_and_none_is_lost(
    parts: list[tuple[BlockKind, int]], word: str
) -> None:
    page = page_of(*((kind, SENTENCE * size) for kind, size in parts * 4), ("paragraph", "The kiln is hot. " * 20))
    passages = split_passages(page)

    assert "".join("".join(p.text for p in passages).split()) == "".join(page.text.split())
    assert set(best_part(page, index_tokens(word), 6_000)) <= set(passages)


def test_the_best_part_of_a_book_is_found_on_its_last_pages_too() -> None:
    page = page_of(
        *[("paragraph", SENTENCE * 8)] * 400, ("paragraph", "The kiln fires stoneware at 1,260 degrees. " * 6)
    )

    assert any("1,260 degrees" in p.text for p in best_part(page, index_tokens("How hot is the kiln?"), 2_000))


def test_all_of_a_short_page_is_its_best_part() -> None:
    page = page_of(("paragraph", SENTENCE * 3))

    assert best_part(page, ["kiln"], 12_000) == split_passages(page)


def test_a_snippet_page_is_marked_and_a_short_snippet_makes_none() -> None:
    page = snippet_page(SearchResult("https://www.site.example/a", "Ferries", SENTENCE + "It sails twice a day."))

    assert page is not None
    assert (page.read_as, page.site) == ("snippet", "site.example")
    assert snippet_page(SearchResult("https://site.example/a", "Ferries", "It sails twice a day.")) is None


def test_an_id_depends_on_address_and_text_alone() -> None:
    assert page_id_of("u", "text") == page_id_of("u", "text")
    assert len({page_id_of("u", "text"), page_id_of("u", "text2"), page_id_of("v", "text")}) == 3

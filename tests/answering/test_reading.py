"""The stage of reading: within its budget, in search order, every failure told and stood in for."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest
from tests.fakes.pages import FakeReader, page_of

from answerable.answering.reading import distinct, read_results, source_of
from answerable.errors import ReadError
from answerable.events import Event, Progress, SourcesFound, ignore
from answerable.protocols import Limits
from answerable.text.domains import Domains
from answerable.types import Page, SearchResult

SNIPPET = "The ferry to Oravia leaves the north quay at noon and carries forty people across the bay."


def url(n: int) -> str:
    return f"https://site{n}.example/page"


def result(n: int, snippet: str = SNIPPET) -> SearchResult:
    return SearchResult(url(n), f"Page {n}", snippet)


def page(n: int) -> Page:
    return page_of(url(n), f"Text of page {n}.", f"Page {n}")


class Kept:
    """A background group that only collects."""

    def __init__(self) -> None:
        self.work: list[Coroutine[Any, Any, Any]] = []

    def __call__(self, work: Coroutine[Any, Any, Any]) -> None:
        self.work.append(work)


def no_background(work: Coroutine[Any, Any, Any]) -> None:
    raise AssertionError("nothing is late here")


async def test_pages_come_in_search_order_whatever_arrives_first() -> None:
    reader = FakeReader({url(n): page(n) for n in range(3)}, {url(0): 0.03, url(1): 0.01})
    events: list[Event] = []
    read = await read_results(
        [result(n) for n in range(3)], reader, limits=Limits(), background=no_background, emit=events.append
    )

    assert [p.title for p in read.pages] == ["Page 0", "Page 1", "Page 2"]
    assert reader.finished == [url(2), url(1), url(0)]
    progress = [e for e in events if isinstance(e, Progress)]
    assert progress[0].pages == (url(0), url(1), url(2))
    assert [(e.done, e.total) for e in progress] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    found = [e for e in events if isinstance(e, SourcesFound)]
    assert [len(e.sources) for e in found] == [1, 2, 3]
    assert [s.title for s in found[-1].sources] == ["Page 0", "Page 1", "Page 2"]


async def test_a_page_that_fails_is_told_and_its_snippet_stands_in_for_it() -> None:
    reader = FakeReader(
        {url(0): ReadError(url(0), "http_error", "the host answered 503", http_status=503), url(1): page(1)}
    )
    read = await read_results([result(0), result(1)], reader, limits=Limits(), background=no_background, emit=ignore)

    assert [(p.url, p.read_as) for p in read.pages] == [(url(0), "snippet"), (url(1), "page")]
    assert [(note.code, note.message) for note in read.notes] == [
        ("page_skipped", f"{url(0)}: http error 503 (the host answered 503)")
    ]


@pytest.mark.parametrize(("snippet", "cause"), [("Too short.", "timeout"), (SNIPPET, "private_address")])
async def test_some_failures_leave_nothing(snippet: str, cause: Any) -> None:
    reader = FakeReader({url(0): ReadError(url(0), cause)})
    read = await read_results([result(0, snippet)], reader, limits=Limits(), background=no_background, emit=ignore)

    assert read.pages == ()
    assert len(read.notes) == 1


async def test_a_page_under_way_at_the_deadline_goes_on_in_the_background() -> None:
    reader, kept = FakeReader({url(n): page(n) for n in range(2)}, {url(1): 0.2}), Kept()
    read = await read_results(
        [result(0), result(1)], reader, limits=Limits(read_timeout=0.05), background=kept, emit=ignore
    )

    assert [(p.title, p.read_as) for p in read.pages] == [("Page 0", "page"), ("Page 1", "snippet")]
    assert (read.late, reader.finished) == (1, [url(0)])
    await asyncio.gather(*kept.work)
    assert reader.finished == [url(0), url(1)]


async def test_a_slow_minority_is_not_waited_for() -> None:
    reader, kept = FakeReader({url(n): page(n) for n in range(4)}, {url(3): 30}), Kept()
    async with asyncio.timeout(30):
        read = await read_results(
            [result(n) for n in range(4)],
            reader,
            limits=Limits(read_timeout=60),
            background=kept,
            emit=ignore,
            settle=0.05,
        )
    assert read.late == 1
    kept.work[0].close()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_two_quick_pages_of_many_are_no_reason_to_stop() -> None:
    reader = FakeReader({url(n): page(n) for n in range(6)}, {url(n): 0.2 for n in range(2, 6)})
    read = await read_results(
        [result(n) for n in range(6)], reader, limits=Limits(), background=no_background, emit=ignore, settle=0.01
    )

    assert (len(read.pages), read.late) == (6, 0)


async def test_a_text_that_the_provider_handed_over_needs_no_reading() -> None:
    given = SearchResult(url(0), "Page 0", text="The whole text of the page.")
    read = await read_results([given], FakeReader({}), limits=Limits(), background=no_background, emit=ignore)

    assert [(p.text, p.read_as) for p in read.pages] == [("The whole text of the page.", "page")]


async def test_no_more_pages_are_read_than_the_limit() -> None:
    reader = FakeReader({url(n): page(n) for n in range(9)})
    read = await read_results(
        [result(n) for n in range(9)], reader, limits=Limits(pages=4), background=no_background, emit=ignore
    )

    assert (len(read.pages), sorted(reader.finished)) == (4, [url(n) for n in range(4)])


async def test_one_page_under_two_addresses_is_one_page() -> None:
    reader = FakeReader({url(0): page(0), url(1): page(0)})
    read = await read_results([result(0), result(1)], reader, limits=Limits(), background=no_background, emit=ignore)

    assert len(read.pages) == 1


async def test_pages_of_earlier_rounds_stay_among_the_sources() -> None:
    events: list[Event] = []
    reader = FakeReader({url(1): page(1)})
    await read_results(
        [result(1)], reader, limits=Limits(), background=no_background, emit=events.append, earlier=[page(0)]
    )

    assert [s.title for e in events if isinstance(e, SourcesFound) for s in e.sources] == ["Page 0", "Page 1"]


async def test_leaving_ends_all_that_is_being_read() -> None:
    reader = FakeReader({}, {url(n): 30.0 for n in range(3)})
    task = asyncio.create_task(
        read_results([result(n) for n in range(3)], reader, limits=Limits(), background=no_background, emit=ignore)
    )
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert sorted(reader.cancelled) == [url(n) for n in range(3)]


async def test_no_results_are_no_work() -> None:
    read = await read_results([], FakeReader({}), limits=Limits(), background=no_background, emit=ignore)

    assert (read.pages, read.notes, read.late) == ((), (), 0)


async def test_a_page_that_ended_on_a_site_that_is_shut_out_is_dropped_with_its_snippet() -> None:
    elsewhere = page_of("https://www.spam.example/landing", "Buy it now. " * 20, "Landing")
    reader = FakeReader({url(0): elsewhere, url(1): page(1)})
    read = await read_results(
        [result(0), result(1)],
        reader,
        limits=Limits(),
        background=no_background,
        emit=ignore,
        domains=Domains.of(("-spam.example",)),
    )

    assert [p.url for p in read.pages] == [url(1)]
    (note,) = read.notes
    assert note.code == "page_skipped"
    assert "leads to spam.example, which is shut out" in note.message


async def test_what_the_provider_told_of_a_work_is_shown_with_its_source() -> None:
    events: list[Event] = []
    work = SearchResult(url(0), "A work", SNIPPET, authors=("A. Berg",), year=2019, venue="Towers")
    unread = replace(work, url=url(1))
    reader = FakeReader({url(0): page(0)})
    read = await read_results(
        [work, unread, result(2)], reader, limits=Limits(), background=no_background, emit=events.append
    )

    assert [(p.authors, p.year, p.venue) for p in read.pages][:2] == [(("A. Berg",), 2019, "Towers")] * 2
    shown = [e for e in events if isinstance(e, SourcesFound)][0].sources[0]
    assert (shown.authors, shown.year, shown.venue) == (("A. Berg",), 2019, "Towers")


async def test_a_page_of_which_only_the_beginning_was_read_is_told_as_that() -> None:
    reader = FakeReader({url(0): replace(page(0), cut="time"), url(1): page(1)})
    events: list[Event] = []
    await read_results([result(0), result(1)], reader, limits=Limits(), background=no_background, emit=events.append)

    told = {e.page: (e.cause, e.cut, "beginning" in e.detail) for e in events if isinstance(e, Progress) and e.page}
    found = [e for e in events if isinstance(e, SourcesFound)][-1]
    assert told == {url(0): (None, "time", True), url(1): (None, None, False)}
    assert [source.cut for source in found.sources] == ["time", None]


def test_a_page_goes_by_the_address_where_it_was_read_whatever_it_calls_itself() -> None:
    liar = replace(
        page_of("https://evil.example/a", "Text."), site_name="BBC News", canonical="https://www.bbc.co.uk/news/1"
    )
    source = source_of(liar)

    assert (source.url, source.site, source.site_name) == ("https://evil.example/a", "evil.example", "")
    assert source_of(replace(liar, site_name="Evil News")).site_name == "Evil News"


TEXT = "The ferry leaves at noon."


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        (("https://a.example/f", "https://a.example/f"), ("https://a.example/f?sort=up", "https://a.example/f"), 1),
        (("https://a.example/f?p=1", "https://a.example/f"), ("https://a.example/f?p=2", "http://a.example/f/"), 1),
        (("https://a.example/f?p=1", None), ("https://a.example/f?p=2", None), 2),
        (("https://a.example/f", None), ("https://b.example/f", "https://a.example/f"), 2),
        (("https://b.example/f", "https://a.example/f"), ("https://c.example/f", "https://a.example/f"), 2),
    ],
)
def test_addresses_of_one_host_that_name_the_same_address_and_hold_the_same_words_are_one_page(
    one: tuple[str, str | None], other: tuple[str, str | None], kept: int
) -> None:
    pages = [replace(page_of(address, TEXT), canonical=canonical) for address, canonical in (one, other)]

    assert distinct(pages) == tuple(pages[:kept])


def test_a_shop_that_calls_its_front_page_the_address_of_every_page_keeps_its_pages() -> None:
    pages = [
        replace(page_of(f"https://shop.example/{n}", f"Kettle number {n}."), canonical="https://shop.example/")
        for n in range(3)
    ]

    assert distinct(pages) == tuple(pages)

"""Reader: what every reader, the fakes included, must do with a result. Raises ReadError and nothing else."""

from __future__ import annotations

import pytest
from tests.fakes.pages import FakeFetcher, FakeReader, page_of

from answerable.errors import ReadError
from answerable.protocols import Reader
from answerable.providers.reading.reader import WebReader
from answerable.types import SearchResult

TEXT = "The ferry to Oravia leaves the north quay at noon and carries forty people across. " * 8
URL, BROKEN = "https://site.example/ferries", "https://site.example/broken"


@pytest.fixture(params=["web", "fake"])
def reader(request: pytest.FixtureRequest) -> Reader:
    failure = ReadError(BROKEN, "timeout", "no answer within 4 s")
    if request.param == "web":
        html = f"<html><head><title>Ferries</title></head><body><article><p>{TEXT}</p></article></body></html>"
        return WebReader(FakeFetcher({URL: html, BROKEN: failure}))
    return FakeReader({URL: page_of(URL, TEXT.strip(), "Ferries"), BROKEN: failure})


async def test_a_page_is_read_as_a_page_with_exact_blocks(reader: Reader) -> None:
    page = await reader.read(SearchResult(URL, "Ferries of the north"))

    assert (page.url, page.title, page.site, page.read_as) == (URL, "Ferries", "site.example", "page")
    assert page.text == TEXT.strip()
    assert [page.text[b.start : b.end] for b in page.blocks] == [TEXT.strip()]
    assert page.page_id == page_of(URL, page.text).page_id


async def test_the_same_page_has_the_same_id(reader: Reader) -> None:
    first, second = await reader.read(SearchResult(URL, "a")), await reader.read(SearchResult(URL, "b"))

    assert first.page_id == second.page_id


async def test_a_failure_is_a_read_error_with_its_cause(reader: Reader) -> None:
    with pytest.raises(ReadError) as caught:
        await reader.read(SearchResult(BROKEN, "Broken"))

    assert (caught.value.cause, caught.value.url) == ("timeout", BROKEN)


async def test_a_missing_page_is_not_found(reader: Reader) -> None:
    with pytest.raises(ReadError) as caught:
        await reader.read(SearchResult("https://site.example/nowhere", "x"))

    assert caught.value.cause == "not_found"

"""Extraction in processes: the same result as here, and no page that can stall or kill the rest."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from tests.fakes.documents import lines, pdf

from answerable.errors import ReadError
from answerable.providers.reading.extract import Job, extract
from answerable.providers.reading.worker import packed_result, unpacked_result
from answerable.providers.reading.workers import ExtractionWorkers, extract_in_thread

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TEXT = "The ferry to Oravia leaves the north quay at noon and carries forty people across. " * 8
HTML = (
    "<html lang=en><head><title>Ferries</title><meta property='article:published_time' content='2024-03-01T09+02:00'>"
    f"</head><body><article><h1>Ferries</h1><p>{TEXT}</p><p>漢字 \U0001f6a2</p></article></body></html>"
)


def job(html: str) -> Job:
    return Job(html.encode(), "https://site.example/ferries", "text/html", NOW)


def test_a_result_survives_its_way_through_the_pipe() -> None:
    result = extract(job(HTML))

    assert unpacked_result(packed_result(result)) == result


async def test_processes_give_what_a_thread_gives_and_outlive_what_befalls_them() -> None:
    monster = "<html><body>" + "<div><p>word <a href=x>y</a></p>" * 60_000
    async with ExtractionWorkers(1, time_limit=20) as workers:
        await workers.warm_up()
        assert await workers.extract(job(HTML)) == await extract_in_thread(job(HTML))
        process = next(iter(workers._all))
        workers._time_limit = 0.1
        with pytest.raises(ReadError) as stalled:
            await workers.extract(job(monster))
        workers._time_limit = 20
        assert (await workers.extract(job(HTML))).title == "Ferries"
        killed = asyncio.create_task(workers.extract(job(monster)))
        await asyncio.sleep(0.05)
        next(iter(workers._all)).kill()
        with pytest.raises(ReadError) as broken:
            await killed
        assert (await workers.extract(job(HTML))).title == "Ferries"

    assert (stalled.value.cause, broken.value.cause) == ("timeout", "decode")
    assert process.returncode is not None


async def test_a_page_that_takes_too_much_memory_is_named_and_its_process_replaced() -> None:
    async with ExtractionWorkers(1, memory_limit=400_000_000, time_limit=60) as workers:
        assert (await workers.extract(job(HTML))).title == "Ferries"
        process = next(iter(workers._all))
        greedy = await workers.extract(
            Job(b"[" + b'{"a":[]},' * 1_600_000 + b"0]", "https://a.example/", "application/json", NOW)
        )
        assert (await workers.extract(job(HTML))).title == "Ferries"

    assert (greedy.cause, greedy.message) == ("too_large", "it needs more memory than a page is given")
    assert process.returncode is not None


async def test_a_pdf_and_an_ordinary_page_share_the_processes() -> None:
    async with ExtractionWorkers(1) as workers:
        report = Job(pdf([lines("The tide rose.")]), "https://a.example/a.pdf", "application/pdf", NOW)
        found = await workers.extract(report)

        assert found == await extract_in_thread(report)
        assert (found.text, found.blocks[0].leaf) == ("The tide rose.", 1)


async def test_heavy_pages_do_not_keep_an_ordinary_one_waiting() -> None:
    heavy = "<html><body>" + "<b><i><p>word " * 30_000
    async with ExtractionWorkers(2) as workers:
        await workers.warm_up()
        slow = [asyncio.create_task(workers.extract(job(heavy))) for _ in range(4)]
        await asyncio.sleep(0.05)
        quick = asyncio.create_task(workers.extract(job(HTML)))
        done, _ = await asyncio.wait({quick, *slow}, return_when=asyncio.FIRST_COMPLETED)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        assert (await workers.extract(job(HTML))).title == "Ferries"

    assert done == {quick}


async def test_a_process_whose_caller_left_while_it_started_serves_the_next_page_or_is_ended() -> None:
    for pause in (0, 0.005, 0.05):
        async with ExtractionWorkers(1) as workers:
            left = asyncio.create_task(workers.extract(job(HTML)))
            await asyncio.sleep(pause)
            left.cancel()
            await asyncio.wait({left})
            if pause:
                assert (await workers.extract(job(HTML))).title == "Ferries"

        assert workers._all == set()
        assert workers._starting == set()

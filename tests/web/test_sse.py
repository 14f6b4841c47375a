"""The event stream on the wire: framing, first byte, pings, resuming."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.engine import WHEN, FakeEngine, Script, eiffel, source_of
from tests.fakes.streams import case, decode

from answerable.errors import BadRequest
from answerable.events import Delta, Done, Progress, SourcesFound, Start
from answerable.schemas import dump_event, load_event
from answerable.types import Ask
from answerable.web import sse


def test_payloads_arrive_as_the_event_stream_rules_say() -> None:
    given, expected = case("sse-encode-newlines")

    stream = b"".join(sse.frame(payload, number=k) for k, payload in enumerate(given["payloads"]))

    assert [event["data"] for event in decode(stream.decode("utf-8"))] == expected["decoded"]


@given(st.text(), st.integers(1, 10**9))
def test_any_text_survives_the_wire_on_one_data_line(text: str, number: int) -> None:
    wire = sse.encode_event(number, Delta(text)).decode("utf-8")

    (event,) = decode(wire)

    assert len(wire.splitlines()) == 4, "even for readers that split at U+2028"
    assert event["id"] == str(number)
    assert load_event(event["event"], event["data"]) == Delta(text)


def test_sources_carry_no_number_and_progress_only_what_is_known() -> None:
    script = eiffel()
    sources = json.loads(dump_event(SourcesFound(tuple(source_of(p) for p in script.pages))))
    progress = json.loads(dump_event(Progress("searching", "Searching", queries=("a",))))

    assert set(sources["sources"][0]) == {
        *("page_id", "url", "title", "site", "published", "read_as"),
        *("authors", "year", "venue", "fetched", "site_name", "cut"),
    }
    assert progress == {"stage": "searching", "detail": "Searching", "queries": ["a"]}


def test_a_start_event_dates_in_iso_form() -> None:
    start = Start("a", "c", "t", 1, WHEN, "Why?")

    assert json.loads(dump_event(start))["created"] == "2026-05-03T14:02:00Z"
    assert load_event("start", dump_event(start)) == start


async def started(engine: FakeEngine) -> str:
    run = await engine.runs.start(Ask("How tall?"))
    return run.id


async def test_the_first_byte_leaves_before_anything_happened_and_silence_is_filled_with_pings() -> None:
    engine = FakeEngine(default=Script(parts=("Late.",), before=0.2))
    run_id = await started(engine)

    pieces = [piece async for piece in sse.stream(engine.runs, run_id, ping=0.03)]

    assert pieces[0] == b": open\n\n"
    assert pieces.count(b": ping\n\n") >= 2
    assert list(decode(b"".join(pieces).decode()))[-1]["event"] == "done"


async def test_a_stream_resumes_after_the_last_event_seen() -> None:
    engine = FakeEngine()
    run_id = await started(engine)
    whole = [piece async for piece in sse.stream(engine.runs, run_id)]

    rest = [piece async for piece in sse.stream(engine.runs, run_id, after=5)]

    assert rest[1:] == whole[6:]


async def test_resuming_beyond_the_end_says_done_at_once_instead_of_waiting_for_ever() -> None:
    engine = FakeEngine()
    run_id = await started(engine)
    await sse.wait_for_end(engine.runs, run_id)
    last = len(engine.runs.run(run_id).events)

    assert [await sse.is_over(engine.runs, run_id, last + k) for k in (-1, 0, 7)] == [False, True, True]
    pieces = [piece async for piece in sse.stream(engine.runs, run_id, after=last + 7)]
    assert pieces == [sse.OPENING, sse.encode_event(last, Done())]


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "٣", "9" * 30])
def test_an_unusable_last_event_id_is_refused_by_name(value: str) -> None:
    with pytest.raises(BadRequest, match="Last-Event-ID"):
        sse.last_event_id(value)


def test_no_last_event_id_means_from_the_start() -> None:
    assert [sse.last_event_id(v) for v in (None, "", "7")] == [0, 0, 7]


def test_an_event_stands_on_the_wire_as_it_is_documented() -> None:
    assert sse.encode_event(10, Done()) == b"id: 10\nevent: done\ndata: {}\n\n"

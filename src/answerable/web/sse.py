"""The event stream of a run: framing, pings, and the adapter from the run log to bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import Request
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event

from answerable.errors import BadRequest, Unavailable
from answerable.events import Done, Event
from answerable.schemas import dump_event
from answerable.web.ports import Runs

PING_SECONDS = 15.0  # proxies commonly cut a connection that is silent for 30 to 60 s
OPENING = b": open\n\n"  # the first byte leaves at once, so that no proxy waits for the first word
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


def frame(data: str, *, event: str | None = None, number: int | None = None) -> bytes:
    """One event on the wire, its id first; a line end inside `data` arrives as LF."""
    before = b"" if number is None else f"id: {number}\n".encode()
    return before + format_sse_event(data_str=data, event=event)


def encode_event(number: int, event: Event) -> bytes:
    return frame(dump_event(event), event=event.name, number=number)


def last_event_id(value: str | None) -> int:
    """The number after which to resume; 0 when the header is missing or empty."""
    if not value:
        return 0
    if not (value.isascii() and value.isdigit() and len(value) <= 18):
        raise BadRequest(
            f"Last-Event-ID {value!r} is not a number of an event.", hint="Send the last `id:` you received, or none."
        )
    return int(value)


async def is_over(runs: Runs, run_id: str, after: int) -> bool:
    """Whether the run ended at event `after` or before it. Raises NotFound."""
    later = await runs.events(run_id, after=after, timeout=0)
    return bool(later) and later[-1][0] <= after


async def stream(
    runs: Runs, run_id: str, *, after: int = 0, ping: float = PING_SECONDS, closing: asyncio.Event | None = None
) -> AsyncIterator[bytes]:
    """All events later than `after`, then live ones, to the run's end. Leaving early ends this, never the run.

    When the server is `closing` it ends too; whoever comes back with the last id goes on from there.
    """
    yield OPENING
    async for events in batches(runs, run_id, after=after, ping=ping, closing=closing):
        for number, event in events:
            yield encode_event(number, event)
        if not events:
            yield KEEPALIVE_COMMENT


async def batches(
    runs: Runs, run_id: str, *, after: int = 0, ping: float = PING_SECONDS, closing: asyncio.Event | None = None
) -> AsyncIterator[list[tuple[int, Event]]]:
    """Numbered events as they come, to the run's end or until the server is `closing`; an empty list where a reader
    must be told that the connection lives."""
    while (events := await _later(runs, run_id, after, ping, closing)) is not None:
        yield events
        if events and isinstance(events[-1][1], Done):
            return
        after = events[-1][0] if events else after


async def wait_for_end(runs: Runs, run_id: str, closing: asyncio.Event | None = None) -> None:
    """Returns when the run is over, however it ended. Raises Unavailable when the server is `closing`."""
    async for events in batches(runs, run_id, closing=closing):
        if events and isinstance(events[-1][1], Done):
            return
    raise Unavailable("The server is closing.", hint=f"Ask for the answer {run_id} when it is back.")


async def _later(
    runs: Runs, run_id: str, after: int, timeout: float, closing: asyncio.Event | None
) -> list[tuple[int, Event]] | None:
    """The next events, none on time-out; None when the server is closing."""
    if closing is None:
        return await runs.events(run_id, after=after, timeout=timeout)
    later = asyncio.ensure_future(runs.events(run_id, after=after, timeout=timeout))
    closed = asyncio.ensure_future(closing.wait())
    try:
        await asyncio.wait({later, closed}, return_when=asyncio.FIRST_COMPLETED)
        return None if closed.done() else later.result()
    finally:
        later.cancel()
        closed.cancel()


def event_stream(request: Request, runs: Runs, run_id: str, *, after: int = 0) -> StreamingResponse:
    state = request.app.state
    body = stream(runs, run_id, after=after, ping=state.ping, closing=state.closing)
    return StreamingResponse(body, media_type="text/event-stream", headers=HEADERS)

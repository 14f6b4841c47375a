"""The Python client against the real server: the engine's words over the wire, and streams that break on the way."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from tests.fakes.engine import TOWER, FakeEngine, broken, eiffel
from tests.fakes.serving import Served, serving

from answerable.client import Client
from answerable.errors import BadRequest, Conflict, NotFound, ReadError, Unavailable
from answerable.events import Delta, Done, Event, Final, Start
from answerable.web.app import create_app

ASKED = "How tall is the Eiffel Tower?"


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@contextmanager
def between(address: str, frames: int = 0, lost: int = 0) -> Iterator[str]:
    """A proxy to the server that breaks each connection after so many frames of a stream (0: none), and the first
    `lost` of them when the reply begins."""
    there = (str(urlsplit(address).hostname), int(urlsplit(address).port or 0))
    listening = socket.create_server(("127.0.0.1", 0))
    losses = list(range(lost))

    def relay(client: socket.socket) -> None:
        with client, socket.create_connection(there) as server, contextlib.suppress(OSError), parted(client, server):
            threading.Thread(target=pass_on, args=(client, server), daemon=True).start()
            seen = 0
            while chunk := server.recv(65_536):
                if losses:
                    losses.pop()
                    break
                for part in chunk.splitlines(keepends=True):
                    client.sendall(part)
                    seen += part.startswith(b"data: ")
                    if frames and seen == frames and part == b"\n":
                        return

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=relay, args=(listening.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    with listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def parted(*sockets: socket.socket) -> Iterator[None]:
    """Both ends learn of it at the end, also while another thread waits for one of them."""
    try:
        yield
    finally:
        for one in sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


def pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := one.recv(65_536):
            other.sendall(chunk)
        other.shutdown(socket.SHUT_WR)


async def test_an_answer_is_the_same_turn_as_the_engines_with_its_events(served: Served) -> None:
    events: list[Event] = []
    with served.using(FakeEngine()) as address:
        async with Client(address) as client:
            turn = await client.ask(ASKED, focus="news", domains=["towers.example"], emit=events.append)
            again = await client.answer(turn.id)
            replayed = [event async for event in client.events(turn.id)]
            sources = await client.sources(turn.id)
            conversation = await client.conversation(turn.conversation_id)
            page = await client.page(TOWER.page_id)

    assert turn == again == events[-2].turn  # type: ignore[union-attr]
    assert "".join(event.text for event in events if isinstance(event, Delta)) == turn.answer
    assert replayed == events
    assert sources.sources == turn.sources
    assert conversation.turns == (turn,)
    assert page == TOWER


@pytest.mark.parametrize("frames", [1, 7])
async def test_a_stream_that_breaks_again_and_again_is_taken_up_without_gap_or_double(
    served: Served, frames: int
) -> None:
    engine = FakeEngine()
    with served.using(engine) as address:
        async with Client(address) as client:
            whole = [event async for event in client.stream(ASKED)]
        with between(address, frames) as breaking:
            async with Client(breaking) as client:
                seen = [event async for event in client.stream(ASKED)]

    assert len(engine.runs.asked) == 2
    assert isinstance(seen[0], Start)
    assert [type(event) for event in seen] == [type(event) for event in whole]
    assert seen[1:-2] == whole[1:-2]
    assert isinstance(seen[-2], Final)
    assert isinstance(seen[-1], Done)


async def test_a_request_whose_reply_was_lost_is_one_run(served: Served) -> None:
    engine = FakeEngine()
    with served.using(engine) as address, between(address, lost=2) as losing:
        async with Client(losing) as client:
            turn = await client.ask(ASKED)

    assert turn.state == "done"
    assert len(engine.runs.asked) == 1


async def test_cancelling_a_question_stops_its_run(served: Served) -> None:
    engine = FakeEngine(default=eiffel(before=(hold := threading.Event())))
    started = asyncio.Event()
    with served.using(engine) as address:
        async with Client(address) as client:
            task = asyncio.create_task(client.ask(ASKED, emit=lambda event: started.set()))
            await asyncio.wait_for(started.wait(), 60)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
    hold.set()

    assert engine.runs.stopped == ["run-1"]


async def test_stopping_retrying_and_a_failed_turn(served: Served) -> None:
    with served.using(FakeEngine(default=broken())) as address:
        async with Client(address) as client:
            failed = await client.ask(ASKED)
            again = await client.retry(failed.id)
            stopped = await client.stop(again.id)

    assert failed.error is not None
    assert (failed.state, failed.error.code) == ("failed", "model_failed")
    assert (again.turn_id, again.attempt, stopped.id) == (failed.turn_id, 2, again.id)


async def test_search_verify_and_read(served: Served) -> None:
    engine = FakeEngine()
    with served.using(engine) as address:
        async with Client(address) as client:
            found = await client.search(["a tower", "a bridge"], max_results=1, recency="week", domains=["-x.example"])
            claim = await client.verify("The tower is 330 metres tall.", "http://towers.example/height")
            wrong = await client.verify_text("The tower is 300 metres tall.", "The tower is 330 metres tall.")
            page = await client.read("http://towers.example/eiffel")

    assert [(result.title, result.passages[0].score) for result in found.results] == [(TOWER.title, 0.9)]
    assert engine.searched[0][2]["domains"] == ("-x.example",)
    assert (claim.verdict, wrong.verdict) == ("supported", "unsupported")
    assert page.title == TOWER.title


async def test_failures_come_back_as_the_engines_errors_with_their_hint(served: Served) -> None:
    engine = FakeEngine()
    with served.using(engine) as address:
        async with Client(address) as client:
            with pytest.raises(NotFound) as missing:
                await client.answer("run-none")
            with pytest.raises(BadRequest, match="the question is empty") as empty:
                await client.ask(" ")
            with pytest.raises(ReadError) as unread:
                await client.verify("The tower is tall.", "http://towers.example/none")
            engine.runs.fails_with = Conflict("in use", hint="Wait.")
            with pytest.raises(Conflict) as conflict:
                await client.ask(ASKED)

    assert "Check the id." in missing.value.hint
    assert "Correct question" in empty.value.hint
    assert unread.value.cause == "not_found"
    assert (conflict.value.message, conflict.value.hint) == ("in use", "Wait.")


async def test_a_token_is_sent_and_its_absence_told() -> None:
    with serving(lambda: create_app(FakeEngine(), token="t0ken-é")) as address:
        async with Client(address, token="t0ken-é") as client:
            assert (await client.ask(ASKED)).state == "done"
        async with Client(address) as client:
            with pytest.raises(BadRequest, match="needs a token") as refused:
                await client.ask(ASKED)

    assert "Authorization: Bearer" in refused.value.hint


async def test_a_server_that_is_not_there_is_unavailable_at_once() -> None:
    async with Client("http://127.0.0.1:1") as client:
        for call in (client.ask(ASKED), client.answer("x")):
            with pytest.raises(Unavailable, match=r"http://127.0.0.1:1 cannot be reached") as gone:
                await call

    assert "Check that it runs" in gone.value.hint

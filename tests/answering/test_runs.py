"""Runs: watched, left, stopped, retried, recovered; and the fold of events behind all of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.runs import NOW, never_ends, registry, three_words, until_released, watch

from answerable.answering.conversation import answer_and_save
from answerable.answering.fold import fold
from answerable.answering.runs import RunRegistry, join_deltas
from answerable.errors import BadRequest, Conflict, NotFound, StorageError, Unavailable
from answerable.events import (
    Delta,
    Done,
    Emit,
    Event,
    Failed,
    Final,
    Notice,
    SentenceChecked,
    SourcesFound,
    VerdictChanged,
)
from answerable.protocols import Parts
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database, open_database
from answerable.storage.runlog import SqlRunLog
from answerable.types import Ask, Citation, Evidence, Question, Source, State, Turn


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await open_database(f"sqlite+aiosqlite:///{tmp_path / 'store.sqlite'}")
    yield database
    await database.close()


async def test_a_watcher_sees_every_event_once_and_in_order(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?"))

    seen = await watch(runs, run.id)

    assert [number for number, _ in seen] == list(range(1, len(seen) + 1))
    assert "".join(event.text for _, event in seen if isinstance(event, Delta)) == "one two three"
    assert isinstance(seen[-2][1], Final)
    await runs.close()


async def test_a_reader_that_resumes_after_any_event_sees_no_gap_and_no_double(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?"))
    seen = await watch(runs, run.id)

    for cut in range(len(seen)):
        assert await watch(runs, run.id, after=cut) == seen[cut:]
    await runs.close()


async def test_a_run_goes_on_when_nobody_watches(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?"))
    assert run.task
    await run.task

    assert (await SqlConversationStore(database).turn(run.id)).answer == "one two three"
    await runs.close()


async def test_after_its_end_a_run_is_read_from_the_log(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?"))
    seen = await watch(runs, run.id)
    await runs.close()

    later = registry(database, three_words)

    assert await later.events(run.id, after=0, timeout=1) == seen
    assert await later.events(run.id, after=seen[-1][0], timeout=1) == seen[-1:]


async def test_stop_keeps_the_part_that_was_released(database: Database) -> None:
    runs = registry(database, never_ends)
    run = await runs.start(Ask("How?"))
    await until_released(runs, run.id)

    stopped = await runs.stop(run.id)

    assert (stopped.state, stopped.answer) == ("stopped", "begun")
    assert await SqlConversationStore(database).turn(run.id) == stopped
    await runs.close()


async def test_stopping_what_has_ended_changes_nothing(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?"))
    await watch(runs, run.id)

    assert (await runs.stop(run.id)).state == "done"
    await runs.close()


async def test_shutdown_marks_a_run_interrupted_after_its_grace(database: Database) -> None:
    runs = registry(database, never_ends)
    run = await runs.start(Ask("How?"))
    await until_released(runs, run.id)

    await runs.close(grace=0.01)

    assert (await SqlConversationStore(database).turn(run.id)).state == "interrupted"


async def test_after_a_crash_a_run_is_interrupted_with_its_released_text_and_can_be_retried(database: Database) -> None:
    crashed = registry(database, never_ends)
    run = await crashed.start(Ask("How?"))
    await until_released(crashed, run.id)
    for task in (run.task, run.writer):  # as if killed: nothing more is saved
        assert task
        task.remove_done_callback(print)
    after = registry(database, three_words)

    assert await after.recover() == 1
    turn = await after.turn(run.id)
    assert (turn.state, turn.answer) == ("interrupted", "begun")
    again = await after.retry(run.id)
    await watch(after, again.id)
    assert (again.turn_id, again.attempt) == (run.turn_id, 2)
    assert (await after.turn(again.id)).state == "done"
    await after.close()
    await crashed.close(grace=0)


async def test_the_same_key_is_the_same_run(database: Database) -> None:
    runs = registry(database, three_words)
    first = await runs.start(Ask("How?", idempotency_key="k"))
    second = await runs.start(Ask("How?", idempotency_key="k"))

    assert second.id == first.id
    await runs.close()


async def test_the_same_key_sent_many_times_at_once_is_one_run_of_one_turn(database: Database) -> None:
    runs = registry(database, three_words)
    begun = await runs.start(Ask("How?"))
    ask = Ask("And then?", conversation_id=begun.conversation_id, idempotency_key="k")

    sent = await asyncio.gather(*(runs.start(ask) for _ in range(8)))

    assert len({run.id for run in sent}) == 1
    conversation = await SqlConversationStore(database).conversation(begun.conversation_id)
    assert [turn.question for turn in conversation.turns] == ["How?", "And then?"]
    await runs.close()


async def test_a_key_outlives_the_process(database: Database) -> None:
    before = registry(database, three_words)
    first = await before.start(Ask("How?", idempotency_key="k"))
    await before.close()

    after = registry(database, three_words)
    second = await after.start(Ask("How?", idempotency_key="k"))

    assert second.id == first.id
    await after.close()


async def test_a_key_names_another_run_after_a_day(database: Database) -> None:
    now = NOW
    runs = registry(database, three_words, clock=lambda: now)
    first = await runs.start(Ask("How?", idempotency_key="k"))
    now += timedelta(hours=25)
    second = await runs.start(Ask("How?", idempotency_key="k"))
    third = await runs.start(Ask("How?", idempotency_key="k"))

    assert second.id != first.id
    assert third.id == second.id
    await runs.close()


async def test_a_key_that_was_used_for_another_question_is_refused(database: Database) -> None:
    runs = registry(database, three_words)
    await runs.start(Ask("How?", idempotency_key="k"))

    with pytest.raises(Conflict, match="another question"):
        await runs.start(Ask("Why?", idempotency_key="k"))
    await runs.close()


async def test_a_key_is_free_again_when_its_question_could_not_be_taken(database: Database) -> None:
    runs = registry(database, never_ends, most_at_once=1)
    first = await runs.start(Ask("How?"))
    with pytest.raises(Unavailable):
        await runs.start(Ask("And this?", idempotency_key="k"))
    await runs.stop(first.id)

    assert (await runs.start(Ask("And this?", idempotency_key="k"))).turn.question == "And this?"
    await runs.close(grace=0)


async def test_of_retries_sent_at_once_one_begins_and_the_others_hear_that_it_is_under_way(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?"))
    await watch(runs, run.id)

    sent = await asyncio.gather(*(runs.retry(run.id) for _ in range(5)), return_exceptions=True)

    begun = [one for one in sent if not isinstance(one, BaseException)]
    assert [one.attempt for one in begun] == [2]
    assert sum(isinstance(one, Conflict) for one in sent) == 4
    await runs.close()


async def test_what_cannot_be_asked_is_refused_with_a_reason(database: Database) -> None:
    runs = registry(database, never_ends, most_at_once=1)

    with pytest.raises(BadRequest, match="empty"):
        await runs.start(Ask(" \x00\n "))
    with pytest.raises(BadRequest, match="9,000 characters"):
        await runs.start(Ask("x" * 9000))
    with pytest.raises(NotFound, match="no conversation"):
        await runs.start(Ask("How?", conversation_id="unknown"))
    run = await runs.start(Ask("How?"))
    with pytest.raises(Unavailable):
        await runs.start(Ask("And this?"))
    with pytest.raises(Conflict, match="still being written"):
        await runs.retry(run.id)
    with pytest.raises(NotFound):
        await runs.events("unknown", after=0, timeout=1)
    await runs.close(grace=0)


async def test_a_log_that_cannot_be_written_ends_the_run_and_says_so(database: Database) -> None:
    runs = registry(database, never_ends)

    async def refuse(batches: object) -> dict[str, int]:
        raise StorageError("the database could not be written: disk full")

    runs._log.append_all = refuse  # type: ignore[assignment, method-assign]
    run = await runs.start(Ask("How?"))

    seen = await watch(runs, run.id)

    assert [event for _, event in seen] == [
        Failed("storage_failed", "the database could not be written: disk full", "saving", False, ""),
        Done(),
    ]
    await runs.close(grace=0)


async def test_a_run_whose_end_cannot_be_saved_is_failed_and_not_for_ever_running(database: Database) -> None:
    runs = registry(database, never_ends)
    run = await runs.start(Ask("How?"))
    await until_released(runs, run.id)

    async def refuse(*_: object) -> int:
        raise StorageError("disk full")

    runs._log.append_all = refuse  # type: ignore[assignment, method-assign]
    runs._store.save = refuse  # type: ignore[assignment, method-assign]
    turn = await asyncio.wait_for(runs.stop(run.id), 60)
    assert (turn.state, turn.answer) == ("failed", "begun")
    assert turn.error is not None
    assert turn.error.message == "disk full"

    runs._store.turn = refuse  # type: ignore[assignment, method-assign]
    assert await runs.turn(run.id) == turn
    await runs.close(grace=0)


async def breaks(emit: Emit) -> None:
    emit(Delta("begun"))
    raise RuntimeError("unexpected")


async def test_a_run_that_breaks_in_any_way_has_an_end_to_wait_for(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    runs = registry(database, breaks)
    run = await runs.start(Ask("How?"))

    seen = await asyncio.wait_for(watch(runs, run.id), 60)

    assert [event.name for _, event in seen] == ["start", "delta", "error", "done"]
    assert (await runs.turn(run.id)).state == "failed"
    assert "unexpected" in caplog.text
    await runs.close()


async def test_an_event_that_cannot_be_logged_ends_the_run(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    async def half_a_letter(emit: Emit) -> None:
        emit(Delta("\ud83d"))
        await asyncio.Event().wait()

    runs = registry(database, half_a_letter)
    run = await runs.start(Ask("How?"))

    seen = await asyncio.wait_for(watch(runs, run.id), 60)

    assert [event.name for _, event in seen][-2:] == ["error", "done"]
    await runs.close()


async def test_stopping_while_the_turn_is_saved_loses_nothing(database: Database) -> None:
    store = SqlConversationStore(database)
    saving, go_on = asyncio.Event(), asyncio.Event()
    save = store.save

    async def slow_save(turn: Turn, evidence: Evidence | None = None, *, if_running: bool = False) -> bool:
        saving.set()
        await go_on.wait()
        return await save(turn, evidence, if_running=if_running)

    store.save = slow_save  # type: ignore[method-assign]

    async def parts() -> Parts:
        await asyncio.Event().wait()
        raise AssertionError

    async def answer(turn: Turn, question: Question, emit: Emit, on_cancel: Callable[[], State]) -> Turn:
        return await answer_and_save(turn, question, parts, store, emit, on_cancel=on_cancel)

    runs = RunRegistry(answer, store, SqlRunLog(database), lambda: NOW)
    run = await runs.start(Ask("How?"))
    await runs.events(run.id, timeout=5)
    first = asyncio.create_task(runs.stop(run.id))
    await saving.wait()
    second = asyncio.create_task(runs.stop(run.id))
    await asyncio.sleep(0)
    go_on.set()

    turns = await asyncio.wait_for(asyncio.gather(first, second), 60)

    assert [turn.state for turn in turns] == ["stopped", "stopped"]
    assert (await store.turn(run.id)).state == "stopped"
    await runs.close()


@given(st.lists(st.one_of(st.builds(Delta, st.text(max_size=3)), st.just(Done())), max_size=12))
def test_joining_deltas_changes_neither_text_nor_order(events: list[Event]) -> None:
    joined = join_deltas(events)
    turn = Turn("r", "c", "t", 1, "?", NOW)

    assert fold(turn, joined).answer == fold(turn, events).answer
    assert [event for event in joined if not isinstance(event, Delta)] == [
        event for event in events if not isinstance(event, Delta)
    ]


def _found(*pages: str) -> SourcesFound:
    return SourcesFound(tuple(Source(page, f"https://{page}.example/", page, page, None, "page") for page in pages))


def _checked(index: int, n: int, page: str) -> SentenceChecked:
    cited = Citation(
        n, page, f"https://{page}.example/", page, page, None, index, "q", 0, 1, "supported", "", "page", ""
    )
    return SentenceChecked(index, f"Yes[{n}].", 0, 7, (n,), "supported", "", (cited,))


EVENT = st.one_of(
    st.builds(Delta, st.text(max_size=3)),
    st.sampled_from([_found("a", "b"), _found("a", "b", "c"), _checked(0, 1, "a"), _checked(1, 2, "b")]),
    st.just(Notice("x", "y")),
    st.just(VerdictChanged(0, "partly", "a part is missing")),
)


@given(st.lists(EVENT, max_size=12))
def test_events_folded_together_or_one_by_one_are_the_same_turn(events: list[Event]) -> None:
    turn = Turn(id="r", conversation_id="c", turn_id="t", attempt=1, question="?", created=NOW)
    one_by_one = turn
    for event in events:
        one_by_one = fold(one_by_one, [event])

    assert fold(turn, events) == one_by_one

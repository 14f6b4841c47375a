"""Runs whose process died, whose conversation was deleted, whose owner is another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.fakes.runs import never_ends, registry, three_words, until_released, watch

from answerable.errors import Conflict, NotFound
from answerable.events import (
    Delta,
    Emit,
)
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database, open_database
from answerable.storage.history import SqlHistory
from answerable.storage.runlog import SqlRunLog
from answerable.types import Ask, TurnError


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await open_database(f"sqlite+aiosqlite:///{tmp_path / 'store.sqlite'}")
    yield database
    await database.close()


async def test_only_the_runs_of_dead_processes_are_recovered(database: Database) -> None:
    crashed = registry(database, never_ends, holder="dead")
    alive = registry(database, never_ends, holder="alive")
    lost, going_on = await crashed.start(Ask("How?")), await alive.start(Ask("Why?"))
    await until_released(crashed, lost.id)
    after = registry(database, three_words, holder="new")

    assert await after.recover(lambda holder: holder == "alive") == 1
    assert [(await SqlConversationStore(database).turn(run.id)).state for run in (lost, going_on)] == [
        "interrupted",
        "running",
    ]
    for runs in (crashed, alive, after):
        await runs.close(grace=0)


async def test_deleting_a_conversation_ends_its_run_and_nothing_is_written_back(database: Database) -> None:
    runs, history = registry(database, never_ends), SqlHistory(database)
    run, other = await runs.start(Ask("How?")), await runs.start(Ask("Why?"))
    await until_released(runs, run.id)
    watching = asyncio.create_task(watch(runs, run.id))
    await asyncio.sleep(0)

    deleted = await history.delete([run.conversation_id])
    await runs.drop(deleted)

    assert [event.name for _, event in await asyncio.wait_for(watching, 60)][-2:] == ["error", "done"]
    assert run.task
    assert run.task.done()
    with pytest.raises(NotFound):
        await runs.turn(run.id)
    assert await SqlRunLog(database).read(run.id) == []
    assert (await runs.turn(other.id)).state == "running"
    assert await history.delete([run.conversation_id]) == ()
    await runs.close(grace=0)


async def test_a_run_whose_conversation_another_process_deleted_ends_by_itself(database: Database) -> None:
    go_on = asyncio.Event()

    async def speaks_again(emit: Emit) -> None:
        emit(Delta("begun"))
        await go_on.wait()
        emit(Delta(" and more"))
        await asyncio.Event().wait()

    runs = registry(database, speaks_again)
    run = await runs.start(Ask("How?"))
    await until_released(runs, run.id)
    await SqlHistory(database).delete([run.conversation_id])
    go_on.set()

    seen = await asyncio.wait_for(watch(runs, run.id), 60)

    assert [event.name for _, event in seen] == ["start", "delta", "error", "done"]
    await runs.close(grace=0)


async def test_what_was_chosen_with_a_question_is_chosen_again_for_its_retry(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?", focus="own", freshness="live", writer="extractive", owner="ada"))
    await watch(runs, run.id)
    again = await runs.retry(run.id)

    assert await SqlConversationStore(database).choices(again.id) == Ask(
        "How?", run.conversation_id, focus="own", freshness="live", writer="extractive", owner="ada"
    )
    await runs.close()


async def test_what_failed_while_saving_is_not_for_retrying(database: Database) -> None:
    runs = registry(database, three_words)
    run = await runs.start(Ask("How?"))
    await watch(runs, run.id)
    store = SqlConversationStore(database)
    error = TurnError("storage_failed", "disk full", "saving", False, "")
    await store.save(replace(await store.turn(run.id), state="failed", error=error))

    with pytest.raises(Conflict, match="while it was saved"):
        await runs.retry(run.id)
    await runs.close()


async def test_two_owners_may_use_one_key(database: Database) -> None:
    runs = registry(database, three_words)
    sent = [await runs.start(Ask("How?", idempotency_key="k", owner=owner)) for owner in ("ada", "bob", "ada")]

    assert sent[0].id == sent[2].id != sent[1].id
    await runs.close()

"""ConversationStore, PageCache and RunLog: what every database behind them must do."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from answerable.errors import NotFound, StorageError
from answerable.events import Delta, Done, Event, Final, Progress, SentenceChecked, SourcesFound, Start
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database, open_database
from answerable.storage.runlog import SqlRunLog
from answerable.types import Citation, Plan, Sentence, Source, SupportCounts, Turn

NOW = datetime(2026, 3, 4, 5, 6, 7, 890000, tzinfo=UTC)


@pytest.fixture
def store(database: Database) -> SqlConversationStore:
    return SqlConversationStore(database)


def running(number: int = 1, conversation: str = "con", attempt: int = 1, question: str = "How tall?") -> Turn:
    return Turn(f"run{number}-{attempt}", conversation, f"turn{number}", attempt, question, NOW)


def finished(turn: Turn) -> Turn:
    citation = Citation(
        1,
        "p1",
        "http://a.example/",
        "A",
        "a.example",
        NOW,
        0,
        "330 m",
        3,
        8,
        "supported",
        "",
        "page",
        "http://a.example/",
    )
    return replace(
        turn,
        standalone_question="How tall is it?",
        state="done",
        outcome="answered",
        answer="It is 330 m tall[1].",
        sentences=(Sentence(0, "It is 330 m tall[1].", 0, 20, (1,), "supported"),),
        citations=(citation,),
        sources=(Source("p1", "http://a.example/", "A", "a.example", NOW, "page", 1),),
        support=SupportCounts(1, 1),
        plan=Plan("How tall is it?", ("How tall is it?",)),
        timings={"total": 1.5},
        summary="It is 330 m tall.",
    )


async def test_a_finished_turn_comes_back_as_it_was_saved(store: SqlConversationStore) -> None:
    turn = finished(running())
    await store.begin(running())
    await store.save(turn)

    assert await store.turn(turn.id) == turn


async def test_a_conversation_is_titled_by_its_first_question_and_lists_its_turns_in_order(
    store: SqlConversationStore,
) -> None:
    for number in (1, 2, 3):
        await store.begin(running(number, question=f"Question {number}?"))

    conversation = await store.conversation("con")

    assert conversation.title == "Question 1?"
    assert [turn.turn_id for turn in conversation.turns] == ["turn1", "turn2", "turn3"]


async def test_a_retry_is_a_new_attempt_and_the_failed_one_stays(store: SqlConversationStore) -> None:
    await store.begin(running())
    await store.save(replace(running(), state="failed"))
    await store.begin(running(attempt=2))

    conversation = await store.conversation("con")

    assert [turn.attempt for turn in conversation.turns] == [2]
    assert (await store.turn("run1-1")).state == "failed"


async def test_history_is_the_last_finished_turns_oldest_first(store: SqlConversationStore) -> None:
    for number in range(1, 6):
        await store.begin(running(number, question=f"Question {number}?"))
        if number != 4:
            await store.save(finished(running(number, question=f"Question {number}?")))

    history = await store.history("con")
    before = await store.history("con", before="turn3")

    assert [turn.question for turn in history] == ["Question 2?", "Question 3?", "Question 5?"]
    assert [turn.question for turn in before] == ["Question 1?", "Question 2?"]
    assert history[0].summary == "It is 330 m tall."
    assert await store.history("unknown") == ()


async def test_what_is_not_there_is_said(store: SqlConversationStore) -> None:
    with pytest.raises(NotFound, match="no answer 'x'"):
        await store.turn("x")
    with pytest.raises(NotFound, match="no conversation 'x'"):
        await store.conversation("x")
    with pytest.raises(NotFound, match="deleted"):
        await store.save(finished(running()))


async def test_running_attempts_are_found_after_a_crash(store: SqlConversationStore) -> None:
    await store.begin(running(1))
    await store.begin(running(2))
    await store.save(finished(running(1)))

    assert await store.running() == {"run2-1": ""}


async def test_a_folder_that_cannot_hold_a_database_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="could not be written"):
        await open_database(f"sqlite+aiosqlite:///{tmp_path / 'missing' / 'store.sqlite'}")


async def test_opening_twice_is_as_opening_once(tmp_path: Path) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path / 'store.sqlite'}"
    first = await open_database(address)
    await SqlConversationStore(first).begin(running())
    await first.close()

    again = await open_database(address)

    assert await SqlConversationStore(again).running() == {"run1-1": ""}
    await again.close()


async def test_many_writers_and_readers_never_find_it_locked(store: SqlConversationStore) -> None:
    async def write(number: int) -> None:
        for turn in range(5):
            await store.begin(running(10 * number + turn, conversation=f"con{number}"))

    async def read() -> None:
        for _ in range(20):
            await store.running()

    await asyncio.gather(*(write(number) for number in range(8)), read(), read())

    assert len(await store.running()) == 40


EVENTS: list[Event] = [
    Start("run", "con", "turn", 1, NOW, "How tall?"),
    Progress("searching", "Searching 2 queries", queries=("a", "b")),
    SourcesFound((Source("p1", "http://a.example/", "A", "a.example", None, "snippet"),)),
    Delta("It is 330 m tall"),
    SentenceChecked(0, "It is 330 m tall[1].", 0, 20, (1,), "supported", "", finished(running()).citations),
    Final(finished(running())),
    Done(),
]


async def test_events_come_back_numbered_and_as_they_were(database: Database) -> None:
    log = SqlRunLog(database)
    await SqlConversationStore(database).begin(replace(running(), id="run"))
    assert await log.append("run", EVENTS[:3]) == 3
    assert await log.append("run", EVENTS[3:]) == len(EVENTS)

    assert await log.read("run") == list(enumerate(EVENTS, start=1))
    assert await log.read("run", after=5) == [(6, EVENTS[5]), (7, EVENTS[6])]
    assert await log.read("other") == []


async def test_a_damaged_file_is_told_with_its_cure(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").write_bytes(b"no database at all" * 1000)

    with pytest.raises(StorageError, match="not a database") as caught:
        await open_database(f"sqlite+aiosqlite:///{tmp_path / 'store.sqlite'}")
    assert "backup" in caught.value.hint

"""History, FeedbackStore and Processes: what every database behind them must do."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from answerable.errors import BadRequest, NotFound, StorageError
from answerable.events import Delta, Done
from answerable.protocols import ConversationFilter, Feedback
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database
from answerable.storage.feedback import SqlFeedback
from answerable.storage.history import SqlHistory
from answerable.storage.processes import SqlProcesses
from answerable.storage.runlog import SqlRunLog
from answerable.text.cleaning import storable
from answerable.text.finding import query_terms, search_terms
from answerable.types import Ask, Turn

NOW = datetime(2026, 3, 4, 5, 6, 7, 890000, tzinfo=UTC)
CASES = Path(__file__).parents[1] / "data/cases/storage"


def case(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return read


@pytest.fixture
def store(database: Database) -> SqlConversationStore:
    return SqlConversationStore(database)


@pytest.fixture
def history(database: Database) -> SqlHistory:
    return SqlHistory(database, lambda: NOW)


async def ask(store: SqlConversationStore, id: str, question: str = "How?", /, **choices: Any) -> Turn:
    """A running turn in the conversation `id`."""
    created, number = choices.pop("created", NOW), choices.pop("number", 1)
    turn = Turn(f"run-{id}-{number}", id, f"turn-{id}-{number}", 1, question, created)
    await store.begin(turn, Ask(question, **choices))
    return turn


async def listed(history: SqlHistory, limit: int = 30, owner: str | None = None, **wanted: Any) -> list[str]:
    """All pages of the list, one after the other."""
    ids: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = await history.list(ConversationFilter(**wanted), cursor=cursor, limit=limit, owner=owner)
        ids += [one.id for one in page.conversations]
        cursor = page.next_cursor
    return ids


async def test_pages_of_the_list_meet_each_conversation_once_when_all_have_one_time(
    store: SqlConversationStore, history: SqlHistory
) -> None:
    known = case("page-same-timestamp")
    for thread in known["threads"]:
        await ask(store, thread["id"], created=datetime.fromisoformat(thread["created_at"]))

    found = await listed(history, limit=known["page_size"])

    assert sorted(found) == [thread["id"] for thread in known["threads"]]


async def test_what_changes_between_two_pages_shows_nothing_twice(
    store: SqlConversationStore, history: SqlHistory
) -> None:
    for number in range(9):
        await ask(store, f"c{number}", created=NOW + timedelta(seconds=number))
    first = await history.list(ConversationFilter(), limit=3)
    await ask(store, "c8", number=2, created=NOW + timedelta(hours=1))  # shown; moves up
    await ask(store, "new", created=NOW + timedelta(hours=2))
    await history.delete(["c6", "c4"])  # the last shown, and one not yet shown

    assert first.next_cursor
    second = await history.list(ConversationFilter(), cursor=first.next_cursor, limit=30)

    assert [one.id for one in first.conversations] == ["c8", "c7", "c6"]
    assert [one.id for one in second.conversations] == ["c5", "c3", "c2", "c1", "c0"]
    assert second.next_cursor is None


async def test_a_cursor_from_elsewhere_is_refused(store: SqlConversationStore, history: SqlHistory) -> None:
    for number in range(2):
        await ask(store, f"c{number}")
    page = await history.list(ConversationFilter(), limit=1)
    assert page.next_cursor

    for cursor, wanted in (
        (page.next_cursor, ConversationFilter(sort="title")),
        ("nonsense", ConversationFilter()),
        ("é", ConversationFilter()),
        ("W10", ConversationFilter()),
        ("WyJ1cGRhdGVkIiwgZmFsc2UsICJcdTAwMDAiLCAiXHVkODAwIl0", ConversationFilter()),
    ):
        with pytest.raises(BadRequest, match="cursor"):
            await history.list(wanted, cursor=cursor)


async def test_whatever_is_typed_into_the_search_finds_and_never_fails(
    store: SqlConversationStore, history: SqlHistory
) -> None:
    known = case("fts-user-syntax")
    for document in known["documents"]:
        await ask(store, str(document["id"]), document["text"])

    found = {query: sorted(await listed(history, search=query)) for query in known["queries"]}

    everything = ["1", "2", "3", "4", "5"]
    assert found == {
        "don't": ["1"],
        "agent-based": ["1"],
        '"never again': ["3"],
        "BENCH-100821": ["2"],
        "38.101": ["2"],
        "C++": ["3"],
        "AND": ["4"],
        "logic OR": ["4"],
        "NOT:": ["4"],
        "(part": ["4"],
        "a:b": ["5"],
        "grammar::fa": ["5"],
        "tram*": ["1", "5"],
        "-routing": ["1"],
        "NEAR(": [],
        "🚋": ["5"],
        **dict.fromkeys(("*", "   ", '""', "^"), everything),
    }


async def test_search_knows_accents_case_other_scripts_and_answers(
    store: SqlConversationStore, history: SqlHistory
) -> None:
    turn = await ask(store, "answered", "How long?")
    await store.save(replace(turn, state="done", answer="Der Gotthardtunnel misst 57 km in München[1]."))
    await ask(store, "tokyo", "東京タワーの高さは？")
    await ask(store, "hindi", "दिल्ली की आबादी कितनी है?")
    await ask(store, "thai", "กรุงเทพมหานครอยู่ที่ไหน")
    await ask(store, "french", "L'été à Orléans")

    for query, id in (
        ("munchen GOTTHARD", "answered"),
        ("東京", "tokyo"),
        ("高さ", "tokyo"),
        ("京", "tokyo"),
        ("दिल्ली", "hindi"),
        ("กรุงเทพ", "thai"),
        ("orleans", "french"),
        ("ete", "french"),
        ("ÉTÉ", "french"),
    ):
        assert await listed(history, search=query) == [id], query
    assert await listed(history, search="東北") == []


@given(typed=st.text(max_size=30))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_text_is_found_by_itself(typed: str) -> None:
    kept = search_terms(typed.replace("\x00", ""))

    for term, goes_on in query_terms(typed.replace("\x00", "")):
        assert any(known.startswith(term) if goes_on else known == term for known in kept)


async def test_the_list_is_narrowed_by_how_turns_were_asked_and_ended(
    store: SqlConversationStore, history: SqlHistory
) -> None:
    await store.save(replace(await ask(store, "news", focus="news"), state="done", outcome="sources_disagree"))
    await store.save(replace(await ask(store, "broken"), state="failed"))
    await store.save(replace(await ask(store, "plain"), state="done", outcome="answered"))

    assert await listed(history, focus="news") == ["news"]
    assert await listed(history, outcome="answered") == ["plain"]
    assert await listed(history, failed=True) == ["broken"]
    assert sorted(await listed(history, failed=False)) == ["news", "plain"]
    assert await listed(history, focus="own") == []


async def test_a_retry_that_succeeds_is_no_failure_any_more(store: SqlConversationStore, history: SqlHistory) -> None:
    turn = await ask(store, "c")
    await store.save(replace(turn, state="failed"))
    again = replace(turn, id="run-again", attempt=2)
    await store.begin(again)
    await store.save(replace(again, state="done", outcome="answered"))

    assert await listed(history, failed=True) == []
    assert [(one.state, one.outcome) for one in (await history.list(ConversationFilter())).conversations] == [
        ("done", "answered")
    ]
    assert [(turn.id, turn.state) for turn in await history.attempts("c")] == [
        (turn.id, "failed"),
        ("run-again", "done"),
    ]


async def test_pinning_renaming_and_archiving(store: SqlConversationStore, history: SqlHistory) -> None:
    for id in ("a", "b", "c"):
        await ask(store, id, f"Question of {id}")
    for minute, id in enumerate(("c", "a")):
        await SqlHistory(history._database, lambda minute=minute: NOW + timedelta(minutes=minute)).change(
            id, pinned=True
        )
    renamed = await history.change("b", title="  Lakes \x00 of\nthe north ")
    await history.change("c", archived=True)

    assert await listed(history, pinned=True, archived=None) == ["a", "c"]
    assert await listed(history, pinned=False) == ["b"]
    assert await listed(history, archived=True) == ["c"]
    assert renamed.title == "Lakes of the north"
    assert await listed(history, search="lakes") == ["b"]
    assert await listed(history, sort="title") == ["b", "a"]
    assert (await history.change("b", title="")).title == "Question of b"
    assert await listed(history, search="lakes") == []
    assert (await history.change("a", pinned=False)).pinned_at is None


async def test_each_owner_has_a_history_of_their_own(store: SqlConversationStore, history: SqlHistory) -> None:
    await ask(store, "hers", owner="ada")
    await ask(store, "his", owner="bob")

    assert await listed(history, owner="ada") == ["hers"]
    assert sorted(await listed(history)) == ["hers", "his"]
    assert await history.delete(["hers", "his"], owner="ada") == ("hers",)
    for refused in (
        history.change("his", owner="ada", title="Mine"),
        history.summary("his", owner="ada"),
        history.attempts("his", owner="ada"),
        store.conversation("his", owner="ada"),
        store.turn("run-his-1", owner="ada"),
        SqlFeedback(history._database).add(Feedback("run-his-1", "up", NOW), owner="ada"),
    ):
        with pytest.raises(NotFound):
            await refused


async def test_deleting_takes_all_that_belongs_to_a_conversation(
    database: Database, store: SqlConversationStore, history: SqlHistory
) -> None:
    await ask(store, "kept")
    turn = await ask(store, "gone")
    await SqlRunLog(database).append(turn.id, [Delta("x")])
    await SqlFeedback(database).add(Feedback(turn.id, "up", NOW))

    assert await history.delete(["gone", "unknown", "gone"]) == ("gone",)
    assert await history.delete(["gone"]) == ()
    with pytest.raises(NotFound, match="deleted"):
        await store.save(replace(turn, state="done"))
    with pytest.raises(NotFound, match="deleted"):
        await SqlRunLog(database).append(turn.id, [Done()])
    async with database.read() as connection:
        for table in ("turns", "attempts", "search_terms", "feedback", "run_events"):
            left = f"SELECT COUNT(*) FROM {table} WHERE {_OWNED[table]} LIKE '%gone%'"
            assert await connection.scalar(text(left)) == 0, table


_OWNED = {
    "turns": "conversation_id",
    "attempts": "id",
    "search_terms": "conversation_id",
    "feedback": "attempt_id",
    "run_events": "run_id",
}


async def test_pruning_clears_failed_attempts_and_never_a_finished_turn(
    store: SqlConversationStore, history: SqlHistory
) -> None:
    await store.save(replace(await ask(store, "failed", "lonely"), state="failed"))
    await store.save(replace(await ask(store, "done"), state="done", answer="fine"))
    tried = await ask(store, "tried", number=2)
    await store.save(replace(tried, state="failed"))
    await store.begin(replace(tried, id="second", attempt=2))
    await store.save(replace(tried, id="second", attempt=2, state="done", answer="better"))
    latest_failed = await ask(store, "latest")
    await store.save(replace(latest_failed, state="done", answer="first"))
    await store.begin(replace(latest_failed, id="later", attempt=2))
    await store.save(replace(latest_failed, id="later", attempt=2, state="failed", answer="broken"))

    assert await history.prune(failed_before=NOW) == 0
    assert await history.prune(failed_before=datetime.now(UTC) + timedelta(days=1)) == 3

    assert sorted(await listed(history)) == ["done", "latest", "tried"]
    assert [turn.answer for turn in (await store.conversation("latest")).turns] == ["first"]
    assert [turn.answer for turn in (await store.conversation("tried")).turns] == ["better"]
    assert await listed(history, search="lonely") == []


async def test_what_nobody_came_back_to_expires_but_pinned_ones_stay(
    store: SqlConversationStore, history: SqlHistory
) -> None:
    for id in ("old", "pinned", "running"):
        turn = await ask(store, id)
        if id != "running":
            await store.save(replace(turn, state="done"))
    await history.change("pinned", pinned=True)

    assert await history.expire(before=NOW) == 0
    assert await history.expire(before=datetime.now(UTC) + timedelta(days=1)) == 1
    assert sorted(await listed(history)) == ["pinned", "running"]


async def test_feedback_is_kept_counted_and_can_be_taken_back(database: Database, store: SqlConversationStore) -> None:
    feedback = SqlFeedback(database)
    turn = await ask(store, "c")
    await feedback.add(Feedback(turn.id, "up", NOW))
    await feedback.add(Feedback(turn.id, "down", NOW, reason="The year is wrong\x00."))
    for _ in range(2):
        await feedback.add(Feedback(turn.id, "copied", NOW))
    await feedback.add(Feedback(turn.id, "source_opened", NOW, detail="p1"))

    assert await feedback.counts() == {"down": 1, "copied": 2, "source_opened": 1}
    kept = await feedback.of_conversation("c")
    assert Feedback(turn.id, "down", NOW, reason="The year is wrong.") in kept
    await feedback.withdraw(turn.id)
    assert "down" not in await feedback.counts()
    with pytest.raises(NotFound):
        await feedback.add(Feedback("unknown", "up", NOW))


async def test_processes_are_counted_while_they_beat(database: Database) -> None:
    processes = SqlProcesses(database)
    await processes.beat("a")
    await processes.beat("b")

    assert await processes.beat("a") == {"a": 2, "b": 1}
    await processes.leave(["b", "unknown"])
    assert await processes.beat("a") == {"a": 3}


async def test_events_of_runs_that_ended_long_ago_are_forgotten_but_for_their_end(
    database: Database, store: SqlConversationStore
) -> None:
    log = SqlRunLog(database)
    ended, running = await ask(store, "ended"), await ask(store, "running")
    for turn in (ended, running):
        await log.append(turn.id, [Delta("a"), Delta("b"), Delta("c"), Done()])
    await store.save(replace(ended, state="done"))

    assert await log.forget(ended_before=NOW) == 0
    assert await log.forget(ended_before=datetime.now(UTC) + timedelta(days=1)) == 1

    assert await log.read(ended.id) == [(3, Delta("c")), (4, Done())]
    assert len(await log.read(running.id)) == 4


@pytest.mark.parametrize("given", [0, 1, 2, 3, 4])
async def test_odd_text_is_stored_as_it_can_be_and_comes_back(
    store: SqlConversationStore, history: SqlHistory, given: int
) -> None:
    odd = json.loads(f'"{case("text-nul-surrogate")["escaped_inputs"][given]}"')
    if given == 1:
        with pytest.raises(StorageError, match="half of a surrogate pair"):  # as if a door had let it through
            await ask(store, "c", odd)
    turn = await ask(store, "c", storable(odd))
    await history.change("c", title=odd)

    title = (await history.summary("c")).title
    assert title == ["Kettle", "Half \ufffd pair", "👩🏽\u200d🔬 ok", "tab and line", "literal \\u0000 stays"][given]
    assert await listed(history, search=title) == ["c"]
    assert turn.id


async def test_a_megabyte_of_any_script_is_kept_whole(store: SqlConversationStore, history: SqlHistory) -> None:
    turn = await ask(store, "c", "Paste")
    answer = ("אבג العربية 👩🏽‍🔬 東京 " * 60_000)[:1_000_000]
    await store.save(replace(turn, state="done", answer=answer))

    assert (await store.turn(turn.id)).answer == answer
    assert await listed(history, search="العربية") == ["c"]


@pytest.mark.parametrize("id", ["a\x00b", "\ud800", "é" * 3000, "'; DROP TABLE turns; --"])
async def test_an_id_that_somebody_made_up_is_not_found_or_refused(
    store: SqlConversationStore, history: SqlHistory, id: str
) -> None:
    for asked in (store.conversation(id), store.turn(id), history.change(id, title="x"), history.summary(id)):
        with pytest.raises(BadRequest):  # which NotFound is, too
            await asked
    with contextlib.suppress(BadRequest):
        assert await history.delete([id]) == ()

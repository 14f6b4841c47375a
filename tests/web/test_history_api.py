"""The history over HTTP, on a real socket and a real database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.fakes.kept import KeptEngine, kept_engine
from tests.fakes.runs import watch
from tests.fakes.serving import serving_here
from tests.fakes.streams import decode

from answerable.events import Delta, Emit, Progress
from answerable.protocols import ConversationFilter
from answerable.storage.history import SqlHistory
from answerable.text.passages import page_id_of
from answerable.text.tokens import hash_of, session_of
from answerable.types import Ask, Citation, Page, Sentence, Source, Token, Turn
from answerable.web.app import create_app

CASE = json.loads((Path(__file__).parents[1] / "data/cases/storage/delete-while-streaming.json").read_text("utf-8"))
_ALL = ConversationFilter()
EVIL = "<script>alert(1)</script>"


async def tokens_for_long(emit: Emit) -> None:
    for number in range(CASE["given"]["model_tokens"]):
        emit(Delta(f"token{number} "))
        await asyncio.sleep(CASE["given"]["token_every_ms"] / 1000)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[KeptEngine]:
    async with kept_engine(tmp_path, tokens_for_long) as engine:
        yield engine


@pytest.fixture
async def client(engine: KeptEngine) -> AsyncIterator[httpx2.AsyncClient]:
    async with (
        serving_here(create_app(engine, ping=0.05)) as address,
        httpx2.AsyncClient(base_url=address, timeout=10) as client,
    ):
        yield client


async def finished(engine: KeptEngine, id: str, question: str = "How long is the tunnel?", owner: str = "") -> Turn:
    url, text = "http://tunnel.example/", "The tunnel is 57 km long. Evil [x](javascript:alert(1)) <b>bold</b>."
    page = Page(page_id_of(url, text), url, f"Tunnel {EVIL}", "tunnel.example", text, fetched=datetime.now(UTC))
    await engine.pages.put(page)
    quote = text[: text.index(" Evil")]
    citation = Citation(
        1, page.page_id, url, page.title, page.site, None, 0, quote, 0, len(quote), "supported", "", "page", url
    )
    running = Turn(f"run-{id}", id, f"turn-{id}", 1, question, datetime.now(UTC))
    answer = f"It is **57 km** long[1]. {EVIL} ![p](http://collect.example/p.png) Perhaps it leaks."
    done = replace(
        running,
        state="done",
        outcome="answered",
        answer=answer,
        sentences=(
            Sentence(0, "It is **57 km** long[1].", 0, 24, (1,), "supported"),
            Sentence(1, "Perhaps it leaks.", len(answer) - 17, len(answer), (), "uncited"),
        ),
        citations=(citation,),
        sources=(Source(page.page_id, url, page.title, page.site, None, "page", 1),),
    )
    await engine.store.begin(running, Ask(question, owner=owner))
    await engine.store.save(done)
    return done


async def test_a_conversation_is_listed_changed_found_and_deleted(
    engine: KeptEngine, client: httpx2.AsyncClient
) -> None:
    for id in ("a", "b", "c"):
        await finished(engine, id, f"Question {id}?")

    first = (await client.get("/v1/conversations", params={"limit": 2})).json()
    rest = (await client.get("/v1/conversations", params={"limit": 2, "cursor": first["next_cursor"]})).json()
    changed = await client.patch("/v1/conversations/b", json={"title": "Rivers", "pinned": True})
    pinned = (await client.get("/v1/conversations", params={"pinned": True})).json()
    found = (await client.get("/v1/conversations", params={"search": "rivers"})).json()
    gone = await client.delete("/v1/conversations/a")
    again = await client.delete("/v1/conversations/a")
    several = await client.post("/v1/conversations/bulk-delete", json={"ids": ["a", "b"]})

    assert [one["id"] for one in first["conversations"] + rest["conversations"]] == ["c", "b", "a"]
    assert rest["next_cursor"] is None
    assert (changed.status_code, changed.json()["title"]) == (200, "Rivers")
    assert [one["id"] for one in pinned["conversations"]] == [one["id"] for one in found["conversations"]] == ["b"]
    assert (gone.status_code, again.status_code, again.json()["code"]) == (204, 404, "not_found")
    assert several.json() == {"deleted": ["b"]}


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("GET", "/v1/conversations?sort=size", None, "sort"),
        ("GET", "/v1/conversations?limit=0", None, "limit"),
        ("GET", f"/v1/conversations?search={'x' * 201}", None, "search"),
        ("PATCH", "/v1/conversations/a", {"title": "x" * 1_000_0}, "title"),
        ("PATCH", "/v1/conversations/a", {"colour": "red"}, "colour"),
        ("POST", "/v1/conversations/bulk-delete", {"ids": []}, "ids"),
        ("POST", "/v1/answers/run-a/feedback", {"kind": "wow"}, "kind"),
        ("GET", "/v1/conversations/a/export?format=pdf", None, "format"),
    ],
)
async def test_what_is_wrong_with_a_request_is_named(
    client: httpx2.AsyncClient, method: str, path: str, body: Any, field: str
) -> None:
    response = await client.request(method, path, json=body)

    assert response.status_code == 422
    assert field in response.json()["errors"][0]["field"]


async def test_reads_carry_a_tag_and_are_not_sent_twice(engine: KeptEngine, client: httpx2.AsyncClient) -> None:
    await finished(engine, "a")
    for path in ("/v1/conversations", "/v1/conversations/a", "/v1/conversations/a/export?format=json"):
        first = await client.get(path)
        second = await client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (second.status_code, second.content) == (304, b""), path
    await client.patch("/v1/conversations/a", json={"title": "Other"})
    assert (await client.get(path, headers={"If-None-Match": first.headers["etag"]})).status_code == 200


async def test_deleting_while_it_streams_stops_the_run_and_nothing_is_written_back(
    engine: KeptEngine, client: httpx2.AsyncClient
) -> None:
    names: list[str] = []
    async with client.stream("POST", "/v1/answers", json={"question": "How?"}) as response:
        text, deleted = "", None
        async for piece in response.aiter_text():
            text += piece
            if deleted is None and "token19 " in text:
                start = json.loads(next(iter(decode(text)))["data"])
                loop = asyncio.get_running_loop()
                began = loop.time()
                deleted = await client.delete(f"/v1/conversations/{start['conversation_id']}")
                took = loop.time() - began
        names = [event["event"] for event in decode(text)]
    listed = await client.get("/v1/conversations")
    again = await client.delete(f"/v1/conversations/{start['conversation_id']}")

    assert deleted is not None
    assert (deleted.status_code, again.status_code) == (204, 404)
    assert took < 5
    assert names[-2:] == ["error", "done"]
    assert listed.json()["conversations"] == []
    assert (await client.get(f"/v1/answers/{start['id']}")).status_code == 404
    assert engine.runs.under_way == 0


async def test_an_export_comes_back_in_under_new_ids_and_overwrites_nothing(
    engine: KeptEngine, client: httpx2.AsyncClient
) -> None:
    turn = await finished(engine, "a")
    await client.post("/v1/answers/run-a/feedback", json={"kind": "down", "reason": "Too short"})
    body = (await client.get("/v1/conversations/a/export", params={"format": "json"})).json()

    brought = await client.post("/v1/conversations/import", content=json.dumps(body).encode())
    copy = (await client.get(f"/v1/conversations/{brought.json()['id']}")).json()

    assert brought.status_code == 201
    assert body["feedback"][0]["reason"] == "Too short"
    assert [page["text"] for page in body["pages"]] == [(await engine.page(turn.citations[0].page_id)).text]
    assert "owner" not in body
    shown = copy["turns"][0]
    assert (shown["answer"], shown["question"]) == (turn.answer, turn.question)
    assert {shown["id"], shown["turn_id"], copy["id"]}.isdisjoint({turn.id, turn.turn_id, "a"})
    assert len((await client.get("/v1/conversations")).json()["conversations"]) == 2


async def test_earlier_attempts_and_feedback_come_back_in_with_their_turn(
    engine: KeptEngine, client: httpx2.AsyncClient
) -> None:
    turn = await finished(engine, "a")
    again = replace(turn, id="run-2", attempt=2, answer="Not known.", sentences=(), citations=(), sources=())
    await engine.store.begin(replace(again, state="running", answer=""), Ask(turn.question))
    await engine.store.save(again)
    for run, kind, reason in (("a", "up", ""), ("a", "copied", ""), ("2", "down", "Wrong")):
        await client.post(f"/v1/answers/run-{run}/feedback", json={"kind": kind, "reason": reason})
    body = (await client.get("/v1/conversations/a/export", params={"format": "json"})).json()
    body["feedback"].append({**body["feedback"][0], "kind": "down", "reason": "A second vote"})

    brought = (await client.post("/v1/conversations/import", content=json.dumps(body).encode())).json()
    copy = (await client.get(f"/v1/conversations/{brought['id']}/export", params={"format": "json"})).json()

    (shown,), (earlier,) = copy["turns"], copy["earlier_attempts"]
    assert [(one["answer"], one["attempt"]) for one in (earlier, shown)] == [(turn.answer, 1), ("Not known.", 2)]
    assert shown["turn_id"] == earlier["turn_id"] != turn.turn_id
    assert {earlier["id"], shown["id"]}.isdisjoint({"run-a", "run-2"})
    assert sorted((one["answer_id"], one["kind"], one["reason"]) for one in copy["feedback"]) == sorted(
        [(earlier["id"], "copied", ""), (earlier["id"], "down", "A second vote"), (shown["id"], "down", "Wrong")]
    )


async def test_what_is_no_export_is_refused_with_its_reason(engine: KeptEngine, client: httpx2.AsyncClient) -> None:
    await finished(engine, "a")
    good = (await client.get("/v1/conversations/a/export", params={"format": "json"})).json()
    orphan = json.loads(json.dumps(good))
    orphan["turns"][0]["citations"][0]["sentence"] = 1
    script = json.loads(json.dumps(good))
    script["turns"][0]["citations"][0]["url"] = "javascript:alert(1)"
    typed = json.loads(json.dumps(good))
    typed["turns"][0]["support"]["claims"] = "many"
    strange = {**good, "earlier_attempts": [{**good["turns"][0], "turn_id": "elsewhere"}]}
    twice = {**good, "earlier_attempts": [good["turns"][0]]}
    said = {"answer_id": "run-a", "kind": "up", "created": "2026-01-02T03:04:05"}
    for body, words in (
        (b"\xff\xfe{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"{}", "no exported conversation"),
        (json.dumps({**good, "turns": []}).encode(), "expected 1 to"),
        (json.dumps(orphan).encode(), "not in the sentence"),
        (json.dumps(script).encode(), "no web address"),
        (json.dumps(typed).encode(), "turns.0.support.claims"),
        (json.dumps(strange).encode(), "earlier_attempts.0: it is of no turn"),
        (json.dumps(twice).encode(), "stands for another"),
        (json.dumps({**good, "feedback": [said]}).encode(), "feedback.0.created: a time zone"),
        (json.dumps({**good, "feedback": [{**said, "kind": "odd"}]}).encode(), "0.kind"),
    ):
        refused = await client.post("/v1/conversations/import", content=body)
        assert (refused.status_code, words in refused.json()["detail"]) == (400, True), refused.text
    assert len((await client.get("/v1/conversations")).json()["conversations"]) == 1


async def test_a_page_that_was_made_up_does_not_come_in_with_an_export(
    engine: KeptEngine, client: httpx2.AsyncClient
) -> None:
    turn = await finished(engine, "a")
    body = (await client.get("/v1/conversations/a/export", params={"format": "json"})).json()
    body["pages"][0]["text"] = "The tunnel is 99 km long."
    await client.post("/v1/conversations/import", content=json.dumps(body).encode())

    assert (await engine.page(turn.citations[0].page_id)).text.startswith("The tunnel is 57 km")
    assert await engine.pages.held("http://tunnel.example/", now=datetime.now(UTC)) is None


async def test_an_import_may_be_larger_than_other_requests_but_not_without_bound(
    engine: KeptEngine, client: httpx2.AsyncClient
) -> None:
    await finished(engine, "a")
    body = (await client.get("/v1/conversations/a/export", params={"format": "json"})).json()
    body["turns"][0]["summary"] = "x" * 1_000_000

    assert (await client.post("/v1/conversations/import", content=json.dumps(body).encode())).status_code == 201
    assert (await client.post("/v1/conversations/import", content=b" " * 20_000_001)).status_code == 413
    assert (await client.post("/v1/verify", content=b" " * 10_000_000)).status_code == 413


async def test_the_exported_page_is_one_safe_file_with_sources_quotes_and_verdicts(
    engine: KeptEngine, client: httpx2.AsyncClient
) -> None:
    await finished(engine, "a", f"How long? {EVIL}")
    response = await client.get("/v1/conversations/a/export", params={"format": "html"})
    page = response.text

    assert "attachment" in response.headers["content-disposition"]
    assert "sandbox" in response.headers["content-security-policy"]
    for kept in ('<a href="#t1-1"', ">[1]</a>", 'id="t1-1"', "<strong>57 km</strong>", "supported", "uncited"):
        assert kept in page
    assert "<q>The tunnel is 57 km long.</q>" in page
    for refused in ("<script", "<img", 'javascript:alert(1)"', "<b>bold"):
        assert refused not in page


async def test_the_exported_markdown_holds_the_same(engine: KeptEngine, client: httpx2.AsyncClient) -> None:
    await finished(engine, "a")
    text = (await client.get("/v1/conversations/a/export")).text

    assert "## How long is the tunnel?" in text
    assert "1. Tunnel \\<script\\>alert(1)\\</script\\> (tunnel.example): <http://tunnel.example/>" in text
    assert "   - supported: “The tunnel is 57 km long.”" in text
    assert "- uncited: Perhaps it leaks." in text


async def test_feedback_is_taken_and_taken_back(engine: KeptEngine, client: httpx2.AsyncClient) -> None:
    await finished(engine, "a")
    for body in ({"kind": "up"}, {"kind": "down", "reason": "wrong"}, {"kind": "source_opened", "detail": "p"}):
        assert (await client.post("/v1/answers/run-a/feedback", json=body)).status_code == 204
    assert (await client.get("/v1/feedback")).json() == {"down": 1, "source_opened": 1}
    await client.post("/v1/answers/run-a/feedback", json={"kind": "withdrawn"})
    assert await engine.feedback.counts() == {"source_opened": 1}
    assert (await client.post("/v1/answers/unknown/feedback", json={"kind": "up"})).status_code == 404


async def test_an_owner_sees_changes_and_exports_only_their_own(engine: KeptEngine, client: httpx2.AsyncClient) -> None:
    await finished(engine, "hers", owner="ada")
    await finished(engine, "his", owner="bob")
    token = Token("tok1", "ada", "Ada's", created=datetime.now(UTC))
    await engine.tokens.create(token, hash_of(session_of("ans_secret")))
    as_ada = {"Authorization": "Bearer ans_secret"}

    listed = (await client.get("/v1/conversations", headers=as_ada)).json()["conversations"]
    assert [one["id"] for one in listed] == ["hers"]
    for method, path, body in (
        ("GET", "/v1/conversations/his", None),
        ("GET", "/v1/conversations/his/export", None),
        ("PATCH", "/v1/conversations/his", {"title": "Mine"}),
        ("DELETE", "/v1/conversations/his", None),
        ("POST", "/v1/answers/run-his/feedback", {"kind": "up"}),
    ):
        assert (await client.request(method, path, json=body, headers=as_ada)).status_code == 404, path
    several = await client.post("/v1/conversations/bulk-delete", json={"ids": ["his", "hers"]}, headers=as_ada)
    assert several.json() == {"deleted": ["hers"]}
    body = (await client.get("/v1/conversations/his/export", params={"format": "json"})).content
    mine = (await client.post("/v1/conversations/import", content=body, headers=as_ada)).json()
    assert (await engine.store.conversation(mine["id"])).owner == "ada"
    assert [one.id for one in (await SqlHistory(engine.database).list(_ALL, owner="bob")).conversations] == ["his"]


async def test_a_stream_cut_at_every_event_goes_on_without_gap_or_double(tmp_path: Path) -> None:
    steps = asyncio.Queue[None]()

    async def step_by_step(emit: Emit) -> None:
        for number in range(8):
            await steps.get()
            emit(Progress("reading", f"page {number}") if number % 2 else Delta(f"word{number} "))

    async with (
        kept_engine(tmp_path, step_by_step) as engine,
        serving_here(create_app(engine, ping=0.05)) as address,
        httpx2.AsyncClient(base_url=address, timeout=10) as client,
    ):
        run = await engine.runs.start(Ask("How?"))
        seen: list[dict[str, str]] = []
        while not seen or seen[-1]["event"] != "done":
            headers = {"Last-Event-ID": seen[-1]["id"]} if seen else {}
            async with client.stream("GET", f"/v1/answers/{run.id}/events", headers=headers) as response:
                text = ""
                async for piece in response.aiter_text():
                    text += piece
                    if events := [event for event in decode(text) if event.get("id")]:
                        seen.append(events[0])  # and away: the connection is cut after each event
                        break
            steps.put_nowait(None)
        whole = await watch(engine.runs, run.id)

        assert [int(event["id"]) for event in seen] == [number for number, _ in whole]
        assert [event["event"] for event in seen] == [event.name for _, event in whole]


async def test_more_runs_than_can_be_taken_are_refused_with_a_time_to_wait(tmp_path: Path) -> None:
    async with (
        kept_engine(tmp_path, tokens_for_long, most_at_once=1) as engine,
        serving_here(create_app(engine)) as address,
        httpx2.AsyncClient(base_url=address, timeout=10) as client,
    ):
        await engine.runs.start(Ask("How?"))
        refused = await client.post("/v1/answers", json={"question": "And why?"})

    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    assert int(refused.headers["retry-after"]) >= 1

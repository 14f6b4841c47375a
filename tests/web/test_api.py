"""The HTTP API over a real socket, against a scripted engine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from tests.fakes.engine import TOWER, FakeEngine, Script, broken, eiffel
from tests.fakes.serving import Served, serving
from tests.fakes.streams import case, decode

from answerable.errors import Unavailable
from answerable.types import Ask
from answerable.web.app import create_app

TURN_FIELDS = {
    *("id", "conversation_id", "turn_id", "attempt", "question", "standalone_question", "state", "outcome", "answer"),
    *("citations", "sources", "also_read", "support", "conflicts", "notes", "as_of", "related_questions", "plan"),
    *("model", "usage", "cost", "timings", "created"),
}
CITATION_FIELDS = {
    *("n", "page_id", "url", "title", "site", "published", "sentence", "quote", "start", "end", "verdict", "reason"),
    *("read_as", "link", "page_label", "reason_code", "reason_values"),
}


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine({"Break": broken()})


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine(), ping=0.05)
    with serving(lambda: app) as address:
        yield Served(app, address)


@pytest.fixture
def client(server: Served, engine: FakeEngine) -> Iterator[httpx2.Client]:
    with server.using(engine) as address, httpx2.Client(base_url=address) as client:
        yield client


def events_of(response: httpx2.Response) -> list[dict[str, Any]]:
    return [{**event, "data": json.loads(event["data"])} for event in decode(response.text)]


def test_a_question_streams_as_events_in_order_and_ends_with_the_turn(client: httpx2.Client) -> None:
    response = client.post("/v1/answers", json={"question": "How tall?"})
    events = events_of(response)
    names = [event["event"] for event in events]

    assert names[0] == "start"
    assert names[-2:] == ["final", "done"]
    assert [int(event["id"]) for event in events] == list(range(1, len(events) + 1))
    turn = events[-2]["data"]
    text = "".join(event["data"]["text"] for event in events if event["event"] == "delta")
    assert text == turn["answer"]
    assert turn["state"] == "done"
    assert client.get(f"/v1/answers/{turn['id']}").json() == turn


def test_the_turn_has_the_fields_of_the_contract(client: httpx2.Client) -> None:
    turn = client.post("/v1/answers", json={"question": "How tall?", "stream": False}).json()

    assert set(turn) >= TURN_FIELDS
    assert set(turn["support"]) == {
        *("claims", "supported", "partly", "unsupported", "uncited"),
        *("unknown_markers", "uncited_share", "sources_used"),
    }
    assert set(turn["citations"][0]) == CITATION_FIELDS
    assert {source["n"] for source in turn["sources"]} == {1, 2, 3}


def test_streams_pass_through_buffering_and_compressing_proxies(client: httpx2.Client, engine: FakeEngine) -> None:
    _, expected = case("sse-headers-pings")
    silence = threading.Event()
    engine.runs.scripts["Slow"] = eiffel(before=silence)
    headers = {"accept": "text/event-stream", "accept-encoding": expected["accept_encoding_sent"]}

    with client.stream("POST", "/v1/answers", json={"question": "Slow"}, headers=headers) as response:
        pieces = response.iter_text()
        seen = next(pieces)
        while seen.count(": ping") < 3:  # 15 s apart by default, 0.05 s here
            seen += next(pieces)
        assert "event: sources" not in seen
        silence.set()
        seen += "".join(pieces)

    for name, value in expected["response_headers"].items():
        assert value.removeprefix("starts with ").removeprefix("contains ") in response.headers[name]
    assert not [name for name in expected["headers_absent"] if name in response.headers]
    assert seen.startswith(": open")
    assert seen.endswith(f"id: {len(engine.runs.run('run-1').events)}\nevent: done\ndata: {{}}\n\n")


@pytest.mark.parametrize(
    ("body", "accept", "kind"),
    [
        ({}, "*/*", "text/event-stream"),
        ({}, "application/json", "application/json"),
        ({}, "text/event-stream, application/json", "text/event-stream"),
        ({"stream": True}, "application/json", "text/event-stream"),
        ({"stream": False}, "text/event-stream", "application/json"),
    ],
)
def test_the_caller_chooses_stream_or_json(client: httpx2.Client, body: dict, accept: str, kind: str) -> None:
    response = client.post("/v1/answers", json={"question": "How tall?", **body}, headers={"accept": accept})

    assert response.headers["content-type"].startswith(kind)


def test_what_was_chosen_reaches_the_engine(client: httpx2.Client, engine: FakeEngine) -> None:
    chosen = {"focus": "own", "freshness": "recent", "model": "ollama:x", "writer": "model"}
    client.post("/v1/answers", json={"question": "  How\r\ntall?\0 ", **chosen, "stream": False})

    assert engine.runs.asked == [Ask("How\ntall?", **chosen)]


def test_the_same_idempotency_key_is_the_same_run(client: httpx2.Client) -> None:
    headers = {"Idempotency-Key": "k1"}
    first, second = (
        client.post("/v1/answers", json={"question": "How tall?", "stream": False}, headers=headers).json()
        for _ in range(2)
    )

    assert first["id"] == second["id"]


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"question": "x", "modle": "y"}, "modle", "is not a field of this request"),
        ({"question": "   \n"}, "question", "the question is empty"),
        ({"question": "x" * 4001}, "question", "4,001 characters; 4,000"),
        ({"question": "x", "focus": "images"}, "focus", "'web'"),
        ({}, "question", "required"),
    ],
)
def test_a_bad_request_is_a_problem_that_names_the_field(
    client: httpx2.Client, body: dict, field: str, words: str
) -> None:
    response = client.post("/v1/answers", json=body)
    problem = response.json()

    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert (problem["status"], problem["code"]) == (422, "invalid_request")
    assert field in problem["hint"]
    assert [fault["field"] for fault in problem["errors"]] == [field]
    assert words.lower() in problem["detail"].lower()


def test_an_oversized_body_is_a_problem_whether_or_not_it_says_its_length(client: httpx2.Client) -> None:
    body = b'{"question": "' + b"x" * 2_100_000 + b'"}'
    headers = {"content-type": "application/json"}
    said = client.post("/v1/answers", content=body, headers=headers)
    unsaid = client.post("/v1/answers", content=iter([body]), headers=headers)

    for response in (said, unsaid):
        assert response.headers["content-type"] == "application/problem+json"
        problem = response.json()
        assert (problem["status"], problem["code"], problem["title"]) == (413, "too_large", "Content Too Large")


@pytest.mark.parametrize(
    ("body", "kind", "status", "words"),
    [
        (b'{"question": "x"', "application/json", 422, "is not JSON: expecting ',' delimiter at character 16"),
        (b'{"question": "\xff"}', "application/json", 400, "error parsing the body"),
        (b"[]", "application/json", 422, "must be a JSON object"),
        (b"", "application/json", 422, "must be a JSON object"),
        (b'{"question": "x"}', "text/plain", 422, "Content-Type: application/json"),
    ],
)
def test_a_body_that_is_no_json_object_is_a_problem_that_says_so(
    client: httpx2.Client, body: bytes, kind: str, status: int, words: str
) -> None:
    response = client.post("/v1/answers", content=body, headers={"content-type": kind})
    problem = response.json()

    assert response.status_code == status
    assert words in problem["detail"]
    assert problem["hint"] in {"Correct body and send again.", "Send one JSON object, in UTF-8."}


def test_an_engine_that_cannot_take_a_question_says_so_before_the_stream(
    client: httpx2.Client, engine: FakeEngine
) -> None:
    engine.runs.fails_with = Unavailable("Too many answers are under way.", hint="Try again in a moment.")

    response = client.post("/v1/answers", json={"question": "How tall?"})

    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    assert response.json() == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "Too many answers are under way.",
        "code": "unavailable",
        "hint": "Try again in a moment.",
    }


def test_a_failure_after_the_headers_is_an_error_event_then_done(client: httpx2.Client) -> None:
    events = events_of(client.post("/v1/answers", json={"question": "Break"}))

    assert [event["event"] for event in events[-2:]] == ["error", "done"]
    assert events[-2]["data"] == {
        "code": "model_failed",
        "message": "The model stopped answering.",
        "stage": "writing",
        "retryable": True,
        "hint": "Try again, or choose another model.",
    }


@pytest.mark.parametrize(
    "path", ["/v1/answers/none", "/v1/answers/none/events", "/v1/conversations/none", "/v1/pages/none", "/v1/nowhere"]
)
def test_what_is_not_there_is_a_problem(client: httpx2.Client, path: str) -> None:
    response = client.get(path)

    assert response.status_code == 404
    assert response.json()["code"] == "not_found"
    assert response.json()["hint"]


def test_leaving_does_not_end_the_run_and_coming_back_resumes_it(client: httpx2.Client, engine: FakeEngine) -> None:
    hold = threading.Event()
    engine.runs.scripts["Hold"] = eiffel(hold=hold)
    with client.stream("POST", "/v1/answers", json={"question": "Hold"}) as response:
        seen = ""
        for piece in response.iter_text():
            seen += piece
            if "event: sentence" in seen:
                break
    last = list(decode(seen))[-1]["id"]
    hold.set()

    rest = events_of(client.get("/v1/answers/run-1/events", headers={"Last-Event-ID": last}))

    assert int(rest[0]["id"]) == int(last) + 1
    assert [event["event"] for event in rest[-2:]] == ["final", "done"]
    after_end = client.get("/v1/answers/run-1/events", headers={"Last-Event-ID": rest[-1]["id"]})
    assert after_end.status_code == 204, "which is what tells an EventSource to stop reconnecting"


def test_stopping_keeps_what_was_released(client: httpx2.Client, engine: FakeEngine) -> None:
    hold = threading.Event()
    engine.runs.scripts["Hold"] = eiffel(hold=hold)
    with client.stream("POST", "/v1/answers", json={"question": "Hold"}) as response:
        seen = ""
        for piece in response.iter_text():
            seen += piece
            if seen.count("event: sentence") == 2:
                break
        turn = client.delete("/v1/answers/run-1").json()

    assert turn["state"] == "stopped"
    assert turn["answer"].endswith("in 2023[2].")
    assert [citation["n"] for citation in turn["citations"]] == [1, 2]
    assert engine.runs.stopped == ["run-1"]


def test_a_retry_is_a_new_attempt_of_the_same_turn(client: httpx2.Client) -> None:
    first = client.post("/v1/answers", json={"question": "How tall?", "stream": False}).json()
    second = client.post(f"/v1/answers/{first['id']}/retry", headers={"accept": "application/json"}).json()
    streamed = client.post(f"/v1/answers/{first['id']}/retry")

    assert (second["turn_id"], second["attempt"]) == (first["turn_id"], 2)
    assert second["id"] != first["id"]
    assert streamed.headers["content-type"].startswith("text/event-stream")
    turns = client.get(f"/v1/conversations/{first['conversation_id']}").json()["turns"]
    assert [turn["attempt"] for turn in turns] == [3]


def test_sources_and_pages_can_be_read_apart(client: httpx2.Client) -> None:
    turn = client.post("/v1/answers", json={"question": "How tall?", "stream": False}).json()
    sources = client.get(f"/v1/answers/{turn['id']}/sources").json()
    citation = turn["citations"][0]
    page = client.get(f"/v1/pages/{citation['page_id']}").json()

    assert [source["n"] for source in sources["sources"]] == [1, 2, 3]
    assert [source["page_id"] for source in sources["also_read"]] == ["page-lifts"]
    assert page["text"] == TOWER.text
    assert page["text"][citation["start"] : citation["end"]] == citation["quote"]


def test_probes_say_that_it_lives_and_by_what_it_answers(client: httpx2.Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "version": "0.0.0"}
    assert client.get("/readyz").json() == {
        "status": "ready",
        "warm": True,
        "database": "ok",
        "providers": ["own", "searxng", "wikipedia"],
        "writer": "extractive",
        "web": "ok",
    }


def test_the_openapi_description_lists_the_api_and_its_problems(client: httpx2.Client) -> None:
    described = client.get("/openapi.json").json()

    assert set(described["paths"]) == {
        "/v1/answers",
        "/v1/answers/{id}",
        "/v1/answers/{id}/sources",
        "/v1/answers/{id}/events",
        "/v1/answers/{id}/retry",
        "/v1/answers/{id}/feedback",
        "/v1/feedback",
        "/v1/conversations",
        "/v1/conversations/bulk-delete",
        "/v1/conversations/import",
        "/v1/conversations/{id}",
        "/v1/conversations/{id}/export",
        "/v1/pages/{id}",
        "/v1/conversations/{id}/recheck",
        "/v1/index",
        "/v1/parts",
        "/v1/parts/test",
        "/v1/read",
        "/v1/verify",
        "/v1/search",
        "/v1/chat/completions",
        "/v1/models",
        "/healthz",
        "/readyz",
        "/metrics",
    }
    assert "Problem" in described["components"]["schemas"]


def test_an_unexpected_failure_shows_no_inner_detail(engine: FakeEngine) -> None:
    engine.runs.fails_with = RuntimeError("password=hunter2")
    with serving(lambda: create_app(engine)) as address:
        response = httpx2.post(f"{address}/v1/answers", json={"question": "x"})

    assert response.status_code == 500
    assert response.json()["code"] == "internal_error"
    assert "hunter2" not in response.text


def test_a_json_caller_waits_for_the_whole_turn(client: httpx2.Client, engine: FakeEngine) -> None:
    engine.runs.scripts["Short"] = Script(parts=("Yes.",), before=0.2)

    assert client.post("/v1/answers", json={"question": "Short", "stream": False}).json()["answer"] == "Yes."

"""Streams of the OpenAI wire format over real sockets, as vendors send them and as they break."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from answerable.errors import LLMError
from answerable.evals.scripted import Reply, ScriptedLLM, fails, says, streams
from answerable.protocols import Message, Piece
from answerable.providers.llm.names import make_llm
from answerable.types import Usage

CASES = Path(__file__).parents[1] / "data" / "cases"
BY_ID = {case["id"]: case for case in map(json.loads, (CASES / "cases-llm.jsonl").read_text("utf-8").splitlines())}
STREAMS = [id for id, case in BY_ID.items() if case["kind"] == "llm_stream"]
ASKED = [Message("system", "You answer."), Message("user", "How long is the tunnel?")]


@dataclass
class Heard:
    """What came of a call."""

    text: str = ""
    end: str | None = None
    usage: Usage | None = None
    error: LLMError | None = None
    pieces: list[Piece] = field(default_factory=list)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedLLM]:
    async with ScriptedLLM() as server:
        yield server


async def hear(
    url: str, *, name: str = "openai:sandpiper-large", timeout: float = 10, key: str = "k-secret-123"
) -> Heard:
    heard, llm = Heard(), make_llm(name, base_url=url, api_key=key)
    await llm.warm()  # the first import takes seconds, which are not what a budget is tested with
    try:
        async for piece in llm.stream(ASKED, timeout=timeout):
            heard.pieces.append(piece)
            heard.text += piece.text
            heard.end, heard.usage = piece.end or heard.end, piece.usage or heard.usage
    except LLMError as error:
        heard.error = error
    finally:
        await llm.aclose()
    return heard


def raw_of(id: str) -> Reply:
    path = CASES / BY_ID[id]["file"]
    if path.suffix == ".json":
        return streams(*map(base64.b64decode, json.loads(path.read_text("utf-8"))["chunks_base64"]))
    return streams(path.read_bytes())


@pytest.mark.parametrize("id", STREAMS)
async def test_a_vendors_stream_is_read(id: str, server: ScriptedLLM) -> None:
    expected = BY_ID[id]["expected"]
    server.enqueue(raw_of(id))

    heard = await hear(server.url)

    state = heard.error.cause if heard.error else heard.end
    assert state == {"complete": "complete", "truncated": "length", "error": "server"}[expected["state"]]
    assert heard.text.startswith(expected.get("text_starts", ""))
    assert heard.text == expected.get("text", heard.text)
    assert all(text not in heard.text for text in expected.get("must_not_contain", ()))
    if "error_contains" in expected:
        assert heard.error is not None
        assert expected["error_contains"] in heard.error.message
    if "usage" in expected:
        assert heard.usage is not None
        assert heard.usage.input_tokens == expected["usage"]["prompt_tokens"]
        assert heard.usage.output_tokens == expected["usage"]["completion_tokens"]


@pytest.mark.parametrize("size", [1, 2, 7])
async def test_any_split_of_the_bytes_gives_the_same_text(size: int, server: ScriptedLLM) -> None:
    whole = b"".join(raw_of("stream-split-utf8").raw)
    server.enqueue(streams(*(whole[i : i + size] for i in range(0, len(whole), size))))

    assert (await hear(server.url)).text == BY_ID["stream-split-utf8"]["expected"]["text"]


async def test_errors_of_the_model_server_are_told_in_our_words(server: ScriptedLLM) -> None:
    case = BY_ID["llm-unknown-model"]
    items = json.loads((CASES / case["file"]).read_text("utf-8"))["items"]
    for item, expected in zip(items[:2], case["expected"]["results"][:2], strict=True):
        before = len(server.requests)
        error = item["json"]["error"]
        server.enqueue(fails(item["status"], error["message"], code=error.get("code")))

        heard = await hear(server.url, name=f"openai:{item['model']}", key=item.get("api_key", "k-other"))

        assert heard.error is not None
        told = f"{heard.error.message} {heard.error.hint}"
        assert len(server.requests) - before - 1 == expected["retries"]
        assert all(text in told for text in expected["message_contains"])
        assert all(text not in told for text in expected.get("message_excludes", ()))


async def test_a_server_that_is_not_there_is_named_by_its_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"

    heard = await hear(address)

    assert heard.error is not None
    assert heard.error.cause == "connection"
    assert address in heard.error.message


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (fails(400, "This model's maximum context length is 8192 tokens."), "too_long"),
        (fails(400, "the request exceeds the available context size"), "too_long"),
        (fails(400, "no such parameter"), "malformed"),
        (fails(403, "not allowed"), "bad_key"),
        (fails(404, "nope", code="model_not_found"), "unknown_model"),
        (fails(402, "pay first"), "rate_limited"),
        (fails(429, "slow down"), "rate_limited"),
        (says(""), "empty"),
        (says("  \n"), "empty"),
        (says("<think>only thoughts</think>"), "empty"),
        (says("", reasoning=("only thoughts",)), "empty"),
        (says("", end="length"), "empty"),
        (streams(b"<html>a proxy's page</html>"), "malformed"),
        (streams(b"data: {nope\n\n"), "malformed"),
    ],
)  # fmt: skip
async def test_a_failure_has_its_cause_and_shows_no_text(reply: Reply, cause: str, server: ScriptedLLM) -> None:
    server.enqueue(reply)

    heard = await hear(server.url)

    assert heard.error is not None
    assert (heard.error.cause, heard.text.strip()) == (cause, "")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (says("The tunnel is", end="cut", split=3), "cut"),
        (says("The tunnel is", end="no_reason", split=3), "cut"),
        (says("The tunnel is", end="hang"), "timeout"),
    ],
)  # fmt: skip
async def test_what_breaks_in_the_middle_keeps_its_text_and_is_not_tried_again(
    reply: Reply, cause: str, server: ScriptedLLM
) -> None:
    server.enqueue(reply)

    heard = await hear(server.url, timeout=1.5)

    assert heard.error is not None
    assert (heard.text, heard.error.cause) == ("The tunnel is", cause)
    assert len(server.requests) == 1


@pytest.mark.parametrize("first", [fails(500, "boom"), fails(503, "overloaded"), fails(429, "slow", retry_after=0)])
async def test_a_passing_failure_is_tried_once_more(first: Reply, server: ScriptedLLM) -> None:
    server.enqueue(first, says("It is 2.4 km long."))

    heard = await hear(server.url)

    assert heard.text == "It is 2.4 km long."
    assert heard.usage is not None
    assert heard.usage.requests == len(server.requests) == 2


async def test_it_is_tried_once_more_and_not_again(server: ScriptedLLM) -> None:
    server.enqueue(fails(500), fails(500), says("late"))

    heard = await hear(server.url)

    assert heard.error is not None
    assert (heard.error.cause, len(server.requests)) == ("server", 2)


async def test_a_wait_that_does_not_fit_the_budget_is_not_waited(server: ScriptedLLM) -> None:
    server.enqueue(fails(429, "slow", retry_after=60), says("late"))

    heard = await hear(server.url)

    assert heard.error is not None
    assert (heard.error.cause, heard.error.retry_after, len(server.requests)) == ("rate_limited", 60, 1)


async def test_a_silent_model_is_given_up_before_the_whole_budget(server: ScriptedLLM) -> None:
    server.enqueue(Reply(end="hang", pieces=()))

    heard = await hear(server.url, timeout=1.0)

    assert heard.error is not None
    assert heard.error.cause == "timeout"
    assert "without producing" in heard.error.message


async def test_thinking_never_reaches_the_reader_at_any_split(server: ScriptedLLM) -> None:
    for split in (1, 3, 1000):
        server.enqueue(says("<think>Source 3 [9] looks old.</think>\n\nIt is 2.4 km [1].", split=split))

        assert (await hear(server.url)).text == "It is 2.4 km [1]."


async def test_leaving_early_ends_the_request(server: ScriptedLLM) -> None:
    server.enqueue(says("a b c d e f", split=2, delay=0.02, end="hang"))
    llm = make_llm("openai:x", base_url=server.url)

    pieces = llm.stream(ASKED, timeout=30)
    await anext(pieces)
    await pieces.aclose()
    await llm.aclose()

    async with asyncio.timeout(30):
        while not server.left_early:  # noqa: ASYNC110 (the server notices in its own time)
            await asyncio.sleep(0.01)
    assert server.left_early == 1


async def test_the_prompt_and_the_limit_are_sent_as_they_are(server: ScriptedLLM) -> None:
    server.enqueue(says("x"))
    llm = make_llm("openai:sandpiper", base_url=server.url, api_key='"k-abc123"\n')

    _ = [piece async for piece in llm.stream(ASKED, timeout=10, max_tokens=77)]
    await llm.aclose()

    body: Any = server.requests[0]
    assert [(m["role"], m["content"]) for m in body["messages"]] == [(m.role, m.content) for m in ASKED]
    assert body["model"] == "sandpiper"
    assert 77 in {body.get("max_tokens"), body.get("max_completion_tokens")}
    assert server.headers[0]["authorization"] == "Bearer k-abc123"


async def test_half_characters_and_control_characters_reach_nobody(server: ScriptedLLM) -> None:
    def piece(content: str) -> bytes:
        choice = {"index": 0, "delta": {"content": content}, "finish_reason": None}
        event = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        return b"data: " + json.dumps(event).encode() + b"\n\n"

    server.enqueue(
        streams(*map(piece, ["Tower \ud83d", "\uddfc is\x00 \x1b[31m", "330 \udc00\ud83d."]), b"data: [DONE]\n\n")
    )

    assert (await hear(server.url)).text == "Tower \U0001f5fc is [31m330 \ufffd\ufffd."

"""A language model server that says what it was told to: the OpenAI wire format over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Literal, Self

from answerable.evals.wire import Request, read_request, write_chunk, write_head, write_response

End = Literal["stop", "length", "no_reason", "cut", "hang"]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the server: `pieces` streamed with `delay` seconds before each, then `end`.

    `cut` closes the connection in the middle, `hang` keeps it open and silent, `no_reason` ends without a
    finish_reason. `raw` chunks take the place of everything else in the body.
    """

    pieces: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()  # in a field of its own, before the text
    end: End = "stop"
    delay: float = 0.0
    held: asyncio.Event | None = None  # the last piece of a stream waits for it
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    raw: tuple[bytes, ...] = ()
    usage: tuple[int, int] | None = (120, 40)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def says(text: str, *, split: int | None = None, **changes: Any) -> Reply:
    """The text, in pieces of `split` characters."""
    pieces = (text,) if not split else tuple(text[i : i + split] for i in range(0, len(text), split))
    return replace(Reply(pieces if text else ()), **changes)


def fails(status: int, message: str = "", *, code: str | None = None, retry_after: float | None = None) -> Reply:
    """An error before the stream, in the vendor's words."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    error = {"message": message or f"status {status}", "type": "error", "param": None, "code": code}
    return Reply(status=status, headers=headers, error=error)


def streams(*raw: bytes) -> Reply:
    """Bytes as they are, one network chunk each."""
    return Reply(raw=raw)


Answerer = Callable[[Mapping[str, Any]], Reply]


class ScriptedLLM:
    """Plays the replies enqueued, in order; when none is left, what `answer` makes of the request.

    `async with ScriptedLLM() as llm:` serves at `llm.url`; `llm.requests` holds the bodies received.
    """

    def __init__(self, *replies: Reply, answer: Answerer | None = None, port: int = 0) -> None:
        self._replies = list(replies)
        self._answer = answer
        self._port = port
        self._server: asyncio.Server | None = None
        self._open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.requests: list[Mapping[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.left_early = 0  # calls whose caller closed the connection before the end

    def enqueue(self, *replies: Reply) -> None:
        self._replies += replies

    @property
    def url(self) -> str:
        """The base address for an OpenAI client."""
        if self._server is None:
            raise RuntimeError("enter the server first: async with ScriptedLLM() as llm")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task, writer in self._open.items():
            writer.transport.abort()  # a caller that no longer reads would keep a polite close waiting
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        try:
            while (request := await read_request(reader)) is not None:
                await self._play(self._reply_to(request), request, reader, writer)
                if writer.is_closing():
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left_early += 1
        except asyncio.CancelledError:
            pass  # the server is closing; Python 3.11 logs a cancelled handler as an error
        finally:
            self._open.pop(task, None)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    def _reply_to(self, request: Request) -> Reply:
        if not request.path.endswith("/chat/completions"):
            return fails(404, f"no such path: {request.path}")
        body = json.loads(request.body)
        self.requests.append(body)
        self.headers.append(request.headers)
        if self._replies:
            return self._replies.pop(0)
        return self._answer(body) if self._answer else fails(500, "the script has ended")

    async def _play(
        self, reply: Reply, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if reply.error is not None:
            body = json.dumps({"error": reply.error}).encode()
            await write_response(writer, reply.status, body, reply.headers)
        elif request.body and json.loads(request.body).get("stream"):
            await self._stream(reply, json.loads(request.body), reader, writer)
        elif reply.raw:
            await write_response(writer, reply.status, b"".join(reply.raw), reply.headers)
        else:
            await asyncio.sleep(reply.delay)
            if reply.end == "hang":
                await reader.read()
            body = json.dumps(_completion(reply, json.loads(request.body))).encode()
            await write_response(writer, reply.status, body, reply.headers)

    async def _stream(
        self, reply: Reply, body: Mapping[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        write_head(writer, reply.status, {"Content-Type": "text/event-stream", **reply.headers})
        events = reply.raw or _events(reply, body)
        last = len(reply.reasoning) + len(reply.pieces)  # the first event opens the message
        for place, event in enumerate(events):
            if reply.delay:
                await asyncio.sleep(reply.delay)
            if reply.held is not None and place == last:
                await reply.held.wait()
            await write_chunk(writer, event)
            if reader.at_eof():
                raise ConnectionResetError("the caller left")
        if reply.end == "hang" and not reply.raw:
            await reader.read()  # until the caller leaves
            raise ConnectionResetError("the caller left")
        if reply.end == "cut" and not reply.raw:
            writer.transport.abort()
            return
        await write_chunk(writer, b"")


def _events(reply: Reply, body: Mapping[str, Any]) -> Sequence[bytes]:
    model = str(body.get("model", "scripted"))

    def chunk(delta: Mapping[str, Any] | None, finish: str | None = None, **extra: Any) -> bytes:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        event = {"id": "scripted", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": choices}
        return b"data: " + json.dumps({**event, **extra}, ensure_ascii=False).encode() + b"\n\n"

    events = [chunk({"role": "assistant", "content": ""})]
    events += [chunk({"reasoning_content": piece}) for piece in reply.reasoning]
    events += [chunk({"content": piece}) for piece in reply.pieces]
    if reply.end in {"cut", "hang"}:
        return events
    if reply.end in {"stop", "length"}:
        events.append(chunk({}, reply.end))
    wants_usage = (body.get("stream_options") or {}).get("include_usage")
    if reply.usage and wants_usage:
        events.append(chunk(None, usage=_usage(reply.usage)))
    return [*events, b"data: [DONE]\n\n"]


def _completion(reply: Reply, body: Mapping[str, Any]) -> Mapping[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.reasoning:
        message["reasoning_content"] = "".join(reply.reasoning)
    tools = body.get("tools") or []
    if tools and reply.text:  # a caller that offers a tool gets its answer through it, as real servers do
        call = {"name": tools[0]["function"]["name"], "arguments": reply.text}
        message = {"role": "assistant", "content": None}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": call}]
    finish = "tool_calls" if tools else ("length" if reply.end == "length" else "stop")
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": _usage(reply.usage or (0, 0)),
    }


def _usage(tokens: tuple[int, int]) -> Mapping[str, int]:
    return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}

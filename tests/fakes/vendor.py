"""A vendor's API on a real socket: scripted replies, and the requests it saw."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True, slots=True)
class Reply:
    body: bytes = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: bool = False  # the connection ends in the middle of the body


@dataclass(frozen=True, slots=True)
class Seen:
    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: Any


class Vendor:
    """`replies` are played in turn, the last one for ever."""

    def __init__(self, replies: list[Reply]) -> None:
        self.replies = replies
        self.seen: list[Seen] = []
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                method, target, _ = head[0].split(" ")
                parts = urlsplit(target)
                reply = self.replies[min(len(self.seen), len(self.replies) - 1)]
                self.seen.append(
                    Seen(method, parts.path, dict(parse_qsl(parts.query)), headers, json.loads(body) if body else None)
                )
                await asyncio.sleep(reply.delay)
                length = len(reply.body) + (100 if reply.cut else 0)
                lines = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {length}", "Content-Type: application/json"]
                lines += [f"{name}: {value}" for name, value in reply.headers.items()]
                writer.write("\r\n".join([*lines, "", ""]).encode() + reply.body)
                await writer.drain()
                if reply.cut:
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client left
        finally:
            writer.close()


@asynccontextmanager
async def vendor(*replies: Reply) -> AsyncIterator[Vendor]:
    fake = Vendor(list(replies))
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(fake.answer(reader, writer))
        tasks.add(task)
        await asyncio.gather(task, return_exceptions=True)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    fake.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield fake
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()

"""A web server on a real socket that plays scripted answers, the ones no decent server gives included."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Write = Callable[[bytes], Awaitable[None]]
Play = Callable[[Write], Awaitable[None]]  # writes the answer, head included; the connection closes after it


@dataclass(slots=True)
class HostileServer:
    port: int = 0
    routes: dict[str, Play] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)  # paths, in order of arrival
    heads: list[str] = field(default_factory=list)  # request heads
    connections: int = 0
    open_now: int = 0
    most_open: int = 0

    def url(self, path: str, host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            target = head.split(" ")[1]
            self.asked.append(target)
            self.heads.append(head)
            if not target.endswith("/robots.txt") or "/robots.txt" in self.routes:
                self.open_now += 1
                self.most_open = max(self.most_open, self.open_now)
                try:
                    await self.routes.get(target, answer(404, b"nothing here"))(write)
                finally:
                    self.open_now -= 1
            else:
                await answer(404, b"")(write)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass  # the client left, which is what many of these scripts are for
        finally:
            writer.close()


def answer(status: int = 200, body: bytes = b"", **headers: str) -> Play:
    """A decent answer; header names are written with underscores."""
    lines = {"content-type": "text/html; charset=utf-8", "content-length": str(len(body))}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = (
        f"HTTP/1.1 {status} X\r\n" + "".join(f"{n}: {v}\r\n" for n, v in lines.items() if v) + "connection: close\r\n"
    )

    async def play(write: Write) -> None:
        await write(head.encode("latin-1") + b"\r\n" + body)

    return play


def redirect(location: str | None, status: int = 302, **headers: str) -> Play:
    return answer(status, b"", **({"location": location} if location else {}), **headers)


def page(text: str, title: str = "A page") -> bytes:
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    return f"{head}<body><article>{text}</article></body></html>".encode()


async def until(condition: Callable[[], bool]) -> None:
    """For what no event tells; fails after half a minute."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


@asynccontextmanager
async def listening(
    play: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """The port at which `play` answers each connection; at the end those still open are cut."""
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            await play(reader, writer)
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            serving.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(serving):
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await server.wait_closed()


@asynccontextmanager
async def hostile_server(tls: ssl.SSLContext | None = None) -> AsyncIterator[HostileServer]:
    played = HostileServer()
    async with listening(played.serve, tls) as played.port:
        yield played

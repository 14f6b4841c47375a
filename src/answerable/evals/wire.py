"""Just enough HTTP/1.1 to play a server whose every byte is chosen, broken ones included."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]  # lower-case names
    body: bytes


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request on the connection; None when the caller has closed it."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path.partition("?")[0], headers, body)


def write_head(writer: asyncio.StreamWriter, status: int, headers: Mapping[str, str]) -> None:
    """Begins a response whose body follows in chunks."""
    lines = [_status_line(status), *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode("latin-1"))


async def write_chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    """An empty one ends the body."""
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


async def write_response(
    writer: asyncio.StreamWriter, status: int, body: bytes, headers: Mapping[str, str] | None = None
) -> None:
    own = {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}
    head = "\r\n".join([_status_line(status), *(f"{name}: {value}" for name, value in own.items()), "", ""])
    writer.write(head.encode("latin-1") + body)
    await writer.drain()


def _status_line(status: int) -> str:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Unknown"
    return f"HTTP/1.1 {status} {phrase}"

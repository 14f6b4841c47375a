"""The miniature web on the wire: an HTTP forward proxy for the hosts of a folder, and a search of them.

Real sockets and real delays, known content: evals and tests reach it by the ordinary proxy setting.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from urllib.parse import parse_qsl, urlsplit

from answerable.evals.miniweb_search import SearchIndex
from answerable.text.miniweb import Web, WebPage, load_web

_MAX_HEAD = 64 * 1024
_DRIP_SECONDS = 0.2
_FILLER = (b"<!-- filler " + b"." * 1000 + b" -->\n") * 16
_PLAIN_FILLER = (b"." * 1023 + b"\n") * 16


@dataclass(frozen=True, slots=True)
class WebRequest:
    """A request as the miniature web saw it. `host` is empty for its own search."""

    method: str
    url: str
    host: str
    path: str  # with the query, as sent
    headers: dict[str, str]  # lower-case names
    at: datetime


@dataclass(slots=True)
class _Reply:
    status: int
    body: bytes = b""
    content_type: str = "text/plain; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    stream: AsyncIterator[bytes] | None = None  # instead of the body, without a length told


class MiniWeb:
    """`async with MiniWeb(folder, now=...) as web:` serves on a free port until the block ends.

    `now` fills the dates of the pages: a moment with a time zone, or a clock; the real clock by default.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        now: datetime | Callable[[], datetime] | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.folder, self.host, self.port = Path(folder), host, port
        self._now = now
        self.requests: list[WebRequest] = []
        self.web: Web
        self._index: SearchIndex
        self._server: asyncio.Server
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    @property
    def proxy_url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def search_url(self) -> str:
        """The address to give as that of a SearXNG instance."""
        return self.proxy_url

    def now(self) -> datetime:
        if self._now is None:
            return datetime.now(UTC)
        return self._now() if callable(self._now) else self._now

    async def __aenter__(self) -> MiniWeb:
        self.web = await asyncio.to_thread(load_web, self.folder)
        self._index = await asyncio.to_thread(SearchIndex, self.web, self.now())
        self._server = await asyncio.start_server(self._connected, self.host, self.port, limit=_MAX_HEAD)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for connection, writer in self._connections.items():
            writer.transport.abort()  # a side that no longer reads would keep a polite close waiting
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            while await self._one_request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the other side left, or never spoke HTTP
        except asyncio.CancelledError:
            pass  # the web is closing; asyncio.streams would log a cancelled handler as an error
        finally:
            self._connections.pop(task, None)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _one_request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; True when the connection may carry another."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, _, rest = head[0].partition(" ")
        target = rest.rpartition(" ")[0]
        headers = {
            name.strip().lower(): value.strip()
            for name, colon, value in (line.partition(":") for line in head[1:])
            if colon
        }
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length):
            await reader.readexactly(int(length))
        reply = await self._reply(method, target, headers)
        keep = reply.stream is None and headers.get("connection", "").lower() != "close"
        await _send(writer, reply, with_body=method != "HEAD", keep=keep)
        return keep

    async def _reply(self, method: str, target: str, headers: dict[str, str]) -> _Reply:
        own, host, path = self._address(method, target, headers)
        url = target if own or "://" in target else f"http://{host}{path}"
        self.requests.append(WebRequest(method, url, "" if own else host, path, headers, self.now()))
        if method == "CONNECT":
            return _Reply(502, b"This miniature web speaks plain HTTP only: ask for http:// addresses of its hosts.\n")
        if method not in ("GET", "HEAD"):
            return _Reply(405, b"Only GET and HEAD are answered here.\n", headers={"Allow": "GET, HEAD"})
        if own:
            return self._own(path)
        if host not in self.web.hosts:
            return _Reply(502, f"unknown host {host!r}: it is not in {self.folder.name!r}\n".encode())
        return await self._page(host, path)

    def _address(self, method: str, target: str, headers: dict[str, str]) -> tuple[bool, str, str]:
        """Whether we ourselves are meant, else the host; and the path with its query."""
        if method == "CONNECT":
            return False, target.rpartition(":")[0].lower(), ""
        if target.startswith("/"):  # addressed to us, unless a test resolved a host's name to us
            target = f"http://{headers.get('host', '')}{target}"
        parts = urlsplit(target)
        host = (parts.hostname or "").lower().rstrip(".")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        own = host not in self.web.hosts and (host in (self.host, "localhost", "") or parts.port == self.port)
        return own, host, path

    def _own(self, target: str) -> _Reply:
        path, _, query = target.partition("?")
        parameters = dict(parse_qsl(query, keep_blank_values=True))
        if path.rstrip("/") == "/search" and parameters.get("format") == "json":
            answer = json.dumps(self._index.answer(parameters), ensure_ascii=False)
            return _Reply(200, answer.encode(), "application/json")
        if path.rstrip("/") == "/search":
            return _Reply(200, _as_html(self._index.answer(parameters)["results"]), "text/html; charset=utf-8")
        hosts = "\n".join(sorted(self.web.hosts))
        about = f"A miniature web. Proxy for these hosts; search at /search?q=…&format=json\n\n{hosts}\n"
        return _Reply(200 if path == "/" else 404, about.encode())

    async def _page(self, host: str, target: str) -> _Reply:
        page = self.web.find(host, target)
        rules = page or self.web.hosts[host]
        if rules.latency_ms:
            await asyncio.sleep(rules.latency_ms / 1000)
        if page is None:
            status = rules.status if rules.status and rules.status != 200 else 404
            return _Reply(status, _status_page(status), "text/html; charset=utf-8")
        if page.redirect is not None:
            status = page.status if page.status and 300 <= page.status < 400 else 302
            return _Reply(status, _status_page(status), "text/html; charset=utf-8", {"Location": page.redirect})
        body = await asyncio.to_thread(page.body, self.now())
        status = page.status or 200
        if page.file is None and not (page.drip or page.size):
            return _Reply(status, _status_page(status), "text/html; charset=utf-8")
        reply = _Reply(status, body, page.content_type_header(body))
        if page.drip:
            reply.stream = _drip(body)
        elif page.size > len(body):
            reply.stream = _padded(page, body)
        return reply


async def serve(
    folder: Path | str, host: str = "127.0.0.1", port: int = 0, ready: Callable[[MiniWeb], None] | None = None
) -> None:
    """Serve a folder until cancelled; `ready` is called once the addresses are known."""
    async with MiniWeb(folder, host=host, port=port) as web:
        if ready is not None:
            ready(web)
        await asyncio.Event().wait()


async def _send(writer: asyncio.StreamWriter, reply: _Reply, *, with_body: bool, keep: bool) -> None:
    phrase = HTTPStatus(reply.status).phrase if reply.status in HTTPStatus._value2member_map_ else "Status"
    lines = [f"HTTP/1.1 {reply.status} {phrase}", f"Content-Type: {reply.content_type}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    if reply.stream is None:
        lines.append(f"Content-Length: {len(reply.body)}")
    lines.append(f"Connection: {'keep-alive' if keep else 'close'}")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    if with_body and reply.stream is None and reply.status not in (204, 304):
        writer.write(reply.body)
    await writer.drain()
    if with_body and reply.stream is not None:
        async for piece in reply.stream:
            writer.write(piece)
            await writer.drain()


async def _drip(body: bytes) -> AsyncIterator[bytes]:
    position = 0
    while True:
        yield body[position : position + 1] or b" "
        position += 1
        await asyncio.sleep(_DRIP_SECONDS)


async def _padded(page: WebPage, body: bytes) -> AsyncIterator[bytes]:
    filler = _FILLER if page.media_type.endswith("html") else _PLAIN_FILLER
    yield body
    left = page.size - len(body)
    while left >= len(filler):
        yield filler
        left -= len(filler)
    yield b" " * left


def _status_page(status: int) -> bytes:
    phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Status"
    return f"<!doctype html><title>{status} {phrase}</title><h1>{status} {phrase}</h1>\n".encode()


def _as_html(results: list[dict[str, str]]) -> bytes:
    items = "".join(
        f'<li><a href="{escape(hit["url"])}">{escape(hit["title"])}</a> {escape(hit["content"])}</li>'
        for hit in results
    )
    return f"<!doctype html><title>Search</title><ol>{items}</ol>\n".encode()

"""Proxies on real sockets: HTTP with CONNECT, and SOCKS5, which know hosts by a table."""

from __future__ import annotations

import asyncio
import base64
import ipaddress
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Proxy:
    """`hosts`: name -> port on this machine where it really is."""

    hosts: Mapping[str, int]
    login: tuple[str, str] | None = None
    dripping: bool = False  # answers come a byte at a time
    reply: int = 0  # what a SOCKS proxy answers, 0 being success
    silent: bool = False
    port: int = 0
    asked: list[tuple[str, int]] = field(default_factory=list)  # host and port, as they were asked for
    heads: list[str] = field(default_factory=list)
    open_now: int = 0

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.heads.append(head)
        wanted = f"proxy-authorization: basic {_basic(self.login)}" if self.login else ""
        if wanted.lower() not in head.lower():
            await self._say(writer, b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
            return
        method, target, _ = head.split("\r\n")[0].split(" ")
        host, _, port = target.removeprefix("http://").split("/")[0].partition(":")
        self.asked.append((host, int(port or 80)))
        if host not in self.hosts:
            await self._say(writer, b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n")
        elif method == "CONNECT":
            await self._relay(reader, writer, self.hosts[host], b"HTTP/1.1 200 Connected\r\n\r\n", b"")
        else:
            path = "/" + target.removeprefix("http://").partition("/")[2]
            await self._relay(reader, writer, self.hosts[host], b"", head.replace(target, path, 1).encode("latin-1"))

    async def socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        methods = await reader.readexactly((await reader.readexactly(2))[1])
        if self.silent:
            await asyncio.sleep(60)
        method = 2 if self.login else 0
        await self._say(writer, bytes((5, method if method in methods else 255)))
        if self.login and method in methods:
            _, length = await reader.readexactly(2)
            name = await reader.readexactly(length)
            password = await reader.readexactly((await reader.readexactly(1))[0])
            right = (name.decode(), password.decode()) == self.login
            await self._say(writer, bytes((1, 0 if right else 1)))
            if not right:
                return
        _, _, _, kind = await reader.readexactly(4)
        if kind == 3:
            host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        else:
            host = str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))
        port = int.from_bytes(await reader.readexactly(2))
        self.asked.append((host, port))
        reply = self.reply or (0 if host in self.hosts else 4)
        answer = bytes((5, reply, 0, 3, 5)) + b"there" + b"\x00\x50"
        if reply:
            await self._say(writer, answer)
        else:
            await self._relay(reader, writer, self.hosts[host], answer, b"")

    async def _say(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        for piece in [data[i : i + 1] for i in range(len(data))] if self.dripping else [data]:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.001 if self.dripping else 0)

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int, answer: bytes, first: bytes
    ) -> None:
        there, to_there = await asyncio.open_connection("127.0.0.1", port)
        await self._say(writer, answer)
        to_there.write(first)

        async def pump(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
            while data := await source.read(65536):
                to.write(data)
                await to.drain()
            to.close()

        try:
            await asyncio.gather(pump(reader, to_there), pump(there, writer), return_exceptions=True)
        finally:
            to_there.close()


def _basic(login: tuple[str, str]) -> str:
    return base64.b64encode(":".join(login).encode()).decode()


@asynccontextmanager
async def proxy_server(kind: str, proxy: Proxy) -> AsyncIterator[Proxy]:
    """`kind`: http or socks."""
    serving = set[asyncio.Task[None]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        proxy.open_now += 1
        try:
            await (proxy.connect if kind == "http" else proxy.socks)(reader, writer)
            await reader.read()  # until the client leaves
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            proxy.open_now -= 1
            writer.close()
            serving.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in list(serving):
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await server.wait_closed()

"""An HTTP/2 server on a real TLS socket that plays scripted answers."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import h2.config
import h2.connection
import h2.events
import h2.exceptions
from tests.fakes.hostile import listening


@dataclass
class Http2Server:
    """`routes`: path -> body; a body that is None never ends, one that is an int resets the stream with that code."""

    port: int = 0
    routes: dict[str, bytes | int | None] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)  # request headers, pseudo-headers included
    connections: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        talk, pumping = _Talk(self, writer), list[asyncio.Task[None]]()
        try:
            await talk.flush()
            while data := await reader.read(65536):
                for event in talk.state.receive_data(data):
                    talk.take(event)
                await talk.flush()
                if talk.endless and not pumping:
                    pumping.append(asyncio.create_task(talk.pump()))
        except (ConnectionError, ssl.SSLError, h2.exceptions.ProtocolError):
            pass  # the client left
        finally:
            for task in pumping:
                task.cancel()
            await asyncio.gather(*pumping, return_exceptions=True)
            writer.close()


class _Talk:
    def __init__(self, server: Http2Server, writer: asyncio.StreamWriter) -> None:
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.state.initiate_connection()
        self._server, self._writer = server, writer
        self._left: dict[int, bytes] = {}
        self.endless = set[int]()

    def take(self, event: h2.events.Event) -> None:
        if isinstance(event, h2.events.RequestReceived):
            headers = dict(event.headers or [])
            self._server.asked.append(headers)
            body = self._server.routes.get(headers[":path"], b"nothing here")
            if isinstance(body, int):
                self.state.reset_stream(event.stream_id, error_code=body)
                return
            said = {":status": "200", "content-type": "text/html; charset=utf-8"} | self._server.headers
            self.state.send_headers(event.stream_id, list(said.items()))
            if body is None:
                self.endless.add(event.stream_id)
            else:
                self._left[event.stream_id] = body
        elif isinstance(event, h2.events.StreamReset):
            self._left.pop(event.stream_id, None)
            self.endless.discard(event.stream_id)
        for stream in list(self._left):
            self._send(stream)

    def _room(self, stream: int) -> int:
        return min(self.state.local_flow_control_window(stream), self.state.max_outbound_frame_size)

    def _send(self, stream: int) -> None:
        while self._left[stream] and (room := self._room(stream)):
            self.state.send_data(stream, self._left[stream][:room])
            self._left[stream] = self._left[stream][room:]
        if not self._left[stream]:
            self.state.end_stream(stream)
            del self._left[stream]

    async def pump(self) -> None:
        while self.endless:
            for stream in list(self.endless):
                self.state.send_data(stream, b"<p>more</p>" * (self._room(stream) // 11))
            await self.flush()
            await asyncio.sleep(0)

    async def flush(self) -> None:
        self._writer.write(self.state.data_to_send())
        await self._writer.drain()


@asynccontextmanager
async def http2_server(tls: ssl.SSLContext) -> AsyncIterator[Http2Server]:
    played = Http2Server()
    async with listening(played.serve, tls) as played.port:
        yield played

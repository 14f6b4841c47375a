"""HTTP/2 connections that carry one page at a time, so that a page that is cut costs no other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable
from typing import cast

import httpcore2


class OnePageConnection(httpcore2.AsyncConnectionInterface):
    """A connection of `httpcore2` (HTTP/1.1 or HTTP/2) with HTTP/1.1's manners.

    `httpcore2` neither resets an HTTP/2 stream that its reader leaves nor gives back the flow-control window of what
    still arrives for it: after 16 MB of left bodies the connection stalls for all pages on it. Two requests a host gain
    little from sharing one, so a connection that was left before the end of its page is closed, as in HTTP/1.1.
    """

    def __init__(self, inner: httpcore2.AsyncConnectionInterface) -> None:
        self._inner = inner
        self._begun = False
        self._busy = False

    async def handle_async_request(self, request: httpcore2.Request) -> httpcore2.Response:
        if self._busy:
            raise httpcore2.ConnectionNotAvailable
        self._begun = self._busy = True
        try:
            response = await self._inner.handle_async_request(request)
        except BaseException:
            await self.leave(whole=False)
            raise
        assert isinstance(response.stream, AsyncIterable)
        return httpcore2.Response(
            response.status,
            headers=response.headers,
            content=_Body(self, response.stream),
            extensions=response.extensions,
        )

    async def leave(self, *, whole: bool) -> None:
        """The page has been read, or is not wanted any more."""
        try:
            if not whole:
                await self._inner.aclose()
        finally:
            self._busy = False

    async def aclose(self) -> None:
        await self._inner.aclose()

    def info(self) -> str:
        return self._inner.info()

    def can_handle_request(self, origin: httpcore2.Origin) -> bool:
        return self._inner.can_handle_request(origin)

    def is_available(self) -> bool:
        return self._begun and not self._busy and self._inner.is_available()

    def is_connected(self) -> bool:
        return self._inner.is_connected()

    def has_expired(self) -> bool:
        return self._inner.has_expired()

    def is_idle(self) -> bool:
        return not self._busy and self._inner.is_idle()

    def is_closed(self) -> bool:
        return self._inner.is_closed()


class _Body:
    def __init__(self, connection: OnePageConnection, inner: AsyncIterable[bytes]) -> None:
        self._connection, self._inner = connection, inner
        self._chunks = cast(AsyncGenerator[bytes], aiter(inner))
        self._whole = self._left = False

    def __aiter__(self) -> _Body:
        return self

    async def __anext__(self) -> bytes:
        try:
            return await anext(self._chunks)
        except StopAsyncIteration:
            self._whole = True
            raise

    async def aclose(self) -> None:
        if self._left:
            return
        self._left = True
        try:
            await self._chunks.aclose()
            await self._inner.aclose()  # type: ignore[attr-defined]
        finally:
            await self._connection.leave(whole=self._whole)

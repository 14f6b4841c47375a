"""A lock with two lanes: who waits to write what a reader sees goes before who writes what can come later."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

IN_A_ROW = 20  # so many go first while others wait; then one of those has its turn


class Lanes:
    """`async with lanes.hold():` as an asyncio.Lock, in order of arrival within each lane."""

    def __init__(self) -> None:
        self._held, self._in_a_row = False, 0
        self._first: deque[asyncio.Future[None]] = deque()
        self._later: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def hold(self, *, later: bool = False) -> AsyncIterator[None]:
        if self._held:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            (self._later if later else self._first).append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():  # it was given to us as we left
                    self._pass_on()
                raise
        self._held = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        while self._first or self._later:
            place = self._next()
            if not place.done():
                place.set_result(None)  # and it stays held
                return
        self._held = False

    def _next(self) -> asyncio.Future[None]:
        if self._first and (not self._later or self._in_a_row < IN_A_ROW):
            self._in_a_row += 1
            return self._first.popleft()
        self._in_a_row = 0
        return self._later.popleft()

"""A provider that failed for a while is left alone for that while, and says so at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Literal

from answerable.errors import SearchError
from answerable.protocols import Clock, SearchProvider
from answerable.providers.search.http import utc_now
from answerable.types import Focus, Freshness, SearchResult

_RESTS: dict[str, float] = {"rate_limited": 60, "quota": 600, "connection": 60}  # seconds, when nothing was told
_LONGEST = 3600.0
_SILENT = 30.0  # seconds for a provider that twice running did not answer in time, doubled each time it goes on so
_LONGEST_SILENCE = 300.0


class Resting:
    """Wraps a provider. It rests after a refusal for the time it told, after an unreachable network for a minute.

    One that is silent is given a second chance: a slow search is no reason to leave it alone, two in a row are.
    """

    def __init__(
        self, provider: SearchProvider, *, clock: Clock = utc_now, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = provider.name
        self.scope: Literal["web", "own", "fallback"] = provider.scope
        self.provider = provider
        self.focuses, self.partial = provider.focuses, provider.partial
        self._clock, self._monotonic = clock, monotonic
        self._until = 0.0
        self._silences = 0  # time-outs in a row; searches side by side count as one
        self._silent_at = -1.0
        self._reason: SearchError | None = None

    @property
    def resting(self) -> SearchError | None:
        """Why it rests; None when it would be asked."""
        return self._reason if self._monotonic() < self._until else None

    async def search(
        self,
        query: str,
        *,
        limit: int,
        freshness: Freshness,
        focus: Focus,
        locale: str,
        domains: tuple[str, ...] = (),
    ) -> list[SearchResult]:
        if (reason := self.resting) is not None:
            raise self._rest(reason)
        began = self._monotonic()
        try:
            found = await self.provider.search(
                query, limit=limit, freshness=freshness, focus=focus, locale=locale, domains=domains
            )
        except SearchError as failure:
            self._failed(failure, began)
            raise
        self._silences = 0
        return found

    def _failed(self, failure: SearchError, began: float) -> None:
        if failure.cause == "timeout":
            if began > self._silent_at:
                self._silences += 1
                self._silent_at = self._monotonic()
            if self._silences < 2:
                return
            rest = min(_SILENT * 2 ** (self._silences - 2), _LONGEST_SILENCE)
        elif failure.cause in _RESTS:
            told = failure.retry_after if failure.retry_after is not None else _RESTS[failure.cause]
            rest = min(told, _LONGEST)
        else:
            return
        self._until = max(self._until, self._monotonic() + rest)
        self._reason = failure

    async def aclose(self) -> None:
        close = getattr(self.provider, "aclose", None)
        if close is not None:
            await close()

    def _rest(self, reason: SearchError) -> SearchError:
        left = self._until - self._monotonic()
        until = (self._clock() + timedelta(seconds=left)).astimezone()
        message = reason.message.removeprefix(f"{self.name}: ")
        return SearchError(
            self.name,
            reason.cause,
            f"{message}; it is not asked again until {until:%H:%M:%S}",
            hint=reason.hint,
            retry_after=left,
        )

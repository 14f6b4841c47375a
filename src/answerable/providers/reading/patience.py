"""Hosts that asked not to be asked: which, and until when."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from answerable.providers.headers import retry_after
from answerable.providers.reading.guard import Refused

BUSY = {429, 503}
_LONGEST = 3600.0  # a host that says more is asked again after this: clocks and templates are wrong more often
_UNSAID = {429: 30.0, 503: 5.0}  # seconds for a host that does not say; 503 is often one page's fault alone
_MAX_HOSTS = 2000


@dataclass(frozen=True, slots=True)
class Pause:
    status: int
    until: float  # by the patience's clock
    said: bool  # the host gave the time itself


class Patience:
    """`Retry-After` (RFC 9110, 10.2.3) of 429 and 503, by host and port, for all who fetch through one door."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._clock, self._now = clock, now
        self._pauses: OrderedDict[str, Pause] = OrderedDict()

    def check(self, host: str) -> None:
        """Raises Refused while the host is not to be asked."""
        pause = self._pauses.get(host)
        if pause is None:
            return
        left = pause.until - self._clock()
        if left <= 0:
            del self._pauses[host]
            return
        until = (self._now() + timedelta(seconds=left)).strftime("%H:%M:%S UTC")
        asked = "asked not to be asked again before" if pause.said else "is left alone until"
        message = f"{host} answered {pause.status} and {asked} {until}"
        raise Refused("http_error", message, http_status=pause.status)

    def note(self, host: str, status: int, headers: Mapping[str, str]) -> float | None:
        """Remembers an answer; returns the seconds the host asked for, if it did."""
        if status not in BUSY:
            return None
        said = retry_after(headers, self._now())
        seconds = min(_LONGEST, said if said is not None else _UNSAID[status])
        until = max(self._clock() + seconds, self._until(host))
        self._pauses[host] = Pause(status, until, said is not None)
        self._pauses.move_to_end(host)
        while len(self._pauses) > _MAX_HOSTS:
            self._pauses.popitem(last=False)
        return said

    def forget(self, host: str) -> None:
        """It answered as hosts should."""
        self._pauses.pop(host, None)

    def _until(self, host: str) -> float:
        pause = self._pauses.get(host)
        return pause.until if pause else 0.0

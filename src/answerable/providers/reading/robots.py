"""What robots.txt allows, as RFC 9309 says, remembered for a day."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from protego import Protego

AGENT = "Answerable"  # the product token that robots.txt groups are matched with
MAX_BYTES = 500 * 1024  # RFC 9309, 2.5: parse at least 500 KiB; the rest is not read
_DAY = 24 * 3600.0  # 2.4: no longer than a day
_SHORT = 300.0  # a host that failed to answer is asked again sooner
_MAX_ORIGINS = 2000


@dataclass(frozen=True, slots=True)
class Rules:
    """Either a parsed file, or one word for all paths."""

    parsed: Protego | None = None
    all_paths: bool = True
    reason: str = "robots.txt"

    def allow(self, url: str, agent: str = AGENT) -> bool:
        return self.parsed.can_fetch(url, agent) if self.parsed is not None else self.all_paths


ALLOW_ALL = Rules()


def parse_rules(body: bytes) -> Rules:
    # 2.3.1.5: anything that can be parsed is used, whatever stands around it.
    return Rules(Protego.parse(body[:MAX_BYTES].decode("utf-8-sig", "replace")))


def rules_for(status: int, body: bytes) -> Rules:
    """2.3.1: no such file (4xx) allows everything; a server error (5xx) forbids everything."""
    if 200 <= status < 300:
        return parse_rules(body)
    if status >= 500:
        return Rules(None, all_paths=False, reason=f"robots.txt answered {status}, which closes the site")
    return ALLOW_ALL


class RulesCache:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, Rules]] = OrderedDict()

    def get(self, origin: str) -> Rules | None:
        expires, rules = self._held.get(origin, (0.0, None))
        if rules is None or expires <= self._clock():
            return None
        self._held.move_to_end(origin)
        return rules

    def put(self, origin: str, rules: Rules, *, certain: bool = True) -> None:
        """`certain` is False for what was assumed because the file did not arrive."""
        self._held[origin] = (self._clock() + (_DAY if certain and rules.all_paths else _SHORT), rules)
        while len(self._held) > _MAX_ORIGINS:
            self._held.popitem(last=False)

"""How often one may ask: a bucket a name, in this process."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

KEPT = 20_000  # buckets; beyond that the full ones, which limit nobody, are dropped


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimiter:
    """Token buckets: `per_minute` at once, refilled evenly. What one process counts another does not know."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, int], _Bucket] = {}

    def take(self, name: str, per_minute: int) -> int:
        """0 when `name` may go on, else the whole seconds to wait. `per_minute` 0 limits nothing."""
        if per_minute <= 0:
            return 0
        now = self._clock()
        bucket = self._buckets.get((name, per_minute))
        if bucket is None:
            if len(self._buckets) >= KEPT:
                self._drop_full(now)
            bucket = self._buckets[name, per_minute] = _Bucket(float(per_minute), now)
        bucket.left = min(float(per_minute), bucket.left + (now - bucket.at) * per_minute / 60)
        bucket.at = now
        if bucket.left >= 1:
            bucket.left -= 1
            return 0
        return max(1, math.ceil((1 - bucket.left) * 60 / per_minute))

    def _drop_full(self, now: float) -> None:
        full = [key for key, bucket in self._buckets.items() if bucket.left + (now - bucket.at) * key[1] / 60 >= key[1]]
        for key in full or list(self._buckets)[: KEPT // 2]:
            del self._buckets[key]

"""How long each stage took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """`with watch("reading"): …` adds to that stage; `timings` has milliseconds a stage and `total`."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self._stages[stage] = self._stages.get(stage, 0.0) + (time.perf_counter() - began) * 1000

    @property
    def timings(self) -> dict[str, float]:
        total = (time.perf_counter() - self._began) * 1000
        return {stage: round(spent, 1) for stage, spent in {**self._stages, "total": total}.items()}

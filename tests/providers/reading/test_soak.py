"""A hundred fetches against every fault: what they are told, and that nothing is left of them."""

from __future__ import annotations

from tests.fakes.faults import FAULTS
from tests.fakes.soaking import soak


async def test_a_hundred_hostile_fetches_end_as_they_should_and_leave_nothing() -> None:
    soaked = await soak(100, timeout=0.4)

    assert len(FAULTS) < soaked.fetches == 100
    assert soaked.wrong == []
    assert (soaked.tasks_left, soaked.files_left) == (0, 0)

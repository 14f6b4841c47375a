"""The lock before the one writer of SQLite."""

from __future__ import annotations

import asyncio

from answerable.storage.lanes import IN_A_ROW, Lanes


async def order_of(lanes: Lanes, *asked: tuple[str, bool]) -> list[str]:
    """In which order those get the lock who ask for it while it is held."""
    got: list[str] = []

    async def ask(name: str, later: bool) -> None:
        async with lanes.hold(later=later):
            got.append(name)
            await asyncio.sleep(0)

    async with lanes.hold():
        tasks = [asyncio.create_task(ask(name, later)) for name, later in asked]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return got


async def test_what_can_wait_waits_for_what_cannot() -> None:
    asked = [("page", True), ("event 1", False), ("page 2", True), ("event 2", False)]

    assert await order_of(Lanes(), *asked) == ["event 1", "event 2", "page", "page 2"]


async def test_what_can_wait_does_not_wait_for_ever() -> None:
    events = [(f"event {number}", False) for number in range(2 * IN_A_ROW)]

    assert (await order_of(Lanes(), ("page", True), *events)).index("page") == IN_A_ROW


async def test_one_who_leaves_passes_the_lock_on() -> None:
    lanes = Lanes()

    async def hold() -> None:
        async with lanes.hold():
            pass

    async with lanes.hold():
        leaving, staying = asyncio.create_task(hold()), asyncio.create_task(hold())
        await asyncio.sleep(0)
        leaving.cancel()
    await asyncio.wait_for(staying, 30)
    first, second = asyncio.create_task(hold()), asyncio.create_task(hold())
    async with lanes.hold():
        await asyncio.sleep(0)
    first.cancel()  # the lock is its own already
    await asyncio.wait_for(asyncio.gather(first, second, return_exceptions=True), 30)
    again = asyncio.create_task(hold())
    await asyncio.wait({again}, timeout=5)

    assert leaving.cancelled()
    assert not staying.cancelled()
    assert not second.cancelled()
    assert again.done(), "nobody holds the lock any more"

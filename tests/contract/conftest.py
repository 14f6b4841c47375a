"""What the contract suites share: the servers of fake search vendors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from tests.fakes.search_vendors import CASES, Asked, Start, provider
from tests.fakes.vendor import Reply, vendor


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    async with AsyncExitStack() as stack:

        async def start(name: str, *replies: Reply, **options: Any) -> Asked:
            server = await stack.enter_async_context(vendor(*replies))
            asked = provider(name, server.url, **options)
            stack.push_async_callback(asked.aclose)
            return Asked(server, asked, CASES[name].focus if name in CASES else "academic")

        yield start

"""Runs an ASGI application on a real socket, in a thread with its own event loop."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn


@dataclass(frozen=True)
class Served:
    """A running web application whose engine changes from test to test, since starting one takes longer than most."""

    app: Any
    address: str

    @contextmanager
    def using(self, engine: Any) -> Iterator[str]:
        former, self.app.state.engine = self.app.state.engine, engine
        try:
            yield self.address
        finally:
            self.app.state.engine = former


@contextmanager
def serving(make_app: Callable[[], Any]) -> Iterator[str]:
    """The application, made inside the serving loop, at the address that is yielded."""
    listening = socket.create_server(("127.0.0.1", 0))
    ready, box = threading.Event(), {}

    async def main() -> None:
        config = uvicorn.Config(
            make_app(), log_level="error", lifespan="off", proxy_headers=False, timeout_graceful_shutdown=1
        )
        server = box["server"] = uvicorn.Server(config)
        serve = asyncio.create_task(server._serve([listening]))
        while not server.started:  # noqa: ASYNC110 (uvicorn offers no event to wait for)
            await asyncio.sleep(0.005)
        ready.set()
        await serve
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
    thread.start()
    if not ready.wait(60):
        raise RuntimeError("the server did not start")
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        box["server"].should_exit = True
        thread.join(60)
        listening.close()


@asynccontextmanager
async def serving_here(app: Any) -> AsyncIterator[str]:
    """The application on a real socket, served by the test's own loop."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(app, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        serve = asyncio.create_task(server._serve([listening]))
        while not server.started:  # noqa: ASYNC110 (uvicorn offers no event to wait for)
            await asyncio.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serve

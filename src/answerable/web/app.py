"""The web door: the application, and the server that runs it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from answerable.errors import SettingsError
from answerable.web import api, openai_api, pages, problems, search_api
from answerable.web.access import LOCAL_HOSTS, AccessMiddleware, is_local
from answerable.web.ports import AnswerEngine
from answerable.web.sse import PING_SECONDS

MAX_BODY = 2_000_000  # bytes of a request; the longest text to verify has 200,000 characters, as JSON 6 bytes each


def create_app(
    engine: AnswerEngine,
    *,
    token: str | None = None,
    allowed_hosts: Iterable[str] = LOCAL_HOSTS,
    ping: float = PING_SECONDS,
) -> FastAPI:
    """The application over an open engine. With `token`, every request but the probes must prove it."""
    app = _Guarded(
        {"token": token, "allowed_hosts": allowed_hosts, "max_body": MAX_BODY},
        title="Answerable",
        version=engine.about().version,
        summary="Answers whose every citation was checked against the page it came from.",
        docs_url=None,  # the framework's page loads scripts from another host; ours is in pages.py
        redoc_url=None,
        max_body_size=MAX_BODY,
    )
    app.state.engine, app.state.ping, app.state.token = engine, ping, token or None
    app.state.closing = asyncio.Event()
    app.include_router(api.router)
    app.include_router(search_api.router)
    app.include_router(openai_api.router)
    app.include_router(api.probes)
    pages.install(app)
    problems.install(app)
    return app


class _Guarded(FastAPI):
    """Guarded from the outside: what the framework sends by itself, for a failure or a body too large, passes too."""

    def __init__(self, guard: dict[str, Any], **options: Any) -> None:
        self._guard = guard
        super().__init__(**options)

    def build_middleware_stack(self) -> ASGIApp:
        return AccessMiddleware(super().build_middleware_stack(), **self._guard)


def check_listening(host: str, token: str | None) -> None:
    """Raises SettingsError when strangers could reach a server that asks for no token."""
    if not is_local(host) and not token:
        raise SettingsError(
            [f"host {host!r} can be reached from other machines: set ANSWERABLE_TOKEN, or listen on 127.0.0.1."]
        )


async def serve(
    engine: AnswerEngine,
    host: str = "127.0.0.1",
    port: int = 8765,
    *,
    token: str | None = None,
    allowed_hosts: Iterable[str] = (),
    started: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve until told to stop by SIGINT or SIGTERM; `started` is called with the address once it listens.

    Raises SettingsError when the address cannot be used. Streams under way get a moment to end; runs are not theirs.
    """
    check_listening(host, token)
    # Whoever reaches a server with a token must know the token, under whatever name they found it.
    hosts = [*LOCAL_HOSTS, *allowed_hosts] if is_local(host) or allowed_hosts else ["*"]
    listening = _listen(host, port)
    app = create_app(engine, token=token, allowed_hosts=hosts)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=3,
    )
    shown = f"[{host}]" if ":" in host else host
    with listening:
        started(f"http://{shown}:{listening.getsockname()[1]}/")
        await _Server(config, on_exit=app.state.closing.set).serve(sockets=[listening])


class _Server(uvicorn.Server):
    """Tells the streams that it is closing; without that it would wait for them, then cut them off."""

    def __init__(self, config: uvicorn.Config, *, on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._loop, self._on_exit = asyncio.get_running_loop(), on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._loop.call_soon_threadsafe(self._on_exit)
        super().handle_exit(sig, frame)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family)
    except OSError as error:
        raise SettingsError([f"cannot listen on {host}:{port}: {_reason(error)}. Set another port."]) from None


def _reason(error: OSError) -> str:
    """In the system's words; the library adds the address to them, which stands before already."""
    return os.strerror(error.errno) if error.errno else str(error)

"""The web door: the application, and the server that runs it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from answerable.errors import SettingsError
from answerable.schemas import Problem
from answerable.types import Token
from answerable.web import (
    api,
    history_api,
    history_pages,
    index_api,
    offline,
    openai_api,
    owning_pages,
    pages,
    parts_api,
    problems,
    search_api,
)
from answerable.web.access import ANY_ADDRESS, LOCAL_HOSTS, AccessMiddleware, Rules, is_local
from answerable.web.callers import Gate
from answerable.web.forwarded import ForwardedMiddleware
from answerable.web.limits import RateLimiter
from answerable.web.owned import Budgets
from answerable.web.ports import AnswerEngine
from answerable.web.sse import PING_SECONDS

MAX_BODY = 2_000_000  # bytes of a request; the longest text to verify has 200,000 characters, as JSON 6 bytes each

RULES = Rules()  # closed: no other origins, no proxy believed


def create_app(
    engine: AnswerEngine,
    *,
    token: str | None = None,
    allowed_hosts: Iterable[str] = LOCAL_HOSTS,
    rules: Rules = RULES,
    ping: float = PING_SECONDS,
    instead: ASGIApp | None = None,
) -> FastAPI:
    """The application over an open engine. With `token`, or where `rules` say so, every request but the probes must
    prove that token or one that the admin gave out. `instead`: what is guarded in the place of the page and the API."""
    gate = Gate(token, needed=rules.token_needed)
    app = _Guarded(
        {"gate": gate, "allowed_hosts": allowed_hosts, "rules": rules, "max_body": MAX_BODY},
        title="Answerable",
        version=engine.about().version,
        summary="Answers whose every citation was checked against the page it came from.",
        docs_url=None,  # the framework's page loads scripts from another host; ours is in pages.py
        redoc_url=None,
        max_body_size=MAX_BODY,
    )
    app.state.engine, app.state.ping, app.state.gate = engine, ping, gate
    app.state.budgets = Budgets(rules.daily_budget, rules.daily_tokens)
    app.state.tests = RateLimiter()
    app.state.closing = asyncio.Event()
    problems.install(app)
    if instead is not None:
        app.mount("/", instead)
        return app
    app.include_router(api.router)
    app.include_router(history_api.router)
    app.include_router(index_api.router)
    app.include_router(parts_api.router)
    app.include_router(search_api.router)
    app.include_router(openai_api.router)
    app.include_router(api.probes)
    app.include_router(history_pages.router)
    app.include_router(offline.router)
    app.include_router(owning_pages.router)
    pages.install(app)
    return app


class _Guarded(FastAPI):
    """Guarded from the outside: what the framework sends by itself, for a failure or a body too large, passes too."""

    def __init__(self, guard: dict[str, Any], **options: Any) -> None:
        self._guard = guard
        super().__init__(**options)

    def openapi(self) -> dict[str, Any]:
        """With the schema of problem details, which every route may answer with."""
        described = super().openapi()
        schemas = described.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("Problem", Problem.model_json_schema())
        return described

    def build_middleware_stack(self) -> ASGIApp:
        rules: Rules = self._guard["rules"]
        guarded = AccessMiddleware(super().build_middleware_stack(), **self._guard)
        return ForwardedMiddleware(guarded, base_path=rules.base_path, proxies=rules.trusted_proxies)


def check_listening(host: str, token: str | None, given: Sequence[Token] = ()) -> None:
    """Raises SettingsError when strangers could reach a server that asks for no token. `given`: those given out."""
    now = datetime.now(UTC)
    usable = [one for one in given if one.revoked_at is None and (one.expires_at is None or one.expires_at > now)]
    if not is_local(host) and not token and not usable:
        raise SettingsError(
            [
                f"host {host!r} can be reached from other machines: set ANSWERABLE_TOKEN, make a token with "
                "`answerable token create`, or listen on 127.0.0.1."
            ]
        )


async def serve(
    engine: AnswerEngine,
    host: str = "127.0.0.1",
    port: int = 8765,
    *,
    token: str | None = None,
    allowed_hosts: Iterable[str] = (),
    rules: Rules = RULES,
    started: Callable[[str], None] = lambda address: None,
    instead: ASGIApp | None = None,
) -> None:
    """Serve until told to stop by SIGINT or SIGTERM; `started` is called with the address once it listens.

    Raises SettingsError when the address cannot be used. Streams under way get a moment to end; runs are not theirs.
    """
    check_listening(host, token, await engine.tokens.all())
    hosts = [*LOCAL_HOSTS, *allowed_hosts]
    if not is_local(host):  # a page that rebinds its own name cannot write it as a number
        hosts += [ANY_ADDRESS, socket.gethostname(), host]
        rules = replace(rules, token_needed=True)
    listening = _listen(host, port)
    app = create_app(engine, token=token, allowed_hosts=hosts, rules=rules, instead=instead)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # forwarded.py judges them; uvicorn would believe whoever is on this machine
        lifespan="off",
        timeout_graceful_shutdown=3,
    )
    shown = f"[{host}]" if ":" in host else host
    with listening:
        started(f"http://{shown}:{listening.getsockname()[1]}{rules.base_path}/")
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

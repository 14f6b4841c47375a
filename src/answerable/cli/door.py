"""Where a command's work is done: by an engine on this machine, or by a server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from answerable.config import address, load_settings
from answerable.errors import BadRequest
from answerable.wiring import Engine

if TYPE_CHECKING:
    from answerable.client import Client

Server = Annotated[
    str | None, typer.Option(help="Address of a server that does the work, such as http://localhost:8765.")
]
ServerToken = Annotated[str | None, typer.Option("--token", help="Token for that server (default: ANSWERABLE_TOKEN).")]


@asynccontextmanager
async def opened(
    server: str | None, token: str | None, settings: Mapping[str, object] | None = None
) -> AsyncIterator[Engine | Client]:
    """Raises BadRequest for an address that is none."""
    if server is None:
        async with Engine.from_settings(settings) as engine:
            yield engine
        return
    from answerable.client import Client

    try:
        place = address(server)
    except ValueError as fault:
        raise BadRequest(f"--server {server!r}: {fault}") from None
    async with Client(place, token=token or load_settings().token or None) as client:
        yield client

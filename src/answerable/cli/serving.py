"""`serve`, `doctor` and `settings`: for those who run it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Annotated, Any

import typer
from rich.table import Column, Table
from rich.text import Text

from answerable.cli.terminal import DataDir, Json, app, err, out, run
from answerable.config import ROWS, environment_name, load_settings, shown_value
from answerable.errors import SettingsError
from answerable.wiring import VERSION, Engine


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; beyond localhost a token is needed.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the page and the HTTP API."""
    from answerable.web.access import is_local

    async def work() -> None:
        async with Engine.from_settings({"host": host, "port": port, "data_dir": data_dir}) as engine:
            settings = engine.settings
            proxied = bool(settings.hosts or settings.base_path or settings.trusted_proxies)
            engine.begin_warm_up()

            def started(address: str) -> None:
                out.print(f"Answerable {VERSION}: open {address} and ask. Ctrl+C stops.")
                if status := engine.web_status():
                    out.print(Text(status, style="yellow"))
                if proxied and is_local(settings.host) and not settings.token:
                    out.print(Text("No token is set: whoever the proxy lets in sees everything.", style="yellow"))

            await _listen(engine, started)

    run(work())


@app.command("mcp")
def serve_mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP, at /mcp; left out, standard input and output.")
    ] = False,
    host: Annotated[str | None, typer.Option(help="Address to listen on; beyond localhost a token is needed.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the tools ask, search, read_page and verify to programs that speak MCP."""
    try:
        from answerable import mcp as door
    except ImportError as fault:
        raise SettingsError(
            [f"the MCP server needs the extra `mcp` ({fault}): pip install 'answerable[mcp]'"]
        ) from None

    async def work() -> None:
        async with Engine.from_settings({"host": host, "port": port, "data_dir": data_dir}) as engine:
            engine.begin_warm_up()
            if not http:
                await door.serve_stdio(engine, version=VERSION)
                return
            tools, opened = door.http_app(lambda scope: scope["engine"], version=VERSION)
            async with opened():
                await _listen(engine, lambda address: err.print(f"MCP at {address}mcp (Ctrl+C stops)"), instead=tools)

    run(work())


async def _listen(engine: Engine, started: Callable[[str], None], *, instead: Any = None) -> None:
    """Serves as the settings say."""
    from answerable.web.access import Rules
    from answerable.web.app import serve

    settings = engine.settings
    await serve(
        engine,
        settings.host,
        settings.port,
        token=settings.token or None,
        allowed_hosts=settings.hosts,
        rules=Rules(**{row.name: getattr(settings, row.name) for row in fields(Rules) if row.name in ROWS}),
        started=started,
        instead=instead,
    )


@app.command()
def doctor(as_json: Json = False) -> None:
    """Test each part, and name the cure for what does not work."""

    async def work() -> list[dict[str, object]]:
        async with Engine.from_settings() as engine:
            return [
                {"part": "data folder", "ok": True, "detail": str(engine.folder), "cure": "", "needed": True},
                *(asdict(finding) for finding in await engine.examine()),
            ]

    findings = run(work())
    if as_json:
        for finding in findings:
            print(json.dumps(finding, ensure_ascii=False))
    else:
        table = Table("Part", "", "What was found", "What to do", box=None, pad_edge=False)
        for finding in findings:
            mark = Text("ok", style="green") if finding["ok"] else Text("no", style="red")
            table.add_row(str(finding["part"]), mark, Text(str(finding["detail"])), Text(str(finding["cure"])))
        out.print(table)
    if not all(finding["ok"] for finding in findings if finding["needed"]):
        raise SystemExit(1)


@app.command("settings")
def show_settings() -> None:
    """Every setting with its value; secrets are never shown."""
    settings = load_settings()
    columns = Column("Setting", no_wrap=True), Column("Value", overflow="fold")  # nothing of either is left out
    table = Table(*columns, "What it does", box=None, pad_edge=False)
    for name, row in ROWS.items():
        table.add_row(environment_name(name), Text(shown_value(name, settings)), Text(row.metadata["help"]))
    out.print(table)

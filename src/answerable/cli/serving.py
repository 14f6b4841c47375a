"""`serve`, `doctor` and `settings`: for those who run it."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from answerable.cli.terminal import DataDir, Json, app, out, run
from answerable.config import ROWS, environment_name, load_settings, shown_value
from answerable.wiring import VERSION, Engine


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; beyond localhost a token is needed.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the page and the HTTP API."""
    from answerable.web.access import Rules, is_local
    from answerable.web.app import serve as serve_web

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

            await serve_web(
                engine,
                settings.host,
                settings.port,
                token=settings.token or None,
                allowed_hosts=settings.hosts,
                rules=Rules(**{row.name: getattr(settings, row.name) for row in fields(Rules) if row.name in ROWS}),
                started=started,
            )

    run(work())


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
    table = Table("Setting", "Value", "What it does", box=None, pad_edge=False)
    for name, row in ROWS.items():
        table.add_row(environment_name(name), Text(shown_value(name, settings)), Text(row.metadata["help"]))
    out.print(table)

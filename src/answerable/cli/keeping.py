"""`export`, `import` and `prune`: conversations taken along, brought in, cleared away."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from answerable.answering.exporting import FORMATS
from answerable.cli.terminal import DataDir, app, err, one_of, out, run
from answerable.errors import BadRequest
from answerable.text.telling import counted
from answerable.wiring import Engine

_AGE = re.compile(r"(\d{1,5})\s*(h|d|w)?")
_HOURS = {"h": 1, "d": 24, "w": 168, None: 24}


@app.command()
def export(
    conversation: Annotated[str, typer.Argument(help="Id of a conversation.")],
    format: Annotated[str, typer.Option(help="markdown, json or html.")] = "markdown",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; else standard output.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Write a conversation with its sources, quotes and verdicts."""
    make, _, _ = FORMATS[one_of(format, "--format", tuple(FORMATS))]

    async def work() -> str:
        async with Engine.from_settings({"data_dir": data_dir}) as engine:
            return make(await engine.export(conversation))

    text = run(work())
    if output is None:
        print(text, end="")
        return
    try:
        output.write_text(text, "utf-8", errors="replace")
    except OSError as fault:
        raise BadRequest(f"{output} cannot be written: {fault.strerror}", hint="Name another file.") from None


@app.command("import")
def bring_in(
    file: Annotated[Path, typer.Argument(help="A conversation that was exported as JSON.")], data_dir: DataDir = None
) -> None:
    """Bring in an exported conversation, under a new id."""
    try:
        body = file.read_bytes()
    except OSError as fault:
        raise BadRequest(f"{file} cannot be read: {fault.strerror}", hint="Name another file.") from None

    async def work() -> str:
        async with Engine.from_settings({"data_dir": data_dir}) as engine:
            found = await engine.bring_in(body)
            return f"{found.id}: {found.title}"

    out.print(Text(run(work())))


@app.command()
def prune(
    failed_older_than: Annotated[str, typer.Option(help="Age of failed attempts, such as 30d, 12h or 2w.")] = "30d",
    data_dir: DataDir = None,
) -> None:
    """Clear away attempts that failed long ago; finished answers stay."""
    age = _AGE.fullmatch(failed_older_than.strip().lower())
    if age is None:
        raise BadRequest(f"--failed-older-than {failed_older_than!r}: expected an age such as 30d, 12h or 2w")
    limit = timedelta(hours=int(age[1]) * _HOURS[age[2]])

    async def work() -> int:
        async with Engine.from_settings({"data_dir": data_dir}) as engine:
            return await engine.history.prune(failed_before=engine.clock() - limit)

    err.print(f"{counted(run(work()), 'failed attempt')} cleared away")

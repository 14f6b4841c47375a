"""The `answerable` command. With `--json`, stdout holds only JSON; progress goes to stderr."""

from __future__ import annotations

import contextlib
import logging
import sys
from typing import Annotated

import typer
from rich.text import Text

from answerable.cli import asking, keeping, measuring, owning, reading, serving, tokens
from answerable.cli.terminal import app, err
from answerable.config import keep_quiet
from answerable.errors import AnswerableError
from answerable.wiring import VERSION

__all__ = ["app", "asking", "keeping", "main", "measuring", "owning", "reading", "serving", "tokens"]


def main() -> None:
    """Errors shown to people end in one line and a hint; a fault of ours ends in its traceback."""
    keep_quiet()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a replaced stream may lack it
    try:
        app()
    except AnswerableError as fault:
        err.print(Text(f"answerable: {fault.message}", style="red"))
        if fault.hint:
            err.print(Text(fault.hint))
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


@app.callback(invoke_without_command=True)
def options(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(VERSION)
        raise typer.Exit

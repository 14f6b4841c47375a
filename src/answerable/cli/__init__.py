"""The `answerable` command. With `--json`, stdout holds only JSON; progress goes to stderr."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sys
from typing import Annotated, NoReturn

import typer
from rich.text import Text

from answerable.cli import asking, keeping, measuring, owning, reading, serving, tokens
from answerable.cli.terminal import app, err
from answerable.config import keep_quiet
from answerable.errors import AnswerableError
from answerable.wiring import VERSION

__all__ = ["app", "asking", "keeping", "main", "measuring", "owning", "reading", "serving", "tokens"]

UNWRITABLE = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def main() -> None:
    """Errors shown to people end in one line and a hint; a fault of ours ends in its traceback."""
    keep_quiet()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a replaced stream may lack it
    try:
        _run()
    finally:
        _end_output()


def _run() -> None:
    try:
        app()
    except AnswerableError as fault:
        err.print(Text(f"answerable: {fault.message}", style="red"))
        if fault.hint:
            err.print(Text(fault.hint))
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except OSError as fault:
        if fault.errno not in UNWRITABLE or fault.filename is not None:  # of a file that is not the output
            raise
        _unwritable(fault)


def _end_output() -> None:
    """What is left of the output goes out now, where a reader that has gone or a full disk can still be told."""
    try:
        sys.stdout.flush()
    except OSError as fault:
        _unwritable(fault)
    except ValueError:  # closed already
        pass


def _unwritable(fault: OSError) -> NoReturn:
    with contextlib.suppress(OSError, ValueError):  # else the interpreter tries again at its end, and complains
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if fault.errno != errno.EPIPE:  # whoever closes a pipe has seen enough
        err.print(Text(f"answerable: the output cannot be written: {fault.strerror}", style="red"))
    raise SystemExit(1) from None


@app.callback(invoke_without_command=True)
def options(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(VERSION)
        raise typer.Exit

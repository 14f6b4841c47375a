"""What all commands share: the Typer apps, the two consoles and the common options."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from answerable.errors import BadRequest

T = TypeVar("T")
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="An answer engine whose every citation was checked against the page it came from.",
)
evals = typer.Typer(no_args_is_help=True, help="Measure answers.")
index = typer.Typer(no_args_is_help=True, help="Your own pages, searched beside the web.")
collection = typer.Typer(no_args_is_help=True, help="The built-in pages that an install without a web answers from.")
tokens = typer.Typer(no_args_is_help=True, help="Who may ask a server that others can reach.")
app.add_typer(tokens, name="token")
app.add_typer(evals, name="eval")
app.add_typer(index, name="index")
app.add_typer(collection, name="collection")
out, err = Console(highlight=False), Console(stderr=True, highlight=False)

Json = Annotated[bool, typer.Option("--json", help="Only JSON on standard output.")]
DataDir = Annotated[Path | None, typer.Option(help="Folder of all that is kept.")]


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def one_of(value: str | None, option: str, known: tuple[str, ...]) -> Any:
    if value is not None and value not in known:
        raise BadRequest(f"{option} {value!r}: expected one of {', '.join(known)}")
    return value

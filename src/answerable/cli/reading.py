"""`read`, `verify` and `recheck`: single pages and what they bear out."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from answerable.answering.rechecking import Recheck, exported_turns
from answerable.answering.verifying import Verification
from answerable.cli.door import Server, ServerToken, opened
from answerable.cli.terminal import Json, app, err, out, run
from answerable.errors import BadRequest, ReadError
from answerable.schemas import PAGE
from answerable.types import Cut, Page
from answerable.wiring import Engine

_CUT: dict[Cut, str] = {"size": "it is too long", "time": "it took too long", "connection": "the connection broke"}
LEAVE_OUT = "For a file of this machine, leave --server out."


@app.command()
def read(
    targets: Annotated[list[str], typer.Argument(help="Addresses or files.")],
    as_json: Json = False,
    server: Server = None,
    token: ServerToken = None,
) -> None:
    """What the reader makes of pages: one JSON line each with --json."""
    failed = False

    async def work() -> None:
        nonlocal failed
        async with opened(server, token) as door:
            for target in targets:
                try:
                    page = await door.read(target)
                except ReadError as fault:
                    failed = True
                    _show_unread(target, fault, as_json)
                else:
                    _show_page(target, page, as_json)

    run(work())
    if failed:
        raise SystemExit(1)


@app.command()
def verify(
    claim: Annotated[str, typer.Argument(help="The sentence to verify.")],
    source: Annotated[str, typer.Argument(help="Address or file of the page.")],
    as_json: Json = False,
    server: Server = None,
    token: ServerToken = None,
) -> None:
    """Does a page support a claim? Exit code 1 when it does not."""

    async def work() -> Verification:
        async with opened(server, token) as door:
            return await door.verify(claim, source)

    found = run(work())
    if as_json:
        print(json.dumps(asdict(found), ensure_ascii=False))
    else:
        out.print(Text(f"{found.verdict} ({found.score:.2f}) {found.reason}".rstrip(), style="bold"))
        for quote in found.quotes:
            out.print(Text(f"“{' '.join(quote.text.split())}”\n{quote.link or found.url}"))
    if found.verdict != "supported":
        raise SystemExit(1)


@app.command()
def recheck(
    conversation: Annotated[str, typer.Argument(help="Id of a conversation, or a file with its JSON.")],
    as_json: Json = False,
    server: Server = None,
    token: ServerToken = None,
) -> None:
    """Read the cited pages again: which citations still hold? Exit code 1 when one does not."""

    file = Path(conversation)
    exported = exported_turns(file.read_bytes(), conversation) if file.is_file() else None

    async def work() -> list[Recheck]:
        async with opened(server, token) as door:
            if not isinstance(door, Engine):
                if exported is not None:
                    raise BadRequest("a server rechecks what it keeps, by the conversation's id", hint=LEAVE_OUT)
                return await door.recheck(conversation)
            turns = exported if exported is not None else (await door.store.conversation(conversation)).turns
            return await door.recheck(turns)

    findings = run(work())
    for finding in findings:
        if as_json:
            print(json.dumps(asdict(finding), ensure_ascii=False))
        else:
            detail = f" ({finding.detail})" if finding.detail else ""
            out.print(Text(f"{finding.fate:<8} [{finding.n}] {finding.sentence}\n         {finding.url}{detail}"))
    if any(finding.fate in {"changed", "gone"} for finding in findings):
        raise SystemExit(1)


def _show_unread(target: str, fault: ReadError, as_json: bool) -> None:
    if as_json:
        print(_line({"url": target, "file": _file(target), "cause": fault.cause, "message": fault.message}))
    else:
        err.print(Text(f"{target}: {fault.cause.replace('_', ' ')}: {fault.message}", style="red"))


def _show_page(target: str, page: Page, as_json: bool) -> None:
    if as_json:
        print(_line({**PAGE.dump_python(page, mode="json"), "file": _file(target)}))
        return
    out.print(Text(page.title, style="bold"))
    facts = [page.kind, *filter(None, (page.author, page.language))]
    facts += [f"only the beginning was read ({_CUT[page.cut]})"] if page.cut else []
    facts += [f"{name} {moment:%Y-%m-%d}" for name in ("published", "modified") if (moment := getattr(page, name))]
    out.print(Text("  ".join([page.url, *facts]), style="dim"))
    out.print(Text(page.text))
    for image in page.images:
        out.print(Text(f"image: {image.caption or image.alt}  {image.url}", style="dim"))


def _file(target: str) -> str | None:
    return None if "://" in target else target


def _line(record: dict[str, object]) -> str:
    """One line for every reader: also for those that take U+2028, U+2029 and U+0085 for line ends."""
    line = json.dumps(record, ensure_ascii=False)
    return line.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")

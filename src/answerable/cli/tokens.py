"""`token`: who may ask a server that others can reach."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from answerable.cli.terminal import DataDir, Json, err, out, run, tokens
from answerable.errors import BadRequest
from answerable.schemas import TOKEN
from answerable.text.tokens import hash_of, new_token, session_of
from answerable.types import Spending, Token
from answerable.wiring import Engine

OWNER_CHARS = 100


@tokens.command("create")
def create(
    owner: Annotated[str, typer.Argument(help="Whose conversations it opens: a name of your choice.")],
    name: Annotated[str, typer.Option(help="What it is for, to tell it from the owner's others.")] = "",
    days: Annotated[int | None, typer.Option(min=1, help="Days after which it opens nothing; left out, never.")] = None,
    daily_budget: Annotated[
        float | None, typer.Option(min=0, help="US dollars it may cost a day; left out, as set for all.")
    ] = None,
    per_minute: Annotated[
        int | None, typer.Option(min=0, help="Requests a minute; 0: no limit; left out, as set for all.")
    ] = None,
    admin: Annotated[bool, typer.Option("--admin", help="It sees what everybody owns.")] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
) -> None:
    """Make a token. It is shown once and kept nowhere."""
    owner = owner.strip()
    if not 0 < len(owner) <= OWNER_CHARS or not owner.isprintable():
        raise BadRequest(f"{owner!r} is no name of an owner", hint=f"Give 1 to {OWNER_CHARS} characters.")
    now, secret = datetime.now(UTC), new_token()
    token = Token(
        id=f"tok_{uuid.uuid4().hex[:12]}",
        owner=owner,
        name=name.strip()[:OWNER_CHARS],
        created=now,
        admin=admin,
        expires_at=now + timedelta(days=days) if days else None,
        daily_budget=daily_budget,
        requests_per_minute=per_minute,
    )

    async def work() -> None:
        async with Engine.from_settings({"data_dir": data_dir}) as engine:
            await engine.tokens.create(token, hash_of(session_of(secret)))

    run(work())
    if as_json:
        print(json.dumps({**TOKEN.dump_python(token, mode="json"), "token": secret}, ensure_ascii=False))
        return
    print(secret)
    err.print(Text(f"This is {token.id}, a token of {owner}. It is not shown again.", style="dim"))


@tokens.command("list")
def list_tokens(as_json: Json = False, data_dir: DataDir = None) -> None:
    """The tokens, and what each has used today. None of them can be read back."""

    async def work() -> list[tuple[Token, Spending]]:
        async with Engine.from_settings({"data_dir": data_dir}) as engine:
            today = datetime.now(UTC).date().isoformat()
            return [(token, await engine.tokens.spent(token.id, today)) for token in await engine.tokens.all()]

    known = run(work())
    if as_json:
        for token, spent in known:
            today = {"requests": spent.requests, "cost": spent.cost}
            print(json.dumps({**TOKEN.dump_python(token, mode="json"), "today": today}, ensure_ascii=False))
        return
    table = Table("Id", "Owner", "Name", "Made", "State", "Last used", "Today", box=None, pad_edge=False)
    for token, spent in known:
        used = f"{spent.requests} runs, ${spent.cost:.4f}"
        owner = Text(f"{token.owner} (admin)" if token.admin else token.owner)
        table.add_row(
            token.id, owner, Text(token.name), _day(token.created), _state(token), _day(token.last_used), used
        )
    out.print(table)


@tokens.command("revoke")
def revoke(
    ids: Annotated[list[str], typer.Argument(help="Ids of tokens, as `token list` shows them.")],
    data_dir: DataDir = None,
) -> None:
    """Let tokens open nothing any more, at once."""

    async def work() -> None:
        async with Engine.from_settings({"data_dir": data_dir}) as engine:
            for id in ids:
                token = await engine.tokens.revoke(id, datetime.now(UTC))
                out.print(Text(f"{token.id} of {token.owner} opens nothing any more."))

    run(work())


def _state(token: Token) -> Text:
    if token.revoked_at:
        return Text(f"revoked {_day(token.revoked_at)}", style="red")
    if token.expires_at:
        over = token.expires_at <= datetime.now(UTC)
        return Text(f"{'expired' if over else 'until'} {_day(token.expires_at)}", style="red" if over else "")
    return Text("open", style="green")


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "never"

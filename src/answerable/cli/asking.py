"""`ask`: a question answered in the terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.markup import escape
from rich.status import Status
from rich.text import Text

from answerable.cli.door import Server, ServerToken, opened
from answerable.cli.terminal import DataDir, Json, app, err, one_of, out, run
from answerable.events import Delta, Event, Notice, Progress, SentenceChecked
from answerable.schemas import TURN
from answerable.text.telling import (
    BUILT_IN,
    ONLY_BUILT_IN,
    counted,
    is_built_in,
    only_built_in,
    support_in_words,
    work_in_words,
)
from answerable.types import Focus, Freshness, Turn, WriterName
from answerable.wiring import Engine


@app.command()
def ask(
    question: Annotated[list[str], typer.Argument(help="What to answer.")],
    focus: Annotated[str, typer.Option(help="web, news, academic or own.")] = "web",
    freshness: Annotated[str | None, typer.Option(help="live, recent or evergreen; left out, it is judged.")] = None,
    writer: Annotated[str | None, typer.Option(help="extractive or model.")] = None,
    model: Annotated[str | None, typer.Option(help="The model that writes, such as ollama:qwen3.")] = None,
    domain: Annotated[
        list[str] | None, typer.Option(help="Only this site; -example.com: never this one. May be given again.")
    ] = None,
    conversation: Annotated[str | None, typer.Option(help="Id of a conversation to go on with.")] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    server: Server = None,
    token: ServerToken = None,
) -> None:
    """Answer a question, with the words that support each sentence."""
    chosen_focus: Focus = one_of(focus, "--focus", ("web", "news", "academic", "own"))
    chosen_freshness: Freshness | None = one_of(freshness, "--freshness", ("live", "recent", "evergreen"))
    chosen_writer: WriterName | None = one_of(writer, "--writer", ("extractive", "model"))

    async def work() -> tuple[Turn, frozenset[str]]:
        async with opened(server, token, {"data_dir": data_dir}) as door:
            with _watching(quiet=as_json) as watcher:
                turn = await door.ask(
                    " ".join(question),
                    conversation_id=conversation,
                    focus=chosen_focus,
                    freshness=chosen_freshness,
                    model=model,
                    writer=chosen_writer,
                    domains=domain or (),
                    emit=watcher,
                )
            return turn, door.about().collection_hosts if isinstance(door, Engine) else frozenset()

    turn, collection_hosts = run(work())
    if as_json:
        print(TURN.dump_json(turn).decode())
    else:
        _show(turn, collection_hosts)
    if turn.state != "done":
        raise SystemExit(1)


class _Watcher:
    """Shows how far the answer is: the stage, then how many sentences are checked. The answer is printed when whole."""

    def __init__(self, status: Status | None) -> None:
        self._status, self._begun = status, False

    def __call__(self, event: Event) -> None:
        if self._status is None:
            if isinstance(event, Progress):
                err.print(Text(event.detail, style="dim"))
            return
        match event:
            case Progress(detail=detail) if not self._begun:
                self._status.update(escape(detail))
            case Notice(message=message):
                err.print(Text(message, style="yellow"))
            case Delta():
                self._begun = True
                self._status.update("Writing and checking")
            case SentenceChecked(index=number):
                self._status.update(f"Writing and checking: {counted(number + 1, 'sentence')}")


@contextlib.contextmanager
def _watching(*, quiet: bool) -> Iterator[_Watcher]:
    if quiet or not out.is_terminal:
        yield _Watcher(None)
    else:
        with out.status("Understanding the question") as status:
            yield _Watcher(status)


def _show(turn: Turn, collection_hosts: frozenset[str]) -> None:
    if turn.error:
        err.print(Text(f"{turn.error.message} (while {turn.error.stage})", style="red"))
        err.print(Text(turn.error.hint))
    out.print(Markdown(turn.answer) if out.is_terminal else Text(turn.answer))
    out.print()
    for source in turn.sources:
        read_as = " (snippet only)" if source.read_as == "snippet" else " (its beginning only)" if source.cut else ""
        read_as += f" ({BUILT_IN})" if is_built_in(source.url, collection_hosts) else ""
        date = f", {source.published:%Y-%m-%d}" if source.published else ""
        out.print(Text(f"[{source.n}] {source.title}{date}{read_as}\n    {source.url}"))
        if work := work_in_words(source):
            out.print(Text(f"    {work}"))
        for quote, where in dict.fromkeys((c.quote, c.page_label) for c in turn.citations if c.n == source.n):
            out.print(Text(f"    “{' '.join(quote.split())}”{where and f' ({where})'}", style="dim"))
    if only_built_in(turn, collection_hosts):
        out.print(Text(ONLY_BUILT_IN, style="yellow"))
    if support := support_in_words(turn.support):
        out.print(f"\n{support}")
    for sentence in turn.sentences:
        if sentence.verdict in {"unsupported", "uncited"}:
            out.print(Text(f"{sentence.verdict}: {sentence.text}", style="yellow"))
    for note in turn.notes:
        err.print(Text(note.message, style="dim"))
    out.print(Text(f"Go on with: answerable ask --conversation {turn.conversation_id} …", style="dim"))

"""The `answerable` command. With `--json`, stdout holds only JSON; progress goes to stderr."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Coroutine, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.status import Status
from rich.table import Table
from rich.text import Text

from answerable.answering.rechecking import Recheck
from answerable.answering.verifying import Verification
from answerable.config import ROWS, environment_name, keep_quiet, load_settings, shown_value
from answerable.errors import AnswerableError, BadRequest, ReadError
from answerable.events import Delta, Event, Notice, Progress, SentenceChecked
from answerable.schemas import CONVERSATION, PAGE, TURN
from answerable.text.telling import BUILT_IN, ONLY_BUILT_IN, counted, is_built_in, only_built_in, support_in_words
from answerable.types import Focus, Freshness, Page, Turn, WriterName
from answerable.wiring import VERSION, Engine

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
app.add_typer(evals, name="eval")
app.add_typer(index, name="index")
app.add_typer(collection, name="collection")
out, err = Console(highlight=False), Console(stderr=True, highlight=False)

Json = Annotated[bool, typer.Option("--json", help="Only JSON on standard output.")]
DataDir = Annotated[Path | None, typer.Option(help="Folder of all that is kept.")]


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


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@app.callback(invoke_without_command=True)
def options(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(VERSION)
        raise typer.Exit


@app.command()
def ask(
    question: Annotated[list[str], typer.Argument(help="What to answer.")],
    focus: Annotated[str, typer.Option(help="web, news, academic or own.")] = "web",
    freshness: Annotated[str | None, typer.Option(help="live, recent or evergreen; left out, it is judged.")] = None,
    writer: Annotated[str | None, typer.Option(help="extractive or model.")] = None,
    model: Annotated[str | None, typer.Option(help="The model that writes, such as ollama:qwen3.")] = None,
    conversation: Annotated[str | None, typer.Option(help="Id of a conversation to go on with.")] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
) -> None:
    """Answer a question, with the words that support each sentence."""
    chosen_focus: Focus = _one_of(focus, "--focus", ("web", "news", "academic", "own"))
    chosen_freshness: Freshness | None = _one_of(freshness, "--freshness", ("live", "recent", "evergreen"))
    chosen_writer: WriterName | None = _one_of(writer, "--writer", ("extractive", "model"))

    async def work() -> tuple[Turn, frozenset[str]]:
        async with Engine.from_settings({"data_dir": data_dir}) as engine:
            with _watching(quiet=as_json) as watcher:
                turn = await engine.ask(
                    " ".join(question),
                    conversation_id=conversation,
                    focus=chosen_focus,
                    freshness=chosen_freshness,
                    model=model,
                    writer=chosen_writer,
                    emit=watcher,
                )
            return turn, engine.about().collection_hosts

    turn, collection_hosts = run(work())
    if as_json:
        print(TURN.dump_json(turn).decode())
    else:
        _show(turn, collection_hosts)
    if turn.state != "done":
        raise SystemExit(1)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; beyond localhost a token is needed.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the page and the HTTP API."""
    from answerable.web.app import serve as serve_web

    async def work() -> None:
        async with Engine.from_settings({"host": host, "port": port, "data_dir": data_dir}) as engine:
            settings = engine.settings
            engine.begin_warm_up()

            def started(address: str) -> None:
                out.print(f"Answerable {VERSION}: open {address} and ask. Ctrl+C stops.")
                if status := engine.web_status():
                    out.print(Text(status, style="yellow"))

            await serve_web(engine, settings.host, settings.port, token=settings.token or None, started=started)

    run(work())


@app.command()
def read(
    targets: Annotated[list[str], typer.Argument(help="Addresses or files.")],
    as_json: Json = False,
) -> None:
    """What the reader makes of pages: one JSON line each with --json."""
    failed = False

    async def work() -> None:
        nonlocal failed
        async with Engine.from_settings() as engine:
            for target in targets:
                try:
                    page = await engine.read(target)
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
) -> None:
    """Does a page support a claim? Exit code 1 when it does not."""

    async def work() -> Verification:
        async with Engine.from_settings() as engine:
            return await engine.verify(claim, source)

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
) -> None:
    """Read the cited pages again: which citations still hold? Exit code 1 when one does not."""

    file = Path(conversation)
    exported = CONVERSATION.validate_json(file.read_bytes()) if file.is_file() else None

    async def work() -> list[Recheck]:
        async with Engine.from_settings() as engine:
            known = exported or await engine.store.conversation(conversation)
            return await engine.recheck(known.turns)

    findings = run(work())
    for finding in findings:
        if as_json:
            print(json.dumps(asdict(finding), ensure_ascii=False))
        else:
            detail = f" ({finding.detail})" if finding.detail else ""
            out.print(Text(f"{finding.fate:<8} [{finding.n}] {finding.sentence}\n         {finding.url}{detail}"))
    if any(finding.fate in {"changed", "gone"} for finding in findings):
        raise SystemExit(1)


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


@index.command("add")
def index_add(targets: Annotated[list[str], typer.Argument(help="Addresses, files or folders.")]) -> None:
    """Read pages and files into the own index."""

    async def work() -> int:
        failures = 0
        async with Engine.from_settings() as engine:
            for target in _files_of(targets):
                try:
                    page = await engine.add(target)
                except ReadError as fault:
                    failures += 1
                    err.print(Text(f"{target}: {fault.cause.replace('_', ' ')}: {fault.message}", style="red"))
                else:
                    out.print(Text(f"{page.url}: {page.title}"))
            out.print(f"{counted(await engine.own.count(), 'page')} in the index")
        return failures

    if run(work()):
        raise SystemExit(1)


@index.command("remove")
def index_remove(urls: Annotated[list[str], typer.Argument(help="Addresses as they were added.")]) -> None:
    """Remove pages from the own index."""

    async def work() -> None:
        async with Engine.from_settings() as engine:
            removed, left = await engine.own.remove(urls), await engine.own.count()
            out.print(f"{removed} removed, {counted(left, 'page')} in the index")

    run(work())


@index.command("list")
def index_list(as_json: Json = False) -> None:
    """The pages of the own index, by address."""

    async def work() -> list[tuple[str, str]]:
        async with Engine.from_settings() as engine:
            return await engine.own.contents()

    for url, title in run(work()):
        if as_json:
            print(json.dumps({"url": url, "title": title}, ensure_ascii=False))
        else:
            out.print(Text(f"{url}: {title}"))


@collection.command("remove")
def collection_remove() -> None:
    """Never again answer from the built-in pages."""
    _set_collection(False)
    out.print("The built-in collection is removed; `answerable collection restore` brings it back.")


@collection.command("restore")
def collection_restore() -> None:
    """Answer from the built-in pages again when no web provider answers."""
    _set_collection(True)
    out.print("The built-in collection is back.")


def _set_collection(present: bool) -> None:
    from answerable.wiring import set_collection

    set_collection(load_settings(), present)


@evals.command("run")
def eval_run(
    miniweb: Annotated[
        Path | None, typer.Option(help="A folder of the miniature web; left out, the collection.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Where to write summary and answers.")] = None,
    writer: Annotated[str, typer.Option(help="extractive, or model: the scripted one.")] = "extractive",
    only: Annotated[str | None, typer.Option(help="Only questions whose id or group is this.")] = None,
    floors: Annotated[bool, typer.Option("--floors", help="Both writers; fail below the pinned floors.")] = False,
) -> None:
    """Answer the questions of a miniature web and print the summary."""
    from answerable.evals.running import floors_broken, run_eval, table_of

    chosen: WriterName = _one_of(writer, "--writer", ("extractive", "model"))
    writers: tuple[WriterName, ...] = ("extractive", "model") if floors else (chosen,)
    broken: list[str] = []
    for name in writers:
        report = run(run_eval(miniweb, writer=name, only=only, tell=lambda line: err.print(Text(line))))
        if json_file:
            target = json_file if len(writers) == 1 else json_file.with_stem(f"{json_file.stem}-{name}")
            target.write_text(json.dumps(report, ensure_ascii=False, indent=1), "utf-8")
        out.print(f"writer: {name}")
        for line in table_of(report):
            print(line)
        broken += floors_broken(report, name) if floors else []
    if broken:
        err.print(Text("\n".join(broken), style="red"))
        raise SystemExit(1)


@evals.command("support")
def eval_support(
    file: Annotated[Path, typer.Argument(help="Rows {claim, evidence, supported or label, set?}, JSON lines or .gz.")],
    as_json: Json = False,
) -> None:
    """How often the support checker agrees with the labels of a file, with 95 % intervals."""
    from answerable.evals.support import measure, read_rows, table_of
    from answerable.wiring import support_checker

    rows = read_rows(file)

    async def work() -> dict[str, Any]:
        return await measure(rows, await support_checker(load_settings()))

    figures = run(work())
    print(json.dumps(figures) if as_json else "\n".join(table_of(figures)))


@evals.command("edits")
def eval_edits(
    seed: Annotated[int, typer.Option(help="Another seed makes other edits.")] = 1,
    as_json: Json = False,
) -> None:
    """How often the support checker sees a small change of a true claim, by kind of change."""
    from answerable.evals.edits import measure_edits, pairs_of_collection, table_of
    from answerable.wiring import support_checker

    async def work() -> dict[str, Any]:
        return await measure_edits(await pairs_of_collection(), await support_checker(load_settings()), seed=seed)

    report = run(work())
    print(json.dumps(report, ensure_ascii=False) if as_json else "\n".join(table_of(report)))


@evals.command("serve")
def eval_serve(
    miniweb: Annotated[
        Path | None, typer.Argument(help="A folder of the miniature web; left out, the collection.")
    ] = None,
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8780,
) -> None:
    """Serve a miniature web: an HTTP proxy for its hosts, and a SearXNG-compatible search."""
    from answerable.evals.miniweb import MiniWeb
    from answerable.evals.miniweb import serve as serve_miniweb
    from answerable.wiring import COLLECTION

    def ready(web: MiniWeb) -> None:
        out.print(f"Proxy and SearXNG-compatible search on {web.proxy_url}. Ctrl+C stops.")

    run(serve_miniweb(miniweb or COLLECTION, port=port, ready=ready))


def _one_of(value: str | None, option: str, known: tuple[str, ...]) -> Any:
    if value is not None and value not in known:
        raise BadRequest(f"{option} {value!r}: expected one of {', '.join(known)}")
    return value


def _files_of(targets: list[str]) -> Iterator[str]:
    """A folder stands for the files below it that can be read."""
    for target in targets:
        path = Path(target)
        if "://" not in target and path.is_dir():
            yield from (str(file) for file in sorted(path.rglob("*")) if file.suffix.lower() in _READABLE)
        else:
            yield target


_READABLE = {".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".rst", ".json"}


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
        read_as = " (snippet only)" if source.read_as == "snippet" else ""
        read_as += f" ({BUILT_IN})" if is_built_in(source.url, collection_hosts) else ""
        date = f", {source.published:%Y-%m-%d}" if source.published else ""
        out.print(Text(f"[{source.n}] {source.title}{date}{read_as}\n    {source.url}"))
        for quote in dict.fromkeys(c.quote for c in turn.citations if c.n == source.n):
            out.print(Text(f"    “{' '.join(quote.split())}”", style="dim"))
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


def _show_unread(target: str, fault: ReadError, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"url": target, "cause": fault.cause, "message": fault.message}, ensure_ascii=False))
    else:
        err.print(Text(f"{target}: {fault.cause.replace('_', ' ')}: {fault.message}", style="red"))


def _show_page(target: str, page: Page, as_json: bool) -> None:
    if as_json:
        file = target if "://" not in target else None
        print(json.dumps({**PAGE.dump_python(page, mode="json"), "file": file}, ensure_ascii=False))
        return
    out.print(Text(page.title, style="bold"))
    dates = [f"{name} {moment:%Y-%m-%d}" for name in ("published", "modified") if (moment := getattr(page, name))]
    out.print(Text("  ".join([page.url, *dates]), style="dim"))
    out.print(Text(page.text))

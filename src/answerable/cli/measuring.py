"""`eval`: measure answers and their parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from answerable.cli.terminal import Json, err, evals, one_of, out, run
from answerable.config import load_settings
from answerable.errors import BadRequest
from answerable.types import WriterName


@evals.command("run")
def eval_run(
    miniweb: Annotated[
        Path | None, typer.Option(help="A folder of the miniature web; left out, the collection.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Where to write summary and answers.")] = None,
    writer: Annotated[str, typer.Option(help="extractive, or model: the scripted one.")] = "extractive",
    only: Annotated[str | None, typer.Option(help="Only questions whose id or group is this.")] = None,
    rounds: Annotated[bool, typer.Option("--rounds", help="Ask again with one round what took more.")] = False,
    snippets: Annotated[bool, typer.Option("--snippets", help="Read no page; answer from snippets.")] = False,
    floors: Annotated[bool, typer.Option("--floors", help="Both writers; fail below the pinned floors.")] = False,
) -> None:
    """Answer the questions of a miniature web and print the summary."""
    from answerable.evals.running import floors_broken, run_eval, table_of

    chosen: WriterName = one_of(writer, "--writer", ("extractive", "model"))
    writers: tuple[WriterName, ...] = ("extractive", "model") if floors else (chosen,)
    broken: list[str] = []
    for name in writers:
        report = run(
            run_eval(
                miniweb,
                writer=name,
                only=only,
                compare_rounds=rounds,
                snippets=snippets,
                tell=lambda line: err.print(Text(line)),
            )
        )
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
    floors: Annotated[bool, typer.Option("--floors", help="Fail below the pinned floors.")] = False,
    as_json: Json = False,
) -> None:
    """How often the support checker sees a small change of a true claim, by kind of change."""
    from answerable.evals.edits import floors_broken, measure_edits, pairs_of_collection, table_of
    from answerable.wiring import support_checker

    async def work() -> dict[str, Any]:
        return await measure_edits(await pairs_of_collection(), await support_checker(load_settings()), seed=seed)

    report = run(work())
    print(json.dumps(report, ensure_ascii=False) if as_json else "\n".join(table_of(report)))
    if floors and (broken := floors_broken(report)):
        err.print(Text("\n".join(broken), style="red"))
        raise SystemExit(1)


@evals.command("judge")
def eval_judge(
    file: Annotated[Path, typer.Argument(help="Rows as for `eval support`.")],
    judge: Annotated[str | None, typer.Option(help="The model; left out, the one that is set.")] = None,
    most: Annotated[int | None, typer.Option(help="Only so many rows, spread over the file.", min=1)] = None,
    as_json: Json = False,
) -> None:
    """How often a judge model agrees with the labels of a file, with 95 % intervals. Each ten rows are one call."""
    from answerable.evals.judge import measure_judge
    from answerable.evals.support import read_rows, table_of
    from answerable.wiring import Engine

    rows = read_rows(file)
    rows = rows[:: max(1, len(rows) // most)][:most] if most else rows

    async def work() -> dict[str, Any]:
        async with Engine.from_settings({"judge": judge}) as engine:
            if engine.parts.judge is None:
                raise BadRequest("no judge is set", hint="Name a model with --judge, or set ANSWERABLE_JUDGE.")
            return await measure_judge(rows, engine.parts.judge, tell=lambda line: err.print(Text(line)))

    figures = run(work())
    if as_json:
        print(json.dumps(figures))
        return
    print("\n".join(table_of(figures)))
    print(f"\n{figures['judge']}: no opinion on {figures['no_opinion']} rows")


@evals.command("extract")
def eval_extract(
    folder: Annotated[Path, typer.Argument(help="truth.jsonl.gz and html/ID.html.gz: pages with their main text.")],
    half: Annotated[str | None, typer.Option(help="tuning or other: one half of each type of page.")] = None,
    as_json: Json = False,
) -> None:
    """How much of pages' main text extraction keeps, by type of page, and how long a page takes."""
    from answerable.evals.extraction import measure, summary, table_of, unread

    asked = one_of(half, "--half", ("tuning", "other"))
    scores = measure(folder, half=asked)
    results = {name: summary(found) for name, found in scores.items()}
    if missing := unread(folder, scores["ours"], asked):
        named = ", ".join(map(str, missing[:5])) + (", …" if len(missing) > 5 else "")
        err.print(Text(f"Left out, as their files are not there or are no gzip: {len(missing)} pages ({named})"))
    print(json.dumps(results["ours"]) if as_json else "\n".join(table_of(results)))


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

"""`index` and `collection`: pages of your own, and those that come with the install."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from answerable.cli.terminal import Json, collection, err, index, out, run
from answerable.config import load_settings
from answerable.errors import ReadError
from answerable.index.crawl import Bounds
from answerable.text.telling import counted
from answerable.wiring import Engine


@index.command("add")
def index_add(
    targets: Annotated[list[str] | None, typer.Argument(help="Addresses, files or folders.")] = None,
    site: Annotated[str, typer.Option(help="An address; the pages of its host that it leads to are read.")] = "",
    pages: Annotated[int, typer.Option(min=1, max=5000, help="Of the site: the most that are read.")] = 20,
    depth: Annotated[int, typer.Option(min=0, max=10, help="Of the site: how many links away from the address.")] = 3,
    minutes: Annotated[float, typer.Option(min=0.1, help="That reading the site may take.")] = 10.0,
) -> None:
    """Read pages, files and small sites into the own index. A site is read as its robots.txt allows, at its pace."""
    if not targets and not site:
        raise typer.BadParameter("name addresses, files or folders, or a --site")

    def tell(target: str, cause: str, message: str) -> None:
        err.print(Text(f"{target}: {cause.replace('_', ' ')}: {message}", style="red"))

    def told(url: str, fault: ReadError | None) -> None:
        if fault is None:
            out.print(Text(url))
        else:
            tell(url, fault.cause, fault.message)

    async def work() -> int:
        failures = 0
        async with Engine.from_settings() as engine:
            for target in _files_of(targets or []):
                try:
                    page = await engine.add(target)
                except ReadError as fault:
                    failures += 1
                    tell(target, fault.cause, fault.message)
                else:
                    out.print(Text(f"{page.url}: {page.title}"))
            if site:
                added = await engine.sources.add_site(site, Bounds(pages, depth, 60 * minutes), told)
                failures += not any(one.page for one in added)
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


def _files_of(targets: list[str]) -> Iterator[str]:
    """A folder stands for the files below it that can be read."""
    for target in targets:
        path = Path(target)
        if "://" not in target and path.is_dir():
            yield from (str(file) for file in sorted(path.rglob("*")) if file.suffix.lower() in _READABLE)
        else:
            yield target


_READABLE = {
    *(".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".rst", ".json", ".jsonl", ".csv", ".tsv"),
    *(".xml", ".rss", ".atom", ".pdf", ".docx", ".xlsx", ".pptx"),
}

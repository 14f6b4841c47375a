"""Terse questions to which the answer stands somewhere in the documentation that Debian ships.

    python benchmarks/debian_docs.py --questions FILE [--work DIR] [--json FILE]

FILE has a JSON object a line: id, debian_package, question, answer, evidence. The packages are fetched with
`apt-get download` into DIR and unpacked with `dpkg -x`; their HTML pages, those of up to 8 MB, go into an own index as
`answerable index add` would put them, and the engine is asked with the focus `own`. Some ten minutes the first time;
DIR keeps the packages and the index for the next.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import html
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answerable.errors import AnswerableError
from answerable.types import Page, Turn
from answerable.wiring import Engine

MOST_BYTES = 8_000_000
AT_ONCE = 20  # pages read before they are written to the index
RUST = ("reference", "book", "edition-guide", "embedded-book")
LEFT_OUT = re.compile(
    r"/(?:RelNotes|examples?|_sources|_static|_modules|doxygen-html|ocamldoc|css|theme)/|/genindex[^/]*$|_8h_source|/api/"
)
ALTERNATIVES = {  # other ways to say the same
    "501 and 505": ("501 and 505", "501 or 505"),
    "4 queries are pipelined on the same connections": ("4 queries are pipelined",),
    "odd number in range [5, 129]": ("odd number in range [5, 129]", "range [5, 129]"),
    "at most one bitmap file in use": ("at most one bitmap",),
    "UTC and GMT": ("UTC and GMT", "GMT and UTC", "UTC, GMT"),
    "~ (tilde)": ("'~'-separated", "~-separated", "tilde"),
    "<CACHE>": ("<CACHE>",),
    "SDBM with full avalanche on the output": ("SDBM with full avalanche",),
}


def rows_of(path: Path) -> list[dict[str, str]]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip()]


def unpack(package: str, work: Path) -> Path:
    """Downloads the package once and unpacks it once."""
    target = work / "tree" / package
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        if not list(work.glob(f"{package}_*.deb")):
            subprocess.run(["apt-get", "download", "-q", package], cwd=work, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["dpkg", "-x", str(next(work.glob(f"{package}_*.deb"))), str(target)], check=True)
    return target


def pages_of(package: str, tree: Path) -> Iterator[Path]:
    """The HTML that holds documentation, each file once, the largest of a manual that comes in several cuts first."""
    seen: set[Path] = set()
    for path in sorted(tree.rglob("*.htm*")):
        real, place = path.resolve(), path.as_posix()
        if real in seen or not path.is_file() or path.stat().st_size > MOST_BYTES or LEFT_OUT.search(place):
            continue
        if package == "rust-doc" and not any(f"/html/{part}/" in place for part in RUST):
            continue
        if path.name == "print.html":  # the whole book once more
            continue
        seen.add(real)
        yield path


async def index(engine: Engine, package: str, work: Path) -> int:
    """Puts the pages of a package into the own index, unless they are there."""
    done = work / f"{package}.indexed"
    if done.exists():  # noqa: ASYNC240 - nothing else runs
        return int(done.read_text("ascii"))
    tree, written = unpack(package, work), 0
    paths = list(pages_of(package, tree))
    for first in range(0, len(paths), AT_ONCE):
        read = await asyncio.gather(
            *(
                read_page(engine, f"https://{package}.example/{path.relative_to(tree).as_posix()}", path.read_bytes())
                for path in paths[first : first + AT_ONCE]
            )
        )
        pages = [page for page in read if page is not None]
        await engine.own.add(pages)
        written += len(pages)
    done.write_text(str(written), "ascii")
    return written


async def read_page(engine: Engine, url: str, body: bytes) -> Page | None:
    """None for a page without text of its own, such as an index of frames."""
    try:
        page = await engine.reader.page_of(url, body, "text/html")
    except AnswerableError as fault:
        print(f"  {url}: {fault.message}", file=sys.stderr)
        return None
    await engine.pages.put(page)
    return page


def folded(text: str) -> str:
    """Without white space, case, mark-up and the engine's markers."""
    plain = re.sub(r"\s*\[\d+\]", "", text.replace("\\", ""))
    quotes = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "`": ""})
    return " ".join(html.unescape(plain).translate(quotes).split()).casefold()


async def judged(engine: Engine, row: dict[str, str], turn: Turn, ms: float) -> dict[str, Any]:
    wanted = ALTERNATIVES.get(row["answer"], (row["answer"],))
    pages = [await engine.page(source.page_id) for source in turn.sources]
    evidence = _letters(row["evidence"])[:80]
    read = [source.url for source in turn.also_read]
    return {
        "id": row["id"],
        "question": row["question"],
        "outcome": turn.outcome,
        "answer": turn.answer,
        "answer_present": any(folded(one) in folded(turn.answer) for one in wanted),
        "evidence_cited": any(evidence in _letters(page.text) for page in pages),
        "cited": [page.url for page in pages],
        "also_read": read,
        "ms": round(ms),
    }


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


async def run(questions: Path, work: Path) -> dict[str, Any]:
    rows = rows_of(questions)
    settings = {"data_dir": str(work / "data"), "search": ["own"], "collection": False, "writer": "extractive"}
    async with Engine.from_settings({**settings, "read_timeout": 30.0, "search_timeout": 20.0}) as engine:
        await engine.warm_up()
        for package in sorted({row["debian_package"] for row in rows}):
            began = time.perf_counter()
            count = await index(engine, package, work)
            print(f"{package}: {count} pages, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        results = []
        for row in rows:
            began = time.perf_counter()
            turn = await engine.ask(row["question"], focus="own")
            results.append(await judged(engine, row, turn, 1000 * (time.perf_counter() - began)))
    return {
        "questions": len(results),
        "answer_present": sum(one["answer_present"] for one in results),
        "evidence_cited": sum(one["evidence_cited"] for one in results),
        "results": results,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--questions", type=Path, required=True)
    options.add_argument("--work", type=Path, default=Path("debian-docs"))
    options.add_argument("--json", type=Path, help="write the report there instead of to the terminal")
    given = options.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    report = json.dumps(asyncio.run(run(given.questions, given.work.resolve())), ensure_ascii=False, indent=1)
    if given.json:
        given.json.write_text(report, "utf-8")
    else:
        print(report)


if __name__ == "__main__":
    main()

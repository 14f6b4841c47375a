"""How much of pages' true main text extraction keeps, how much else it lets in, and how long it takes."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import random
import re
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from answerable.errors import BadRequest
from answerable.providers.reading.decode import decode
from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import Job

SEED = 4  # of the split into the half that is tuned on and the other one
Half = Literal["tuning", "other"]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Found:
    """What an extractor made of a page."""

    text: str
    title: str = ""
    author: str = ""
    published: str = ""  # YYYY-MM-DD


@dataclass(frozen=True, slots=True)
class Score:
    """Of one page. `fields`: for each of title, author and published that is known, whether it was found."""

    id: str
    type: str
    f1: float
    kept: int
    must_have: int
    leaked: int
    must_not_have: int
    fields: dict[str, bool]
    seconds: float


Extractor = Callable[[str, str], Found]  # of a page's HTML and address


def ours(html: str, url: str) -> Found:
    page = extract(Job(html.encode(), url, "text/html; charset=utf-8", datetime.now(UTC)))
    day = page.published.date().isoformat() if page.published else ""
    return Found(page.text, page.title, page.author or "", day)


EXTRACTORS: dict[str, Extractor] = {"ours": ours}


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of `truth.jsonl.gz` or `truth.jsonl`: id, url, type, main_text, must_have, must_not_have, and where it
    is known title, author, published. Raises BadRequest for a folder that is not laid out so."""
    packed, plain = folder / "truth.jsonl.gz", folder / "truth.jsonl"
    try:
        text = gzip.decompress(packed.read_bytes()).decode("utf-8") if packed.is_file() else plain.read_text("utf-8")
        rows = [json.loads(line) for line in text.split("\n") if line.strip()]  # U+2028 ends no row
        missing = [name for row in rows for name in ("id", "url", "type", "main_text") if name not in row]
    except (OSError, ValueError, TypeError, EOFError) as failure:
        raise BadRequest(f"{str(folder)!r} has no truth.jsonl.gz that can be read: {failure}") from failure
    if not rows or missing:
        raise BadRequest(f"{str(packed)!r}: each row needs {missing[0] if missing else 'an id'!r}")
    return rows


def half_of(rows: Sequence[dict[str, Any]], half: Half) -> list[dict[str, Any]]:
    """The pages of each type, shuffled from a fixed seed and cut in the middle: the first part is tuned on."""
    by_type: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_type[row["type"]].append(row["id"])
    tuning: set[str] = set()
    for kind, ids in by_type.items():
        ids.sort()
        random.Random(f"{SEED}-{kind}").shuffle(ids)
        tuning |= set(ids[: len(ids) // 2])
    return [row for row in rows if (row["id"] in tuning) == (half == "tuning")]


def html_of(folder: Path, id: str) -> str:
    """A page's source, decoded as a page is that comes without a header. Raises OSError, EOFError or zlib.error for
    a file that is not there or is no gzip."""
    packed, plain = folder / "html" / f"{id}.html.gz", folder / "html" / f"{id}.html"
    body = gzip.decompress(packed.read_bytes()) if packed.is_file() else plain.read_bytes()
    return decode(body, "text/html")


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def f1(found: Sequence[str], true: Sequence[str]) -> float:
    """Of the words as multisets; 0 when nothing is shared."""
    shared = sum((Counter(found) & Counter(true)).values())
    return 2 * shared / (len(found) + len(true)) if shared else 0.0


def score(row: dict[str, Any], html: str, extractor: Extractor) -> Score:
    began = time.process_time()  # of the processor: what else runs on the machine does not count
    found = extractor(html, row["url"])
    seconds = time.process_time() - began
    told = words(found.text)
    line = f" {' '.join(told)} "
    kept, leaked = (
        [f" {' '.join(words(snippet))} " in line for snippet in row.get(name) or ()]
        for name in ("must_have", "must_not_have")
    )
    return Score(
        row["id"],
        row["type"],
        f1(told, words(row["main_text"])),
        sum(kept),
        len(kept),
        sum(leaked),
        len(leaked),
        _fields(row, found),
        seconds,
    )


def _fields(row: dict[str, Any], found: Found) -> dict[str, bool]:
    fields = {}
    if title := words(row.get("title") or ""):
        fields["title"] = f1(words(found.title), title) >= 0.8
    if author := words(row.get("author") or ""):
        fields["author"] = f1(words(found.author), author) >= 0.6
    if published := row.get("published"):
        fields["published"] = found.published == str(published)[:10]
    return fields


def summary(scores: Sequence[Score]) -> dict[str, Any]:
    by_type: dict[str, list[float]] = defaultdict(list)
    fields: dict[str, list[bool]] = defaultdict(list)
    for s in scores:
        by_type[s.type].append(s.f1)
        for name, right in s.fields.items():
            fields[name].append(right)
    means = {kind: round(_mean(values), 4) for kind, values in sorted(by_type.items())}
    times = sorted(s.seconds for s in scores) or [0.0]
    return {
        "f1": round(_mean(s.f1 for s in scores), 4),
        "macro_f1": round(_mean(means.values()), 4),
        "by_type": means,
        "kept": round(sum(s.kept for s in scores) / max(1, sum(s.must_have for s in scores)), 4),
        "leaked": round(sum(s.leaked for s in scores) / max(1, sum(s.must_not_have for s in scores)), 4),
        "p50_ms": round(times[len(times) // 2] * 1000, 1),
        "p95_ms": round(times[min(len(times) - 1, int(len(times) * 0.95))] * 1000, 1),
        "metadata": {name: round(_mean(rights), 4) for name, rights in sorted(fields.items())},
        "pages": len(scores),
    }


def measure(
    folder: Path, *, half: Half | None = None, extractors: dict[str, Extractor] | None = None
) -> dict[str, list[Score]]:
    """The scores of each extractor. A page goes through all of them one after the other in one process, so that
    their times can be compared. Pages whose file is not there, or is no gzip, have none: `unread` names them. Raises
    BadRequest for a folder without the truth or without pages."""
    rows = read_rows(folder)
    rows = half_of(rows, half) if half else rows
    chosen = extractors or EXTRACTORS
    context = multiprocessing.get_context("spawn")  # a fork would copy whatever threads the caller has
    processes = max(1, min(2, os.cpu_count() or 1, len(rows)))
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_warm, initargs=(chosen,)) as pool:
        tasks = [(folder, row, chosen) for row in rows]
        found = list(pool.map(_score_task, tasks, chunksize=4))
    read = [scores for scores in found if scores]
    if not read:
        raise BadRequest(f"{str(folder / 'html')!r} has no ID.html.gz and no ID.html of any page that the truth names")
    return {name: [scores[name] for scores in read] for name in chosen}


def unread(folder: Path, scores: Sequence[Score], half: Half | None = None) -> list[str]:
    """The pages that the truth names and that are not among the scores."""
    rows = read_rows(folder)
    known = {s.id for s in scores}
    return [row["id"] for row in (half_of(rows, half) if half else rows) if row["id"] not in known]


def _score_task(task: tuple[Path, dict[str, Any], dict[str, Extractor]]) -> dict[str, Score] | None:
    folder, row, extractors = task
    try:
        html = html_of(folder, row["id"])
    except (OSError, EOFError, zlib.error):
        return None
    return {name: score(row, html, extractor) for name, extractor in extractors.items()}


def _warm(extractors: dict[str, Extractor]) -> None:
    """Loads what is loaded once, before anything is timed."""
    for extractor in extractors.values():
        extractor("<html><body><article><h1>Tides</h1><p>The sea rises twice a day.</p></article></body></html>", "")


def table_of(results: dict[str, dict[str, Any]]) -> list[str]:
    """The summaries side by side, as lines of a Markdown table."""
    names = list(results)
    rows: list[tuple[str, list[str]]] = [("word F1", [f"{results[n]['f1']:.3f}" for n in names])]
    for kind in results[names[0]]["by_type"]:
        rows.append((kind, [f"{results[n]['by_type'].get(kind, 0):.3f}" for n in names]))
    rows += [(f"snippets {key}", [f"{results[n][key]:.3f}" for n in names]) for key in ("kept", "leaked")]
    for field in results[names[0]]["metadata"]:
        rows.append((f"{field} right", [f"{results[n]['metadata'].get(field, 0):.3f}" for n in names]))
    rows += [(f"{key[:3]}, ms a page", [f"{results[n][key]:.0f}" for n in names]) for key in ("p50_ms", "p95_ms")]
    head = [f"| {results[names[0]]['pages']} pages | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    return [*head, *(f"| {label} | {' | '.join(values)} |" for label, values in rows)]


def _mean(values: Iterable[float]) -> float:
    held = list(values)
    return sum(held) / max(1, len(held))

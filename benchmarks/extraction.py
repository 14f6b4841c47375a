"""Our extraction beside plain trafilatura, on a folder of pages with their true main text.

    python benchmarks/extraction.py DIR [--half 0|1] [--worst N] [--json]

DIR holds `truth.jsonl.gz` (id, url, type, main_text, must_have, must_not_have) and `html/ID.html.gz`. Word F1 is of
lower-cased `\\w+` tokens as multisets, a page at a time, an empty extraction being 0;
`kept` and `leaked` are the shares
of must-have and must-not-have snippets found, pooled. Each page is timed in the same process by both, one after the
other. `--half` takes every second page: tune on one half, report the other.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import trafilatura

from answerable.providers.reading.extract import Job, extract

WORD = re.compile(r"\w+")
NOW = datetime(2026, 11, 20, tzinfo=UTC)


@dataclass(frozen=True)
class Score:
    id: str
    type: str
    f1: float
    kept: int
    must_have: int
    leaked: int
    must_not_have: int
    seconds: float


def ours(html: str, url: str) -> str:
    return extract(Job(html.encode(), url, "text/html; charset=utf-8", NOW)).text


def plain(html: str, url: str) -> str:
    return trafilatura.extract(html, url=url) or ""


EXTRACTORS: dict[str, Callable[[str, str], str]] = {"ours": ours, "trafilatura": plain}


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def f1(found: list[str], true: list[str]) -> float:
    shared = sum((Counter(found) & Counter(true)).values())
    return 2 * shared / (len(found) + len(true)) if shared else 0.0


def score(task: tuple[Path, dict[str, Any]]) -> dict[str, Score]:
    folder, row = task
    html = gzip.decompress((folder / "html" / f"{row['id']}.html.gz").read_bytes()).decode("utf-8", "replace")
    scores = {}
    for name, extractor in EXTRACTORS.items():
        began = time.perf_counter()
        found = words(extractor(html, row["url"]))
        seconds = time.perf_counter() - began
        line = f" {' '.join(found)} "
        kept, leaked = (
            [f" {' '.join(words(snippet))} " in line for snippet in row[key]] for key in ("must_have", "must_not_have")
        )
        true = words(row["main_text"])
        scores[name] = Score(
            row["id"], row["type"], f1(found, true), sum(kept), len(kept), sum(leaked), len(leaked), seconds
        )
    return scores


def summary(scores: list[Score]) -> dict[str, Any]:
    by_type: dict[str, list[float]] = defaultdict(list)
    for s in scores:
        by_type[s.type].append(s.f1)
    means = {kind: round(mean(values), 3) for kind, values in sorted(by_type.items())}
    times = sorted(s.seconds for s in scores)
    return {
        "f1": round(mean(s.f1 for s in scores), 4),
        "macro_f1": round(mean(means.values()), 4),
        "by_type": means,
        "kept": round(sum(s.kept for s in scores) / max(1, sum(s.must_have for s in scores)), 3),
        "leaked": round(sum(s.leaked for s in scores) / max(1, sum(s.must_not_have for s in scores)), 3),
        "p50_ms": round(times[len(times) // 2] * 1000),
        "p95_ms": round(times[int(len(times) * 0.95)] * 1000),
    }


def mean(values: Iterable[float]) -> float:
    held = list(values)
    return sum(held) / max(1, len(held))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--worst", type=int, default=0, help="name the pages where we lose most")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with gzip.open(options.folder / "truth.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    if options.half is not None:
        rows = rows[options.half :: 2]
    with Pool(2) as pool:
        scores = pool.map(score, [(options.folder, row) for row in rows], chunksize=4)
    results = {name: summary([s[name] for s in scores]) for name in EXTRACTORS}
    if options.json:
        print(json.dumps(results["ours"]))
        return
    for name, result in results.items():
        print(f"{name:12}", json.dumps(result))
    for s in sorted(scores, key=lambda s: s["ours"].f1 - s["trafilatura"].f1)[: options.worst]:
        print(s["ours"].id, s["ours"].type, f"ours {s['ours'].f1:.2f} trafilatura {s['trafilatura'].f1:.2f}")


if __name__ == "__main__":
    main()

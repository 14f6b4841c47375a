"""Fit the two forests that tell a page's main text from what stands around it.

    python training/fit_extraction.py DIR --out src/answerable/models/extraction [--half tuning|other|both]

Data: pages with their true main text, laid out as docs/extraction.md says. A block is labelled with the share of its
words that stand in the main text, aligned in order. Each page weighs the same, and in it each word. The second forest
learns from what the first says of pages it was not shown (five folds by page). Needs an environment of its own, with
the package's dependencies and catboost and rapidfuzz (training/README.md); two minutes on two free cores.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from catboost import CatBoost, Pool
from rapidfuzz.distance import LCSseq

from answerable.evals.extraction import f1, half_of, html_of, read_rows, words
from answerable.providers.reading.extract import read_blocks
from answerable.providers.reading.extracted import Job
from answerable.providers.reading.features import FEATURES, Counted, count
from answerable.providers.reading.judging import CONTEXT, WEIGHTS, best_choice, context, evened

SEED = 0
FOLDS = 5
NOW = datetime(2026, 11, 20, tzinfo=UTC)
SHAPE = {
    "loss_function": "CrossEntropy",
    "iterations": 500,
    "depth": 6,
    "learning_rate": 0.035,
    "l2_leaf_reg": 6,
    "rsm": 0.15,
    "border_count": 48,
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
    "thread_count": 2,
    "verbose": 0,
    "random_seed": SEED,
    "allow_writing_files": False,
    "leaf_estimation_iterations": 1,
}


@dataclass
class Example:
    id: str
    type: str
    counted: Counted
    told: list[list[str]]  # the words of each block
    true: list[str]
    labels: np.ndarray


def example(task: tuple[Path, dict[str, Any]]) -> Example | None:
    folder, row = task
    job = Job(b"", row["url"], "text/html", NOW)
    reading = read_blocks(html_of(folder, row["id"]), job)
    if reading is None or not reading.raws:
        return None
    told, true = [words(raw.text) for raw in reading.raws], words(row["main_text"])
    counted = count(reading.raws, reading.about)
    return Example(row["id"], row["type"], counted, told, true, labels_of(told, true))


def labels_of(told: list[list[str]], true: list[str]) -> np.ndarray:
    """The share of each block's words that stand in the main text: in the longest common subsequence of both, or, for
    those the alignment leaves out because the order differs, in runs of four words."""
    known: dict[str, int] = {}
    flat = [known.setdefault(word, len(known)) for block in told for word in block]
    owner = [i for i, block in enumerate(told) for _ in block]
    hits = [0] * len(told)
    for step in LCSseq.opcodes(flat, [known.setdefault(word, len(known)) for word in true]):
        if step.tag == "equal":
            for k in range(step.src_start, step.src_end):
                hits[owner[k]] += 1
    runs = set(zip(true, true[1:], true[2:], true[3:], strict=False))
    line = f" {' '.join(true)} "
    return np.array([_label(block, hit, runs, line) for block, hit in zip(told, hits, strict=True)], np.float32)


def _label(block: list[str], hit: int, runs: set[tuple[str, ...]], line: str) -> float:
    if not block:
        return 0.0
    share = hit / len(block)
    if len(block) >= 6:
        own = list(zip(block, block[1:], block[2:], block[3:], strict=False))
        run = sum(four in runs for four in own) / len(own)
        return run if run < 0.3 else max(share, run) if run > 0.6 else (share + run) / 2
    return 1.0 if len(block) >= 3 and f" {' '.join(block)} " in line else share


def fit(examples: list[Example], matrices: list[np.ndarray]) -> CatBoost:
    weights = [e.counted.words / max(1.0, float(e.counted.words.sum())) * 200 + 0.02 for e in examples]
    labels = np.concatenate([e.labels for e in examples])
    pool = Pool(np.concatenate(matrices), labels, weight=np.concatenate(weights))
    model = CatBoost(SHAPE)
    model.fit(pool)
    return model


def chances(model: CatBoost, matrix: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-model.predict(matrix)))


def with_context(e: Example, first: np.ndarray) -> np.ndarray:
    return np.concatenate([e.counted.matrix, context(first, e.counted)], axis=1)


def fit_both(examples: list[Example]) -> tuple[CatBoost, CatBoost]:
    order = list(range(len(examples)))
    random.Random(SEED).shuffle(order)
    unseen: dict[int, np.ndarray] = {}
    for k in range(FOLDS):
        held = set(order[k::FOLDS])
        rest = [e for i, e in enumerate(examples) if i not in held]
        model = fit(rest, [e.counted.matrix for e in rest])
        unseen |= {i: chances(model, examples[i].counted.matrix) for i in held}
    show("each page unseen, five folds, the first alone", [(e, unseen[i]) for i, e in enumerate(examples)])
    first = fit(examples, [e.counted.matrix for e in examples])
    second = fit(examples, [with_context(e, unseen[i]) for i, e in enumerate(examples)])
    return first, second


def report(name: str, examples: list[Example], first: CatBoost, second: CatBoost | None = None) -> None:
    said = []
    for e in examples:
        told = chances(first, e.counted.matrix)
        said.append((e, (told + chances(second, with_context(e, told))) / 2 if second else told))
    show(name, said)


def show(name: str, said: list[tuple[Example, np.ndarray]]) -> None:
    """Word F1 of the best choice alone, without the rules of `selection.py`."""
    scores: dict[str, list[float]] = {}
    for e, told in said:
        found = best_choice(evened(told, e.counted), e.counted.words)
        kept = [word for block, chosen in zip(e.told, found, strict=True) if chosen for word in block]
        scores.setdefault(e.type, []).append(f1(kept, e.true))
    means = {kind: round(float(np.mean(values)), 3) for kind, values in sorted(scores.items())}
    print(name, len(said), round(float(np.mean([v for vs in scores.values() for v in vs])), 4), json.dumps(means))


def forest_of(model: CatBoost) -> dict[str, Any]:
    """As `judging.py` reads it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "forest.json"
        model.save_model(str(path), format="json")
        said = json.loads(path.read_text("utf-8"))
    scale, bias = said["scale_and_bias"]
    depth = SHAPE["depth"]
    columns, bounds, leaves = [], [], []
    for tree in said["oblivious_trees"]:
        splits = tree["splits"] or []
        columns.append([s["float_feature_index"] for s in splits] + [0] * (depth - len(splits)))
        bounds.append([float(np.float32(s["border"])) for s in splits] + [1e30] * (depth - len(splits)))
        values = [round(value * scale, 5) for value in tree["leaf_values"]]
        leaves.append(values + [0.0] * (2**depth - len(values)))
    bias = bias[0] if isinstance(bias, list) else bias
    return {"columns": columns, "bounds": bounds, "leaves": leaves, "bias": bias}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--half", choices=("tuning", "other", "both"), default="both")
    options = parser.parse_args()
    rows = read_rows(options.folder)
    with ProcessPoolExecutor(2) as pool:
        found = [e for e in pool.map(example, [(options.folder, row) for row in rows], chunksize=8) if e]
    shown = {row["id"] for row in (rows if options.half == "both" else half_of(rows, options.half))}
    learned = [e for e in found if e.id in shown]
    first, second = fit_both(learned)
    report("learned from, both", learned, first, second)
    if rest := [e for e in found if e.id not in shown]:
        report("other half, the first alone", rest, first)
        report("other half, both", rest, first, second)
    weights = {
        "features": [*FEATURES, *CONTEXT],
        "half": options.half,
        "pages": len(learned),
        "first": forest_of(first),
        "second": forest_of(second),
    }
    body = gzip.compress(json.dumps(weights, separators=(",", ":")).encode(), mtime=0)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / WEIGHTS).write_bytes(body)


if __name__ == "__main__":
    main()

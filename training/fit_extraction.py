"""Fit the worths of names and words and the two forests that tell a page's main text from what stands around it.

    python training/fit_extraction.py DIR --out src/answerable/models/extraction [--half tuning|other|both]

Data: pages with their true main text, laid out as docs/extraction.md says. A block is labelled with the share of its
words that stand in the main text, aligned in order. Each page weighs the same, and in it each word. The worths and the
first forest are told in five folds, pages of one site together: the next step learns from what they say of sites they
were not shown. Needs an environment of its own, with the package's dependencies and catboost, rapidfuzz and
scikit-learn (training/README.md); three minutes on a free core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from catboost import CatBoost, Pool
from rapidfuzz.distance import LCSseq
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression

from answerable.evals.extraction import f1, half_of, html_of, read_rows, words
from answerable.providers.reading.extract import read_blocks
from answerable.providers.reading.extracted import Job
from answerable.providers.reading.features import FEATURES, Counted, count
from answerable.providers.reading.judging import CONTEXT, WEIGHTS, WORTHS, best_choice, context, evened, with_worths
from answerable.providers.reading.vocabulary import Signs, Vocabulary

SEED = 0
FOLDS = 5
PRIOR, LEAST_PAGES, LEAST_WORTH = 0.01, 4, 0.02
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
    "thread_count": 1,
    "verbose": 0,
    "random_seed": SEED,
    "allow_writing_files": False,
    "leaf_estimation_iterations": 1,
}


@dataclass
class Example:
    id: str
    type: str
    site: str
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
    return Example(row["id"], row["type"], site_of(row), counted, told, true, labels_of(told, true))


def site_of(row: dict[str, Any]) -> str:
    host = urlsplit(row["url"]).hostname or row["id"]
    return ".".join(host.split(".")[-2:])


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


def share_of_page(e: Example) -> np.ndarray:
    """What each block weighs: each page the same, and in it each word."""
    return e.counted.words / max(1.0, float(e.counted.words.sum())) * 200 + 0.02


def fit(examples: list[Example], matrices: list[np.ndarray]) -> CatBoost:
    labels = np.concatenate([e.labels for e in examples])
    weights = np.concatenate([share_of_page(e) for e in examples])
    model = CatBoost(SHAPE)
    model.fit(Pool(np.concatenate(matrices), labels, weight=weights))
    return model


def chances(model: CatBoost, matrix: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-model.predict(matrix)))


def fit_worths(examples: list[Example], signs: list[list[Signs]]) -> Vocabulary:
    """The worth of each sign that stands on at least four pages: logistic regression with a strong prior."""
    pages = Counter(sign for blocks in signs for sign in frozenset().union(*blocks))
    at = {sign: i for i, sign in enumerate(sorted(sign for sign, n in pages.items() if n >= LEAST_PAGES))}
    held = [[at[sign] for sign in block if sign in at] for blocks in signs for block in blocks]
    ends = np.cumsum([0, *map(len, held)])
    matrix = csr_matrix((np.ones(ends[-1], np.float32), np.concatenate(held), ends), shape=(len(held), len(at)))
    labels = np.concatenate([e.labels for e in examples])
    weights = np.concatenate([share_of_page(e) for e in examples])
    model = LogisticRegression(C=PRIOR, max_iter=80, tol=1e-3)
    twice = np.concatenate([np.ones(len(labels)), np.zeros(len(labels))])  # a share is so much of a yes and of a no
    model.fit(vstack([matrix, matrix]), twice, sample_weight=np.concatenate([weights * labels, weights * (1 - labels)]))
    worths = {sign: round(float(model.coef_[0, i]), 3) for sign, i in at.items()}
    return Vocabulary({s: w for s, w in worths.items() if abs(w) >= LEAST_WORTH}, round(float(model.intercept_[0]), 3))


def fit_both_worths(examples: list[Example]) -> tuple[Vocabulary, Vocabulary]:
    names = fit_worths(examples, [e.counted.names for e in examples])
    return names, fit_worths(examples, [e.counted.said for e in examples])


def worthy(e: Example, names: Vocabulary, said: Vocabulary) -> np.ndarray:
    return with_worths(e.counted, names.worth(e.counted.names), said.worth(e.counted.said))


def with_context(e: Example, matrix: np.ndarray, first: np.ndarray) -> np.ndarray:
    return np.concatenate([matrix, context(first, e.counted)], axis=1)


@dataclass
class Fitted:
    names: Vocabulary
    said: Vocabulary
    first: CatBoost
    second: CatBoost

    def chances(self, e: Example) -> np.ndarray:
        matrix = worthy(e, self.names, self.said)
        first = chances(self.first, matrix)
        return (first + chances(self.second, with_context(e, matrix, first))) / 2


def folds_of(examples: list[Example]) -> list[set[int]]:
    """Pages of one site are held out together: what was learned of a site would seem to hold for all."""
    sites = sorted({e.site for e in examples})
    random.Random(SEED).shuffle(sites)
    fold = {site: i % FOLDS for i, site in enumerate(sites)}
    return [{i for i, e in enumerate(examples) if fold[e.site] == k} for k in range(FOLDS)]


def unseen(examples: list[Example], learn: Callable[[list[int]], Callable[[int], np.ndarray]]) -> list[np.ndarray]:
    """What is said of each page by what was learned from the other folds."""
    found: dict[int, np.ndarray] = {}
    for held in folds_of(examples):
        tell = learn([i for i in range(len(examples)) if i not in held])
        found |= {i: tell(i) for i in held}
    return [found[i] for i in range(len(examples))]


def fit_all(examples: list[Example]) -> Fitted:
    def learn_worths(rest: list[int]) -> Callable[[int], np.ndarray]:
        worths = fit_both_worths([examples[i] for i in rest])
        return lambda i: worthy(examples[i], *worths)

    matrices = unseen(examples, learn_worths)

    def learn_first(rest: list[int]) -> Callable[[int], np.ndarray]:
        model = fit([examples[i] for i in rest], [matrices[i] for i in rest])
        return lambda i: chances(model, matrices[i])

    first = unseen(examples, learn_first)
    show("each page unseen, five folds by site, the first alone", list(zip(examples, first, strict=True)))
    more = [with_context(*each) for each in zip(examples, matrices, first, strict=True)]
    return Fitted(*fit_both_worths(examples), fit(examples, matrices), fit(examples, more))


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
    fitted = fit_all(learned)
    if rest := [e for e in found if e.id not in shown]:
        show("other half", [(e, fitted.chances(e)) for e in rest])
    weights = {
        "features": [*FEATURES, *WORTHS, *CONTEXT],
        "half": options.half,
        "pages": len(learned),
        "names": {"worths": fitted.names.worths, "bias": fitted.names.bias},
        "words": {"worths": fitted.said.worths, "bias": fitted.said.bias},
        "first": forest_of(fitted.first),
        "second": forest_of(fitted.second),
    }
    body = gzip.compress(json.dumps(weights, separators=(",", ":")).encode(), mtime=0)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / WEIGHTS).write_bytes(body)


if __name__ == "__main__":
    main()

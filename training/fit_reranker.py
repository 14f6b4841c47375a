"""Fit the two or three numbers that turn likeness and word coverage into the chance that a passage answers.

    python training/fit_reranker.py --questions clapnq-dev-half.jsonl.gz --out src/answerable/models/reranker

Data: questions with one passage each, which a person found to answer the question or not. Positives: passages that
answer. Negatives: passages on the subject that do not, and other questions' passages that BM25 puts high. The two
kinds of negatives together weigh as much as the positives. Runs in the project's own environment; a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import time
from pathlib import Path

import numpy as np

from answerable.providers.local_models import minilm_vectors
from answerable.providers.reranking.minilm import MAX_TOKENS
from answerable.text.analysis import index_tokens
from answerable.text.bm25 import BM25
from answerable.text.relevance import coverage, question_tokens

SEED = 0
POOL = 30  # candidates of a question, as in a turn: coverage depends on its company
TAKEN = (1, 2, 3, 6, 10, 20)  # ranks of the wrong passages that are learned from
ANSWERS, SAME_SUBJECT, OTHER = 0, 1, 2
WEIGHT = {ANSWERS: 1.0, SAME_SUBJECT: 0.5, OTHER: 0.5 / 3}


async def examples(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of (cosine, coverage), what each is, and the question it belongs to."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    passages = [f"{item['passage']['title']}\n{item['passage']['text']}" for item in items]
    index = BM25([index_tokens(passage) for passage in passages])
    vectors = await minilm_vectors(passages, max_tokens=MAX_TOKENS)
    asked = await minilm_vectors([item["question"] for item in items], max_tokens=MAX_TOKENS)

    rows, kinds, questions = [], [], []
    for i, item in enumerate(items):
        ranked = np.argsort(-index.scores(question_tokens(item["question"])), kind="stable")
        pool = [i, *(int(j) for j in ranked if j != i)][:POOL]
        covered = coverage(item["question"], [passages[j] for j in pool])
        for place in (0, *TAKEN):
            rows.append((float(asked[i] @ vectors[pool[place]]), covered[place]))
            kinds.append(OTHER if place else ANSWERS if item["answerable"] else SAME_SUBJECT)
            questions.append(i)
    return np.array(rows), np.array(kinds), np.array(questions)


def fit(rows: np.ndarray, kinds: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Intercept and weights of a logistic regression, by Newton's method."""
    inputs = np.c_[np.ones(len(rows)), rows]
    wanted, weights = (kinds == ANSWERS).astype(float), np.array([WEIGHT[kind] for kind in kinds])
    penalty = np.diag([0.0, *[ridge] * rows.shape[1]])
    found = np.zeros(inputs.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-inputs @ found))
        curve = (inputs * (weights * chance * (1 - chance))[:, None]).T @ inputs + penalty
        found += np.linalg.solve(curve, inputs.T @ (weights * (wanted - chance)) - penalty @ found)
    return found


def report(name: str, rows: np.ndarray, kinds: np.ndarray, questions: np.ndarray) -> None:
    """Figures for questions that the fit did not see, in five folds."""
    folds = np.random.default_rng(SEED).permutation(questions.max() + 1)[questions] % 5
    chances = np.zeros(len(rows))
    for fold in range(5):
        inside = folds == fold
        found = fit(rows[~inside], kinds[~inside])
        chances[inside] = 1 / (1 + np.exp(-np.c_[np.ones(inside.sum()), rows[inside]] @ found))
    right, near, far = (chances[kinds == kind] for kind in (ANSWERS, SAME_SUBJECT, OTHER))
    print(f"{name}: AUC answers/same subject {auc(right, near):.3f}, answers/other {auc(right, far):.3f}")
    for floor in (0.1, 0.2, 0.3, 0.4):
        kept = [f"{(part >= floor).mean():.3f}" for part in (right, near, far)]
        print(f"  kept at {floor}: answers {kept[0]}, same subject {kept[1]}, other {kept[2]}")


def auc(high: np.ndarray, low: np.ndarray) -> float:
    return float((high[:, None] > low).mean() + (high[:, None] == low).mean() / 2)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--questions", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()

    began = time.perf_counter()
    rows, kinds, questions = asyncio.run(examples(given.questions))
    report("cosine alone", rows[:, :1], kinds, questions)
    report("words alone", rows[:, 1:], kinds, questions)
    report("both", rows, kinds, questions)
    names = ("intercept", "cosine", "coverage")
    weights = {name: round(float(value), 2) for name, value in zip(names, fit(rows, kinds), strict=True)}
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "weights.json").write_text(json.dumps(weights) + "\n", "utf-8")
    print("both:", weights, "-> weights.json")
    print("words alone:", fit(rows[:, 1:], kinds).round(2), "-> providers/reranking/lexical.py")
    print(f"{len(set(questions))} questions, {len(rows)} pairs, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()

"""Fit which sentence answers, and whether any does: lines over the figures of answering/choosing.py.

    python training/fit_choice.py --out src/answerable/models/choice

Learned from the webs in training/webs: each is a folder of the miniature web, packed, with questions about it.
Every question goes the ordinary way through the engine; of the evidence that it found, the sentences of a gold page
that hold an expected text are right. The line of the choice is a conditional logit over the sentences of one question
(McFadden 1974), with a ridge; the line that tells whether any answers is a logistic regression on the figures of the
likeliest sentence and the signs of the evidence, where each question is looked at a second time without its gold pages;
it learns from training/read as well, whose sentences the cross-encoder has seen. Reported on webs that the fit has not
seen. Runs in the project's own environment; some twenty minutes, most of it asking.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pickle
import re
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import answerable.answering.pipeline as pipeline
from answerable.answering.candidates import Candidate, candidates_of
from answerable.answering.choosing import STEADY, Choice, enough_figures, figures_of_all, in_order
from answerable.answering.enough import Signs, look
from answerable.answering.rounds import Looked, look_for_evidence
from answerable.answering.selecting import parts_of
from answerable.answering.weighing import Judges, Wanted, spoken, wanted_of, weigh
from answerable.evals.running import run_eval
from answerable.protocols import Parts
from answerable.types import Evidence, Passage, Question
from fit_support import RIDGE as RIDGE_OF_ENOUGH
from fit_support import fit

WEBS, READ = (Path(__file__).parent / name for name in ("webs", "read"))
FOLDS, INNER = 5, 3
RIDGE, STEPS, STEP = 3.0, 200, 0.02  # of the choice
WITHOUT_GOLD = 0.3  # weight of a question that is asked again without its gold pages
ABSTAINING = 3.0  # weight of a question without an answer


@dataclass(frozen=True)
class Asked:
    """A question with the sentences that it was to choose from. `right`: None where the text is right and the page is
    not gold, which teaches nothing."""

    web: str
    name: str
    ranked: Sequence[tuple[Candidate, float]]
    wanted: Wanted
    signs: Signs
    figures: Sequence[dict[str, float]]
    right: Sequence[bool | None]
    sides: Sequence[int | None]  # which of two quarrelling sides each tells
    answered: bool  # there is an answer
    without_gold: bool


def asked_in(packed: Path, name: str) -> list[Asked]:
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(packed) as web:
        folder = Path(scratch) / name
        web.extractall(folder, filter="data")
        return asyncio.run(asked_of(folder))


async def asked_of(folder: Path) -> list[Asked]:
    """All English questions of one part."""
    caught: list[tuple[Question, Parts, Looked]] = []
    way = pipeline.look_for_evidence

    async def looking(planned: Any, question: Question, parts: Parts, *rest: Any) -> Looked:
        looked = await look_for_evidence(planned, question, parts, *rest)
        caught.append((question, parts, looked))
        return looked

    pipeline.look_for_evidence = looking  # type: ignore[attr-defined]
    try:
        await run_eval(folder)
    finally:
        pipeline.look_for_evidence = way  # type: ignore[attr-defined]
    specs = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line.strip()]
    found = []
    for spec in specs:
        last = [one for one in caught if one[0].text == spec["question"]]
        if not last or not last[-1][2].evidence.passages or not last[-1][2].plan.language.startswith("en"):
            continue
        question, parts, looked = last[-1]
        everything = looked.gathered.passages
        found.append(await asked(folder.name, spec, question, parts, looked, looked.evidence, everything))
        if not spec.get("abstain"):
            rest = without(gold_of(spec), looked.evidence)
            kept = {page.page_id for page in rest.pages}
            if rest.passages and len(rest.pages) < len(looked.evidence.pages):
                others = [p for p in everything if p.page_id in kept]
                found.append(await asked(folder.name, spec, question, parts, looked, rest, others))
    return [one for one in found if one is not None]


async def asked(
    web: str,
    spec: dict[str, Any],
    question: Question,
    parts: Parts,
    looked: Looked,
    evidence: Evidence,
    everything: Sequence[Passage],
) -> Asked | None:
    plan = looked.plan
    candidates = candidates_of(evidence, plan.language)
    if len(parts_of(plan)) > 1 or not candidates:
        return None
    (part, _), *_ = parts_of(plan)
    wanted = wanted_of(part, plan, evidence, candidates, now=question.now)
    ranked = await weigh(candidates, wanted, Judges(parts.reranker, parts.answers))
    if any(c.chance is None for c, _ in ranked):
        return None
    signs = await look(part, plan.language, evidence, everything, reranker=parts.reranker, embedder=parts.embedder)
    gold, texts = gold_of(spec), [text for texts in spec.get("expect", ()) for text in texts]
    right: list[bool | None] = []
    for c, _ in ranked:
        told = holds(spoken(c), texts)
        right.append(True if told and evidence.pages[c.number - 1].url in gold else None if told else False)
    without_gold = evidence is not looked.evidence
    answered = not spec.get("abstain") and not without_gold
    figures = figures_of_all(ranked, wanted)
    sides = [side_of(c, spec, evidence) for c, _ in ranked]
    return Asked(web, spec["id"], ranked, wanted, signs, figures, right, sides, answered, without_gold)


def side_of(c: Candidate, spec: dict[str, Any], evidence: Evidence) -> int | None:
    url = evidence.pages[c.number - 1].url
    told = zip(spec.get("both_sides", ()), spec.get("expect", ()), strict=False)
    return next((k for k, (urls, texts) in enumerate(told) if url in urls and holds(spoken(c), texts)), None)


def gold_of(spec: dict[str, Any]) -> set[str]:
    return {*spec.get("gold_urls", ()), *(url for side in spec.get("both_sides", ()) for url in side)}


def holds(text: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts stands in it as words."""
    folded = plain(text)
    return any(re.search(rf"(?<!\w){re.escape(plain(one))}(?!\w)", folded) for one in texts)


def plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def without(gold: set[str], evidence: Evidence) -> Evidence:
    pages = tuple(page for page in evidence.pages if page.url not in gold)
    kept = [n for n, p in enumerate(evidence.passages) if any(p.page_id == page.page_id for page in pages)]
    scores = tuple(evidence.scores[n] for n in kept) if evidence.scores else ()
    return replace(evidence, pages=pages, passages=tuple(evidence.passages[n] for n in kept), scores=scores)


class Fitted:
    """A line on figures brought to one scale."""

    def __init__(self, rows: np.ndarray) -> None:
        self.mean, spread = rows.mean(axis=0), rows.std(axis=0)
        self.spread = np.where(spread < 1e-6, 1.0, spread)
        self.weights, self.intercept = np.zeros(rows.shape[1]), 0.0

    def scaled(self, rows: np.ndarray) -> np.ndarray:
        return np.clip((rows - self.mean) / self.spread, -STEADY, STEADY)

    def score(self, rows: np.ndarray) -> np.ndarray:
        return self.intercept + self.scaled(rows) @ self.weights

    def held(self, names: Sequence[str]) -> dict[str, Any]:
        parts = {name: [round(float(v), 5) for v in getattr(self, name)] for name in ("mean", "spread", "weights")}
        return {"names": list(names), **parts, "intercept": round(self.intercept, 5)}


def fit_choice(data: Sequence[Asked], names: Sequence[str]) -> Fitted:
    """By Adam, all questions a step: the same file each time."""
    groups = []
    for one in data:
        kept = [k for k, right in enumerate(one.right) if right is not None]
        right = np.array([bool(one.right[k]) for k in kept])
        if one.answered and right.any():
            groups.append((np.array([[one.figures[k][name] for name in names] for k in kept]), right))
    line = Fitted(np.concatenate([rows for rows, _ in groups]))
    scaled = [(line.scaled(rows), right) for rows, right in groups]
    first, second = np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        slope = -RIDGE * line.weights
        for rows, right in scaled:
            score = rows @ line.weights
            shares = np.exp(score - score.max())
            shares /= shares.sum()
            meant = shares * right
            slope = slope + rows.T @ (meant / (meant.sum() + 1e-12) - shares)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        line.weights = line.weights + STEP * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return line


def chosen_by(line: Fitted, names: Sequence[str], one: Asked) -> Choice:
    scores = line.score(np.array([[figures[name] for name in names] for figures in one.figures]))
    return in_order(one.ranked, one.figures, scores)


def fit_logistic(rows: np.ndarray, truth: np.ndarray, weights: np.ndarray, ridge: float = RIDGE_OF_ENOUGH) -> Fitted:
    """The logistic regression of fit_support.py."""
    line = Fitted(rows)
    scaled = np.hstack([np.ones((len(rows), 1)), line.scaled(rows)])
    found = fit(scaled, truth, weights, ridge)
    line.intercept, line.weights = float(found[0]), found[1:]
    return line


def rows_of_enough(data: Sequence[Asked], line: Fitted, names: Sequence[str]) -> list[dict[str, float]]:
    return [enough_figures(chosen_by(line, names, one), one.signs) for one in data]


def both(data: Sequence[Asked], names: Sequence[str]) -> tuple[Fitted, Fitted, list[str]]:
    """The line of the choice, and the line that tells whether any answers, which learns from choices on webs that the
    first had not seen."""
    told = [one for one in data if any(one.right) or (not one.answered and None not in one.right)]
    webs = sorted({one.web for one in told})
    found: list[tuple[Asked, dict[str, float]]] = []
    for k in range(INNER):
        left = set(webs[k::INNER])
        unseen = [one for one in told if one.web in left]
        line = fit_choice([one for one in data if one.web not in left], names)
        found += zip(unseen, rows_of_enough(unseen, line, names), strict=True)
    columns = list(found[0][1])
    weights = [WITHOUT_GOLD if o.without_gold else 1.0 if o.answered else ABSTAINING for o, _ in found]
    matrix = np.array([[row[name] for name in columns] for _, row in found])
    answered = np.array([float(one.answered) for one, _ in found])
    return fit_choice(data, names), fit_logistic(matrix, answered, np.array(weights)), columns


def report(data: Sequence[Asked], names: Sequence[str]) -> None:
    webs = sorted({one.web for one in data})
    first: list[bool] = []
    three: list[bool] = []
    chances: list[tuple[float, Asked]] = []
    for k in range(FOLDS):
        left = set(webs[k::FOLDS])
        choice, enough, columns = both([one for one in data if one.web not in left], names)
        seen = [one for one in data if one.web in left]
        rows = rows_of_enough(seen, choice, names)
        scores = enough.score(np.array([[row[name] for name in columns] for row in rows]))
        chances += zip(1 / (1 + np.exp(-scores)), seen, strict=True)
        for one in seen:
            if one.answered and any(one.right):
                ranked = chosen_by(choice, names, one).ranked
                places = [
                    one.right[
                        next(j for j, (c, _) in enumerate(one.ranked) if c.start == r.start and c.number == r.number)
                    ]
                    for r, _ in ranked[:3]
                ]
                first.append(bool(places[0]))
                three.append(any(places))
    right = [one for one in data if one.answered and any(one.right)]
    older = np.mean([bool(one.right[0]) for one in right])
    read = [one.right[int(np.argmax([c.chance or 0.0 for c, _ in one.ranked]))] for one in right]
    print(
        f"the first by the older weighing {older:.3f}, by the cross-encoder alone {np.mean(list(map(bool, read))):.3f}"
    )
    print(f"{len(first)} questions with a right sentence: first {np.mean(first):.3f}, of three {np.mean(three):.3f}")
    yes = [chance for chance, one in chances if one.answered]
    for name, told in (("no answer", False), ("without gold pages", True)):
        no = [chance for chance, one in chances if not one.answered and one.without_gold is told]
        print(f"{name}: {len(no)}, AUC {np.mean([(a > b) + 0.5 * (a == b) for a in yes for b in no]):.3f}")
    for least in np.arange(0.3, 0.81, 0.05):
        no = [chance for chance, one in chances if not one.answered and not one.without_gold]
        print(f"{least:.2f}: refuses {np.mean(np.array(yes) < least):.3f}, honest {np.mean(np.array(no) < least):.3f}")


def varies(name: str, data: Sequence[Asked]) -> bool:
    """Whether it ever tells two sentences of a question apart."""
    return any(len({figures[name] for figures in one.figures}) > 1 for one in data)


def cached(path: Path | None, make: Callable[[], Any]) -> Any:
    if path is None:
        return make()
    if not path.exists():
        path.write_bytes(pickle.dumps(make()))
    return pickle.loads(path.read_bytes())


def ask_all(folder: Path, cache: Path | None) -> list[Asked]:
    """The questions of all webs in the folder."""
    began, data = time.perf_counter(), list[Asked]()
    for packed in sorted(folder.glob("*.tar.gz")):
        name = packed.name.removesuffix(".tar.gz")
        place = cache / f"{name}.pickle" if cache else None
        data += cached(place, lambda packed=packed, name=name: asked_in(packed, name))
        print(f"{name}: {len(data)} asked so far, {time.perf_counter() - began:.0f} s", flush=True)
    return data


def keep(out: Path, lines: dict[str, Any]) -> None:
    """Writes the lines beside those that the file holds already."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "weights.json"
    held = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps(held | lines) + "\n", "utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--webs", type=Path, default=WEBS)
    options.add_argument("--read", type=Path, default=READ, help="webs of which only `enough` learns")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--cache", type=Path, help="where what was asked is kept between runs")
    given = options.parse_args()
    data = ask_all(given.webs, given.cache)
    names = [name for name in data[0].figures[0] if varies(name, data)]  # what is one for all tells nothing
    report(data, names)
    choice = fit_choice(data, names)
    _, enough, columns = both([*data, *ask_all(given.read, given.cache)], names)
    keep(given.out, {"choice": choice.held(names), "enough": enough.held(columns)})
    print(f"{len(names)} figures")


if __name__ == "__main__":
    main()

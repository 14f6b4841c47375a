"""Fits the line that tells whether any sentence answers, on webs that nothing else has learned from.

    python training/fit_enough.py --weights src/answerable/models/choice/weights.json

Every question of `training/read` goes the ordinary way through the engine, and a second time without its gold pages.
The cross-encoder and the choice are those that ship; neither has seen these webs, so that they are as sure here as on
pages that are new to them. `enough` is written into the file, `choice` stays. Runs in the project's own environment;
some forty minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from answerable.answering.choosing import choose, enough_figures
from fit_choice import Asked, Fitted, asked_in, cached
from fit_support import fit

WEBS = Path(__file__).parent / "read"
FOLDS = 7
RIDGE = 100.0
ABSTAINING = 8.0  # there are twelve times as many with an answer
WITHOUT_GOLD = 0.5  # as good as a question without an answer, but many and easy
BOUNDS = np.arange(0.14, 0.61, 0.04)


def learned_from(data: Sequence[Asked]) -> list[tuple[Asked, dict[str, float]]]:
    """With their figures: questions whose right sentence was read, and those that have none."""
    told = [one for one in data if any(one.right) or (not one.answered and None not in one.right)]
    return [(one, enough_figures(choose(one.ranked, one.wanted), one.signs)) for one in told]


def fit_line(found: Sequence[tuple[Asked, dict[str, float]]], columns: Sequence[str]) -> Fitted:
    rows = np.array([[figures[name] for name in columns] for _, figures in found])
    answered = np.array([float(one.answered) for one, _ in found])
    weights = np.array([WITHOUT_GOLD if o.without_gold else 1.0 if o.answered else ABSTAINING for o, _ in found])
    line = Fitted(rows)
    scaled = np.hstack([np.ones((len(rows), 1)), line.scaled(rows)])
    weighed = fit(scaled, answered, weights, RIDGE)
    line.intercept, line.weights = float(weighed[0]), weighed[1:]
    return line


def report(found: Sequence[tuple[Asked, dict[str, float]]], columns: Sequence[str]) -> None:
    """Each web by a line that has not seen it."""
    webs = sorted({one.web for one, _ in found})
    chances: list[tuple[float, Asked]] = []
    for k in range(FOLDS):
        left = set(webs[k::FOLDS])
        line = fit_line([pair for pair in found if pair[0].web not in left], columns)
        seen = [pair for pair in found if pair[0].web in left]
        scores = line.score(np.array([[figures[name] for name in columns] for _, figures in seen]))
        chances += zip(1 / (1 + np.exp(-scores)), [one for one, _ in seen], strict=True)
    yes = np.array([chance for chance, one in chances if one.answered])
    for name, told in (("no answer", False), ("without gold pages", True)):
        no = np.array([chance for chance, one in chances if not one.answered and one.without_gold is told])
        over = np.mean((yes[:, None] > no[None]) + 0.5 * (yes[:, None] == no[None]))
        print(f"{len(yes)} with an answer, {len(no)} {name}: AUC {over:.3f}")
    no = np.array([chance for chance, one in chances if not one.answered and not one.without_gold])
    for least in BOUNDS:
        print(f"{least:.2f}: refuses {np.mean(yes < least):.3f}, honest {np.mean(no < least):.3f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path, required=True, help="the file of fit_choice.py")
    options.add_argument("--cache", type=Path, help="where what was asked is kept between runs")
    given = options.parse_args()
    began = time.perf_counter()
    data: list[Asked] = []
    for packed in sorted(WEBS.glob("*.tar.gz")):
        name = packed.name.removesuffix(".tar.gz")
        place = given.cache / f"{name}.pickle" if given.cache else None
        data += cached(place, lambda packed=packed, name=name: asked_in(packed, name))
        print(f"{name}: {len(data)} asked so far, {time.perf_counter() - began:.0f} s", flush=True)
    found = learned_from(data)
    columns = list(found[0][1])
    report(found, columns)
    held = json.loads(given.weights.read_text("utf-8"))
    held["enough"] = fit_line(found, columns).held(columns)
    given.weights.write_text(json.dumps(held) + "\n", "utf-8")
    print(f"{len(columns)} figures, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()

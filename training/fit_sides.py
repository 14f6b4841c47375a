"""Fit whether two sources give different answers to one question: a line over the figures of answering/differing.py.

    python training/fit_sides.py --out src/answerable/models/choice

Learned from the webs in training/webs and training/read, after fit_choice.py, whose line puts the sentences in order:
of a question that has an answer, the likeliest sentence with each other that may answer otherwise is a pair, and the
two sides of a quarrel are what is looked for. A logistic regression with a ridge, added to the file that
fit_choice.py wrote. Reported on webs that the fit has not seen, beside the rules of answering/sides.py. Runs in the
project's own environment; twenty minutes, most of it asking.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from answerable.answering.choosing import figures_of_all, fitted, in_order
from answerable.answering.differing import AS_RULED, DIFFERING, may_quarrel, pairs
from fit_choice import READ, WEBS, Asked, Fitted, ask_all, fit_logistic, keep

FOLDS, RIDGE, SEED = 6, 30.0, 0

Pairs = list[tuple[dict[str, float], bool]]  # figures, and whether they are the two sides


def pairs_of(one: Asked) -> Pairs:
    line = fitted("choice")
    figures = figures_of_all(one.ranked, one.wanted)
    choice = in_order(one.ranked, figures, np.array([line.score(each) for each in figures]))
    places = {(c.number, c.start): k for k, (c, _) in enumerate(one.ranked)}
    sides = [one.sides[places[c.number, c.start]] for c, _ in choice.ranked]
    return [
        (told, sides[0] is not None and sides[place] not in (None, sides[0]))
        for place, told in pairs(choice.ranked, one.wanted)
    ]


def line_of(data: Sequence[Pairs], names: Sequence[str]) -> Fitted:
    rows = np.array([[figures[name] for name in names] for found in data for figures, _ in found])
    truth = np.array([float(differ) for found in data for _, differ in found])
    return fit_logistic(rows, truth, np.ones(len(truth)), RIDGE)


def shown(chances: Sequence[float], found: Pairs, least: float) -> bool | None:
    """Whether the pair that is shown is the quarrel; None where none is shown."""
    told = [
        (chance, differ)
        for chance, (figures, differ) in zip(chances, found, strict=True)
        if (may_quarrel(figures) and chance >= least) or (figures["quarrels"] and chance >= AS_RULED)
    ]
    return max(told)[1] if told else None


def report(data: Sequence[tuple[Asked, Pairs]], names: Sequence[str]) -> None:
    webs = sorted({one.web for one, _ in data})
    order = np.random.default_rng(SEED).permutation(len(webs))
    fold = {webs[k]: n % FOLDS for n, k in enumerate(order)}
    told: list[tuple[Asked, Pairs, list[float]]] = []
    for k in range(FOLDS):
        line = line_of([found for one, found in data if fold[one.web] != k], names)
        for one, found in data:
            if fold[one.web] == k:
                rows = np.array([[figures[name] for name in names] for figures, _ in found]).reshape(-1, len(names))
                told.append((one, found, list(1 / (1 + np.exp(-line.score(rows))))))
    disputed = [one for one in told if any(side is not None for side in one[0].sides)]
    quiet = [one for one in told if all(side is None for side in one[0].sides)]
    print(f"{len(disputed)} disputed questions, {len(quiet)} others")
    for least in (0.15, 0.2, DIFFERING, 0.3, 0.4):
        right = sum(bool(shown(chances, found, least)) for _, found, chances in disputed)
        wrong = sum(shown(chances, found, least) is not None for _, found, chances in quiet)
        print(f"{least:.2f}: both sides shown {right}, a quarrel where there is none {wrong}")
    right = sum(any(figures["quarrels"] and differ for figures, differ in found) for _, found, _ in disputed)
    wrong = sum(any(figures["quarrels"] for figures, _ in found) for _, found, _ in quiet)
    print(f"by the rules alone: {right}, {wrong}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--webs", type=Path, nargs="*", default=[WEBS, READ])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--cache", type=Path, help="where what was asked is kept between runs")
    given = options.parse_args()
    asked = [one for folder in given.webs for one in ask_all(folder, given.cache) if one.answered]
    data = [(one, pairs_of(one)) for one in asked]
    names = list(next(found for _, found in data if found)[0][0])
    report(data, names)
    keep(given.out, {"sides": line_of([found for _, found in data], names).held(names)})


if __name__ == "__main__":
    main()

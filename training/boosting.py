"""Boosted trees for a yes or no, small and exact enough for some thousand rows: histograms, best leaf first, a ridge.

Written out because a library for it would be needed nowhere else, and so that the same rows give the same file.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

BINS = 32


@dataclass(frozen=True)
class Shape:
    """How the trees grow."""

    trees: int = 90
    forests: int = 2  # grown from other shares of rows and figures; their mean is steadier
    leaves: int = 8
    step: float = 0.05
    ridge: float = 5.0
    least_rows: int = 30
    rows: float = 0.7  # share of the rows that a tree sees
    figures: float = 0.25  # share of the figures


@dataclass
class Tree:
    figure: list[int] = field(default_factory=list)
    bound: list[float] = field(default_factory=list)
    less: list[int] = field(default_factory=list)
    more: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)

    def leaf(self, value: float) -> int:
        """A leaf is its own child."""
        place = len(self.figure)
        for column, entry in ((self.figure, 0), (self.less, place), (self.more, place)):
            column.append(entry)
        self.bound.append(0.0)
        self.value.append(value)
        return place


class Boosted:
    def __init__(self, rows: np.ndarray, labels: np.ndarray, weights: np.ndarray, seed: int, shape: Shape) -> None:
        weights = weights / weights.mean()
        self.cuts = [bounds_of(rows[:, k]) for k in range(rows.shape[1])]
        binned = np.stack([np.searchsorted(c, rows[:, k], side="left") for k, c in enumerate(self.cuts)], axis=1)
        share = float(np.average(labels, weights=weights))
        odds = np.full(len(labels), np.log(share / (1 - share)))
        self.trees = [single(float(odds[0]))]
        chance = np.random.default_rng(seed)
        for _ in range(shape.trees):
            said = 1 / (1 + np.exp(-odds))
            slope, curve = weights * (labels - said), weights * said * (1 - said)
            kept = np.flatnonzero(chance.random(len(labels)) < shape.rows)
            figures = np.sort(chance.permutation(rows.shape[1])[: max(1, int(shape.figures * rows.shape[1]))])
            tree = self.grow(binned, kept, figures, slope, curve, shape)
            self.trees.append(tree)
            odds += predict([tree], rows)

    def grow(
        self,
        binned: np.ndarray,
        kept: np.ndarray,
        figures: np.ndarray,
        slope: np.ndarray,
        curve: np.ndarray,
        shape: Shape,
    ) -> Tree:
        tree = Tree()

        def value(rows: np.ndarray) -> float:
            return shape.step * float(slope[rows].sum() / (curve[rows].sum() + shape.ridge))

        open_leaves = [(tree.leaf(value(kept)), kept, best_cut(binned, kept, figures, slope, curve, shape))]
        for _ in range(shape.leaves - 1):
            at = max(range(len(open_leaves)), key=lambda k: open_leaves[k][2][0])
            place, rows, (gain, figure, cut) = open_leaves.pop(at)
            if gain <= 1e-9:
                break
            below = binned[rows, figure] <= cut
            tree.figure[place], tree.bound[place] = int(figure), float(self.cuts[figure][cut])
            for name, part in (("less", rows[below]), ("more", rows[~below])):
                child = tree.leaf(value(part))
                getattr(tree, name)[place] = child
                open_leaves.append((child, part, best_cut(binned, part, figures, slope, curve, shape)))
        return tree


def grown(rows: np.ndarray, labels: np.ndarray, weights: np.ndarray, seed: int, shape: Shape) -> list[Tree]:
    """The trees of all forests, their values brought to the mean."""
    trees = [tree for k in range(shape.forests) for tree in Boosted(rows, labels, weights, seed + k, shape).trees]
    for tree in trees:
        tree.value = [value / shape.forests for value in tree.value]
    return trees


def single(value: float) -> Tree:
    tree = Tree()
    tree.leaf(value)
    return tree


def bounds_of(column: np.ndarray) -> np.ndarray:
    """Up to BINS - 1 values that part a column into shares of about the same size, between values that occur."""
    values = np.unique(column)
    if len(values) > BINS:
        values = np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1), method="lower"))
    return (values[:-1] + values[1:]) / 2 if len(values) > 1 else values


def best_cut(
    binned: np.ndarray, rows: np.ndarray, figures: np.ndarray, slope: np.ndarray, curve: np.ndarray, shape: Shape
) -> tuple[float, int, int]:
    """The gain of the best cut of these rows, its figure, and the last bin of the lower side."""
    if len(rows) < 2 * shape.least_rows:
        return 0.0, 0, 0
    width, count = BINS + 2, len(figures)
    flat = (binned[np.ix_(rows, figures)] + width * np.arange(count)).ravel()

    def below(values: np.ndarray) -> np.ndarray:
        found = np.bincount(flat, np.repeat(values, count), minlength=width * count)
        return found.reshape(count, width).cumsum(axis=1)

    slopes, curves, sizes = below(slope[rows]), below(curve[rows]), below(np.ones(len(rows)))
    total, bend = slopes[:, -1:], curves[:, -1:]
    gain = slopes**2 / (curves + shape.ridge) + (total - slopes) ** 2 / (bend - curves + shape.ridge)
    gain = gain - total**2 / (bend + shape.ridge)
    gain[(sizes < shape.least_rows) | (len(rows) - sizes < shape.least_rows)] = 0.0
    place, cut = np.unravel_index(int(gain.argmax()), gain.shape)
    return float(gain[place, cut]), int(figures[place]), int(cut)


def predict(trees: list[Tree], rows: np.ndarray) -> np.ndarray:
    """Log odds."""
    found = np.zeros(len(rows))
    for tree in trees:
        figure, bound = np.array(tree.figure), np.array(tree.bound)
        less, more = np.array(tree.less), np.array(tree.more)
        node = np.zeros(len(rows), int)
        while True:
            down = rows[np.arange(len(rows)), figure[node]] <= bound[node]
            following = np.where(down, less[node], more[node])
            if (following == node).all():
                break
            node = following
        found += np.array(tree.value)[node]
    return found


def held_as(trees: list[Tree]) -> dict[str, list[list[float]]]:
    """As the package keeps them: a row a tree, filled up with leaves that nothing leads to."""
    size = max(len(tree.figure) for tree in trees)
    for tree in trees:
        while len(tree.figure) < size:
            tree.leaf(0.0)
    return {
        "figure": [tree.figure for tree in trees],
        "bound": [[round(value, 5) for value in tree.bound] for tree in trees],
        "less": [tree.less for tree in trees],
        "more": [tree.more for tree in trees],
        "value": [[round(value, 5) for value in tree.value] for tree in trees],
    }

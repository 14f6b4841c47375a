"""The learned part of the support checker: figures of a claim and its evidence to the chance that it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answerable.providers.local_models import MODELS, load, model_file

STEADY = 4.0  # a figure counts no more than this many spreads from its mean, in the lines
LINES = ("mean", "spread", "short_line", "long_line")


@dataclass(frozen=True, slots=True)
class Trees:
    """Boosted trees, a row a tree, a column a node. A leaf is its own child; the first column holds the roots."""

    figure: NDArray[np.int64]
    bound: NDArray[np.float64]
    less: NDArray[np.int64]  # the next node where the figure is not above the bound
    more: NDArray[np.int64]
    value: NDArray[np.float64]

    def odds(self, row: NDArray[np.float64]) -> float:
        every = np.arange(len(self.figure))
        node = np.zeros(len(self.figure), np.int64)
        while True:
            down = row[self.figure[every, node]] <= self.bound[every, node]
            following = np.where(down, self.less[every, node], self.more[every, node])
            if (following == node).all():
                return float(self.value[every, node].sum())
            node = following


@dataclass(frozen=True, slots=True)
class Weights:
    """The mean, in log odds, of a logistic regression and of boosted trees over the same figures; one pair for claims
    of one sentence, another for longer ones."""

    names: tuple[str, ...]
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    short_line: NDArray[np.float64]  # the first number is the intercept
    long_line: NDArray[np.float64]
    short_trees: Trees
    long_trees: Trees

    def chance(self, found: Mapping[str, float]) -> float:
        row = np.array([found[name] for name in self.names])
        scaled = np.clip((row - self.mean) / self.spread, -STEADY, STEADY)
        longer = found["claim_sentences"] > 1
        line, trees = (self.long_line, self.long_trees) if longer else (self.short_line, self.short_trees)
        odds = (float(line[0] + scaled @ line[1:]) + trees.odds(row)) / 2
        return float(1 / (1 + np.exp(-odds)))


@cache
def weights(models: Path = MODELS) -> Weights:
    """Raises BrokenModel."""
    return load(model_file("support", "weights.json", root=models), weights_of)


def weights_of(path: str) -> Weights:
    held = json.loads(Path(path).read_text("utf-8"))
    names = tuple(held["names"])
    lines = {name: np.array(held[name], np.float64) for name in LINES}
    if {len(array) for array in lines.values()} != {len(names), len(names) + 1}:
        raise ValueError("its weights are not as many as its figures")
    short, long = (trees_of(held[name], len(names)) for name in ("short_trees", "long_trees"))
    return Weights(names, **lines, short_trees=short, long_trees=long)


def trees_of(held: Mapping[str, list[list[float]]], figures: int) -> Trees:
    whole = {name: np.array(held[name], np.int64) for name in ("figure", "less", "more")}
    shapes = {array.shape for array in whole.values()}
    trees = Trees(bound=np.array(held["bound"], np.float64), value=np.array(held["value"], np.float64), **whole)
    if shapes != {trees.bound.shape} or shapes != {trees.value.shape} or not trees.value.size:
        raise ValueError("its trees have parts of different sizes")
    nodes = trees.value.shape[1]
    ahead = [(child >= np.arange(nodes)).all() and (child < nodes).all() for child in (trees.less, trees.more)]
    if not all(ahead) or not 0 <= trees.figure.min() <= trees.figure.max() < figures:
        raise ValueError("its trees do not fit its figures")
    return trees

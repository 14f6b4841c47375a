"""The chance of each block to be main text: two small forests, the second of which knows what the first said around."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.providers.local_models import BrokenModel, load, model_file
from answerable.providers.reading.features import FEATURES, Counted, Matrix
from answerable.providers.reading.surroundings import Place
from answerable.providers.reading.vocabulary import Vocabulary

WEIGHTS = "weights.json.gz"
Chances = NDArray[np.float64]
Whole = NDArray[np.intp]

_MANY, _OWN = 3, 0.4  # blocks that look alike; how much a chance of one of them is its own
# In log odds: seven equal parts of a normal distribution with a deviation of 1.5.
SHIFTS = (-2.198, -1.188, -0.550, 0.0, 0.550, 1.188, 2.198)
# What is missing of a page's text weighs so much beside what is taken that is none (beta squared of F-beta): on the
# pages tuned on, a quarter of what leaked goes for .002 of F1.
RECALL = 0.6
_STEPS = (-3, -2, -1, 1, 2, 3)
_WINDOWS = (5, 15)
_LEVELS = 6
_NONE = -1.0
_INVITING = [FEATURES.index(f"says_{what}") for what in ("account", "related", "more", "shop", "sorting", "legal")]
_NEAR_REVIEW, _UNDER_REVIEW = FEATURES.index("near_review"), FEATURES.index("under_review")
_REVIEW_LEVELS = 6  # elements up from a block to one that is named after reviews
_ENDS = FEATURES.index("ends_stop")
_SHORT, _VERY_SHORT, _NO_SENTENCE = 12, 6, 5  # words
_SURE, _SUREST = 0.7, 0.9
WORTHS = ("names_worth", "words_worth")
CONTEXT: tuple[str, ...] = (
    "chance",
    *(f"chance{step:+d}" for step in _STEPS),
    *(f"chance_within_{reach}" for reach in _WINDOWS),
    "page_chance",
    "page_best",
    *(f"held{level}_chance" for level in range(_LEVELS)),
    "section_chance",
    "below_chance",
    "heading_chance",
    "alike_chance",
)


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees that ask one question a level: `columns[t, d]` over `bounds[t, d]` is bit d of the leaf of tree t."""

    columns: Whole
    bounds: NDArray[np.float32]
    leaves: NDArray[np.float32]
    bias: float

    def chances(self, matrix: Matrix) -> Chances:
        trees, depth = self.columns.shape
        weights = (1 << np.arange(depth)).astype(np.int32)
        total = np.full(len(matrix), self.bias)
        rows = max(1, 2_000_000 // (trees * depth))  # a bound on memory for pages of very many blocks
        for start in range(0, len(matrix), rows):
            part = matrix[start : start + rows]
            over = part[:, self.columns.ravel()] > self.bounds.ravel()
            leaf = over.reshape(len(part), trees, depth) @ weights
            total[start : start + rows] += self.leaves[np.arange(trees), leaf].sum(axis=1, dtype=np.float64)
        return np.asarray(1 / (1 + np.exp(-total)))


@dataclass(frozen=True, slots=True)
class Forests:
    names: Vocabulary
    said: Vocabulary
    first: Forest
    second: Forest

    def matrix(self, counted: Counted) -> Matrix:
        """What the first forest looks at: all that was counted, and what names and words are worth."""
        return with_worths(counted, self.names.worth(counted.names), self.said.worth(counted.said))


_held: list[Forests] = []  # those in use, once they were asked for


def forests() -> Forests:
    """Those of the package, unless `use` chose others. Raises BrokenModel."""
    if not _held:
        use(model_file("extraction", WEIGHTS))
    return _held[0]


def use(path: Path) -> None:
    """From now on these weights, in this process: to measure such as were fitted on a part of the data. Raises
    BrokenModel."""
    _held[:] = [load(path, forests_of)]


def forests_of(path: str) -> Forests:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        said = json.load(file)
    if tuple(said["features"]) != (*FEATURES, *WORTHS, *CONTEXT):
        raise BrokenModel(Path(path), "it was made for other features")
    names, words = (Vocabulary(said[what]["worths"], said[what]["bias"]) for what in ("names", "words"))
    return Forests(names, words, _forest(said["first"]), _forest(said["second"]))


def _forest(said: dict[str, Any]) -> Forest:
    return Forest(
        np.array(said["columns"], np.intp),
        np.array(said["bounds"], np.float32),
        np.array(said["leaves"], np.float32),
        float(said["bias"]),
    )


def judge(counted: Counted) -> Chances:
    """One chance a block, the mean of what both forests say. Raises BrokenModel."""
    trees = forests()
    matrix = trees.matrix(counted)
    first = trees.first.chances(matrix)
    second = trees.second.chances(np.concatenate([matrix, context(first, counted)], axis=1))
    return evened((first + second) / 2, counted)


def with_worths(counted: Counted, names: NDArray[np.float32], words: NDArray[np.float32]) -> Matrix:
    return np.concatenate([counted.matrix, np.stack([names, words], axis=1)], axis=1)


def evened(chances: Chances, counted: Counted) -> Chances:
    """Cards, rows and posts that look alike are main text together or not at all: each comes near to their mean,
    but for those that invite to something."""
    alike, sizes = np.array(counted.alike), counted.words.astype(np.float64) + 0.5
    mean = (np.bincount(alike, weights=chances * sizes) / np.bincount(alike, weights=sizes))[alike]
    even = (np.bincount(alike)[alike] >= _MANY) & (least_chances(counted) == 0)
    return np.where(even, _OWN * chances + (1 - _OWN) * mean, chances)


def without_reviews(chances: Chances, counted: Counted) -> Chances:
    """For the page of one product: what its buyers say of it is what comments are to an article."""
    reviews = counted.matrix[:, _NEAR_REVIEW] < _REVIEW_LEVELS
    return np.where(reviews | (counted.matrix[:, _UNDER_REVIEW] > 0), 0.0, chances)


def least_chances(counted: Counted) -> Chances:
    """How likely a block must be to be taken at all: more than others, when it is short and says what buttons and
    notices say (sign in, add to cart, related, privacy)."""
    says = (counted.matrix[:, _INVITING] > 0).any(axis=1)
    sentence = (counted.matrix[:, _ENDS] > 0) & (counted.words > _NO_SENTENCE)
    inviting = says & ~sentence & (counted.words <= _SHORT)
    return np.where(inviting, np.where(counted.words <= _VERY_SHORT, _SUREST, _SURE), 0.0)


def context(chances: Chances, counted: Counted) -> Matrix:
    """What was said of the blocks before and after, in the same elements, under the same heading, of the same look."""
    n, sizes = len(chances), counted.words.astype(np.float64) + 0.5
    weighed = chances * sizes
    columns = [chances]
    for step in _STEPS:
        moved = np.full(n, _NONE)
        if abs(step) < n:
            if step > 0:
                moved[:-step] = chances[step:]
            else:
                moved[-step:] = chances[:step]
        columns.append(moved)
    for reach in _WINDOWS:
        columns.append(_within(weighed, reach) / _within(sizes, reach))
    columns += [np.full(n, weighed.sum() / sizes.sum()), np.full(n, chances.max())]
    places: list[Place] = counted.places
    for _ in range(_LEVELS):
        groups = np.unique([id(place) for place in places], return_inverse=True)[1]
        rest = np.bincount(groups, weights=sizes)[groups] - sizes
        said = np.bincount(groups, weights=weighed)[groups] - weighed
        columns.append(np.where(rest > 1e-6, said / np.maximum(rest, 1e-6), _NONE))
        places = [place.parent or place for place in places]
    sections = np.array(counted.sections) + 1
    held = np.bincount(sections, weights=sizes, minlength=n + 2)
    mean = np.bincount(sections, weights=weighed, minlength=n + 2) / np.maximum(held, 1e-6)
    own = np.arange(n) + 1
    columns += [mean[sections], np.where(held[own] > 0, mean[own], _NONE)]
    columns.append(np.where(sections > 0, chances[np.maximum(sections - 1, 0)], _NONE))
    alike = np.array(counted.alike)
    columns.append((np.bincount(alike, weights=weighed) / np.bincount(alike, weights=sizes))[alike])
    return np.stack(columns, axis=1).astype(np.float32)


def _within(values: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """The sums over each one's neighbours, `reach` on either side, itself included."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    at = np.arange(len(values))
    return np.asarray(sums[np.minimum(at + reach + 1, len(values))] - sums[np.maximum(at - reach, 0)])


def best_choice(chances: Chances, words: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The likeliest blocks, as many as have the highest expected F, precision counting more than recall. The chances
    of a page's blocks err together,
    so the expectation is taken over their being too high or too low by up to e^2: a page whose text is hard to tell
    keeps less likely blocks than one where it is plain."""
    chosen = np.zeros(len(chances), bool)
    if not len(chances):
        return chosen
    order = np.argsort(-chances, kind="stable")
    sure = np.clip(chances[order], 1e-6, 1 - 1e-6)
    odds = np.log(sure / (1 - sure))
    taken = np.cumsum(words[order])
    expected = np.zeros(len(chances))
    for shift in SHIFTS:
        right = np.cumsum(np.where(chances[order] > 0, 1 / (1 + np.exp(-(odds + shift))), 0.0) * words[order])
        expected += (1 + RECALL) * right / (taken + RECALL * right[-1] + 1e-9)
    chosen[order[: int(expected.argmax()) + 1]] = True
    return chosen

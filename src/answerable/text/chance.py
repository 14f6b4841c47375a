"""How much of a claim a text of that many sentences would hold by chance, and how far its best sentences exceed that.

The best of many sentences shares more words with any claim than the only one of a short text. The expected maximum of
n draws of mean m and deviation s is about m + s·√(2 ln n) (the first term of extreme value theory for bounded sums);
what the best sentences hold beyond it is what they say about the claim. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

COMMON, SCARCE = 0.25, 0.05  # chance that a sentence on anything holds a word of rarity 0, and of rarity 1
LEAST, MOST = 0.03, 0.3  # bounds of that chance
UNSEEN = 0.05  # of a sentence in which each word is taken to stand, so that a short text is not sure of anything
STEADY = 0.05  # added to deviations
RARE = 0.75
WIDE = 3  # sentences that may form a quote


def beyond_chance(
    held: Sequence[Sequence[bool]], rarities: Sequence[float], sizes: Sequence[int], window: range
) -> dict[str, float]:
    """Figures of the sentences (rows of `held`: which words of the claim each holds; `sizes`: its own words)."""
    table = np.array(held, bool).reshape(len(held), len(rarities))
    weights = np.array(rarities, float)
    if not table.size or not weights.sum():
        table, weights, sizes, window = np.zeros((1, 1), bool), np.ones(1), [1], range(0)
    count = len(table)
    figures: dict[str, float] = {}
    for width in (1, WIDE):
        shares = covered_by(table, width) @ weights / weights.sum()
        best = float(shares.max())
        here = (table.sum(axis=0) + UNSEEN) / (count + 0.5)  # as often as the word stands in this text
        anywhere = np.clip(COMMON - (COMMON - SCARCE) * weights, LEAST, MOST)  # as often as in any text
        for name, rates, draws in (
            ("here", 1 - (1 - here) ** width, max(1.0, count / width)),
            ("anywhere", anywhere, count + 1.0),
        ):
            mean = float(weights @ rates / weights.sum())
            deviation = float(np.sqrt(weights**2 @ (rates * (1 - rates))) / weights.sum())
            expected = mean + deviation * (2 * log(draws)) ** 0.5
            figures[f"gain_{name}_{width}"] = best - min(expected, 1.0)
            figures[f"score_{name}_{width}"] = (best - expected) / (deviation + STEADY)
        others = np.sort(shares)[::-1]
        figures[f"before_second_{width}"] = best - (float(others[1]) if count > 1 else 0.0)
        figures[f"before_mean_{width}"] = best - (float(shares.mean()) if count > 1 else 0.0)
    return figures | precision(table, weights, np.array(sizes, float), window)


def covered_by(table: NDArray[np.bool_], width: int) -> NDArray[np.bool_]:
    """Which words each run of so many sentences holds together; runs at the end are shorter."""
    covered: NDArray[np.bool_] = table.copy()
    for step in range(1, min(width, len(table))):
        covered[:-step] |= table[step:]
    return covered


def precision(
    table: NDArray[np.bool_], weights: NDArray[np.float64], sizes: NDArray[np.float64], window: range
) -> dict[str, float]:
    """How much of the best sentences is about the claim, and whether its rare words stand close together."""
    inside = table[window.start : window.stop]
    together = np.any(inside if len(inside) else table, axis=0)
    length = float(sizes[window.start : window.stop].sum()) if len(inside) else 1.0
    first = int((table @ weights).argmax())
    rarest = np.argsort(-weights, kind="stable")[: max(1, len(weights) // 3)]
    rare = weights >= RARE
    return {
        "window_precision": min(1.0, float(together.sum()) / max(1.0, length)),
        "best_precision": min(1.0, float(table[first].sum()) / max(1.0, float(sizes[first]))),
        "rarest_together": float(covered_by(table, 2)[:, rarest].mean(axis=1).max()),
        "rare_in_window": float(together[rare].mean()) if rare.any() else 1.0,
        "rare_words": float(rare.sum()),
        "held_nowhere": float((~table.any(axis=0)).sum()),
    }

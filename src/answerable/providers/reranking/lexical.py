"""Reranking by the question's words alone: no model file, any script."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from answerable.text.relevance import coverage, mostly_latin

# Fitted by training/fit_reranker.py, which prints them. They stand here and not in a file of models/ because this is
# what remains when those files are missing.
INTERCEPT, COVERAGE = -3.05, 7.49
# Overlapping pairs of characters and rich endings keep even a perfect passage from holding all of a question.
OTHER_SCRIPTS = -2.5


class LexicalReranker:
    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return await asyncio.to_thread(lexical_scores, question, texts)


def lexical_scores(question: str, texts: Sequence[str]) -> list[float]:
    intercept = INTERCEPT if mostly_latin(question) else OTHER_SCRIPTS
    return probabilities(intercept + COVERAGE * coverage(question, texts))


def probabilities(logits: NDArray[np.float64]) -> list[float]:
    return [float(chance) for chance in 1 / (1 + np.exp(-logits))]

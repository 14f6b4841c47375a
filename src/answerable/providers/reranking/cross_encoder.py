"""Whether a sentence answers a question: both read together by a small cross-encoder of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from answerable.providers.local_models import (
    MODELS,
    THREADS,
    beside_the_loop,
    cross_encoder_session,
    token_ids,
)

MAX_TOKENS = 96  # of both together; of the question no more than
QUESTION_TOKENS = 40
REMEMBERED = 4096  # pairs


class CrossEncoder:
    """A `Reranker` of sentences. It knows English only; what it says of other languages means nothing.

    Each text is to stand behind its page's title ("Lake Ansel: Greatest depth; 83 m"), as in training; see
    models/cross_encoder/MODEL_CARD.md. The model is loaded at the first call. Raises BrokenModel when its file is no
    good.
    """

    def __init__(self, *, models: Path = MODELS) -> None:
        self.models = models

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """The chance that each text answers, in their order."""
        if not texts:
            return []
        await beside_the_loop(cross_encoder_session, self.models)
        (asked,) = await beside_the_loop(token_ids, [question], QUESTION_TOKENS + 2, self.models)
        given = await beside_the_loop(token_ids, texts, MAX_TOKENS, self.models)
        chances = [0.0] * len(texts)
        waiting = iter(range(len(texts)))

        async def work() -> None:  # one text at a time, so that another caller's texts get their turn
            for i in waiting:
                chances[i] = await beside_the_loop(_chance, tuple(asked), tuple(given[i]), self.models)

        async with asyncio.TaskGroup() as group:
            for _ in range(THREADS):
                group.create_task(work())
        return chances


@lru_cache(maxsize=REMEMBERED)
def _chance(question: tuple[int, ...], text: tuple[int, ...], models: Path) -> float:
    """Of ids that stand between the two marks of each text."""
    if len(question) <= 2 or len(text) <= 2:  # nothing but the marks
        return 0.0
    ids, segments = pair_of(question, text)
    inputs = {"ids": np.array([ids], np.int64), "segments": np.array([segments], np.int64)}
    logits = cross_encoder_session(models).run(["logits"], inputs)[0]
    return float(1 / (1 + np.exp(-logits[0])))


def pair_of(question: Sequence[int], text: Sequence[int]) -> tuple[list[int], list[int]]:
    """Ids and segments as the model learned them: the question between two marks, the text before a third."""
    told = text[1:-1][: max(0, MAX_TOKENS - 1 - len(question))]
    return [*question, *told, text[-1]], [0] * len(question) + [1] * (len(told) + 1)

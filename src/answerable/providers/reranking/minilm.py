"""The careful look: likeness of meaning by MiniLM and coverage of the question's words, as one probability."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answerable.providers.local_models import MODELS, beside_the_loop, load, minilm_vectors, model_file
from answerable.providers.reranking.lexical import lexical_scores, probabilities
from answerable.text.languages import detect
from answerable.text.relevance import coverage, mostly_latin

# Feedback (Rocchio): the question is moved towards its best texts, and the others are compared with that. Of 3, 5 and 8
# texts weighing .5 or 1, this did best on Cranfield (nDCG@10 .416 -> .434) without a loss on CLAPNQ (R@1 .980).
FEEDBACK, FEEDBACK_WEIGHT = 3, 0.5
MAX_TOKENS = 192  # against 256 a seventh less time and .001 less AUC; 128 would cost .02: training/fit_reranker.py


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the logistic model in models/reranker/weights.json."""

    intercept: float
    cosine: float
    coverage: float


class MiniLMReranker:
    """The model knows English only. A question in another script than the Latin one is judged by its words alone, one
    in another Latin language by what sees more in the text.

    The model is loaded at the first call. Raises BrokenModel when its files are no good; LexicalReranker needs none.
    """

    def __init__(self, *, max_tokens: int = MAX_TOKENS, models: Path = MODELS) -> None:
        self.max_tokens, self.models = max_tokens, models

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        if not mostly_latin(question):
            return await beside_the_loop(lexical_scores, question, texts)
        plain = (
            await beside_the_loop(lexical_scores, question, texts) if detect(question) != "en" else [0.0] * len(texts)
        )
        vectors = await minilm_vectors([question, *texts], max_tokens=self.max_tokens, root=self.models)
        judged = await beside_the_loop(self._judge, question, texts, vectors)
        return [max(pair) for pair in zip(judged, plain, strict=True)]

    async def order(self, question: str, texts: Sequence[str], scores: Sequence[float]) -> list[float]:
        """What to sort the texts by, given what `score` said of them: the same with feedback. No chances."""
        if len(texts) <= FEEDBACK or not mostly_latin(question):
            return list(scores)
        vectors = await minilm_vectors([question, *texts], max_tokens=self.max_tokens, root=self.models)  # remembered
        best = np.argsort(-np.asarray(scores), kind="stable")[:FEEDBACK]
        moved = vectors[0] + FEEDBACK_WEIGHT * vectors[1:][best].mean(axis=0)
        length = float(np.linalg.norm(moved))
        if not length:
            return list(scores)
        moved_vectors = np.vstack([moved / length, vectors[1:]]).astype(np.float32)
        judged = await beside_the_loop(self._judge, question, texts, moved_vectors)
        if detect(question) == "en":
            return judged
        return [max(pair) for pair in zip(judged, scores, strict=True)]

    def _judge(self, question: str, texts: Sequence[str], vectors: NDArray[np.float32]) -> list[float]:
        weights = reranker_weights(self.models)
        cosines = (vectors[1:] @ vectors[0]).astype(np.float64)
        covered = coverage(question, texts)
        return probabilities(weights.intercept + weights.cosine * cosines + weights.coverage * covered)


@cache
def reranker_weights(models: Path = MODELS) -> Weights:
    path = model_file("reranker", "weights.json", root=models)
    return load(path, lambda name: Weights(**json.loads(Path(name).read_text("utf-8"))))

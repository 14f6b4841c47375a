"""Embedding by table: a text is the weighted sum of the vectors of its tokens. Thousands of passages a second."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answerable.protocols import Vectors
from answerable.providers.local_models import MODELS, beside_the_loop, load, model_file, token_ids


class StaticEmbedder:
    """Word order is not seen. The table is loaded at the first call; raises BrokenModel when its files are no good."""

    def __init__(self, *, max_tokens: int = 512, models: Path = MODELS) -> None:
        self.max_tokens, self.models = max_tokens, models

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await beside_the_loop(embed_by_table, texts, self.max_tokens, self.models)


@cache
def table(models: Path = MODELS) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """The rows as small integers, and the factor of each row (its scale and its frequency weight)."""
    rows, scales = (load(model_file("static", name, root=models), np.load) for name in ("rows.int8.npy", "scales.npy"))
    return rows, scales


def embed_by_table(texts: Sequence[str], max_tokens: int, models: Path = MODELS) -> Vectors:
    rows, scales = table(models)
    vectors = np.zeros((len(texts), rows.shape[1]), np.float32)
    for k, ids in enumerate(token_ids(texts, max_tokens, models)):
        vectors[k] = scales[ids] @ rows[ids].astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
    return unit

"""all-MiniLM-L6-v2 as int8 on the CPU: exact enough for a few dozen texts, too slow for hundreds in a turn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from answerable.protocols import Vectors
from answerable.providers.local_models import MODELS, minilm_vectors


class MiniLMEmbedder:
    """English above all. The model is loaded at the first call; raises BrokenModel when its files are no good."""

    def __init__(self, *, max_tokens: int = 256, models: Path = MODELS) -> None:
        self.max_tokens, self.models = max_tokens, models

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await minilm_vectors(texts, max_tokens=self.max_tokens, root=self.models)

"""Model files: damage is said clearly, long texts are cut, batches stay small."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.embedding.minilm import MiniLMEmbedder
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.local_models import BATCH_TOKENS, MODELS, BrokenModel, batches, token_ids
from answerable.providers.reranking.lexical import LexicalReranker
from answerable.providers.reranking.minilm import MiniLMReranker

USERS = {
    "static": lambda models: StaticEmbedder(models=models).embed(["text"]),
    "minilm": lambda models: MiniLMEmbedder(models=models).embed(["text"]),
    "reranker": lambda models: MiniLMReranker(models=models).score("question", ["text"]),
}
FILES = {
    "static": "static/rows.int8.npy",
    "minilm": "minilm/model.int8.onnx",
    "reranker": "reranker/weights.json",
}


@pytest.mark.parametrize("user", USERS)
async def test_a_missing_file_is_named_with_the_cure(user: str, tmp_path: Path) -> None:
    with pytest.raises(BrokenModel, match=r"cannot be used: it is missing") as caught:
        await USERS[user](tmp_path)

    assert str(tmp_path) in caught.value.message
    assert "lexical" in caught.value.hint


@pytest.mark.parametrize("user", USERS)
async def test_a_damaged_file_is_named(user: str, tmp_path: Path) -> None:
    shutil.copytree(MODELS, tmp_path / "models")
    (tmp_path / "models" / FILES[user]).write_bytes(b"not a model")

    with pytest.raises(BrokenModel, match=Path(FILES[user]).name):
        await USERS[user](tmp_path / "models")


async def test_without_model_files_the_lexical_reranker_still_works() -> None:
    scores = await LexicalReranker().score("How tall is the tower?", ["The tower is tall.", "Bread rises."])

    assert scores[0] > scores[1]


def test_a_long_text_is_cut_and_keeps_its_last_mark() -> None:
    short, long = token_ids(["one word", "word " * 4_000], 64)

    assert len(short) == 4
    assert len(long) == 64
    assert long[-1] == short[-1]


async def test_only_the_beginning_of_a_long_text_counts() -> None:
    embedder = MiniLMEmbedder(max_tokens=16)
    same, cut = await embedder.embed(["tower " * 30, "tower " * 30 + "bread"])

    assert np.allclose(same, cut, atol=1e-6)


@given(lengths=st.lists(st.integers(2, 512), max_size=80))
def test_batches_hold_each_text_once_within_their_size(lengths: list[int]) -> None:
    found = list(batches(lengths))

    assert sorted(i for batch in found for i in batch) == list(range(len(lengths)))
    assert all(len(batch) * max(lengths[i] for i in batch) <= BATCH_TOKENS for batch in found)

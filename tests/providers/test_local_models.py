"""Model files: damage is said clearly, long texts are cut, vectors stand alone."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import numpy as np
import pytest

from answerable.providers.embedding.minilm import MiniLMEmbedder
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.local_models import MODELS, BrokenModel, minilm_vector, token_ids
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.lexical import LexicalReranker
from answerable.providers.reranking.minilm import MiniLMReranker

USERS = {
    "static": lambda models: StaticEmbedder(models=models).embed(["text"]),
    "minilm": lambda models: MiniLMEmbedder(models=models).embed(["text"]),
    "reranker": lambda models: MiniLMReranker(models=models).score("question", ["text"]),
    "cross-encoder": lambda models: CrossEncoder(models=models).score("question", ["text"]),
}
FILES = {
    "static": "static/rows.int8.npy",
    "minilm": "minilm/model.int8.onnx",
    "reranker": "reranker/weights.json",
    "cross-encoder": "cross_encoder/model.int8.onnx",
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


def test_a_vector_does_not_depend_on_the_texts_beside_it() -> None:
    texts = ["The tower is tall.", "Bread rises. " * 80, "The sea is deep."]

    together = asyncio.run(MiniLMEmbedder().embed(texts))
    minilm_vector.cache_clear()
    alone = np.concatenate([asyncio.run(MiniLMEmbedder().embed([text])) for text in texts])

    assert (together == alone).all()

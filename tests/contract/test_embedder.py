"""What every embedder promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.protocols import Embedder
from answerable.providers.embedding.minilm import MiniLMEmbedder
from answerable.providers.embedding.static import StaticEmbedder

EMBEDDERS = {"static": StaticEmbedder(), "minilm": MiniLMEmbedder()}


@pytest.fixture(params=EMBEDDERS)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return EMBEDDERS[request.param]


async def test_a_text_is_a_row_of_unit_length(embedder: Embedder) -> None:
    vectors = await embedder.embed(["The tower is 330 metres tall.", "Bread rises.", "wide " * 2_000])

    assert vectors.dtype == np.float32
    assert vectors.shape[0] == 3
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-4)


async def test_no_texts_are_no_rows(embedder: Embedder) -> None:
    assert (await embedder.embed([])).shape[0] == 0


async def test_a_text_without_words_is_a_zero_row(embedder: Embedder) -> None:
    assert not (await embedder.embed(["", "A word."]))[0].any()


async def test_like_texts_lie_near_each_other(embedder: Embedder) -> None:
    question, near, far = await embedder.embed(
        [
            "How tall is the Eiffel Tower?",
            "The height of the Eiffel Tower in Paris is 330 metres.",
            "Sourdough bread rises overnight in a cool kitchen.",
        ]
    )

    assert question @ near > question @ far + 0.2


async def test_rows_stand_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = [
        f"{'long ' * (40 - k)} text number {k} about {subject}" for k, subject in enumerate(("cats", "law", "sea"))
    ]
    together = await embedder.embed(texts)
    alone = np.concatenate([await embedder.embed([text]) for text in texts])

    assert (together * alone).sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(texts=st.lists(st.text(max_size=60), max_size=4))
async def test_any_text_has_a_finite_row(texts: list[str]) -> None:
    for embedder in EMBEDDERS.values():
        vectors = await embedder.embed(texts)
        assert np.isfinite(vectors).all()
        assert len(vectors) == len(texts)

"""A reranker that was chosen puts in order what the local one lets through."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tests.fakes.evidence import NOW, page_of, passage_of

from answerable.answering.ranking import Ranked, rank_passages
from answerable.errors import RerankError
from answerable.protocols import Limits, Reranker, Vectors
from answerable.types import Plan


class Even:
    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 1), np.float32)


class Reads:
    """Its score stands in the text behind its word."""

    def __init__(self, word: str) -> None:
        self.word = word

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(text.split(f"{self.word} ")[1].split()[0]) for text in texts]


class Fails:
    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        raise RerankError("cohere:m", "refused the key (status 401)")


async def rank(careful: Reranker | None, *scores: tuple[float, float]) -> Ranked:
    pages = [
        page_of(f"local {local} chosen {chosen} about{n} thing{n} only{n} here{n}", number=n)
        for n, (local, chosen) in enumerate(scores, 1)
    ]
    return await rank_passages(
        "What?",
        [passage_of(page) for page in pages],
        {page.page_id: page for page in pages},
        embedder=Even(),
        reranker=Reads("local"),
        plan=Plan("What?", ("What?",)),
        limits=Limits(),
        now=NOW,
        careful=careful,
    )


async def test_it_orders_and_the_local_one_decides_what_is_evidence() -> None:
    ranked = await rank(Reads("chosen"), (0.9, 0.1), (0.3, 0.8), (0.01, 1.0))

    assert [passage.text.split()[1] for passage in ranked.evidence.passages] == ["0.3", "0.9"]
    assert ranked.evidence.scores == (0.3, 0.9), "chances, whoever gave the order"
    assert (ranked.best, ranked.notes) == (0.9, ())


async def test_when_it_fails_the_local_one_orders_and_a_note_says_so() -> None:
    ranked = await rank(Fails(), (0.3, 0.8), (0.9, 0.1))

    assert [passage.text.split()[1] for passage in ranked.evidence.passages] == ["0.9", "0.3"]
    (note,) = ranked.notes
    assert note.code == "reranker_failed"
    assert note.message == ("cohere:m: refused the key (status 401). The local reranker put the passages in order.")


async def test_without_one_nothing_is_said() -> None:
    assert (await rank(None, (0.9, 0.1))).notes == ()

"""The extractive answer with models that read the sentences."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fakes.evidence import evidence_of

from answerable.answering.extracting import extractive_answer
from answerable.answering.gaps import assess
from answerable.answering.weighing import POOL, Judges
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Plan

READ = Judges(MiniLMReranker(), CrossEncoder())
BRIDGE = (
    "The Varnholm Bridge is a road bridge over the Elsa in the town of Varnholm. The Varnholm Bridge was drawn by "
    "Marta Oden and took three summers to build. The Varnholm Bridge is painted green. Its deck bends at the fourth "
    "pier: borings had found nothing but mud on the straight line, so the road was led over rock. In 2019 the "
    "Varnholm Bridge was named the most beautiful bridge of the county."
)


def plan(question: str) -> Plan:
    return Plan(question, (question,))


class ByMeaning:
    """A reranker that knows what the words do not show."""

    def __init__(self, right: str) -> None:
        self.right, self.seen = right, 0

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.seen = max(self.seen, len(texts))
        return [0.95 if self.right in text else 0.1 for text in texts]


async def test_a_reranker_finds_the_sentence_that_shares_no_word() -> None:
    text = "The firm Fennick makes bicycles. Ada Achterberg took the helm in May. The firm is old."

    answer = await extractive_answer(
        plan("Who is the boss of Fennick?"), evidence_of(text), Judges(likeness=ByMeaning("Achterberg took the helm"))
    )

    assert "Ada Achterberg took the helm in May [1]." in answer


async def test_a_reranker_reads_a_few_candidates_only() -> None:
    reranker = ByMeaning("nothing")
    text = " ".join(f"The Sylva tunnel has lamp number {n} of the kind {n}." for n in range(300))

    await extractive_answer(plan("How many lamps has the Sylva tunnel?"), evidence_of(text), Judges(likeness=reranker))

    assert 0 < reranker.seen <= POOL


async def test_who_made_a_thing_is_found_whatever_the_word_for_it() -> None:
    answer = await extractive_answer(plan("who was the architect of the varnholm bridge"), evidence_of(BRIDGE), READ)

    assert answer.startswith("The Varnholm Bridge was drawn by Marta Oden")


async def test_a_reason_is_found_among_sentences_that_only_name_the_thing() -> None:
    answer = await extractive_answer(plan("Why is there a bend in the Varnholm Bridge?"), evidence_of(BRIDGE), READ)

    assert "nothing but mud on the straight line" in answer


async def test_two_sources_as_sure_of_other_values_are_both_shown() -> None:
    found = evidence_of("The hoard holds 1,146 silver pennies.", "In all it consists of 1,163 coins and a dish.")

    sure = Judges(MiniLMReranker(), answers=ByMeaning("1,1"))
    answer = await extractive_answer(plan("How many coins are in the hoard?"), found, sure)

    assert "1,146" in answer
    assert "1,163" in answer


async def test_other_languages_are_weighed_by_likeness_alone() -> None:
    reader = ByMeaning("nothing")
    found = evidence_of("Der Turm ist 41 Meter hoch.", "Der Turm steht auf einem Felsen.")
    asked = Plan("Wie hoch ist der Turm?", ("Wie hoch ist der Turm?",), language="de")

    answer = await extractive_answer(asked, found, Judges(likeness=ByMeaning("41 Meter"), answers=reader))

    assert answer.startswith("Der Turm ist 41 Meter hoch")
    assert reader.seen == 0


async def test_evidence_of_which_no_sentence_is_likely_to_answer_is_not_enough() -> None:
    question, found = "How much did the Varnholm Bridge cost to build?", evidence_of(BRIDGE)

    assessment = await assess(
        plan(question), found, found.passages, (question,), MiniLMReranker(), StaticEmbedder(), CrossEncoder()
    )

    assert not assessment.answerable

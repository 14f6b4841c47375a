"""The model that reads a question and a sentence together."""

from __future__ import annotations

import asyncio

import pytest

from answerable.providers.reranking.cross_encoder import MAX_TOKENS, CrossEncoder, _chance, pair_of

TOWER = "Varn Lighthouse"
PAGE = [
    "Varn Lighthouse is a lighthouse on the north coast of the island of Sull.",
    "Height; 41 m (135 ft)",
    "The tower was drawn by the engineer Marta Oden and took three winters to build.",
    "It was lit for the first time on 3 October 1871.",
    "Since the keepers left in 1984 the lamp has been run from the mainland.",
    "Visitors may climb the 212 steps from May to September.",
    "Children under eight are not let up.",
    "The older lighthouse, of which only the base is left, was 19 m high.",
]
ASKED = {
    "How tall is Varn Lighthouse?": 1,
    "who was the architect of varn lighthouse": 2,
    "When was the Varn light first switched on?": 3,
    "When can you go up the tower?": 5,
    "can i take my six year old up varn lighthouse": 6,
}


@pytest.mark.parametrize("question", ASKED)
async def test_what_answers_stands_above_what_only_names_the_subject(question: str) -> None:
    chances = await CrossEncoder().score(question, [f"{TOWER}: {text}" for text in PAGE])

    assert max(range(len(PAGE)), key=chances.__getitem__) == ASKED[question]
    assert chances[ASKED[question]] > 0.5 > chances[0]


async def test_what_no_sentence_answers_is_given_little_chance() -> None:
    asked = ["How much did Varn Lighthouse cost to build?", "What is the wifi password of Varn Lighthouse?"]
    for question in asked:
        assert max(await CrossEncoder().score(question, [f"{TOWER}: {text}" for text in PAGE])) < 0.5


@pytest.mark.parametrize("words", [1, 5, 89, 90, 91, 200])
def test_a_pair_has_three_marks_whatever_its_length(words: int) -> None:
    start, end, word = 101, 102, 7
    ids, segments = pair_of([start, word, word, end], [start, *[word] * words, end])

    assert (ids.count(start), ids.count(end), ids[-1]) == (1, 2, end)
    assert len(ids) == len(segments) == min(MAX_TOKENS, words + 5)
    assert segments == [0] * 4 + [1] * (len(ids) - 4)


def test_a_chance_does_not_depend_on_the_texts_beside_it() -> None:
    texts = ["The tower is tall.", "Bread rises. " * 80, "The sea is deep.", ""]

    together = asyncio.run(CrossEncoder().score("How tall is the tower?", texts))
    _chance.cache_clear()
    alone = [asyncio.run(CrossEncoder().score("How tall is the tower?", [text]))[0] for text in texts]

    assert together == alone
    assert together[-1] == 0.0


async def test_no_length_of_a_question_or_a_text_is_too_much() -> None:
    chances = await CrossEncoder().score("how " * 4_000 + "?", ["tall " * 4_000, "tall"])

    assert all(0 <= chance <= 1 for chance in chances)

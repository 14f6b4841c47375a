"""What the evidence lacks, judged with the models that ship."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from answerable.answering.compound import asked_parts
from answerable.answering.enough import Signs, fitted, weights_for
from answerable.answering.gaps import Assessment, assess, searched_again
from answerable.answering.parts import compared
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Evidence, Page, Passage, Plan

RERANKER, EMBEDDER = MiniLMReranker(), StaticEmbedder()


async def judged(question: str, found: Evidence, *, asked: tuple[str, ...] = (), language: str = "en") -> Assessment:
    plan = Plan(question, (question,), language=language)
    return await assess(plan, found, found.passages, asked or (question,), RERANKER, EMBEDDER)


async def evidence(question: str, *texts: tuple[str, str]) -> Evidence:
    pages = tuple(Page(f"p{n}", f"http://{n}.example/", title, "", text) for n, (title, text) in enumerate(texts))
    passages = tuple(Passage(f"s{n}", f"p{n}", 0, len(text), text) for n, (_, text) in enumerate(texts))
    scores = await RERANKER.score(question, [f"{title}\n{text}" for title, text in texts])
    return Evidence(pages, passages, tuple(scores))


TOWER = ("Eiffel Tower", "The Eiffel Tower in Paris is 330 metres tall. It was opened on 31 March 1889.")
BEN = ("Big Ben", "The clock tower is 96 metres tall.")
LIBRARY = (
    "The new library",
    "The new library in Velden opened in May. It was designed by Anna Kovacs and has a green roof.",
)
VITAMIN = ("Vitamin D", "Adults need 15 micrograms of vitamin D a day. Children need 10 micrograms of vitamin D a day.")


async def test_evidence_that_holds_the_answer_is_enough() -> None:
    question = "How tall is the Eiffel Tower?"

    assessment = await judged(question, await evidence(question, TOWER))

    assert assessment.enough
    assert assessment.coverage == 1


async def test_other_words_for_the_same_thing_are_enough() -> None:
    question = "What is the elevation of the Matterhorn?"
    found = await evidence(
        question, ("Matterhorn", "The Matterhorn is a mountain of the Alps with a height of 4,478 metres.")
    )

    assert (await judged(question, found)).answerable


async def test_a_thing_that_no_page_speaks_of_is_not_answered() -> None:
    question = "Who painted the mural in the new library in Velden?"

    assessment = await judged(question, await evidence(question, LIBRARY))

    assert not assessment.answerable
    assert assessment.missing == (question,)
    assert "mural" in assessment.reason
    assert assessment.nearest in LIBRARY[1]


async def test_an_answer_for_others_is_no_answer() -> None:
    question = "How much vitamin D does a cat need a day?"

    assert not (await judged(question, await evidence(question, VITAMIN))).answerable


async def test_what_a_source_denies_is_not_answered_and_the_denial_is_told() -> None:
    question = "When did the Ardle Bridge collapse?"
    denial = "Contrary to rumours, the Ardle Bridge has not collapsed."
    found = await evidence(question, ("Ardle Bridge", f"{denial} It was opened on 3 June 1931."))

    assessment = await judged(question, found)

    assert not assessment.answerable
    assert assessment.denial == denial


async def test_a_time_to_come_needs_a_source_that_looks_ahead() -> None:
    question = "What interest will the Harbour Bank's saver account pay in two years?"
    today = ("Harbour Bank: saver account", "The saver account of the Harbour Bank pays 2.4 per cent interest a year.")
    ahead = (today[0], "The Harbour Bank expects its saver account to pay 3 per cent interest in two years.")

    assert not (await judged(question, await evidence(question, today))).answerable
    assert (await judged(question, await evidence(question, ahead))).answerable


async def test_a_chinese_question_is_judged_by_its_words() -> None:
    question = "长江有多长？"
    found = await evidence(question, ("江河概览", "长江全长约6300公里，是亚洲最长的河流。"))

    assert (await judged(question, found, language="zh")).answerable


async def test_a_side_of_a_comparison_without_evidence_is_searched_for() -> None:
    question = "Which is taller, the Eiffel Tower or Big Ben?"

    assessment = await judged(question, await evidence(question, TOWER))

    assert assessment.missing == ("Big Ben",)
    assert assessment.queries == ("Big Ben",)
    assert assessment.answerable
    assert 0 < assessment.coverage < 1


async def test_both_sides_found_is_enough() -> None:
    question = "Which is taller, the Eiffel Tower or Big Ben?"

    assert (await judged(question, await evidence(question, TOWER, BEN))).enough


async def test_each_part_is_judged() -> None:
    question = "When was the Eiffel Tower opened and who painted the mural in Velden?"

    assessment = await judged(question, await evidence(question, TOWER))

    assert assessment.missing == asked_parts(question)[1:]


async def test_no_query_is_sent_twice() -> None:
    question = "What is the population of Atlantis Harbour?"
    asked: tuple[str, ...] = (question,)
    found = await evidence(question, TOWER)
    rounds = 0
    while queries := (await judged(question, found, asked=asked)).queries:
        assert not set(queries) & set(asked)
        assert len(queries) <= 2
        asked += queries
        rounds += 1

    assert 0 < rounds <= 3


async def test_a_thing_named_by_another_is_searched_for_by_its_own_name() -> None:
    question = "How long is the river that flows through Lake Geneva?"
    found = await evidence(question, ("Lake Geneva", "The river that flows through Lake Geneva is the Rhône."))

    assert "Rhône long" in (await judged(question, found)).queries


async def test_without_evidence_every_part_is_missing() -> None:
    question = "Who built the Eiffel Tower and when did it open?"

    assessment = await judged(question, Evidence())

    assert assessment.missing == asked_parts(question)
    assert not assessment.answerable
    assert compared(question) == ()


@pytest.mark.parametrize("asked", ["1", "a", "1+1", "%s %d {0}", "???", "NOT"])
async def test_a_question_without_a_word_to_look_for_is_not_answered(asked: str) -> None:
    assert not (await judged(asked, await evidence(asked, TOWER))).answerable


def test_why_another_round_was_begun_is_told() -> None:
    lacking = Assessment(0.5, ("when did it open?",), ("bridge opening",), "no source speaks of: opening")

    (note,) = searched_again(1, lacking)

    assert note.code == "searched_again"
    assert note.message == (
        "Round 2 searched for: bridge opening (no source speaks of: opening, lacking: when did it open?)"
    )


def test_keywords_that_nothing_reads_need_surer_signs_than_a_question() -> None:
    fitted()
    weights = weights_for("harbour office mortgage rate first buyer")
    between = (weights.refused + weights.doubtful) / 2
    signs = Signs(passage=(between - weights.intercept) / weights.passage, window=0.0, names=0, coverage=0.0)

    assert signs.answer(weights)
    assert not replace(signs, unread=True).answer(weights)


class Says:
    """A model of questions that gives every sentence the same chance."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self.chance] * len(texts)


@pytest.mark.parametrize(("chance", "answers"), [(None, False), (0.3, False), (0.97, True)])
async def test_a_row_of_keywords_is_answered_where_a_model_finds_what_words_do_not(
    chance: float | None, answers: bool
) -> None:
    question = "library velden architect name today"
    found = await evidence(question, LIBRARY)
    reads = None if chance is None else Says(chance)

    assessment = await assess(
        Plan(question, (question,)), found, found.passages, (question,), RERANKER, EMBEDDER, reads
    )

    assert assessment.answerable == answers


@pytest.mark.parametrize(("told", "named", "answers"), [(0.29, True, False), (0.32, True, True), (0.32, False, False)])
def test_what_got_its_name_by_an_answer_needs_a_little_less_to_be_answered(
    told: float, named: bool, answers: bool
) -> None:
    fitted()
    signs = Signs(passage=0.0, window=0.0, names=0, coverage=0.5, told=told, named=named)

    assert signs.answer(weights_for("How long is the Orla?")) is answers

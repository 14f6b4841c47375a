"""What every reranker promises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.answering.ranking import FLOOR
from answerable.protocols import Reranker
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.lexical import LexicalReranker
from answerable.providers.reranking.minilm import MiniLMReranker

RERANKERS = {"lexical": LexicalReranker(), "minilm": MiniLMReranker()}
ANY = {**RERANKERS, "cross-encoder": CrossEncoder()}  # knows English only, and sentences better than passages
BESIDE = {
    "en": "Sourdough bread rises overnight in a cool kitchen, and is baked in the morning.",
    "ja": "味噌は大豆を発酵させて作る日本の調味料である。",
    "zh": "面包在凉爽的厨房里发酵一夜，早上再烤。",
    "ko": "빵은 서늘한 부엌에서 밤새 부풀어 오른다.",
    "ru": "Хлеб поднимается всю ночь на прохладной кухне.",
    "ar": "يرتفع الخبز طوال الليل في مطبخ بارد.",
    "de": "Brot geht über Nacht in einer kühlen Küche auf.",
}
ANSWERED = {
    "en": ("How tall is the Eiffel Tower?", "The Eiffel Tower is 330 metres tall since 2022."),
    "ja": (
        "エッフェル塔の高さは何メートルですか",
        "エッフェル塔の高さは330メートルで、2022年にアンテナが付けられた。",
    ),
    "zh": ("埃菲尔铁塔有多高？", "埃菲尔铁塔高330米，位于巴黎战神广场。"),
    "ko": ("에펠탑의 높이는 얼마입니까?", "에펠탑의 높이는 330미터이다."),
    "ru": ("Какова высота Эйфелевой башни?", "Высота Эйфелевой башни составляет 330 метров."),
    "ar": ("ما ارتفاع برج إيفل؟", "يبلغ ارتفاع برج إيفل 330 مترا."),
    "de": ("Wie hoch ist der Eiffelturm?", "Der Eiffelturm ist seit 2022 330 Meter hoch."),
}


@pytest.fixture(params=RERANKERS)
def reranker(request: pytest.FixtureRequest) -> Reranker:
    return RERANKERS[request.param]


@pytest.mark.parametrize("language", ANSWERED)
async def test_what_answers_passes_the_floor_and_what_is_beside_the_subject_does_not(
    reranker: Reranker, language: str
) -> None:
    question, answer = ANSWERED[language]

    answers, beside = await reranker.score(question, [answer, BESIDE[language]])

    assert answers >= FLOOR > beside


async def test_scores_stand_in_the_order_of_the_texts(reranker: Reranker) -> None:
    texts = [BESIDE["en"], ANSWERED["en"][1], "The tower in Paris is old.", BESIDE["de"]]

    scores = await reranker.score(ANSWERED["en"][0], texts)

    assert max(range(4), key=scores.__getitem__) == 1
    assert scores[2] > max(scores[0], scores[3])


@pytest.mark.parametrize("name", ANY)
async def test_no_texts_have_no_scores(name: str) -> None:
    assert await ANY[name].score("How tall?", []) == []


@settings(max_examples=30, deadline=None)
@given(question=st.text(max_size=40), texts=st.lists(st.text(max_size=60), max_size=4))
async def test_any_text_has_a_score_from_0_to_1(question: str, texts: list[str]) -> None:
    for reranker in ANY.values():
        scores = await reranker.score(question, texts)
        assert len(scores) == len(texts)
        assert all(0 <= score <= 1 for score in scores)

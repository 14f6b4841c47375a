"""From passages to evidence, with the real models."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.evidence import NOW, page_of, passage_of

from answerable.answering.ranking import FLOOR, Ranked, age_of, rank_passages, ranking_text
from answerable.answering.sites import NAMED, NO_TASTES, Tastes, likeness_of_name
from answerable.protocols import Limits, Vectors
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Freshness, Kind, Page, Passage, Plan

CASES = Path(__file__).parents[1] / "data" / "cases"
EMBEDDER, RERANKER = StaticEmbedder(), MiniLMReranker()
TOWER = "How tall is the Eiffel Tower?"
BREAD = "Sourdough bread rises overnight in a cool kitchen and is baked in the morning."


class EvenEmbedder:
    """All texts lie in one direction."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 1), np.float32)


class ScriptedReranker:
    """Reads its score from the text: "score 0.7"."""

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(text.split("score ")[1].split()[0]) for text in texts]


def rank(
    question: str,
    pages: Sequence[Page],
    *,
    passages: Sequence[Passage] | None = None,
    freshness: Freshness = "evergreen",
    sensitive: bool = False,
    limits: Limits | None = None,
    scripted: bool = False,
    now: datetime = NOW,
    kind: Kind = "lookup",
    tastes: Tastes = NO_TASTES,
) -> Ranked:
    return asyncio.run(
        rank_passages(
            question,
            [passage_of(page) for page in pages] if passages is None else passages,
            {page.page_id: page for page in pages},
            embedder=EvenEmbedder() if scripted else EMBEDDER,
            reranker=ScriptedReranker() if scripted else RERANKER,
            plan=Plan(question, (question,), freshness=freshness, kind=kind, sensitive=sensitive),
            limits=limits or Limits(),
            now=now,
            tastes=tastes,
        )
    )


def texts_of(ranked: Ranked) -> list[str]:
    return [passage.text for passage in ranked.evidence.passages]


def scored(number: int, score: float, *, published: datetime | None = None, words: str = "") -> Page:
    return page_of(
        f"score {score} {words or f'subject{number} told{number} by{number}'}", number=number, published=published
    )


def test_what_answers_comes_first_and_what_is_beside_the_subject_is_dropped() -> None:
    pages = [
        page_of(BREAD, number=1),
        page_of("The Eiffel Tower was painted for the nineteenth time in 2021.", number=2),
        page_of("With its antennas the Eiffel Tower is 330 metres tall.", number=3),
    ]

    ranked = rank(TOWER, pages)

    assert texts_of(ranked)[0] == pages[2].text
    assert BREAD not in texts_of(ranked)
    assert ranked.best == max(ranked.evidence.scores) >= FLOOR


def test_other_words_for_the_same_thing_are_found() -> None:
    pages = [page_of(f"Note {n} on car parks, lifts and opening hours of tower {n}.", number=n) for n in range(3, 40)]
    answer = page_of("Physicians advise grown-ups to get seven hours of slumber each night.", number=1)

    assert texts_of(rank("How much sleep do adults need?", [*pages, answer]))[:1] == [answer.text]


def test_nothing_above_the_floor_is_no_evidence_but_the_best_score_is_told() -> None:
    ranked = rank(TOWER, [page_of(BREAD)])

    assert ranked.evidence.passages == ranked.evidence.pages == ()
    assert 0 < ranked.best < FLOOR


def test_no_passages_are_no_evidence() -> None:
    assert rank(TOWER, []).evidence.passages == ()


class SecondLook(ScriptedReranker):
    """Turns the order round, and lifts what lies below the floor."""

    async def order(self, question: str, texts: Sequence[str], scores: Sequence[float]) -> list[float]:
        return [1 - score for score in scores]


def test_a_second_look_decides_the_order_and_not_what_is_evidence() -> None:
    pages = [scored(1, 0.9), scored(2, 0.5), scored(3, 0.1)]

    ranked = asyncio.run(
        rank_passages(
            "Who leads?",
            [passage_of(page) for page in pages],
            {page.page_id: page for page in pages},
            embedder=EvenEmbedder(),
            reranker=SecondLook(),
            plan=Plan("Who leads?", ()),
            limits=Limits(),
            now=NOW,
        )
    )

    assert texts_of(ranked) == [pages[1].text, pages[0].text]
    assert ranked.evidence.scores == (0.5, 0.9)


def test_feedback_lifts_what_is_like_the_best_texts() -> None:
    told = [
        "The Eiffel Tower is 330 metres tall.",
        "How tall is the Eiffel Tower? It measures 330 metres to its tip.",
        "The Eiffel Tower reaches a height of 330 metres.",
        "With its antennas the iron lady of Paris reaches 330 metres.",
        BREAD,
    ]
    scores = asyncio.run(RERANKER.score(TOWER, told))
    order = asyncio.run(RERANKER.order(TOWER, told, scores))

    assert order[3] > scores[3]
    assert min(order) == order[4]
    assert asyncio.run(RERANKER.order(TOWER, told[:3], scores[:3])) == scores[:3]


def test_a_passage_is_judged_with_its_title_headings_and_table_header() -> None:
    page = page_of("| 330 | 1889 |", title="Eiffel Tower")
    passage = replace(passage_of(page, kind="table", context="Height | Opened"), headings=("Figures",))

    assert ranking_text(passage, page) == "Eiffel Tower · Figures\nHeight | Opened\n| 330 | 1889 |"


def test_a_title_that_opens_the_passage_is_not_said_twice() -> None:
    page = page_of("Eiffel Tower\nIt is 330 metres tall.", title="Eiffel Tower")

    assert ranking_text(passage_of(page), page) == page.text


def test_a_copy_of_a_text_is_left_out_and_the_independent_report_stays() -> None:
    case = json.loads((CASES / "search/search-syndicated.json").read_text("utf-8"))
    pages = [page_of(page["text"], number=n) for n, page in enumerate(case["pages"])]

    texts = texts_of(rank("When does line 4 open?", pages))

    assert sum(page.text in texts for page in pages[:3]) == 1
    assert pages[3].text in texts


def test_alike_texts_with_another_figure_both_stay_so_that_a_conflict_shows() -> None:
    words = "the tower by the river in the old town is a little over {} metres tall as measured last spring"
    pages = [scored(n, 0.8, words=words.format(height)) for n, height in enumerate((300, 330))]

    assert len(texts_of(rank(TOWER, pages, scripted=True))) == 2


def test_the_newest_of_conflicting_sources_leads_when_the_present_is_asked_for() -> None:
    case = json.loads((CASES / "freshness/fresh-conflicting-roles.json").read_text("utf-8"))
    pages = [
        page_of(p["text"], number=p["n"], published=datetime.fromisoformat(p["published"]) if p["published"] else None)
        for p in case["passages"]
    ]

    ranked = rank(case["question"], pages, freshness="recent", now=datetime.fromisoformat(case["now"]))

    assert "Tomas Reiter" in texts_of(ranked)[0]


@pytest.mark.parametrize(
    ("freshness", "older", "newer_leads"),
    [
        ("live", timedelta(hours=20), True),
        ("recent", timedelta(days=200), True),
        ("recent", timedelta(hours=20), False),
        ("evergreen", timedelta(days=4000), False),
    ],
)
def test_newness_counts_by_the_freshness_of_the_question(
    freshness: Freshness, older: timedelta, newer_leads: bool
) -> None:
    old, new = scored(1, 0.62, published=NOW - older), scored(2, 0.6, published=NOW - timedelta(minutes=30))

    first = texts_of(rank("Who leads?", [old, new], freshness=freshness, scripted=True))[0]

    assert (first == new.text) is newer_leads


def test_newness_does_not_lift_what_is_far_less_relevant_over_the_rest() -> None:
    old, new = scored(1, 0.95, published=NOW - timedelta(days=900)), scored(2, 0.22, published=NOW)

    assert texts_of(rank("Who leads?", [old, new], freshness="recent", scripted=True))[0] == old.text


@pytest.mark.parametrize("date", [NOW + timedelta(days=30), datetime(1970, 1, 1, tzinfo=UTC), None])
def test_an_impossible_date_is_an_unknown_one(date: datetime | None) -> None:
    assert age_of(page_of("text", published=date), NOW) is None


def test_a_date_without_a_zone_is_read_as_utc() -> None:
    assert age_of(page_of("text", published=datetime(2026, 11, 20, 8, 0)), NOW) == timedelta(hours=1)


def test_the_last_change_counts_not_the_first_printing() -> None:
    page = replace(page_of("text", published=NOW - timedelta(days=900)), modified=NOW - timedelta(days=2))

    assert age_of(page, NOW) == timedelta(days=2)


def test_a_page_comes_before_an_equal_snippet() -> None:
    snippet, page = replace(scored(1, 0.6), read_as="snippet"), scored(2, 0.6)

    assert texts_of(rank("Who leads?", [snippet, page], scripted=True))[0] == page.text


@pytest.mark.parametrize("sensitive", [True, False])
def test_official_sites_lead_in_sensitive_questions_only(sensitive: bool) -> None:
    blog, office = scored(1, 0.65), replace(scored(2, 0.6), site="health.gov")

    first = texts_of(rank("Who leads?", [blog, office], sensitive=sensitive, scripted=True))[0]

    assert (first == office.text) is sensitive


def test_a_seller_comes_after_an_equal_source_unless_the_reader_prefers_it() -> None:
    shop, paper = replace(scored(1, 0.65), site="amazon.co.uk", url="https://amazon.co.uk/x"), scored(2, 0.6)

    assert texts_of(rank("Who leads?", [shop, paper], scripted=True))[0] == paper.text
    liked = rank("Who leads?", [shop, paper], scripted=True, tastes=Tastes(prefer=("amazon.co.uk",)))
    assert texts_of(liked)[0] == shop.text


def test_a_site_to_avoid_comes_last_and_is_not_shut_out() -> None:
    one, other = scored(1, 0.9), scored(2, 0.6)

    ranked = rank("Who leads?", [one, other], scripted=True, tastes=Tastes(avoid=("site1.example",)))

    assert texts_of(ranked) == [other.text, one.text]


def test_who_asks_for_a_site_gets_its_own_page_first_even_below_the_floor() -> None:
    guide = replace(scored(1, 0.9), site="guide.example", url="https://guide.example/harrow-museum")
    own = replace(scored(2, 0.05), site="harrowmuseum.example", url="https://www.harrowmuseum.example/")
    asked = "official website of the Harrow Museum"

    assert texts_of(rank(asked, [guide, own], kind="navigational", scripted=True)) == [own.text, guide.text]
    assert texts_of(rank(asked, [guide, own], scripted=True)) == [guide.text]


@pytest.mark.parametrize(
    ("url", "question", "own"),
    [
        ("https://www.louvre.fr/en", "official website of the Louvre", True),
        ("https://www.toureiffel.paris/", "Eiffel Tower official site", True),
        ("https://www.who.int/", "home page of the World Health Organization", True),
        ("https://python.org/downloads/", "python download page", True),
        ("https://news.bbc.co.uk/", "bbc website", True),
        ("https://en.wikipedia.org/wiki/Louvre", "official website of the Louvre", False),
        ("https://pythontutorial.net/", "python download page", False),
        ("https://example.com/", "official website", False),
    ],
)
def test_a_site_is_known_by_its_name(url: str, question: str, own: bool) -> None:
    assert (likeness_of_name(url, question) >= NAMED) is own


def test_the_evidence_fits_a_small_context_and_a_script_that_takes_more_tokens() -> None:
    latin = [scored(n, 0.9, words="words " * 100 + str(n) * 9) for n in range(1, 9)]
    chinese = [scored(n, 0.9, words="桥长四百一十米" * 100 + str(n) * 9) for n in range(1, 9)]
    small, usual = Limits(context_tokens=3_000), Limits(context_tokens=8_192)

    assert len(texts_of(rank("Who leads?", latin, limits=small, scripted=True))) == 4
    assert len(texts_of(rank("Who leads?", latin, limits=usual, scripted=True))) == 8
    assert len(texts_of(rank("Who leads?", chinese, limits=small, scripted=True))) == 1


def test_a_newer_page_on_the_same_event_comes_before_the_one_it_supersedes() -> None:
    old = scored(1, 0.7, published=NOW - timedelta(days=40), words="The strike of ferry crews goes on")
    new = scored(2, 0.6, published=NOW - timedelta(days=1), words="The strike of ferry crews is over")

    assert texts_of(rank("Is the ferry strike on?", [old, new], freshness="recent", scripted=True))[0] == new.text


def test_pages_are_numbered_by_their_best_passage() -> None:
    pages = [scored(1, 0.5), scored(2, 0.9), scored(3, 0.7)]

    assert rank("Who leads?", pages, scripted=True).evidence.pages == (pages[1], pages[2], pages[0])


def test_a_passage_too_long_for_the_rest_of_the_budget_makes_room_for_a_shorter_one() -> None:
    pages = [scored(1, 0.9), scored(2, 0.8, words="far " * 100), scored(3, 0.7)]

    ranked = rank("Who leads?", pages, limits=Limits(evidence_chars=200), scripted=True)

    assert texts_of(ranked) == [pages[0].text, pages[2].text]


CANDIDATES = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from([0.1, 0.3, 0.5, 0.5, 0.9]), st.integers(1, 60)), max_size=25
)


@settings(max_examples=40, deadline=None)
@given(candidates=CANDIDATES, seed=st.randoms(use_true_random=False))
def test_limits_hold_and_the_order_of_arrival_changes_nothing(
    candidates: list[tuple[int, float, int]], seed: random.Random
) -> None:
    limits = Limits(candidates=12, passages=6, passages_per_site=2, evidence_chars=900)
    pages = [
        page_of(f"score {score} " + " ".join(f"w{k}x{n}" for n in range(length)), number=site)
        for k, (site, score, length) in enumerate(candidates)
    ]
    passages = [passage_of(page) for page in pages]
    shuffled = seed.sample(passages, len(passages))

    one = rank("Who leads?", pages, passages=passages, limits=limits, scripted=True)
    other = rank("Who leads?", pages, passages=[*shuffled, *shuffled[:2]], limits=limits, scripted=True)

    assert one.evidence == other.evidence
    held = one.evidence.passages
    assert len(held) <= limits.passages
    assert sum(len(passage.text) for passage in held) <= limits.evidence_chars
    assert all(count <= 2 for count in Counter(one.evidence.page(p.page_id).site for p in held).values())
    assert list(one.evidence.scores) == sorted(one.evidence.scores, reverse=True)
    assert all(score >= FLOOR for score in one.evidence.scores)
    assert {page.page_id for page in one.evidence.pages} == {passage.page_id for passage in held}

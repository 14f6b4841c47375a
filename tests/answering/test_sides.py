"""The other side of a question: what counts as one, and what only looks like it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.evidence import NOW, evidence_of, page_of

from answerable.answering.extracting import extractive_answer
from answerable.answering.ranking import rank_passages
from answerable.answering.sites import site_or_address
from answerable.answering.weighing import Judges
from answerable.protocols import Limits
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Evidence, Page, Plan

CASES = Path(__file__).parents[1] / "data" / "cases" / "cases-sides.jsonl"
DIFFER = "The sources differ."


@dataclass
class ByTable:
    """A judge with a chance for what holds some words, else a small one."""

    chances: Mapping[str, float]

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [next((chance for words, chance in self.chances.items() if words in text), 0.02) for text in texts]


async def answer_to(question: str, *texts: str | Page, chances: Mapping[str, float]) -> str:
    evidence = evidence_of(*texts, scores=tuple(0.9 for _ in texts))
    return await extractive_answer(Plan(question, (question,)), evidence, Judges(answers=ByTable(chances)), NOW)


@pytest.mark.parametrize(
    ("question", "lead", "other"),
    [
        (
            "How many people watched the Orra derby?",
            "The Orra derby was watched by 4,812 people.",
            "At the Orra derby the league put the crowd at 4,310.",
        ),
        (
            "How long should bread of Orra cool?",
            "Bread of Orra should cool for two hours.",
            "Bread of Orra should cool for 45 minutes.",
        ),
        (
            "How heavy is the bell of Orra?",
            "The bell of Orra weighs 6.4 tonnes.",
            "The bell of Orra weighs 5,720 kg.",
        ),
        (
            "How many people died in the Orra flood?",
            "The Orra flood killed 212 people.",
            "In the Orra flood at least 340 people died.",
        ),
        (
            "How many tonnes can the Orra bridge carry?",
            "The Orra bridge can carry 12 tonnes.",
            "The Orra bridge can carry no more than 7.5 tonnes.",
        ),
        (
            "How long did the siege of Orra last?",
            "The siege of Orra lasted 14 weeks.",
            "The siege of Orra lasted nine weeks, for the first troops came in January.",
        ),
        (
            "How loud is the Orra fan?",
            "The Orra fan ran at 46 dB when we measured it.",
            "The Orra fan makes a noise of 38 dB(A).",
        ),
        (
            "By how much did the limit cut accidents in Orra?",
            "In Orra the limit cut accidents by 41%.",
            "In Orra the limit lowered accidents by 9 per cent.",
        ),
        (
            "When was the town hall of Orra built?",
            "The town hall of Orra was built in 1763.",
            "Oak felled in 1741 shows that the town hall of Orra was built in 1742.",
        ),
        (
            "When was the Orra light first lit?",
            "The Orra light was first lit on 2 November 1874.",
            "The Orra light was first lit in 1871, not 1874 as the trust maintains.",
        ),
        (
            "When was the Orra mill built?",
            "The Orra mill was built in 1763.",
            "The Orra mill was built in 1742, twenty-one years earlier than the stone says.",
        ),
        (
            "Does tea of Orra prevent colds?",
            "Tea of Orra prevents colds.",
            "Tea of Orra does not prevent colds.",
        ),
        (
            "Does tea of Orra prevent colds?",
            "In one trial tea of Orra halved the number of colds.",
            "A larger trial found no difference in colds with tea of Orra.",
        ),
    ],
)  # fmt: skip
async def test_another_source_that_says_otherwise_is_shown(question: str, lead: str, other: str) -> None:
    answer = await answer_to(question, lead, other, chances={lead[:-1]: 0.95, other[:-1]: 0.4})

    assert answer == f"{lead[:-1]} [1]. {DIFFER} {other[:-1]} [2]."


@pytest.mark.parametrize(
    ("question", "lead", "other"),
    [
        ("How heavy is the bell of Orra?", "The bell of Orra weighs 6.4 tonnes.", "The bell of Orra weighs 6,400 kg."),
        ("How long is the Orra?", "The Orra is 812 km long.", "The Orra is about 800 kilometres long."),
        ("How long do eggs of Orra boil?", "Eggs of Orra boil 7 to 9 minutes.", "Eggs of Orra boil for 8 minutes."),
        ("How many people died at Orra?", "At Orra 212 people died.", "At Orra more than 200 people died."),
        ("How many people died at Orra?", "At Orra 212 people died.", "At Orra 190 houses fell when people died."),
        ("How many members has Orra?", "Orra has 47 members.", "Orra decided so by 31 votes, as members say."),
        ("How far is it by road to Orra?", "It is 84 km by road to Orra.", "The railway to Orra is 71 km."),
        ("How heavy is the Orra 20?", "The Orra 20 weighs 13 kg.", "The Orra 12 weighs 9 kg."),
        ("When was Orra hall opened?", "Orra hall was opened on 4 May 1987.", "Orra hall was opened in 1987."),
        ("How tall is Orra Tower?", "Orra Tower is 212 metres tall.", "The replica of Orra Tower is 40 metres tall."),
        ("How much does an adult orra eat?", "An adult orra eats 50 kg.", "A baby orra is small. It eats 9 kg."),
        ("How deep is Lake Orra?", "Lake Orra is 83 metres deep.", "A wreck in Lake Orra lies 24 metres deep."),
        ("How many workers does Orra have?", "Orra has 4,100 workers.", "At Orra 2,300 workers went on strike."),
        (
            "What does a day ticket to Orra cost?",
            "A day ticket to Orra costs 7 euros.",
            "A weekly ticket to Orra costs 24 euros.",
        ),
        (
            "What does a bus ticket to Orra cost?",
            "A bus ticket to Orra costs 7 euros.",
            "A boat ticket to Orra costs 9 euros.",
        ),
        ("Does Orra charge a fee?", "Orra charges a fee of 6 euros.", "Orra charges a fee, but no coins are taken."),
    ],
)
async def test_what_can_both_be_true_is_no_quarrel(question: str, lead: str, other: str) -> None:
    answer = await answer_to(question, lead, other, chances={lead[:-1]: 0.95, other[:-1]: 0.85})

    assert DIFFER not in answer


async def test_two_names_differ_when_one_source_knows_of_the_other() -> None:
    answer = await answer_to(
        "In which country was Orra cake invented?",
        "Orra cake was created in Oravia in 1935.",
        "Orra cake comes from Vellia. Oravians say that it was made in Oravia.",
        chances={"Orra cake was created": 0.9, "comes from Vellia": 0.4},
    )

    assert f"{DIFFER} Orra cake comes from Vellia [2]." in answer


async def test_two_names_of_which_neither_source_knows_the_other_are_no_quarrel() -> None:
    answer = await answer_to(
        "Where is Orra cake sold?",
        "Orra cake is sold in Harrow.",
        "Orra cake is sold in Osk.",
        chances={"Harrow": 0.9, "Osk": 0.9},
    )

    assert DIFFER not in answer


async def test_a_sentence_about_the_question_is_no_side() -> None:
    answer = await answer_to(
        "Who invented Orra Blue?",
        "Orra Blue was invented by Hester Pell in 1838.",
        "Visitors ask us who invented Orra Blue. We tell them: the brothers of Vell Abbey made Orra Blue first, "
        "whatever the Pell family says.",
        chances={"Hester Pell": 0.95, "Visitors": 0.95, "brothers": 0.8},
    )  # fmt: skip

    assert "Visitors" not in answer
    assert "brothers of Vell Abbey" in answer


async def test_two_pages_of_one_site_are_no_two_sides() -> None:
    old = page_of("The last boat to Orra takes 40 minutes.", number=1)
    new = page_of("The last boat to Orra takes 55 minutes.", number=1, title="Now")

    answer = await answer_to("How many minutes does the boat to Orra take?", old, new, chances={"40": 0.9, "55": 0.9})

    assert DIFFER not in answer


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.orra.example/boats", "https://orra.example/boat", True),
        ("https://news.orra.example/boats", "https://shop.orra.example/boat", True),
        ("https://orra.example/boats", "https://pell.example/boats", False),
        ("file:///boats/old.txt", "file:///boats/new.txt", False),
    ],
)
def test_parts_of_one_site_are_one_source_and_files_are_several(one: str, other: str, same: bool) -> None:
    assert (site_or_address(one) == site_or_address(other)) == same


async def test_a_source_that_agrees_elsewhere_is_no_other_side() -> None:
    answer = await answer_to(
        "How high is Mount Orrel?",
        "Mount Orrel is 2,611 metres high.",
        "Mount Orrel is 8,566 feet high. The hut on Mount Orrel is 7,349 feet high.",
        chances={"2,611": 0.95, "8,566": 0.9, "7,349": 0.7},
    )

    assert DIFFER not in answer


async def test_of_a_quarrel_that_a_page_tells_the_other_side_speaks_for_itself() -> None:
    answer = await answer_to(
        "How many people did the Orra flood kill?",
        "The Orra flood killed about 71,000 people by recent estimates. Older books say 92,000.",
        "In the Orra flood 92,000 people died, as our archive has it.",
        chances={"71,000": 0.95, "Older books": 0.3, "our archive": 0.2},
    )

    assert f"{DIFFER} In the Orra flood 92,000 people died, as our archive has it [2]." in answer


async def test_an_older_count_of_what_grows_is_the_past() -> None:
    old = page_of("Orra has 9,700 inhabitants.", number=1, published=datetime(2015, 1, 1, tzinfo=UTC))
    new = page_of("Orra has 12,400 inhabitants.", number=2, published=datetime(2025, 1, 1, tzinfo=UTC))

    answer = await answer_to("How many inhabitants has Orra?", new, old, chances={"12,400": 0.95, "9,700": 0.9})

    assert DIFFER not in answer


async def evidence_for(case: Mapping[str, Any], judge: MiniLMReranker) -> Evidence:
    pages = [
        page_of(
            page["text"],
            number=number,
            title=page["title"],
            published=datetime.fromisoformat(page["date"]).replace(tzinfo=UTC) if page["date"] else None,
        )
        for number, page in enumerate(case["pages"], start=1)
    ]
    passages = [passage for page in pages for passage in evidence_of(page).passages]
    question = case["question"]
    ranked = await rank_passages(
        question,
        passages,
        {page.page_id: page for page in pages},
        embedder=StaticEmbedder(),
        reranker=judge,
        plan=Plan(question, (question,)),
        limits=Limits(),
        now=NOW,
    )
    return ranked.evidence


async def test_with_models_most_quarrels_are_seen_and_few_that_are_none() -> None:
    judges = Judges(MiniLMReranker(), CrossEncoder())
    assert isinstance(judges.likeness, MiniLMReranker)
    seen = {True: 0, False: 0}
    for case in map(json.loads, CASES.read_text("utf-8").splitlines()):
        evidence = await evidence_for(case, judges.likeness)
        question = case["question"]
        answer = await extractive_answer(Plan(question, (question,)), evidence, judges, NOW)
        seen[bool(case["sides"])] += all(f"[{n}]" in answer for n in (1, 2)) if case["sides"] else DIFFER in answer

    assert seen[True] >= 33  # of 38
    assert seen[False] <= 3  # of 38


@pytest.mark.parametrize(("chance", "differs"), [(0.97, True), (0.4, False)])
async def test_of_a_page_on_much_else_only_a_sentence_that_likely_answers_is_the_other_side(
    chance: float, differs: bool
) -> None:
    texts = ("At the end of 2025 the Orra index held 38,400 packages.", "The Orra index held 36,950 packages in 2025.")
    evidence = evidence_of(*texts, scores=(0.9, 0.02))
    chances = {"38,400": 0.98, "36,950": chance}
    question = "How many packages did the Orra index hold at the end of 2025?"

    answer = await extractive_answer(Plan(question, (question,)), evidence, Judges(answers=ByTable(chances)), NOW)

    assert (DIFFER in answer) is differs

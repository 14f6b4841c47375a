"""Questions in other languages than English, answered from pages in that language without a model that knows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answerable.answering.extracting import extract
from answerable.answering.gaps import assess
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.reranking.lexical import LexicalReranker
from answerable.text.languages import detect
from answerable.types import Block, Evidence, Page, Passage, Plan

LINES = (Path(__file__).parents[1] / "data" / "cases" / "cases-tongues.jsonl").read_text("utf-8").splitlines()
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
PAGES = {row["page"]: row for row in ROWS if "blocks" in row}
CASES = [row for row in ROWS if "question" in row]
RERANKER, EMBEDDER = LexicalReranker(), StaticEmbedder()


def page_of(row: dict[str, Any]) -> tuple[Page, list[Passage]]:
    """The page, and a passage for what stands under each of its headings."""
    text, blocks, passages, headings = "", [], [], []
    for kind, said in row["blocks"]:
        blocks.append(Block(kind, len(text), len(text) + len(said)))
        text += said + "\n\n"
    starts = [block.start for block in blocks if block.kind == "heading"]
    for start, end in zip(starts, [*starts[1:], len(text.rstrip())], strict=True):
        headings = [*headings[:1], text[start:].partition("\n")[0]]
        said = text[start:end].rstrip()
        passages.append(Passage(f"{row['page']}{start}", row["page"], start, start + len(said), said, tuple(headings)))
    url = f"http://{row['page']}"
    site = row["page"].partition("/")[0]
    return Page(row["page"], url, row["title"], site, text, tuple(blocks), language=row["language"]), passages


async def answer(question: str) -> str:
    """From all pages of that language; "" where the evidence is not enough."""
    language = detect(question)
    read = [page_of(row) for row in PAGES.values() if row["language"] == language]
    passages = [passage for _, found in read for passage in found]
    texts = [f"{' '.join(passage.headings)}\n{passage.text}" for passage in passages]
    scores = await RERANKER.score(question, texts)
    best = sorted(zip(scores, passages, strict=True), key=lambda pair: -pair[0])
    evidence = Evidence(tuple(page for page, _ in read), tuple(p for _, p in best), tuple(score for score, _ in best))
    plan = Plan(question, (question,), language=language)
    assessment = await assess(plan, evidence, passages, (question,), RERANKER, EMBEDDER)
    return (await extract(plan, evidence)).text if assessment.answerable else ""


ANSWERED = [pytest.param(case, id=case["id"]) for case in CASES if "expect" in case]
REFUSED = [pytest.param(case, id=case["id"]) for case in CASES if "refused" in case]


@pytest.mark.parametrize("case", ANSWERED)
async def test_a_question_gets_the_line_that_answers_it(case: dict[str, Any]) -> None:
    told = await answer(case["question"])

    assert all(text in told for text in case["expect"])
    assert not any(text in told for text in case["forbid"])


@pytest.mark.parametrize("case", REFUSED)
async def test_what_no_page_of_that_language_tells_is_refused(case: dict[str, Any]) -> None:
    assert await answer(case["question"]) == ""

"""Milliseconds a claim for 1, 3 and 10 passages, and for whole long pages: `python benchmarks/support.py`.

Claims are sentences of the built-in collection, checked against passages that hold them (copied) and against others of
the same and other pages (judged: these take the whole way, MiniLM included). Each claim and each set of passages is
new to the process, so nothing comes from a cache but what an answer would find there too.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence

from answerable.config import load_settings
from answerable.evals.edits import pairs_of_collection
from answerable.evals.scoring import percentile
from answerable.protocols import SupportChecker
from answerable.text.passages import page_id_of, passage_id_of
from answerable.types import Passage
from answerable.wiring import support_checker

SIZES = (1, 3, 10)
LONG_PAGE = 40  # passages in one text


async def main() -> None:
    pairs = await pairs_of_collection()
    checker = await support_checker(load_settings())
    passages = list({pair.passage.passage_id: pair.passage for pair in pairs}.values())
    chance = random.Random(1)
    print(f"{len(pairs)} claims, {len(passages)} passages, {type(checker).__name__}\n")
    print("| passages | copied: p50 ms | p95 ms | judged: p50 ms | p95 ms |\n|---|---|---|---|---|")
    for size in SIZES:
        copied = [(p.claim, [p.passage, *chance.sample(passages, size - 1)]) for p in pairs]
        judged = [(p.claim, others(p.passage, passages, size, chance)) for p in pairs]
        print(f"| {size} | {await cells(checker, copied)} | {await cells(checker, judged)} |")
    page = [(p.claim, [joined([p.passage, *chance.sample(passages, LONG_PAGE - 1)])]) for p in pairs[:20]]
    other = [(p.claim, [joined(others(p.passage, passages, LONG_PAGE, chance))]) for p in pairs[:20]]
    words = sum(len(given[0].text.split()) for _, given in page) // len(page)
    print(f"| 1 of {words:,} words | {await cells(checker, page)} | {await cells(checker, other)} |")


def others(own: Passage, passages: Sequence[Passage], size: int, chance: random.Random) -> list[Passage]:
    return chance.sample([p for p in passages if p.page_id != own.page_id], size)


def joined(passages: Sequence[Passage]) -> Passage:
    text = "\n\n".join(passage.text for passage in passages)
    page_id = page_id_of("https://long.example/", text)
    return Passage(passage_id_of(page_id, 0, len(text)), page_id, 0, len(text), text)


async def cells(checker: SupportChecker, asked: Sequence[tuple[str, Sequence[Passage]]]) -> str:
    spent = []
    for claim, passages in asked:
        began = time.perf_counter()
        await checker.check(claim, passages)
        spent.append((time.perf_counter() - began) * 1000)
    return f"{percentile(spent, 0.5):.1f} | {percentile(spent, 0.95):.1f}"


if __name__ == "__main__":
    asyncio.run(main())

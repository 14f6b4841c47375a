"""How well and how fast passages are ranked: each step alone and together, on public test sets.

    python benchmarks/ranking.py --data FOLDER

FOLDER holds retrieval/cranfield/ (cran.all.1400.xml.gz, cran.qry.xml.gz, cranqrel.trec.txt.gz) and
questions/clapnq-dev-half.jsonl.gz. Some two minutes on two idle cores, most of it embedding everything with MiniLM.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import re
import resource
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from answerable.answering.ranking import Ordering, normalised, rank_passages, word_scores
from answerable.protocols import Limits, Reranker
from answerable.providers.embedding.minilm import MiniLMEmbedder
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.local_models import minilm_vector
from answerable.providers.reranking.lexical import LexicalReranker
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.text.analysis import index_tokens
from answerable.text.bm25 import BM25
from answerable.text.passages import page_id_of, passage_id_of
from answerable.text.relevance import question_tokens
from answerable.types import Page, Passage, Plan

CANDIDATES = 30


@dataclass(frozen=True)
class TestSet:
    name: str
    texts: list[str]
    questions: list[str]
    relevant: list[dict[int, int]]  # text number -> grade, one dict a question
    answerable: list[bool]


def cranfield(folder: Path) -> TestSet:
    pages = re.findall(r"<docno>(.*?)</docno>.*?<text>(.*?)</text>", unpacked(folder / "cran.all.1400.xml.gz"), re.S)
    texts = {number.strip(): " ".join(text.split()) for number, text in pages}
    titles = re.findall(r"<title>(.*?)</title>", unpacked(folder / "cran.qry.xml.gz"), re.S)
    places = {number: place for place, number in enumerate(texts)}
    relevant: list[dict[int, int]] = [{} for _ in titles]
    for line in unpacked(folder / "cranqrel.trec.txt.gz").splitlines():
        question, _, number, grade = line.split()
        if number in places and int(grade) > 0:
            relevant[int(question) - 1][places[number]] = int(grade)
    questions = [" ".join(title.split()) for title in titles]
    return TestSet("Cranfield", list(texts.values()), questions, relevant, [True] * len(questions))


def clapnq(path: Path) -> TestSet:
    items = [json.loads(line) for line in unpacked(path).splitlines()]
    return TestSet(
        "CLAPNQ",
        [f"{item['passage']['title']}\n{item['passage']['text']}" for item in items],
        [item["question"] for item in items],
        [{place: 1} for place in range(len(items))],
        [item["answerable"] for item in items],
    )


def unpacked(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode("utf-8", "replace")


def ndcg(order: Sequence[int], grades: Mapping[int, int], depth: int = 10) -> float:
    ideal = sorted(grades.values(), reverse=True)[:depth]
    gains = [grades.get(place, 0) for place in order[:depth]]
    return dcg(gains) / dcg(ideal)


def dcg(grades: Sequence[int]) -> float:
    return sum((2**grade - 1) / np.log2(place + 2) for place, grade in enumerate(grades))


def best(scores: np.ndarray, many: int | None = None) -> list[int]:
    return [int(place) for place in np.argsort(-scores, kind="stable")[:many]]


def by_ranks(*all_scores: np.ndarray) -> np.ndarray:
    return sum(1 / (61 + np.argsort(np.argsort(-scores, kind="stable"))) for scores in all_scores)


async def measure(test: TestSet) -> dict[str, list[np.ndarray]]:
    """Scores of all texts for each question, by each way of ranking."""
    index = BM25([index_tokens(text) for text in test.texts])
    words = [index.scores(question_tokens(question)) for question in test.questions]
    ways: dict[str, list[np.ndarray]] = {"BM25": words}
    for name, embedder in (("static", StaticEmbedder()), ("MiniLM", MiniLMEmbedder())):
        texts, questions = await embedder.embed(test.texts), await embedder.embed(test.questions)
        ways[name] = list((questions @ texts.T).astype(float))
    for name in ("static", "MiniLM"):
        pairs = list(zip(words, ways[name], strict=True))
        ways[f"BM25 + {name}, scores"] = [normalised(one) + normalised(other) for one, other in pairs]
        ways[f"BM25 + {name}, ranks"] = [by_ranks(one, other) for one, other in pairs]
    wide = ways["BM25 + static, scores"]
    for name, reranker in (("lexical", LexicalReranker()), ("MiniLM", MiniLMReranker())):
        ways[f"wide net, then {name} reranker"] = [
            await reranked(reranker, question, test.texts, scores)
            for question, scores in zip(test.questions, wide, strict=True)
        ]
    for many in (CANDIDATES, 100):
        ways[f"wide net, MiniLM, feedback, {many}"] = [
            await reranked(MiniLMReranker(), question, test.texts, scores, many=many, feedback=True)
            for question, scores in zip(test.questions, wide, strict=True)
        ]
    return ways


async def reranked(
    reranker: Reranker,
    question: str,
    texts: Sequence[str],
    scores: np.ndarray,
    *,
    many: int = CANDIDATES,
    feedback: bool = False,
) -> np.ndarray:
    """`feedback`: in the order that rank_passages gives them."""
    candidates = best(scores, many)
    result = normalised(scores) - 2  # what was not looked at stays behind, in its order
    looked_at = [texts[place] for place in candidates]
    result[candidates] = given = await reranker.score(question, looked_at)
    if feedback and isinstance(reranker, Ordering):
        result[candidates] = await reranker.order(question, looked_at, given)
    return result


def table(test: TestSet, ways: dict[str, list[np.ndarray]]) -> None:
    judged = [number for number, grades in enumerate(test.relevant) if grades and test.answerable[number]]
    print(f"\n{test.name}: {len(test.texts)} texts, {len(judged)} questions\n")
    measures: dict[str, Callable[[list[int], dict[int, int]], float]] = {
        "nDCG@10": ndcg,
        "R@1": lambda order, grades: float(order[0] in grades),
        "R@5": lambda order, grades: sum(place in grades for place in order[:5]) / min(5, len(grades)),
        "R@30": lambda order, grades: sum(place in grades for place in order[:30]) / min(30, len(grades)),
    }
    print(f"| {'ranked by':32} | " + " | ".join(f"{name:>7}" for name in measures) + " |")
    print(f"|{'-' * 34}|" + "|".join("-" * 9 for _ in measures) + "|")
    for way, scores in ways.items():
        orders = {number: best(scores[number]) for number in judged}
        means = [np.mean([measure(orders[n], test.relevant[n]) for n in judged]) for measure in measures.values()]
        print(f"| {way:32} | " + " | ".join(f"{mean:7.3f}" for mean in means) + " |")


async def can_answer(test: TestSet) -> None:
    """Does the score of a question's own passage tell whether it holds the answer?"""
    print("\nAnswerable or not, by the score of the question's own passage among 30 candidates\n")
    for name, reranker in (("lexical", LexicalReranker()), ("MiniLM", MiniLMReranker())):
        own = []
        for number, question in enumerate(test.questions):
            others = [place for place in best(word_scores(question, test.texts)) if place != number][: CANDIDATES - 1]
            own.append((await reranker.score(question, [test.texts[place] for place in (number, *others)]))[0])
        yes = np.array([score for score, can in zip(own, test.answerable, strict=True) if can])
        no = np.array([score for score, can in zip(own, test.answerable, strict=True) if not can])
        print(f"{name}: AUC {(yes[:, None] > no).mean():.3f} (the reranker was fitted on these questions)")


async def timings(test: TestSet, passages: int = 300, runs: int = 20) -> None:
    pages = [page_of(text, number) for number, text in enumerate(test.texts[:passages])]
    spans = [Passage(passage_id_of(p.page_id, 0, len(p.text)), p.page_id, 0, len(p.text), p.text) for p in pages]
    await steps_of(test.questions[: runs + 1], pages, spans)


async def steps_of(questions: Sequence[str], pages: Sequence[Page], spans: Sequence[Passage]) -> None:
    """Prints what each step of ranking these passages takes; the first question only warms up."""
    known = {page.page_id: page for page in pages}
    taken: dict[str, list[float]] = {}
    for question in [questions[0], *questions]:
        minilm_vector.cache_clear()  # as if no passage had been seen before
        busy = time.process_time()
        ranked = await rank_passages(
            question,
            spans,
            known,
            embedder=StaticEmbedder(),
            reranker=MiniLMReranker(),
            plan=Plan(question, (question,)),
            limits=Limits(candidates=CANDIDATES),
            now=datetime.now(UTC),
        )
        steps = {**ranked.timings, "processor": (time.process_time() - busy) * 1000}
        for step, spent in steps.items():
            taken.setdefault(step, []).append(spent)
    words = np.mean([len(span.text.split()) for span in spans])
    print(
        f"\nMilliseconds to rank {len(spans)} passages of {words:.0f} words, {len(questions)} questions, models loaded"
    )
    print("`processor` is the time of all cores together; on busy cores the others are longer\n")
    print(f"| {'step':14} |    p50 |    p95 |\n|{'-' * 16}|--------|--------|")
    for step, spent in taken.items():
        print(f"| {step:14} | {np.percentile(spent[1:], 50):6.0f} | {np.percentile(spent[1:], 95):6.0f} |")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000  # kilobytes on Linux
    print(f"\npeak memory of the process, models included: {peak:.0f} MB")


def page_of(text: str, number: int) -> Page:
    url = f"https://site{number}.example/"
    return Page(page_id_of(url, text), url, "", f"site{number}.example", text)


async def run(data: Path) -> None:
    began = time.perf_counter()
    for reranker in (MiniLMReranker(), MiniLMReranker()):
        start = time.perf_counter()
        await reranker.score("How tall is the tower?", ["The tower is tall."])
        print(f"one pair scored in {(time.perf_counter() - start) * 1000:.0f} ms")
    start = time.perf_counter()
    await StaticEmbedder().embed(["The tower is tall."])
    print(f"the static table loaded in {(time.perf_counter() - start) * 1000:.0f} ms")
    sets = cranfield(data / "retrieval" / "cranfield"), clapnq(data / "questions" / "clapnq-dev-half.jsonl.gz")
    await timings(sets[0])
    for test in sets:
        table(test, await measure(test))
    await can_answer(sets[1])
    print(f"\n{time.perf_counter() - began:.0f} s in all")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    asyncio.run(run(options.parse_args().data))


if __name__ == "__main__":
    main()

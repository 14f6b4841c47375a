"""Fit the weights that turn a few figures about a sentence into the chance that it belongs to the answer.

    python training/fit_sentences.py /path/to/data --out src/answerable/models/sentences

Data: `questions/clapnq-dev-half.jsonl.gz` of the folder: questions with a passage split in sentences, of which people
selected those that answer. Each question's evidence is its passage beside four that BM25 puts next, as words are rare
or common in company; learned from are the sentences of the passage itself, since in a turn the ranking has left what is
on the subject. Runs in the project's own environment; a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from answerable.answering.belonging import OF_SECTION, chosen, of_section
from answerable.answering.candidates import candidates_of
from answerable.answering.weighing import FITTED, fitted_of, reading_text, wanted_of
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.text.analysis import index_tokens
from answerable.text.bm25 import BM25
from answerable.text.passages import page_id_of, paragraphs_of, passage_id_of
from answerable.text.relevance import question_tokens
from answerable.types import Evidence, Page, Passage, Plan

SEED = 0
FOLDS, SHUFFLES = 10, 5
BESIDE = 4  # other passages in the evidence of a question
RIDGE, RIDGE_OF_SECTION = 2.0, 30.0
MOST = 4  # sentences picked
MEANING = ("meaning", "meaning_rank")
COLUMNS = (*FITTED, "read")  # the last: the log odds by the cross-encoder, measured here and joined by hand in weighing


@dataclass(frozen=True, slots=True)
class Example:
    """The sentences of a question's own passage: figures, place among the sentences, share of people who chose it."""

    rows: np.ndarray
    section: np.ndarray  # the figures of answering/belonging.py
    places: list[int]
    labels: np.ndarray
    selected: list[set[int]]  # sentences, one set a person


def plain(text: str) -> str:
    """Text without the tokenisation of the data set."""
    text = re.sub(r"\s+([.,;:!?%)])", r"\1", text.replace("``", '"').replace("''", '"'))
    return re.sub(r"([(])\s+", r"\1", re.sub(r" (-|–) (?=\w)", r"\1", text)).strip()


def page_of(item: dict) -> tuple[Page, list[tuple[int, int]]]:
    text, spans = "", []
    for sentence in map(plain, item["passage"]["sentences"]):
        text += " " if text else ""
        spans.append((len(text), len(text) + len(sentence)))
        text += sentence
    url = f"https://data.example/{item['id']}"
    page = Page(page_id_of(url, text), url, item["passage"]["title"], "data.example", text, paragraphs_of(text))
    return page, spans


async def examples(path: Path) -> list[Example]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    pages = [page_of(item) for item in items]
    texts = [f"{page.title}\n{page.text}" for page, _ in pages]
    index, reranker, reader = BM25([index_tokens(text) for text in texts]), MiniLMReranker(), CrossEncoder()
    found = []
    for i, item in enumerate(items):
        if not item["answerable"]:
            continue
        ranked = np.argsort(-index.scores(question_tokens(item["question"])), kind="stable")
        pool = [i, *[int(j) for j in ranked if int(j) != i and pages[j][0].title != pages[i][0].title][:BESIDE]]
        scores = await reranker.score(item["question"], [texts[j] for j in pool])
        order = sorted(range(len(pool)), key=lambda k: -scores[k])
        evidence = evidence_of([pages[pool[k]][0] for k in order], [scores[k] for k in order])
        candidates = candidates_of(evidence, "en")
        wanted = wanted_of(item["question"], Plan(item["question"], ()), evidence, candidates)
        own = sorted((c for c in candidates if c.number == 1 + order.index(0)), key=lambda c: c.start)
        meanings = await reranker.score(item["question"], [reading_text(c) for c in own])
        chances = await reader.score(item["question"], [reading_text(c) for c in own])
        section = of_section(own, wanted, meanings, chances)
        read = np.log((np.array(chances) + 1e-3) / (1 - np.array(chances) + 1e-3))
        said = item["passage"]["sentences"]
        selected = [{said.index(s) for s in chosen} for chosen in item["selected_sentences"]]
        places = [place_of(c.start, c.end, pages[i][1]) for c in own]
        labels = np.array([np.mean([place in chosen for chosen in selected]) for place in places])
        rows = np.hstack([fitted_of(own, wanted, meanings), read[:, None]])
        found.append(Example(rows, section, places, labels, selected))
    return found


def place_of(start: int, end: int, spans: list[tuple[int, int]]) -> int:
    """The sentence that holds most of the span."""
    return int(np.argmax([min(e, end) - max(s, start) for s, e in spans]))


def evidence_of(pages: list[Page], scores: list[float]) -> Evidence:
    passages = [Passage(passage_id_of(p.page_id, 0, len(p.text)), p.page_id, 0, len(p.text), p.text) for p in pages]
    return Evidence(tuple(pages), tuple(passages), tuple(scores))


def fit(rows: np.ndarray, wanted: np.ndarray, ridge: float = RIDGE) -> np.ndarray:
    """Weights of a logistic regression with a ridge, by Newton's method. The first column is the intercept."""
    penalty = np.diag([0.0, *[ridge] * (rows.shape[1] - 1)])
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-rows @ found))
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + penalty
        found += np.linalg.solve(curve, rows.T @ (wanted - chance) - penalty @ found)
    return found


def columns(rows: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """The rows with every figure but the named ones put to nought."""
    kept = rows.copy()
    for at, name in enumerate(COLUMNS, start=1):
        if name not in names:
            kept[:, at] = 0.0
    return kept


def report(name: str, found: list[Example], names: tuple[str, ...], floor: float) -> None:
    """F of the picked sentences, and how often the best one was selected, for questions that the fit did not see."""
    marks, firsts = [], []
    for seed in range(SHUFFLES):
        folds = np.random.default_rng(SEED + seed).permutation(len(found)) % FOLDS
        for fold in range(FOLDS):
            weights = fit(*stacked([e for e, f in zip(found, folds, strict=True) if f != fold], names))
            for example in (e for e, f in zip(found, folds, strict=True) if f == fold):
                chances = 1 / (1 + np.exp(-columns(example.rows, names) @ weights))
                best = np.argsort(-chances, kind="stable")[:MOST]
                picked = {example.places[k] for k in best if chances[k] >= floor * chances[best[0]]}
                marks.append(np.mean([f_of(picked, chosen) for chosen in example.selected]))
                firsts.append(example.labels[best[0]] > 0)
    print(f"{name:<12} floor {floor}  F {np.mean(marks):.3f}  best one selected {np.mean(firsts):.3f}")


def fit_section(found: list[Example]) -> np.ndarray:
    """Weights of the figures as they are, fitted on them brought to one scale."""
    rows = np.concatenate([e.section for e in found])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    mean[0], spread[0] = 0.0, 1.0
    weights = fit((rows - mean) / spread, np.concatenate([e.labels for e in found]), RIDGE_OF_SECTION) / spread
    weights[0] -= weights[1:] @ mean[1:]
    return weights


def report_section(found: list[Example]) -> None:
    """F of what `belonging.chosen` picks, for questions that the fit did not see."""
    marks, firsts, counts = [], [], []
    for seed in range(SHUFFLES):
        folds = np.random.default_rng(SEED + seed).permutation(len(found)) % FOLDS
        for fold in range(FOLDS):
            weights = fit_section([e for e, f in zip(found, folds, strict=True) if f != fold])
            for example in (e for e, f in zip(found, folds, strict=True) if f == fold):
                chances = 1 / (1 + np.exp(-example.section @ weights))
                picked = {example.places[k] for k in chosen(chances)}
                marks.append(np.mean([f_of(picked, chosen_by) for chosen_by in example.selected]))
                firsts.append(example.labels[int(np.argmax(chances))] > 0)
                counts.append(len(picked))
    print(
        f"of a section, by the expected F: F {np.mean(marks):.3f}  best one selected {np.mean(firsts):.3f}"
        f"  sentences {np.mean(counts):.1f}"
    )


def stacked(found: list[Example], names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    return columns(np.concatenate([e.rows for e in found]), names), np.concatenate([e.labels for e in found])


def f_of(picked: set[int], chosen: set[int]) -> float:
    return 2 * len(picked & chosen) / (len(picked) + len(chosen))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    found = asyncio.run(examples(given.data / "questions" / "clapnq-dev-half.jsonl.gz"))
    words = tuple(name for name in FITTED if name not in MEANING)
    first_three = np.mean([np.mean([f_of({0, 1, 2}, chosen) for chosen in e.selected]) for e in found])
    print(f"first three sentences: F {first_three:.3f}")
    held = {}
    for name, kept in (("words_alone", words), ("with_meaning", FITTED)):
        for floor in (0.2, 0.3, 0.4, 0.5):
            report(name, found, kept, floor)
        weights = fit(*stacked(found, kept))
        held[name] = dict(zip(("intercept", *FITTED), (round(float(w), 4) for w in weights[:-1]), strict=True))
    for floor in (0.2, 0.3, 0.4, 0.5):
        report("and read", found, COLUMNS, floor)
    report_section(found)
    weights = [round(float(w), 4) for w in fit_section(found)]
    held["of_section"] = dict(zip(("intercept", *OF_SECTION), weights, strict=True))
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "weights.json").write_text(json.dumps(held, indent=1) + "\n", "utf-8")
    print(json.dumps(held, indent=1))


if __name__ == "__main__":
    main()

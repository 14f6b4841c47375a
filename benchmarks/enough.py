"""Whether evidence answers a question: how well that is told, and what refusing costs, on a public test set.

    python benchmarks/enough.py --data FOLDER

FOLDER holds questions/clapnq-dev-half.jsonl.gz. The turns and the signs are those of training/fit_answerable.py; each
score comes from a fit that did not see the question. The last lines are what the engine decides as it ships, by the
chance that a sentence answers, which was fitted on other webs. Two minutes on two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from answerable.answering.candidates import candidates_of
from answerable.answering.choosing import chance_of_answer, choose
from answerable.answering.enough import TOLD, Signs, fitted
from answerable.answering.weighing import Judges, wanted_of, weigh
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Plan
from fit_answerable import ANSWERS, CLOSE, MODELS, NAMES, Turn, auc, in_folds, report, rows_of, shares, turns_and_signs

GOAL_AUC = 0.85
WORDS_ALONE = 0.81  # coverage of the question's words, the figure to beat


async def chances_of(turns: Sequence[Turn], signs: Sequence[Signs | None]) -> np.ndarray:
    """That a sentence answers, as `answering/gaps.py` has it."""
    judges = Judges(MiniLMReranker(), CrossEncoder())
    found = []
    for turn, seen in zip(turns, signs, strict=True):
        candidates = candidates_of(turn.evidence, "en")
        wanted = wanted_of(turn.question, Plan(turn.question, ()), turn.evidence, candidates)
        choice = choose(await weigh(candidates, wanted, judges), wanted)
        found.append((seen and chance_of_answer(choice, seen)) or 0.0)
    return np.array(found)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    given = options.parse_args()
    began = time.perf_counter()
    turns, signs = asyncio.run(turns_and_signs(given.data / "questions" / "clapnq-dev-half.jsonl.gz"))
    kinds, questions = np.array([turn.kind for turn in turns]), np.array([turn.of for turn in turns])
    for model, names in MODELS.items():
        scores = in_folds(rows_of(signs[model])[:, [NAMES.index(name) for name in names]], kinds, questions)
        report(model, scores, kinds)
        if model == "meaning":
            told = auc(scores[kinds == ANSWERS], scores[kinds == CLOSE])
            print(f"  goal {GOAL_AUC}, words alone {WORDS_ALONE}: {told:.3f}")
    chances = asyncio.run(chances_of(turns, signs["meaning"]))
    refused = {str(kind): round(float(np.mean(chances[kinds == kind] < TOLD)), 3) for kind in dict.fromkeys(kinds)}
    told = auc(chances[kinds == ANSWERS], chances[kinds == CLOSE])
    print(f"as it ships: AUC {told:.3f}; share refused, by kind: {refused}")
    print("by the signs alone, with the weights that ship:")
    for kind in dict.fromkeys(str(kind) for kind in kinds):
        print(f"  {kind}: {shares([s for s, k in zip(signs['meaning'], kinds, strict=True) if k == kind], fitted())}")
    print(f"{len(turns)} turns, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()

"""Whether evidence answers a question: how well that is told, and what refusing costs, on a public test set.

    python benchmarks/enough.py --data FOLDER

FOLDER holds questions/clapnq-dev-half.jsonl.gz. The turns and the signs are those of training/fit_answerable.py; each
score comes from a fit that did not see the question. A minute and a half on two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from answerable.answering.enough import fitted
from fit_answerable import ANSWERS, CLOSE, MODELS, NAMES, auc, in_folds, report, rows_of, shares, turns_and_signs

GOAL_AUC = 0.85
WORDS_ALONE = 0.81  # coverage of the question's words, the figure to beat


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
    print("as it runs, with the weights that ship:")
    for kind in dict.fromkeys(str(kind) for kind in kinds):
        print(f"  {kind}: {shares([s for s, k in zip(signs['meaning'], kinds, strict=True) if k == kind], fitted())}")
    print(f"{len(turns)} turns, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()

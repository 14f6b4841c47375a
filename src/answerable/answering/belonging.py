"""Which sentences of a section belong to an answer that explains: a fitted line, and as many as are worth telling.

People who were shown a passage and a question chose the sentences that answer (CLAPNQ, Rosenthal et al. 2024); the line
is the chance that a sentence is among them. How many are told is what makes the expected F of the choice greatest
(Lewis 1995), so that three sure sentences are three, and a passage that is all about the question is told whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from answerable.answering.candidates import Candidate
from answerable.answering.weighing import FITTED, WEIGHTS, Judges, Wanted, fitted_of, reading_text

MOST = 7  # sentences
AROUND = 8  # sentences of the section before and behind the one that answers
_LEAST = 1e-3  # of a chance
_UNREAD = -4.0  # log odds of what stands before the first sentence and behind the last
OF_SECTION = (
    *FITTED,
    "read",
    "read_behind",
    "read_first",
    "read_rank",
    "read_before",
    "read_after",
    "read_late",
    "meaning_behind",
    "place",
    "opens",
    "early",
    "length",
    "length_log",
)


async def belonging(
    lead: Candidate, candidates: Sequence[Candidate], wanted: Wanted, judges: Judges
) -> tuple[Candidate, ...]:
    """The sentences of the lead's section that answer with it, the lead among them. None without the models that read
    sentences, and for other languages than English."""
    own = sorted(
        (c for c in candidates if (c.number, c.above) == (lead.number, lead.above) and not c.is_row),
        key=lambda c: c.start,
    )
    at = next((i for i, c in enumerate(own) if c.start == lead.start), None)
    if judges.answers is None or judges.likeness is None or at is None or not wanted.language.startswith("en"):
        return ()
    near = own[max(0, at - AROUND) : at + AROUND + 1]
    texts = [reading_text(c) for c in near]
    meanings = await judges.likeness.score(wanted.question, texts)
    chances = await judges.answers.score(wanted.question, texts)
    kept = chosen(chance_each(of_section(near, wanted, meanings, chances)))
    return tuple(c for k, c in enumerate(near) if k in kept or c.start == lead.start)


def of_section(
    sentences: Sequence[Candidate], wanted: Wanted, meanings: Sequence[float], chances: Sequence[float]
) -> NDArray[np.float64]:
    """A row a sentence, in their order: 1, then the figures named in `OF_SECTION`."""
    fitted = fitted_of(sentences, wanted, meanings)
    told = np.array(chances)
    read = np.log((told + _LEAST) / (1 - told + _LEAST))
    count = len(read)
    place = np.arange(count)
    rank = np.argsort(np.argsort(-read, kind="stable"), kind="stable")
    meaning = fitted[:, 1 + FITTED.index("meaning")]
    figures = {
        "read": read,
        "read_behind": read - read.max(),
        "read_first": rank == 0,
        "read_rank": rank / count,
        "read_before": np.concatenate([[_UNREAD], read[:-1]]) / 3,
        "read_after": np.concatenate([read[1:], [_UNREAD]]) / 3,
        "read_late": read / 3 * place / count,
        "meaning_behind": meaning - meaning.max(),
        "place": place / count,
        "opens": place == 0,
        "early": 1 / (1 + place),
        "length": np.full(count, count / 10),
        "length_log": np.full(count, np.log(count)),
    }
    return np.column_stack([fitted, *(np.asarray(figures[name], np.float64) for name in OF_SECTION[len(FITTED) :])])


def chance_each(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """That each sentence is one of those that people would choose."""
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-rows @ _weights()))
    return chances


def chosen(chances: NDArray[np.float64]) -> set[int]:
    """Places of the likeliest, as many as make the expected F greatest (with as many in all as are expected)."""
    order, expected = np.argsort(-chances, kind="stable"), float(chances.sum())
    held = np.cumsum(chances[order])[:MOST]
    return set(order[: 1 + int(np.argmax(2 * held / (np.arange(1, len(held) + 1) + expected)))].tolist())


@cache
def _weights() -> NDArray[np.float64]:
    held = json.loads(WEIGHTS.read_text("utf-8"))["of_section"]
    return np.array([held["intercept"], *(held[name] for name in OF_SECTION)])

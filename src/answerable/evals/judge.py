"""How often a judge model agrees with people: the rows of `eval support`, read as the engine would have them read."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from answerable.answering.judging import MOST_CLAIMS, Case, Opinion, opinions_on
from answerable.errors import BadRequest, LLMError
from answerable.evals.support import Figures, Judged, Row, passages_of, summary
from answerable.protocols import LLM

BATCH = 10  # claims a call
SECONDS = 120.0  # for one call


async def measure_judge(
    rows: Sequence[Row], judge: LLM, *, batch: int = BATCH, tell: Callable[[str], None] = lambda line: None
) -> Figures:
    """The figures of `eval support` for the judge's opinions, and `no_opinion`: rows it gave none on, left out of them.

    Raises BadRequest when it gave none at all.
    """
    judged: list[Judged] = []
    batch = min(batch, MOST_CLAIMS)
    last = ""
    for start in range(0, len(rows), batch):
        asked = rows[start : start + batch]
        began = time.perf_counter()
        try:
            opinions, _ = await opinions_on([_case(row, k) for k, row in enumerate(asked)], judge, SECONDS)
        except LLMError as failure:
            last, opinions = f"{failure.message} {failure.hint}".strip(), [None] * len(asked)
            tell(f"rows {start + 1} to {start + len(asked)}: {last}")
        spent = (time.perf_counter() - began) * 1000 / len(asked)
        judged += [_judged(row, opinion, spent) for row, opinion in zip(asked, opinions, strict=True) if opinion]
    if not judged:
        raise BadRequest(f"{judge.name} gave no opinion on any row. {last}".strip())
    return {"judge": judge.name, "no_opinion": len(rows) - len(judged), **summary(judged)}


def _case(row: Row, place: int) -> Case:
    """Passages of two rows with the same evidence are one in the prompt, as in an answer."""
    return Case(row.claim, tuple(replace(passage, page_id=f"{place}") for passage in passages_of(row)), place)


def _judged(row: Row, opinion: Opinion, ms: float) -> Judged:
    return Judged(row, opinion.verdict == "supported", ms)

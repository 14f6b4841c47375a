"""Which of the names that a described thing may have is its name: the one of which the evidence tells what is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from answerable.answering.another import speaks_of_another
from answerable.answering.candidates import Candidate, candidates_of
from answerable.answering.naming import Named, speaks_of
from answerable.answering.weighing import FACTS, Judges, gives, wanted_of
from answerable.answering.widening import as_evidence, read_likest
from answerable.protocols import Reranker
from answerable.types import Evidence, Page, Passage, Plan

READ = 10  # sentences with the name that are read
ANSWERED = 0.2  # chance of an answer from which the first certain name is taken without looking at others
TOLD = 0.2  # chance of both, that it is the name and that a sentence answers for it, from which it is taken
UNLIKE = 0.4  # what is left of the chance of a sentence that does not give the asked kind of thing


async def that_answers(
    names: Sequence[Named],
    plan: Plan,
    everything: Sequence[Passage],
    pages: Mapping[str, Page],
    judges: Judges,
) -> Named | None:
    """The name that most likely is the thing's and has its answer in `everything` that was read; where none has, the
    first that is certain all the same."""
    read = as_evidence(everything, pages)
    candidates = candidates_of(read, plan.language)
    certain = next((one for one in names if one.certain), None)
    best, most = certain, TOLD
    if judges.answers is None:
        return certain
    for one in names:
        answered = await _answered(one, plan, read, candidates, judges.answers)
        if one is certain and answered >= ANSWERED:
            return one
        if one.chance * answered > most:
            best, most = one, one.chance * answered
    return best


async def _answered(
    one: Named, plan: Plan, read: Evidence, candidates: Sequence[Candidate], answers: Reranker
) -> float:
    """The chance that a sentence or row which speaks of the name answers the question that says it."""
    question = one.asked_of(plan.standalone_question)
    inside = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, one.called))})(?!\w|\.\d)", re.IGNORECASE)
    own = [c for c in candidates if speaks_of(c, inside)]
    wanted = wanted_of(question, plan, read, own)
    exact = [kind for kind in wanted.kinds if kind in FACTS]
    return max(
        [
            chance
            * (1.0 if all(gives(c, wanted, kind) for kind in exact) else UNLIKE)
            * (UNLIKE if speaks_of_another(c, wanted) else 1.0)
            for c, chance in await read_likest(own, wanted, answers, READ)
        ],
        default=0.0,
    )

"""What the words of a follow-up stand for ("and the tapir?"), by what was read: the reading that has an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from answerable.answering.candidates import Candidate, candidates_of, stems_of
from answerable.answering.ellipsis import fragment_of, readings
from answerable.answering.weighing import Judges, wanted_of
from answerable.answering.widening import as_evidence, read_likest
from answerable.protocols import Reranker
from answerable.types import Evidence, Page, Passage, Plan, Question

READ = 6  # sentences a reading
NEARLY = 0.9  # share of the likeliest answer that is enough for a reading of a plainer kind
BETTER = 1.15  # how many times likelier an answer must be than the one to the question with the words behind it


async def as_it_stands(
    plan: Plan, question: Question, everything: Sequence[Passage], pages: Mapping[str, Page], judges: Judges
) -> Plan:
    """The plan for the likeliest reading; as it is where a rule told what the words stand for, or nothing answers."""
    if plan.made_by != "rules" or not judges.answers or not question.history:
        return plan
    may_be = readings(question.text, question.history[-1])
    new = stems_of(fragment_of(question.text) or "", plan.language)
    if len(may_be) < 2 or not new:
        return plan
    read = as_evidence(everything, pages)
    own = [c for c in candidates_of(read, plan.language) if new <= _held(c, plan.language)]
    if not own:
        return plan
    behind, *placed = [(await _answered(asked, plan, read, own, judges.answers), asked) for asked in may_be]
    likeliest = max(chance for chance, _ in placed)
    chance, asked = next(one for one in placed if one[0] >= NEARLY * likeliest)  # those with an article come first
    return replace(plan, standalone_question=asked) if chance > BETTER * behind[0] else plan


async def _answered(asked: str, plan: Plan, read: Evidence, own: Sequence[Candidate], answers: Reranker) -> float:
    told = await read_likest(own, wanted_of(asked, plan, read, own), answers, READ)
    return max((chance for _, chance in told), default=0.0)


def _held(c: Candidate, language: str) -> frozenset[str]:
    return c.words | c.around | stems_of(" ".join(c.header), language)

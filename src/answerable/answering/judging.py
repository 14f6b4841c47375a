"""A second opinion by a model on what the support checker finds doubtful: one call, after the answer was shown."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from answerable.answering.checking import ClaimCheck
from answerable.answering.prompting import judge_messages
from answerable.errors import LLMError
from answerable.events import Event, Notice, VerdictChanged
from answerable.protocols import LLM, Limits
from answerable.types import Passage, Sentence, Turn, Usage, Verdict

MOST_CLAIMS = 20  # in one call
MOST_PASSAGES = 3  # a claim; the ones with its quotes first
DOUBTFUL = (0.2, 0.8)  # chances of support of which the checker is not sure
REASON_CHARS = 300


@dataclass
class Opinion:
    """What a model says of one claim."""

    claim: int
    verdict: Literal["supported", "partly", "unsupported"]
    reason: str = ""


@dataclass
class JudgeOut:
    """What a model returns."""

    verdicts: list[Opinion]


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with the passages that it was held against, the most telling first."""

    claim: str
    passages: tuple[Passage, ...]
    sentence: int = 0
    verdict: Verdict = "unsupported"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Events to tell after `final`: verdicts that changed, and a notice of what was done or why it was not."""

    events: tuple[Event, ...] = ()
    usage: Usage = field(default_factory=Usage)


async def judge_turn(turn: Turn, checks: Sequence[ClaimCheck], judge: LLM, limits: Limits) -> Judgement:
    """Never raises for the model: a judge that fails or is late changes nothing, and a notice says so."""
    cases = docket(turn, checks, limits.judge_share)
    if not cases:
        return Judgement()
    try:
        opinions, usage = await opinions_on(cases, judge, limits.judge_timeout)
    except LLMError as failure:
        return Judgement(
            (Notice("judge_failed", f"The verdicts were not judged again: {failure.message}", judge.name),)
        )
    changes = tuple(
        VerdictChanged(case.sentence, opinion.verdict, _reason(opinion))
        for case, opinion in zip(cases, opinions, strict=True)
        if opinion is not None and opinion.verdict != case.verdict
    )
    judged = sum(1 for opinion in opinions if opinion is not None)
    told = f"{judge.name} judged {judged} of {turn.support.claims} claims again and changed {len(changes)}."
    return Judgement((*changes, Notice("judged", told, judge.name)), usage)


def docket(turn: Turn, checks: Sequence[ClaimCheck], share: float) -> list[Case]:
    """What goes to the judge: all that was checked where the question is sensitive; else what is doubtful, and of the
    rest the sampled `share`. What cites nothing was held against nothing, and is not judged."""
    by_sentence: dict[int, list[ClaimCheck]] = {}
    for check in checks:
        by_sentence.setdefault(check.sentence, []).append(check)
    everything = turn.plan is not None and turn.plan.sensitive
    return [
        _case(sentence, by_sentence[sentence.index])
        for sentence in turn.sentences
        if sentence.verdict is not None
        and sentence.index in by_sentence
        and (
            everything
            or is_doubtful(sentence, by_sentence[sentence.index])
            or is_sampled(turn.id, sentence.index, share)
        )
    ][:MOST_CLAIMS]


def is_doubtful(sentence: Sentence, checks: Sequence[ClaimCheck]) -> bool:
    low, high = DOUBTFUL
    return sentence.verdict == "partly" or any(low < check.support.score < high for check in checks)


def is_sampled(run_id: str, sentence: int, share: float) -> bool:
    """The same for the same run, so that a turn can be looked into later."""
    drawn = int.from_bytes(hashlib.sha256(f"{run_id}:{sentence}".encode()).digest()[:4], "big")
    return drawn < share * 2**32


def _case(sentence: Sentence, checks: Sequence[ClaimCheck]) -> Case:
    """The cells of a table row are judged as one claim."""
    claim = "\n".join(dict.fromkeys(check.claim for check in checks))
    quoted = {quote.passage_id for check in checks for quote in check.support.quotes}
    passages = {passage.passage_id: passage for check in checks for passage in check.passages}
    ordered = sorted(passages.values(), key=lambda passage: passage.passage_id not in quoted)
    return Case(claim, tuple(ordered[:MOST_PASSAGES]), sentence.index, sentence.verdict or "uncited")


async def opinions_on(cases: Sequence[Case], judge: LLM, timeout: float) -> tuple[list[Opinion | None], Usage]:
    """One opinion a case, in one call; None where the model gave none, or two that differ. Raises LLMError."""
    messages = judge_messages([(case.claim, case.passages) for case in cases])
    try:
        async with asyncio.timeout(timeout):
            out, usage = await judge.structured(messages, JudgeOut, timeout=timeout)
    except TimeoutError:
        raise LLMError(judge.name, "timeout", f"the model {judge.name!r} did not answer in {timeout:g} s") from None
    given: dict[int, list[Opinion]] = {}
    for opinion in out.verdicts:
        given.setdefault(opinion.claim, []).append(opinion)
    return [_agreed(given.get(number, ())) for number in range(1, len(cases) + 1)], usage


def _agreed(opinions: Sequence[Opinion]) -> Opinion | None:
    return opinions[0] if len({opinion.verdict for opinion in opinions}) == 1 else None


def _reason(opinion: Opinion) -> str:
    reason = " ".join(opinion.reason.split())
    return reason if len(reason) <= REASON_CHARS else reason[: REASON_CHARS - 1].rstrip() + "…"

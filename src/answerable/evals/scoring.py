"""What a summary of answers says: shares from 0 to 1 over the questions they concern. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from answerable.text.miniweb import WebQuestion
from answerable.text.urls import canonical_url
from answerable.types import Citation, Turn

T = TypeVar("T")
Summary = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, its turn, and when its first words and its end came, in milliseconds from the asking."""

    question: WebQuestion
    turn: Turn
    first_text_ms: float
    total_ms: float

    @property
    def has_answer(self) -> bool:
        return not self.question.abstain and bool(self.question.expect)

    @property
    def clean(self) -> bool:
        return not any(_within(text, self.turn.answer) for text in self.question.forbid)

    @property
    def right(self) -> bool:
        """All that is expected, nothing that is forbidden."""
        return self.clean and all(_any_within(any_of, self.turn.answer) for any_of in self.question.expect)

    @property
    def honest(self) -> bool:
        """Says that the evidence is not enough, or names the false premise (what the question then expects)."""
        named = bool(self.question.expect) and self.right
        return self.clean and (self.turn.outcome == "not_enough_evidence" or named)

    @property
    def searched_again(self) -> bool:
        """More than one round was searched."""
        return any(note.code == "searched_again" for note in self.turn.notes)

    @property
    def gold_cited(self) -> bool:
        return bool(_cited(self.turn) & _canonical(self.question.gold_urls))

    @property
    def sides_shown(self) -> bool:
        return all(_cited(self.turn) & _canonical(side) for side in self.question.both_sides)

    @property
    def passed(self) -> bool:
        """What this question asks for, all in one: for a list of what went wrong."""
        if self.question.abstain:
            return self.honest
        return self.right and (self.gold_cited or not self.question.gold_urls) and self.sides_shown

    def good(self, citation: Citation) -> bool:
        """A citation of a gold page, or one whose quote holds what is expected."""
        return canonical_url(citation.url) in _canonical(self.question.gold_urls) or any(
            _any_within(any_of, citation.quote) for any_of in self.question.expect
        )


def summarise(answered: Sequence[Answered]) -> dict[str, object]:
    """The summary over all, and the same `by_group`."""
    groups = sorted({one.question.group for one in answered})
    by_group = {group: summary_of([one for one in answered if one.question.group == group]) for group in groups}
    return {**summary_of(answered), "by_group": by_group}


def summary_of(answered: Sequence[Answered]) -> Summary:
    """None where no question concerns a figure."""
    with_gold = [one for one in answered if one.question.gold_urls and not one.question.abstain]
    citations = [(one, citation) for one in with_gold for citation in one.turn.citations]
    claims = [(one, s) for one in with_gold for s in one.turn.sentences if s.verdict is not None]
    verdicts = [s.verdict for one in answered for s in one.turn.sentences if s.verdict is not None]
    return {
        "questions": float(len(answered)),
        "passed": _share(answered, lambda one: one.passed),
        "answer_right": _share([one for one in answered if one.has_answer], lambda one: one.right),
        "gold_cited": _share(with_gold, lambda one: one.gold_cited),
        "honest_gaps": _share([one for one in answered if one.question.abstain], lambda one: one.honest),
        "sides_shown": _share([one for one in answered if one.question.both_sides], lambda one: one.sides_shown),
        "citation_precision": _share(citations, lambda pair: pair[0].good(pair[1])),
        "citation_recall": _share(claims, lambda pair: _well_cited(pair[0], pair[1].index)),
        "uncited_share": _share(verdicts, lambda verdict: verdict == "uncited"),
        "searched_again": _share(answered, lambda one: one.searched_again),
        "checker_supported": _share(verdicts, lambda verdict: verdict == "supported"),
        "checker_partly": _share(verdicts, lambda verdict: verdict == "partly"),
        "checker_unsupported": _share(verdicts, lambda verdict: verdict == "unsupported"),
        "first_text_p50_ms": percentile([one.first_text_ms for one in answered], 0.5),
        "first_text_p95_ms": percentile([one.first_text_ms for one in answered], 0.95),
    }


def percentile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that at least this share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    if not ordered:
        return None
    return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 1)


def _share(things: Sequence[T], holds: Callable[[T], bool]) -> float | None:
    return round(sum(1 for thing in things if holds(thing)) / len(things), 4) if things else None


def _well_cited(one: Answered, sentence: int) -> bool:
    return any(citation.sentence == sentence and one.good(citation) for citation in one.turn.citations)


def _cited(turn: Turn) -> set[str]:
    return {canonical_url(citation.url) for citation in turn.citations}


def _canonical(urls: Iterable[str]) -> set[str]:
    return {canonical_url(url) for url in urls}


def _within(text: str, answer: str) -> bool:
    return text.casefold() in answer.casefold()


def _any_within(texts: Iterable[str], answer: str) -> bool:
    return any(_within(text, answer) for text in texts)

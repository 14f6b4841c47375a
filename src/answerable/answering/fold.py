"""A turn is a pure fold of its events: saving, stopping and crash recovery all use this one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from answerable.events import (
    Delta,
    Event,
    Failed,
    Final,
    Notice,
    SentenceChecked,
    SourcesFound,
    VerdictChanged,
)
from answerable.types import Citation, Note, Sentence, Source, State, SupportCounts, Turn, TurnError


def fold(turn: Turn, events: Iterable[Event], *, state: State | None = None) -> Turn:
    """The turn after these events. `state`: what to call a run that did not end by itself."""
    told: list[str] = []
    checked: list[SentenceChecked] = []
    for event in events:
        if isinstance(event, Delta):
            told.append(event.text)
        elif isinstance(event, SentenceChecked):
            checked.append(event)
        else:
            turn = _after(_with_text(turn, told, checked), event)
            told, checked = [], []
    turn = _with_text(turn, told, checked)
    return turn if state is None or turn.state != "running" else replace(turn, state=state)


def _after(turn: Turn, event: Event) -> Turn:
    match event:
        case SourcesFound(sources=sources):
            return _with_sources(replace(turn, also_read=sources, sources=()))
        case Notice(code=code, message=message, about=about, cause=cause):
            return replace(turn, notes=(*turn.notes, Note(code, message, about, cause)))
        case Final(turn=final):
            return final
        case Failed(code=code, message=message, stage=stage, retryable=retryable, hint=hint):
            return replace(turn, state="failed", error=TurnError(code, message, stage, retryable, hint))
        case VerdictChanged():
            return _with_verdict(turn, event)
        case _:
            return turn


def _with_text(turn: Turn, told: Sequence[str], checked: Sequence[SentenceChecked]) -> Turn:
    """Many at once: one by one, a long answer would be copied for each of its sentences."""
    if told:
        turn = replace(turn, answer=turn.answer + "".join(told))
    if not checked:
        return turn
    sentences = (*turn.sentences, *(_sentence(event) for event in checked))
    citations = (*turn.citations, *(citation for event in checked for citation in event.citations))
    support = count_support(sentences, citations)
    return _with_sources(replace(turn, sentences=sentences, citations=citations, support=support))


def _sentence(event: SentenceChecked) -> Sentence:
    return Sentence(
        event.index,
        event.text,
        event.start,
        event.end,
        event.numbers,
        event.verdict,
        event.reason,
        event.unknown,
        event.reason_code,
        event.reason_values,
    )


def _with_sources(turn: Turn) -> Turn:
    """Cited sources with their numbers first; the rest stays under `also_read`."""
    numbers = {citation.page_id: citation.n for citation in turn.citations}
    known = (*turn.sources, *turn.also_read)
    cited = [replace(source, n=numbers[source.page_id]) for source in known if source.page_id in numbers]
    rest = tuple(replace(source, n=None) for source in known if source.page_id not in numbers)
    return replace(turn, sources=tuple(sorted(cited, key=_number)), also_read=rest)


def _number(source: Source) -> int:
    return source.n or 0


def _with_verdict(turn: Turn, event: VerdictChanged) -> Turn:
    new: dict[str, Any] = {"verdict": event.verdict, "reason": event.reason, "reason_code": "", "reason_values": ()}
    sentences = tuple(replace(s, **new) if s.index == event.sentence else s for s in turn.sentences)
    citations = tuple(replace(c, **new) if c.sentence == event.sentence else c for c in turn.citations)
    support = count_support(sentences, citations)
    return replace(turn, sentences=sentences, citations=citations, support=support)


def count_support(sentences: Iterable[Sentence], citations: Iterable[Citation]) -> SupportCounts:
    """Sentences that are no claims do not count, but markers to unknown sources do wherever they stand."""
    sentences = tuple(sentences)
    found = [sentence.verdict for sentence in sentences if sentence.verdict is not None]
    uncited = found.count("uncited")
    return SupportCounts(
        claims=len(found),
        supported=found.count("supported"),
        partly=found.count("partly"),
        unsupported=found.count("unsupported"),
        uncited=uncited,
        unknown_markers=sum(sentence.unknown for sentence in sentences),
        uncited_share=round(uncited / len(found), 4) if found else 0.0,
        sources_used=len({citation.page_id for citation in citations}),
    )

"""From what was checked to the finished turn: outcome, sources, notes, summary. Also the turns without evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from answerable.answering.budget import Stopwatch
from answerable.answering.checking import CheckedAnswer
from answerable.answering.conflicts import find_conflicts
from answerable.answering.gaps import Assessment
from answerable.answering.gathering import Gathered
from answerable.answering.picturing import images_for, tables_for
from answerable.answering.planning import Planned
from answerable.answering.reading import source_of
from answerable.answering.related import Related
from answerable.answering.summarising import summary_of
from answerable.answering.writing import Written
from answerable.events import Delta, Emit, SentenceChecked
from answerable.protocols import PageCache
from answerable.text.phrases import phrase
from answerable.text.sentences import split_sentences
from answerable.text.worded import coded
from answerable.types import Evidence, Note, Outcome, Page, Plan, Question, Sentence, Source, Turn


def wanting(evidence: Evidence, assessment: Assessment) -> bool:
    """Nothing above the floor, or nothing that answers any part of the question."""
    return not evidence.passages or not assessment.answerable


def finish(
    turn: Turn,
    question: Question,
    planned: Planned,
    gathered: Gathered,
    assessment: Assessment,
    checked: CheckedAnswer,
    written: Written,
    related: Related,
    watch: Stopwatch,
) -> Turn:
    """The turn as it is shown and kept."""
    plan = planned.plan
    conflicts, disagree = find_conflicts(plan, checked, gathered.passages, gathered.by_id)
    cited, also_read = _sources(gathered.pages, checked.numbers)
    notes = [*gathered.notes, *written.notes]
    missing = [part for part in assessment.missing if len(assessment.missing) > 1 or assessment.coverage < 1]
    missing += [part for part in written.missing if not any(other.startswith(part) for other in missing)]
    if missing:
        notes.append(Note("missing_part", f"No evidence was found for: {'; '.join(missing)}", about="; ".join(missing)))
    return replace(
        turn,
        standalone_question=plan.standalone_question,
        state="done",
        outcome=_outcome(checked, disagree, bool(missing)),
        answer=checked.answer,
        sentences=checked.sentences,
        citations=checked.citations,
        sources=cited,
        also_read=also_read,
        support=checked.support,
        conflicts=conflicts,
        notes=tuple(notes),
        as_of=None if plan.freshness == "evergreen" else question.now,
        plan=plan,
        model=written.model,
        related_questions=related.questions,
        usage=planned.usage + written.usage + related.usage,
        timings=watch.timings,
        summary=summary_of(checked.sentences),
        images=images_for(plan.standalone_question, checked, gathered),
        tables=tables_for(checked, gathered),
    )


def _outcome(checked: CheckedAnswer, in_conflict: bool, part_missing: bool) -> Outcome:
    if checked.support.supported + checked.support.partly == 0:
        return "not_enough_evidence"
    if in_conflict:
        return "sources_disagree"
    return "partly_answered" if part_missing else "answered"


async def keep_cited(checked: CheckedAnswer, gathered: Gathered, pages: PageCache) -> None:
    """What is cited can be opened later as it was read, wherever it came from: the web, an index, a snippet."""
    for page_id in checked.numbers:
        await pages.put(gathered.by_id[page_id])


def _sources(pages: Sequence[Page], numbers: Sequence[str]) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """The cited ones in display order, and the rest. `numbers`: page ids, the first is `[1]`."""
    by_id = {source.page_id: source for source in map(source_of, pages)}
    cited = tuple(replace(by_id[page_id], n=n) for n, page_id in enumerate(numbers, start=1))
    return cited, tuple(source for source in by_id.values() if source.page_id not in numbers)


def not_enough_evidence(
    turn: Turn,
    question: Question,
    planned: Planned,
    gathered: Gathered,
    evidence: Evidence,
    assessment: Assessment,
    watch: Stopwatch,
    emit: Emit,
) -> Turn:
    """An honest turn that says so and where was looked."""
    plan = planned.plan
    if gathered.pages:
        text = phrase("not_enough", plan.language)
    elif gathered.answered:
        text = phrase("nothing_found", plan.language)
    else:
        text = phrase("search_failed", plan.language)
    sentences = say(text, emit)
    nearest = assessment.nearest or next((passage.text for passage in evidence.passages), "")
    return replace(
        turn,
        standalone_question=plan.standalone_question,
        state="done",
        outcome="not_enough_evidence",
        answer=text,
        sentences=sentences,
        also_read=tuple(map(source_of, gathered.pages)),
        notes=(
            *gathered.notes,
            *([_why_not(assessment.reason)] if assessment.reason and gathered.pages else []),
            *([Note("nearest", f"What came nearest: {_short(nearest)}", about=_short(nearest))] if nearest else []),
            Note("searched", f"Searched for: {'; '.join(gathered.asked)}", about="; ".join(gathered.asked)),
        ),
        as_of=None if plan.freshness == "evergreen" else question.now,
        plan=plan,
        usage=planned.usage,
        timings=watch.timings,
        summary=text,
    )


def _short(text: str) -> str:
    """At most 300 characters, cut between words."""
    words = " ".join(text.split())
    return words if len(words) <= 300 else f"{words[:300].rpartition(' ')[0]} …"


def _why_not(reason: str) -> Note:
    code, values = coded(reason)
    return Note("why_not", _sentence(reason), about="; ".join(values), cause=code)


def _sentence(reason: str) -> str:
    return f"{reason[0].upper()}{reason[1:]}" + ("" if reason.endswith((".", "!", "?")) else ".")


def say(text: str, emit: Emit) -> tuple[Sentence, ...]:
    """The engine speaks in its own voice: sentences without verdicts."""
    emit(Delta(text))
    spans = split_sentences(text)
    sentences = tuple(Sentence(i, text[start:end], start, end) for i, (start, end) in enumerate(spans))
    for s in sentences:
        emit(SentenceChecked(s.index, s.text, s.start, s.end, (), None, "", ()))
    return sentences


def chat_turn(turn: Turn, planned: Planned, watch: Stopwatch, emit: Emit) -> Turn:
    """A greeting or thanks is answered without a search."""
    plan: Plan = planned.plan
    text = phrase("chat", plan.language)
    sentences = say(text, emit)
    return replace(
        turn,
        standalone_question=plan.standalone_question,
        state="done",
        outcome="answered",
        answer=text,
        sentences=sentences,
        plan=plan,
        usage=planned.usage,
        timings=watch.timings,
        summary=text,
    )

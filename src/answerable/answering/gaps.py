"""Is the evidence enough? Does it hold each asked part; if not, what to search for next. Rules; pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from answerable.answering.planning import asked_parts, compared, distinct_queries
from answerable.text.analysis import content_words, stems
from answerable.types import Evidence, Page, Passage, Plan

COVERED = 0.6  # share of a part's weight that one page's evidence must hold; tuned with `make eval`
_NAME = re.compile(r"(?<![.!?。]\s)(?<!^)\b[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]{2,}")


@dataclass(frozen=True, slots=True)
class Assessment:
    """`missing`: asked parts without evidence. `queries`: what to search for next; empty when no new idea is left."""

    coverage: float  # of the best covered part, 0 to 1
    missing: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()

    @property
    def enough(self) -> bool:
        return not self.missing


def assess(plan: Plan, evidence: Evidence, everything: Sequence[Passage], asked: Collection[str]) -> Assessment:
    """`everything`: all passages of the turn, for how rare a word is; `asked`: search queries already sent."""
    parts = needed_parts(plan)
    weights = _weights(parts, everything, plan.language)
    texts = _evidence_by_page(evidence, plan.language)
    coverage = {part: _coverage(part, texts, weights, plan.language) for part in parts}
    missing = tuple(part for part, share in coverage.items() if share < COVERED)
    fresh = tuple(query for query in distinct_queries(_gap_queries(missing, plan)) if query not in asked)
    return Assessment(max(coverage.values(), default=0.0), missing, fresh)


def needed_parts(plan: Plan) -> tuple[str, ...]:
    """What must each be found: the sides of a comparison, the parts of a compound question, else the question."""
    sides = compared(plan.standalone_question)
    return sides or asked_parts(plan.standalone_question)


def _gap_queries(missing: Iterable[str], plan: Plan) -> list[str]:
    """For a missing part: itself, then its rarest words alone."""
    queries = []
    for part in missing:
        queries.append(part)
        words = content_words(part, plan.language)
        if len(words) > 2:
            queries.append(" ".join(words))
    return queries


def _evidence_by_page(evidence: Evidence, language: str) -> list[set[str]]:
    pages: dict[str, list[str]] = {}
    titles = {page.page_id: page for page in evidence.pages}
    for passage in evidence.passages:
        words = pages.setdefault(passage.page_id, [_title(titles[passage.page_id])])
        words += [*passage.headings, passage.context, passage.text]
    return [_bag(" ".join(texts), language) for texts in pages.values()]


def _title(page: Page) -> str:
    return f"{page.title} {page.site}"


def _bag(text: str, language: str) -> set[str]:
    return set(stems(text, language))


def _weights(parts: Sequence[str], everything: Sequence[Passage], language: str) -> Mapping[str, float]:
    """How telling a word is: rare among the passages read counts more; names double."""
    wanted = {stem for part in parts for stem in stems_of(part, language)}
    seen: Counter[str] = Counter()
    for passage in everything:
        seen.update(wanted & _bag(passage.text, language))
    names = {stem for part in parts for name in _NAME.findall(part) for stem in stems_of(name, language)}
    total = len(everything) + 1
    return {
        word: (1.0 + math.log(total / (1 + seen[word]) + 1)) * (2.0 if word in names or word.isdigit() else 1.0)
        for word in wanted
    }


def stems_of(text: str, language: str) -> list[str]:
    """Stems of the content words of a question."""
    return [stem for word in content_words(text, language) for stem in stems(word, language)]


def _coverage(part: str, pages: Sequence[set[str]], weights: Mapping[str, float], language: str) -> float:
    words = set(stems_of(part, language))
    total = sum(weights[word] for word in words)
    if not total:
        return 1.0 if pages else 0.0
    return max((sum(weights[word] for word in words & page) / total for page in pages), default=0.0)

"""How likely each sentence answers: a few figures about it, combined by fitted weights."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answerable.answering import tongues
from answerable.answering.candidates import Candidate, dated_heading, stems_of
from answerable.answering.parts import measured_by
from answerable.protocols import Reranker
from answerable.text.answertypes import AnswerType, asked_for, holds, measures
from answerable.text.asking import lists_keywords
from answerable.text.dates import parse_date
from answerable.text.explaining import always_explains, asks_to_explain
from answerable.text.opposites import CONTRAST, OPPOSITE, turned_to
from answerable.text.pointing import POINTING, points
from answerable.text.tongues.likes import is_general, singly, spelled_out
from answerable.types import Evidence, Page, Plan

ABOUT = 0.3  # coverage from which a sentence is about the question
POOL = 32  # candidates that the models look at: what each scores within a tenth of a second
UNDERSTOOD = 0.5  # chance of the likeliest from which the model is taken to read a row of keywords as a question
UNLIKELY = -2.0  # logit below which it does not matter how unlikely an answer is
SPREAD = 0.7  # brings scores with chances back to the scale of the bounds in selecting.py
NEWEST = {"live": 4.0, "recent": 3.0, "evergreen": 0.15}  # what being the newest source adds to the score
SHARPER = 2.0  # people chose sentences of context, too, so the fit tells the one that answers too softly
CHANGING = 2.0  # the same where nobody said "now" but the answer does not last: prices, hours, who holds an office
FACTS = frozenset({"number", "date", "person", "place"})
WEIGHTS = Path(__file__).parents[1] / "models" / "sentences" / "weights.json"  # training/fit_sentences.py

FITTED = (
    "meaning",
    "meaning_rank",
    "coverage",
    "density",
    "kind",
    "opening",
    "long",
    "short",
    "pointing",
)
# What the data of the fit does not show: set by hand, in the same units (a logit).
SET = {
    "passage": 1.0,  # what the ranking thought of its passage
    "beyond": 1.0,  # share of what is asked beyond the subject of the page, where a fact is asked for
    "around": 0.8,  # share of the question that only the title, the headings or the sentence before hold
    "measured": 0.9,
    "unmeasured": -2.0,
    "lacking": -3.5,  # the number or the date that is asked for
    "nobody": -1.5,  # the person or the place
    "named": 0.5,
    "unnamed": -1.2,
    "cells": 0.8,
    "column": 0.3,
    "cell_and_column": 0.8,
    "imperative": -0.7,
    "personal": -0.8,  # "I once held it under water for two minutes"
    "asking": -1.5,
    "turned": -0.8,
    "contrary": -2.0,  # "summer" for "winter", and not "winter"
    "other_year": -1.0,
    "next_to": -4.0,  # "the second highest" for "the highest"
    "echo": 0.6,
}
TURNS = re.compile(
    r"\b(?:replica|former|formerly|earlier|previous|previously|used to|no longer|planned|proposed|expected|supposed"
    r"|claimed|wrongly|almost|nearly|unlike|instead|plans?|never|originally|was to|had been|neighbou?ring"
    r"|next door|nearby|ehemals?|früher|bisher|benachbart\w*|deuxième|ancien\w*|autrefois|voisine?|antigu[oa]|vecin[oa]"
    r"|vicin[oa]|voormalig\w*|бывш\w+|сосед\w+)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"(?:add|allow|apply|ask|avoid|book|bring|buy|call|check|choose|come|copy|do not|don't|ensure|enter|find|give|go"
    r"|keep|leave|look|make|open|order|pay|place|please|press|put|read|remember|run|see|select|send|set|stir|take|tell|try"
    r"|turn|use|visit|wait|watch|write)\b",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"\bhow (?:do|can|should|to|long|much|many|deep|hot)\b|\bwhat (?:temp|do i|should)|\bfix\b|\bwie\b|\bcomment\b",
    re.IGNORECASE,
)
NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-ÞА-Я][\w’'-]+")
NEXT_TO = re.compile(
    r"\b(?:second|third|fourth|fifth|zweit|dritt|deuxième|troisième|segund[oa]|tercer[oa]?)[ -]?(\w+est)\b",
    re.IGNORECASE,
)
_NOW = re.compile(  # says how new the answer is to be, which no sentence repeats
    r"\b(?:right now|at the moment|these days|today|now(?:adays)?|currently|current|latest|newest|still)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bhow many\b|\bcombien d|\bwie ?viele\b|\bcu[aá]nt[oa]s\b|\bhoeveel\b|\bсколько\b", re.IGNORECASE
)
PERSONAL = re.compile(r"\bI(?:'m|'ve)?\b|^(?:My|Me)\b|\bmy\b|^Ich\b|^J'ai\b|^Je\b")
ASKING = re.compile(  # a sentence about a question is no answer to it
    r"\b(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|question|unknown|unclear|not known|explains?|know)\b[^.]{0,30}"
    r"\b(?:who|what|why|how|when|where|whether|which)\b",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"\b(?:prices?|costs?|fees?|fares?|tickets?|opening (?:times|hours)|open(?:s|ing)? (?:on|at|until)|interest|rates?"
    r"|pay|salary|boss|ceo|chief executive|president|director|chair(?:s|ed)?|head of"
    r"|(?:who|wh(?:ich|at) \w+) leads?|leader|mayor|manager|coach|minister|champion|record|version"
    r"|release|preis|kostet|zahlt|öffnungszeiten|chef|leiter\w*|prix|tarif|horaires"
    r"|directeur|precio|cuesta|horario|стоит|цена|билет\w*|директор)\b|値段|料金|营业时间|票价|价格",
    re.IGNORECASE,
)
_ORDERED = re.compile(r"\b(?:first|earlier|later|older|newer|younger|before|after)\b", re.IGNORECASE)
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\.? [^\W\d_]{3,9}\.? \d{4}\b|\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_OPPOSITES = {word: OPPOSITE.get(word, set()) | CONTRAST.get(word, set()) for word in OPPOSITE.keys() | CONTRAST.keys()}
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Judges:
    """Who tells what a sentence means to a question: `answers`, which knows English only; `likeness`, any reranker."""

    likeness: Reranker | None = None
    answers: Reranker | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the question asks for: its stems weighed by how rare they are in the evidence, and the kind of answer."""

    weights: dict[str, float]
    kinds: tuple[AnswerType, ...]
    measure: re.Pattern[str] | None  # what a figure of the answer stands with
    names: frozenset[str]  # stems of the names in the question
    figures: frozenset[str]
    question: str
    language: str
    newest: float  # what being the newest source adds
    dates: tuple[datetime | None, ...]  # of the sources
    pages: tuple[Page, ...]  # the sources
    tongues: tuple[str, ...] = ()  # their languages
    now: datetime | None = None

    def stems(self, text: str) -> frozenset[str]:
        """Those of the text, with the question's that it says in other words."""
        own = stems_of(text, self.language)
        return own | tongues.also(frozenset(self.weights), own, self.language)

    def coverage(self, candidate: Candidate, around: float = 0.45) -> float:
        """The share of the question that the words hold; what only the headings hold counts for less."""
        total = sum(self.weights.values())
        if not total:
            return 0.0
        held = sum(
            weight if word in candidate.words else around * weight * (word in candidate.around)
            for word, weight in self.weights.items()
        )
        return held / total

    def newness(self, number: int) -> float:
        """From 0 (oldest) to 1 (newest); in between when the source has no date."""
        known = sorted({date.timestamp() for date in self.dates if date})
        date = self.dates[number - 1]
        if date is None or len(known) < 2:
            return 0.4
        return known.index(date.timestamp()) / (len(known) - 1)

    def overtaken(self, number: int, by: int) -> bool:
        """Whether newness matters and the one source is older than the other."""
        return self.newest > NEWEST["evergreen"] and self.newness(number) < self.newness(by)


def wanted_of(
    question: str,
    plan: Plan,
    evidence: Evidence,
    candidates: Sequence[Candidate],
    *,
    now: datetime | None = None,
    whole: str | None = None,
) -> Wanted:
    """`now`: later dates than this are plans. `whole`: what the question is a side of; it tells the kind of answer."""
    held = Counter(word for c in candidates for word in c.words)
    near = Counter(word for c in candidates for word in c.around)
    weights: dict[str, float] = {}
    for asked in singly(
        sorted(stems_of(_NOW.sub(" ", spelled_out(question, plan.language)), plan.language)), plan.language
    ):
        word = asked if held[asked] or near[asked] else _spelt_like(asked, held)
        if word:  # a word that is nowhere says nothing about which sentence is best
            weights[word] = math.log(1 + len(candidates) / (0.5 + (held[word] or near[word])))
    names = stems_of(" ".join(NAME.findall(question)), plan.language) & weights.keys()
    names = frozenset(n for n in names if not (is_general(n, plan.language) or tongues.stands_for(n, plan.language)))
    kinds, measure = _compared_by(whole) if whole else (asked_for(question), measures(question))
    if measure and not any(measure.search(spoken(c)) for c in candidates):
        measure = None  # "people" may be members here
    lasting = plan.freshness == "evergreen" and not _CHANGING.search(question)
    return Wanted(
        weights,
        kinds,
        measure,
        frozenset(names),
        frozenset(_FIGURE.findall(question)),
        question,
        plan.language,
        NEWEST[plan.freshness] if lasting or plan.freshness != "evergreen" else CHANGING,
        tuple(date_of(page, now) for page in evidence.pages),
        evidence.pages,
        tongues.tongues_of(evidence.pages),
        now,
    )


def date_of(page: Page, now: datetime | None) -> datetime | None:
    """When it was last changed. A page without a date is at least as new as the latest past day that it speaks of."""
    if page.published or page.modified:
        return max(_aware(date) for date in (page.published, page.modified) if date)
    if now is None:
        return None
    told = [parse_date(found[0], now) for found in _DAY.finditer(page.text[:20_000])]
    return max((date for date in map(_aware, filter(None, told)) if date <= _aware(now)), default=None)


def _aware(date: datetime) -> datetime:
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _compared_by(question: str) -> tuple[tuple[AnswerType, ...], re.Pattern[str] | None]:
    """What each side of a comparison is to be given: a length for "longer", a date for "first"."""
    kinds: tuple[AnswerType, ...] = tuple(kind for kind in asked_for(question) if kind not in {"yes_no", "definition"})
    word = measured_by(question)
    measure = measures(f"how {word}") if word else measures(question)
    if kinds:
        return kinds, measure
    return (("number",), measure) if word else (("date",), None) if _ORDERED.search(question) else ((), measure)


def _spelt_like(word: str, known: Counter[str]) -> str | None:
    """What a mistyped word stands for, among the words of the evidence."""
    if len(word) < 5:
        return None
    near = [other for other in known if other[:2] == word[:2] and abs(len(other) - len(word)) < 3]
    return next(iter(difflib.get_close_matches(word, sorted(near), 1, 0.8)), None)


async def weigh(
    candidates: Sequence[Candidate], wanted: Wanted, judges: Judges, also: Sequence[Candidate] = ()
) -> list[tuple[Candidate, float]]:
    """Those that may answer with their scores (logits), best first. When a model reads them, at most `POOL` and those
    that it is to read `also`."""
    by_words = weigh_by_words(candidates, wanted)
    if judges == Judges():
        return by_words
    pool = preselected(by_words)
    pool += [c for c in also if not any(c is other for other in pool)]
    texts = [reading_text(c) for c in pool]
    english = wanted.language.startswith("en")
    if judges.answers and english:
        chances = await judges.answers.score(wanted.question, texts)
        if max(chances, default=0.0) >= UNDERSTOOD or not lists_keywords(wanted.question, wanted.language):
            pool = [replace(c, chance=chance) for c, chance in zip(pool, chances, strict=True)]
    likeness = await judges.likeness.score(wanted.question, texts) if judges.likeness else None
    return _with_chances(_scored(pool, wanted, likeness))


def _with_chances(ranked: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """What the model that read each says of it counts as much as all the rest; how sure it is that one does not answer,
    only to a degree."""
    if any(c.chance is None for c, _ in ranked):
        return ranked
    told = [(c, SPREAD * (score + max(UNLIKELY, logit(c.chance or 0.0)))) for c, score in ranked]
    return sorted(told, key=lambda pair: (-round(pair[1], 9), pair[0].number, pair[0].start))


def weigh_by_words(candidates: Sequence[Candidate], wanted: Wanted) -> list[tuple[Candidate, float]]:
    return _scored(candidates, wanted, None)


def preselected(ranked: Sequence[tuple[Candidate, float]], most: int = POOL) -> list[Candidate]:
    """The best by words, and the best of each passage."""
    first: dict[tuple[int, str], Candidate] = {}
    for c, _ in ranked:
        first.setdefault((c.number, c.above), c)
    kept = list(first.values())[: most // 2]
    kept += [c for c, _ in ranked if not any(c is other for other in kept)][: most - len(kept)]
    return kept


def reading_text(candidate: Candidate) -> str:
    """What the reranker reads of it: with the title and headings without which it says less."""
    before = f"{candidate.before[-200:]} " if points(candidate.text) else ""
    return f"{candidate.above[:120]}: {before}{spoken(candidate)[:500]}"


def spoken(candidate: Candidate) -> str:
    """A row with the names of its columns."""
    if not candidate.is_row:
        return candidate.text
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in columns_of(candidate) if cell)


def columns_of(candidate: Candidate) -> list[tuple[str, str]]:
    """Name and cell of each column."""
    cells, header = candidate.cells, candidate.header
    if len(header) != len(cells):
        return [("", cell) for cell in cells]
    return list(zip(header, cells, strict=True))


def sought_columns(candidate: Candidate, wanted: Wanted) -> list[int]:
    """The columns that the question names. One whose cell the question holds is no answer."""
    asked, title = wanted.weights.keys(), stems_of(candidate.above, wanted.language)
    label = wanted.stems(candidate.cells[0]) if candidate.cells else frozenset()  # "250 ml" has the unit of its cells
    return [
        i
        for i, (name, cell) in enumerate(columns_of(candidate))
        if i and cell and (wanted.stems(name) - title) & asked and not (wanted.stems(cell) - label) & asked
    ]


def _scored(
    candidates: Sequence[Candidate], wanted: Wanted, meanings: Sequence[float] | None
) -> list[tuple[Candidate, float]]:
    if not candidates:
        return []
    chances = fitted_of(candidates, wanted, meanings) @ weights_for(meanings is not None)
    measured = measured_at_all(candidates, wanted)
    covered = [sum(w for word, w in wanted.weights.items() if word in c.words | c.around | c.near) for c in candidates]
    asked = stems_of(spelled_out(wanted.question, wanted.language), wanted.language)
    most = max(covered) or 1.0  # what is new on another subject is no news
    scores = [
        SHARPER * float(chance)
        + sum(SET[name] * value for name, value in set_of(c, wanted, measured).items())
        + tongues.told(c, wanted.question, wanted.kinds, wanted.language, wanted.tongues, asked)
        + wanted.newest * wanted.newness(c.number) * covered[i] / most
        for i, (c, chance) in enumerate(zip(candidates, chances, strict=True))
    ]
    ranked = zip(candidates, scores, strict=True)
    return sorted(ranked, key=lambda pair: (-round(pair[1], 9), pair[0].number, pair[0].start))


@cache
def weights_for(meaning: bool) -> NDArray[np.float64]:
    """Intercept first, then one weight a name of `FITTED`. Without a reranker the words alone are weighed."""
    held = json.loads(WEIGHTS.read_text("utf-8"))["with_meaning" if meaning else "words_alone"]
    return np.array([held["intercept"], *(held[name] for name in FITTED)])


def fitted_of(candidates: Sequence[Candidate], wanted: Wanted, meanings: Sequence[float] | None) -> NDArray[np.float64]:
    """A row a candidate: 1, then the figures named in `FITTED`."""
    top = max(meanings, default=0.0) if meanings else 0.0
    told = explains(wanted) or bool({"person", "place"} & set(wanted.kinds))  # a detail stands anywhere on a page
    rows = []
    for i, c in enumerate(candidates):
        meaning = meanings[i] if meanings else 0.0
        size = len(c.words)
        coverage = wanted.coverage(c, around=0.0)
        figures = {
            "meaning": logit(meaning) if meanings else 0.0,
            "meaning_rank": meaning / top if top else 0.0,
            "coverage": coverage,
            "density": len(c.words & wanted.weights.keys()) / (size or 1),
            "kind": _kinds_held(c, wanted),
            "opening": 1 / (1 + c.place) * (told and not c.is_row),
            "long": max(0, size - 20) / 10,
            "short": max(0, 6 - size) / 4 * (not c.is_row),
            "pointing": float(bool(POINTING.match(c.text))),
        }
        rows.append([1.0, *(figures[name] for name in FITTED)])
    return np.array(rows)


def explains(wanted: Wanted) -> bool:
    """Whether the answer is told rather than named."""
    if always_explains(wanted.question):
        return True
    if FACTS & set(wanted.kinds) or wanted.measure:
        return False
    return asks_to_explain(wanted.question) or bool({"reason", "definition"} & set(wanted.kinds))


def _beyond_title(candidate: Candidate, wanted: Wanted) -> float:
    """The share it holds of what is asked beyond the subject of the page."""
    title = stems_of(candidate.above, wanted.language)
    asked = {word: weight for word, weight in wanted.weights.items() if word not in title} or wanted.weights
    return sum(weight for word, weight in asked.items() if word in candidate.words) / (sum(asked.values()) or 1.0)


def logit(chance: float) -> float:
    kept = min(0.99, max(0.01, chance))
    return math.log(kept / (1 - kept))


def _kinds_held(candidate: Candidate, wanted: Wanted) -> float:
    kinds = [kind for kind in wanted.kinds if kind != "yes_no"]
    return sum(gives(candidate, wanted, kind) for kind in kinds) / len(kinds) if kinds else 0.0


def gives(candidate: Candidate, wanted: Wanted, kind: AnswerType) -> bool:
    """Whether it holds such an answer that the question does not hold itself."""
    text = spoken(candidate)
    if kind == "number" and wanted.measure:
        measured = bool(wanted.measure.search(text))
        if measured or not (candidate.is_row or _COUNTED.search(wanted.question)):
            return measured  # what is counted may have another name ("47 seats" for members)
    if not holds(text, kind):
        return kind == "date" and bool(dated_heading(candidate))
    figures = set(_FIGURE.findall(text))
    return kind not in {"number", "date"} or not figures or not figures <= wanted.figures


def measured_at_all(candidates: Sequence[Candidate], wanted: Wanted) -> bool:
    """Whether one that is about the question has a figure with the unit that is asked for."""
    measure = wanted.measure
    return measure is not None and any(measure.search(spoken(c)) and wanted.coverage(c) > ABOUT for c in candidates)


def set_of(candidate: Candidate, wanted: Wanted, measured_at_all: bool) -> dict[str, float]:
    """The figures named in `SET`."""
    text, asked = spoken(candidate), wanted.question.casefold()
    measured = bool(wanted.measure and wanted.measure.search(text))
    here = candidate.words | candidate.around
    missing = sum(0.3 if name in candidate.near else 1.0 for name in wanted.names - here) / (len(wanted.names) or 1)
    figures = wanted.figures & set(_FIGURE.findall(text + " " + candidate.above))
    passing = (wanted.figures & candidate.near) - figures
    counted = [kind for kind in wanted.kinds if kind in {"number", "date"}]
    called = [kind for kind in wanted.kinds if kind in {"person", "place"}]
    found = {
        "passage": candidate.prior,
        "beyond": _beyond_title(candidate, wanted) if FACTS & set(wanted.kinds) or wanted.measure else 0.0,
        "around": wanted.coverage(candidate, around=1.0) - wanted.coverage(candidate, around=0.0),
        "measured": float(measured),
        "unmeasured": float(measured_at_all and not measured and not candidate.is_row),  # the caption may name it
        "lacking": sum(not gives(candidate, wanted, kind) for kind in counted) / (len(counted) or 1),
        "nobody": sum(not gives(candidate, wanted, kind) for kind in called) / (len(called) or 1),
        "named": len(wanted.names & candidate.words) / len(wanted.names) if wanted.names else 0.0,
        "unnamed": missing,
        "imperative": float(bool(_IMPERATIVE.match(candidate.text)) and not _HOW_TO.search(wanted.question)),
        "personal": float(bool(PERSONAL.search(candidate.text))),
        "asking": float(bool(ASKING.search(candidate.text))),
        "next_to": float(any(f[1].casefold() in asked for f in NEXT_TO.finditer(text)) and not NEXT_TO.search(asked)),
        "contrary": float(contrary(text, wanted.question)),
        "other_year": float(_other_year(text, wanted, candidate)),
        "turned": float(min(2, len(turns_of(candidate.text, wanted.question)))),
        "echo": (len(figures) + 0.5 * len(passing)) / (len(wanted.figures) or 1),
    }
    if candidate.is_row:
        found |= _row_fit(candidate, wanted)
    return found


def contrary(text: str, asked: str) -> bool:
    """Whether it speaks of the opposite of a word of the question, and not of that word."""
    return turned_to(text, asked, _OPPOSITES)


def _other_year(text: str, wanted: Wanted, candidate: Candidate) -> bool:
    years = {figure for figure in wanted.figures if _YEAR.fullmatch(figure)}
    told = set(_YEAR.findall(f"{text} {candidate.above}"))
    return bool(years and told and not years & told)


def turns_of(text: str, known: str) -> set[str]:
    """Words that turn a sentence to something else than is known: "the second highest", "a replica in Las Vegas"."""
    return {word.casefold() for word in TURNS.findall(text)} - set(re.findall(r"\w+", known.casefold()))


def _row_fit(candidate: Candidate, wanted: Wanted) -> dict[str, float]:
    """A row answers when a cell is what was asked about and another column what was asked of it."""
    asked, total = wanted.weights, sum(wanted.weights.values()) or 1.0
    cells = [wanted.stems(cell) for cell in candidate.cells]
    whole = [stems for stems in cells if stems and stems <= asked.keys()]
    held = frozenset[str]().union(*cells)
    share = sum(weight for word, weight in asked.items() if word in held) / total
    names = candidate.header[1:] if len(set(candidate.header)) > 1 else ()  # "Rhine | Rhine" is a title
    columns = wanted.stems(" ".join(names)) & asked.keys()
    return {
        "cells": min(1.0, share) + 0.3 * min(2, len(whole)),
        "column": float(bool(columns)),
        "cell_and_column": float(bool(whole and columns - held)),
    }

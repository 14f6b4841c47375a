"""How far evidence goes towards answering a question, as one figure: what a fitted model makes of a few signs.

A question is looked for in windows of one or two sentences or a row: on a page about its subject all its words stand
somewhere, whether the page answers or not.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources
from itertools import pairwise

from answerable.answering.premises import denial, unforeseen
from answerable.protocols import Embedder, Reranker
from answerable.text.analysis import base
from answerable.text.answertypes import asked_for, holds, measures
from answerable.text.asking import Bag, Term, terms_of
from answerable.text.languages import detect
from answerable.text.relevance import mostly_latin
from answerable.text.sentences import split_sentences
from answerable.text.tongues.ages import age_asked
from answerable.text.tongues.likes import of_another_measure
from answerable.text.tongues.things import places_of
from answerable.text.worded import FAR, UNFORESEEN, denied_by, unheard_of
from answerable.types import Evidence, Page, Passage

JUDGED = 16  # windows that the reranker sees: some 50 ms of an idle core
SHORTEST = 4  # characters of a window
AROUND = 0.7  # credit for a word that stands in the title, the headings or the caption only
NEAR = 1.2  # odds below the best window from which another is no candidate for the answer
MISSPELT = 0.8  # likeness of spelling, by difflib, from which an unheard word is another one misspelt: chedder
COMPARED = 400  # words of the evidence that an unheard word is likened to
FOREIGN = 2  # unheard words from which nothing helps: none of 150 answerable questions of CLAPNQ has as many
TOLD = 0.35  # chance that a sentence answers, by the model that read them, from which the evidence does
TOLD_OF_NAMED = 0.3  # the same where a described thing got its name by an answer that was found for it
CERTAIN = 1e-3  # keeps the logarithm of the odds finite
TOLD_BY = 500  # characters of a page that tell its language
FIGURED = frozenset({"number", "date", "person", "place"})


@dataclass(frozen=True, slots=True)
class Window:
    """One or two sentences, or a row of a table under its title and header; `above` is what stands over it."""

    page_id: str
    text: str
    inner: Bag
    above: Bag

    def held(self, term: Term) -> float:
        return max(term.held(self.inner), AROUND * term.held(self.above))


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the logistic model in models/answerable/weights.json, and the bounds of its scores.

    Below `refused` the evidence does not answer; below `doubtful` another search may help; above `sure` it answers even
    if a word of the question stands nowhere. `alike`: the likeness from which two words may mean the same.
    """

    intercept: float
    passage: float
    window: float
    names: float
    coverage: float
    alike: float
    refused: float
    doubtful: float
    sure: float


@dataclass(frozen=True, slots=True)
class Signs:
    """Of one question in one turn. Odds are logarithms of the reranker's; words are those of the question."""

    passage: float  # odds of the best passage
    window: float  # odds of the best window, without what stands above it
    names: int  # that stand neither in that window nor above it
    coverage: float  # share of the words in the window that holds most
    unheard: tuple[str, ...] = ()  # what no passage read speaks of, in these words or in like ones
    denial: str = ""  # the text that denies what the question takes for granted
    unforeseen: bool = False  # a time to come is asked about, and nothing foretells it
    best: str = ""  # the best window
    fits: bool = True  # one as near as that holds the kind of thing that is asked for
    unread: bool = False  # it is a row of keywords, of which nothing tells what is asked
    told: float | None = None  # chance that a sentence answers, where a model read them with the question
    named: bool = False  # the thing asked about was described, and got its name from the evidence
    worded: float | None = None  # the score by words alone, in a language that the reranker does not know

    def score(self, weights: Weights) -> float:
        known = weights.passage * self.passage + weights.window * self.window + weights.coverage * self.coverage
        return weights.intercept + known + weights.names * self.names

    @property
    def reason(self) -> str:
        """What speaks most against an answer."""
        if self.denial:
            return denied_by(self.denial)
        if self.unforeseen:
            return UNFORESEEN
        return unheard_of(", ".join(self.unheard)) if self.unheard else FAR

    def answer(self, weights: Weights) -> bool:
        """Whether the evidence answers the question, for all that is seen of it."""
        if self.denial or self.unforeseen or len(self.unheard) >= FOREIGN:
            return False
        if self.told is not None:
            return self.told >= (TOLD_OF_NAMED if self.named else TOLD)
        if self.unheard:  # what the reranker makes of another language is never that sure
            return self.worded is None and self.score(weights) >= weights.sure
        if self.worded is not None and self.worded >= fitted("words").refused:
            return True
        return self.score(weights) >= (weights.refused if self.fits and not self.unread else weights.doubtful)


async def look(
    question: str,
    language: str,
    evidence: Evidence,
    everything: Sequence[Passage],
    *,
    reranker: Reranker,
    embedder: Embedder,
    judge: int = JUDGED,
) -> Signs:
    """What speaks for and against. `everything`: all passages of the turn. The evidence must not be empty."""
    terms = terms_of(question, language)
    tongues = _tongues(evidence)
    read = [
        *(Bag.of(_read(p), language, tongues.get(p.page_id, "")) for p in everything),
        *(Bag.of(_about(p), language, tongues[p.page_id]) for p in evidence.pages),
    ]
    weights = weights_of(terms, read)
    windows = windows_of(evidence, language)
    shares = {id(window): coverage(terms, weights, window) for window in windows}
    judged = sorted(windows, key=lambda window: -shares[id(window)])[:judge]
    scores = await reranker.score(question, [window.text for window in judged])
    texts = sorted((window.text for window in judged), key=len)  # so that a denial is told in one sentence
    aged = base(language) != "en" and age_asked(question) is not None
    names = [term for term in terms if term.name and not (aged and term.word.isdecimal())]
    sites = {page.page_id: _of_site(page) for page in evidence.pages}
    lacking = [sum(w.held(term) < 0.5 and term.word not in sites[w.page_id] for term in names) for w in judged]
    best = max(range(len(judged)), key=lambda n: odds(scores[n]) - lacking[n])
    foreign = _foreign(question, terms, windows, shares, evidence, everything) if base(language) != "en" else None
    unheard = [term for term in terms if term.specific and all(term.held(bag) < 0.5 for bag in read)]
    return Signs(
        passage=odds(max(evidence.scores, default=0.0)),
        window=odds(scores[best]),
        names=lacking[best],
        unheard=foreign.strange if foreign else await strange(unheard, language, evidence, embedder),
        coverage=max(shares.values()),
        denial=denial(question, language, terms, texts),
        unforeseen=unforeseen(question, texts),
        best=judged[best].text,
        fits=any(
            fits(question, window.text)
            for window, score in zip(judged, scores, strict=True)
            if odds(score) >= odds(scores[best]) - NEAR
        ),
        worded=foreign.score if foreign else None,
    )


@dataclass(frozen=True, slots=True)
class Foreign:
    """What the words alone say, in a language that the reranker does not know."""

    score: float
    strange: tuple[str, ...]  # things of the question that the page never speaks of


def _foreign(
    question: str,
    terms: Sequence[Term],
    windows: Sequence[Window],
    shares: Mapping[int, float],
    evidence: Evidence,
    everything: Sequence[Passage],
) -> Foreign:
    """Of the window that holds most of the question, and the kind of thing that it asks for where one does."""
    measure = measures(question)  # "1642 Meter" is no year
    fitting = [w for w in windows if fits(question, w.text) or (measure and measure.search(w.text))]
    best = max(fitting or windows, key=lambda w: shares[id(w)])
    if terms and of_another_measure(question, best.text, terms[0].language):
        fitting = []
    read = " ".join(_read(p) for p in everything if p.page_id == best.page_id)
    language = terms[0].language if terms else ""
    bag = Bag.of(f"{_about(evidence.page(best.page_id))} {read}", language, best.inner.tongue)
    sought = [term for term in terms if (term.thing or term.name) and not term.word.isdecimal()]
    strange = _strange(question, [term for term in sought if term.held(bag) < 0.5], sought)
    weights = fitted("words")
    score = weights.intercept + weights.coverage * shares[id(best)] + weights.names * len(strange)
    return Foreign(score if fitting else -math.inf, strange)


def _strange(question: str, unheard: Sequence[Term], sought: Sequence[Term]) -> tuple[str, ...]:
    """Of the things that the page never speaks of, what the question is about (the thing it comes to first), names,
    and all when they are most of it; one in passing may have another name there."""
    if len(unheard) * 2 > len(sought):
        return tuple(term.word for term in unheard)
    german = bool(sought) and base(sought[0].language) == "de"
    names = places_of(question, "de") if german else {term.stem for term in unheard if term.name}
    first = next((term.stem for term in sought if term.thing), "")
    return tuple(term.word for term in unheard if term.stem == first or term.stem in names)


def _tongues(evidence: Evidence) -> dict[str, str]:
    """The language of each page."""
    return {page.page_id: page.language or detect(page.text[:TOLD_BY]) for page in evidence.pages}


def odds(chance: float) -> float:
    return math.log((chance + CERTAIN) / (1 - chance + CERTAIN))


def fits(question: str, text: str) -> bool:
    """Whether a text holds what is asked for: a number (with its unit), a date, a person, a place."""
    if "|" in text:  # a row; its unit may stand in any form in the header
        return any(character.isdigit() for character in text) or not asked_for(question)
    measure = measures(question)
    if measure and not measure.search(text):
        return False
    return all(holds(text, kind) for kind in asked_for(question) if kind in FIGURED)


async def strange(unheard: Sequence[Term], language: str, evidence: Evidence, embedder: Embedder) -> tuple[str, ...]:
    """Those that no word of the evidence resembles. The embedder knows English only: elsewhere none is told."""
    if not unheard or not language.startswith("en"):
        return ()
    words = dict.fromkeys(word for p in evidence.passages for word in re.findall(r"[^\W\d_]{3,}", p.text.casefold()))
    asked = [term.word for term in unheard]
    vectors = await embedder.embed([*asked, *list(words)[:COMPARED]])
    own, others = vectors[: len(asked)], vectors[len(asked) :]
    if not len(others):
        return tuple(asked)
    closest = (own @ others.T).max(axis=1)
    alike = fitted().alike
    unlike = [word for word, likeness in zip(asked, closest, strict=True) if likeness < alike]
    return tuple(word for word in unlike if not get_close_matches(word, words, n=1, cutoff=MISSPELT))


def weights_of(terms: Iterable[Term], read: Sequence[Bag]) -> dict[Term, float]:
    """How telling a word is: rare among what was read counts more."""
    return {
        term: 1.0 + math.log((len(read) + 1) / (1 + sum(term.held(bag) > 0.5 for bag in read)) + 1) for term in terms
    }


def coverage(terms: Sequence[Term], weights: dict[Term, float], window: Window) -> float:
    total = sum(weights.values())
    return sum(weights[term] * window.held(term) for term in terms) / total if total else 1.0


def windows_of(evidence: Evidence, language: str) -> list[Window]:
    """Those of the best passage first; what two passages share comes once."""
    found: dict[tuple[str, str], Window] = {}
    tongues = _tongues(evidence)
    for passage in evidence.passages:
        page = evidence.page(passage.page_id)
        tongue = tongues[page.page_id]
        above = Bag.of(f"{_about(page)} {' '.join(passage.headings)}", language, tongue)
        for text in _stretches(passage, " · ".join((page.title, *passage.headings))):
            key = passage.page_id, text
            if key not in found and len(text) >= SHORTEST:
                found[key] = Window(*key, Bag.of(text, language, tongue), above)
    return list(found.values())


def about(evidence: Evidence, language: str) -> list[Bag]:
    """What each page of the evidence speaks of."""
    texts = {page.page_id: [_about(page)] for page in evidence.pages}
    for passage in evidence.passages:
        texts[passage.page_id].append(_read(passage))
    return [Bag.of(" ".join(parts), language) for parts in texts.values()]


def _stretches(passage: Passage, title: str) -> Iterator[str]:
    header = passage.context if passage.kind == "table" else ""
    prose: list[str] = []
    for line in passage.text.split("\n"):
        if "|" not in line:
            header = passage.context if passage.kind == "table" else ""
            prose += [line[start:end] for start, end in split_sentences(line)]
        elif any(character.isalnum() for character in line):
            yield "\n".join(part for part in (title, header, line) if part)  # a bare row means little
            header = header or line
    yield from prose
    yield from (f"{one} {other}" for one, other in pairwise(prose))


def _read(passage: Passage) -> str:
    return f"{passage.text} {' '.join(passage.headings)} {passage.context}"


def _of_site(page: Page) -> str:
    """The words of whose site it is, run together as in its address: "eastmarchbuses"."""
    return f"{page.site} {page.site_name}".casefold()


def _about(page: Page) -> str:
    return f"{page.title} {page.site}"


def weights_for(question: str) -> Weights:
    """The reranker knows the meaning of Latin script only."""
    return fitted("meaning" if mostly_latin(question) else "words")


def fitted(name: str = "meaning") -> Weights:
    """Of `training/fit_answerable.py`. The first call reads a file."""
    return _models()[name]


@cache
def _models() -> dict[str, Weights]:
    path = resources.files("answerable") / "models" / "answerable" / "weights.json"
    return {name: Weights(**weights) for name, weights in json.loads(path.read_text("utf-8")).items()}

"""How well the words of a passage support a claim: coverage by its best sentences, with numbers as a hard condition.

The score is the share of the claim's content words (names count double) found in one to three sentences of the
passage; words that only the headings, the title or the rest of the passage hold count in part. A number that is not in
the evidence makes the score 0 whatever the overlap; a negation or an opposite word on one side only takes most of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from answerable.text.analysis import UNSPACED, content_of_folded, fold, stem, without_accents
from answerable.text.languages import detect
from answerable.text.numbers import Mismatch, Quantity, matches, quantities_of_folded, unmatched
from answerable.text.opposites import negated, opposite
from answerable.text.sentences import split_sentences
from answerable.text.worded import DENIED, NOT_DENIED, differs, lacks_words

NAME_WEIGHT = 2.0
NUMBER_WEIGHT = 1.5
FUZZY_PREFIX = 5  # letters that reduced, reduction and reduces share
AROUND = 0.5  # credit for a word that stands elsewhere in the passage, or in its headings or title
CONTRADICTED = 0.2  # what is left of the score when the evidence says the opposite: below every threshold in use
NAME_MISSING = 0.75  # what is left for each name that is nowhere near the evidence
HOME, YEAR_HOME = 0.6, 0.85  # share of the claim's words from which a sentence's own value binds it
APART = 1000  # characters within which numbers of one claim may stand
LONGER = 0.02  # cost of each further sentence, so that the shortest sufficient quote wins
MOST_SENTENCES = 400
UNSPACED_START = re.compile(rf"[{UNSPACED}]")
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
NAME = re.compile(r"(?<![.!?…]\s)(?<!^)(?<![\"“(*])\b[^\W\d_a-zß-ÿ][\w'’-]*", re.MULTILINE)

# "Berlin is …", "Marie Curie won …": a large first word, no plural, that a verb of one thing or another large word
# follows.
OPENING_NAME = re.compile(
    r"([^\W\d_a-zß-ÿ][\w’-]*[^\W\d_s’-])(?=\s+(?:is|was|has|had|lies|became|won|wrote|made|ist|war|hat|est|a|fut|es|era|fue)\b"
    r"|['’]s\b|\s+[^\W\d_a-zß-ÿ][\w’-]+)"
)


@dataclass(frozen=True, slots=True)
class Term:
    stem: str
    word: str  # folded, as the claim has it
    weight: float


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim, analysed: `around` are the stems of its stem or header, which need not be in the evidence."""

    folded: str
    language: str
    terms: tuple[Term, ...]
    numbers: tuple[Quantity, ...]
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a passage, analysed."""

    start: int
    end: int
    folded: str
    stems: frozenset[str]
    prefixes: frozenset[str]
    numbers: tuple[Quantity, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """The best evidence for a claim in one text: `text[start:end]`."""

    score: float
    start: int
    end: int
    covered: frozenset[str] = frozenset()  # stems of the claim
    missing: tuple[str, ...] = ()  # words of the claim
    mismatches: tuple[Mismatch, ...] = ()
    contradiction: str = ""

    @property
    def reason(self) -> str:
        if self.mismatches:
            return self.mismatches[0].reason
        if self.contradiction:
            return self.contradiction
        return lacks_words(", ".join(self.missing[:6])) if self.missing else ""


def support_score(claim: str, passage_text: str) -> float:
    """From 0 to 1: how well one passage supports a claim. Exactly 0 when a number of the claim is not in it."""
    return best_match(read_claim(claim), passage_text).score


@lru_cache(maxsize=512)
def read_claim(claim: str, context: str = "") -> Stated:
    """A claim ready to be compared; words of its `context` count a little, its numbers do not."""
    language = detect(claim)
    folded = fold(claim)
    opening = OPENING_NAME.match(claim)
    named = [*NAME.findall(claim), *([opening[1]] if opening else [])]
    names = frozenset(key(fold(name), language) for name in named)
    terms: dict[str, Term] = {}
    for word in content_of_folded(folded, language):
        if not word[0].isdigit():
            base = key(word, language)
            terms.setdefault(base, Term(base, word, NAME_WEIGHT if base in names else word_weight(word)))
    for word in content_of_folded(fold(context), language):
        if not word[0].isdigit():
            base = key(word, language)
            terms.setdefault(base, Term(base, word, word_weight(word) / 4))
    found = quantities_of_folded(folded)
    counted = {word for number in found for word in re.findall(r"[^\W\d_]+", number.text)}
    kept = tuple(term for term in terms.values() if term.word not in counted)
    return Stated(folded, language, kept, found, names & {term.stem for term in kept})


def key(word: str, language: str) -> str:
    return without_accents(stem(word, language))


def word_weight(word: str) -> float:
    """A bigram of a script without spaces is half a word."""
    return 0.5 if UNSPACED_START.match(word) else 1.0


@lru_cache(maxsize=512)
def read_passage(text: str, language: str) -> tuple[Said, ...]:
    return tuple(read_sentence(text, start, end, language) for start, end in split_sentences(text)[:MOST_SENTENCES])


def read_sentence(text: str, start: int, end: int, language: str) -> Said:
    folded = fold(text[start:end])
    stems = frozenset(key(word, language) for word in content_of_folded(folded, language))
    return Said(start, end, folded, stems, prefixes(stems), quantities_of_folded(folded))


def prefixes(stems: Iterable[str]) -> frozenset[str]:
    return frozenset(
        stem[:FUZZY_PREFIX] for stem in stems if len(stem) >= FUZZY_PREFIX and not UNSPACED_START.match(stem)
    )


def holds(term: Term, stems: frozenset[str], starts: frozenset[str]) -> bool:
    if term.stem in stems:
        return True
    return len(term.stem) >= FUZZY_PREFIX and term.stem[:FUZZY_PREFIX] in starts and not UNSPACED_START.match(term.stem)


def best_match(claim: Stated, text: str, around: str = "") -> Match:
    """The best one to three sentences of `text` for a claim; `around`: title, headings and the like."""
    said = read_passage(text, claim.language)
    if not said or not (claim.terms or claim.numbers):
        return Match(0.0, 0, 0)
    outer = read_sentence(around, 0, len(around), claim.language)
    near = frozenset().union(outer.stems, *(sentence.stems for sentence in said))
    near_prefixes = prefixes(near)
    best = max(windows(claim, said, near, near_prefixes), key=lambda found: found[0])
    chosen = said[best[1] : best[2]]
    match = judged(claim, chosen, outer, said, near, near_prefixes)
    if match.mismatches and not any(m.instead and m.stated.dimension for m in match.mismatches):
        # The numbers may stand in sentences that are not neighbours.
        scattered = judged(claim, spread(claim, said, chosen), outer, said, near, near_prefixes)
        if not scattered.mismatches and scattered.end - scattered.start <= APART:
            return replace(scattered, score=scattered.score * 0.95)
    return match


def windows(
    claim: Stated, said: Sequence[Said], near: frozenset[str], near_prefixes: frozenset[str]
) -> Iterable[tuple[float, int, int]]:
    """Each run of one to three sentences with what it covers of the claim, numbers included."""
    total = sum(term.weight for term in claim.terms) + NUMBER_WEIGHT * len(claim.numbers) or 1.0
    bases = [{i for i, term in enumerate(claim.terms) if holds(term, s.stems, s.prefixes)} for s in said]
    counts = [
        {i for i, number in enumerate(claim.numbers) if not unmatched((number,), s.numbers)} if claim.numbers else set()
        for s in said
    ]
    for first in range(len(said)):
        terms: set[int] = set()
        numbers: set[int] = set()
        for last in range(first, min(first + 3, len(said))):
            terms |= bases[last]
            numbers |= counts[last]
            score = sum(claim.terms[i].weight for i in terms) + NUMBER_WEIGHT * len(numbers)
            yield score / total - LONGER * (last - first), first, last + 1


def spread(claim: Stated, said: Sequence[Said], chosen: Sequence[Said]) -> list[Said]:
    """`chosen` and up to two more sentences that hold the numbers it lacks."""
    picked = list(chosen)
    for _ in range(2):
        lacking = [found.stated for found in unmatched(claim.numbers, numbers_of(picked))]
        if not lacking:
            break
        near = [s for s in said if any(holds(term, s.stems, s.prefixes) for term in claim.terms)]
        best = max(near, key=lambda sentence: len(lacking) - len(unmatched(lacking, sentence.numbers)), default=None)
        if best is None:
            break
        picked.append(best)
    return picked


def numbers_of(said: Iterable[Said]) -> list[Quantity]:
    return [number for sentence in said for number in sentence.numbers]


def judged(
    claim: Stated,
    chosen: Sequence[Said],
    outer: Said,
    said: Sequence[Said],
    near: frozenset[str],
    near_prefixes: frozenset[str],
) -> Match:
    """The score of the chosen sentences, with what speaks against them."""
    stems = frozenset().union(*(sentence.stems for sentence in chosen))
    starts = prefixes(stems)
    total, score, covered, missing = 0.0, 0.0, set(), []
    for term in claim.terms:
        total += term.weight
        if holds(term, stems, starts):
            score += term.weight
            covered.add(term.stem)
        elif holds(term, near, near_prefixes):
            score += term.weight * AROUND
        else:
            missing.append(term)
    mismatches = hard_mismatches(claim, chosen, outer, said) or unbound(claim, chosen)
    total += NUMBER_WEIGHT * len(claim.numbers)
    score += NUMBER_WEIGHT * len(claim.numbers)
    value = score / total if total else 0.0
    strange = sum(1 for term in missing if term.stem in claim.names)
    value *= NAME_MISSING ** min(2, strange)
    contradiction = contradicts(claim, chosen) if value >= 0.2 else ""
    if contradiction:
        value *= CONTRADICTED
    start, end = min(sentence.start for sentence in chosen), max(sentence.end for sentence in chosen)
    words = tuple(term.word for term in missing if term.weight >= 0.5)
    return Match(0.0 if mismatches else value, start, end, frozenset(covered), words, tuple(mismatches), contradiction)


def hard_mismatches(claim: Stated, chosen: Sequence[Said], outer: Said, said: Sequence[Said]) -> list[Mismatch]:
    """Numbers of the claim that its evidence lacks; a year may stand anywhere in the passage."""
    here = [*numbers_of(chosen), *outer.numbers]
    found = [mismatch for mismatch in unmatched(claim.numbers, here) if mismatch.stated.hard]
    years = [number for number in numbers_of(said) if number.is_year]
    return [m for m in found if m.instead or not (m.stated.is_year and not unmatched((m.stated,), years))]


def unbound(claim: Stated, chosen: Sequence[Said]) -> list[Mismatch]:
    """Numbers that only a neighbour holds while the sentence that says the same gives another value of that kind.

    "It is 330 metres tall. The first floor lies at 57 metres." does not say that it is 57 metres tall.
    """
    total = sum(term.weight for term in claim.terms)
    if len(chosen) < 2 or not total:
        return []
    if rows := labelled_rows(claim, chosen):
        here = numbers_of(rows)
        return [Mismatch(stated) for stated in claim.numbers if stated.hard and unmatched((stated,), here)]
    shares = [sum(t.weight for t in claim.terms if holds(t, s.stems, s.prefixes)) / total for s in chosen]
    home = chosen[max(range(len(chosen)), key=shares.__getitem__)]
    found = []
    for stated in claim.numbers:
        if not stated.hard or not unmatched((stated,), home.numbers):
            continue
        if max(shares) < (YEAR_HOME if stated.is_year else HOME):
            continue
        rival = next(
            (n for n in home.numbers if same_kind(n, stated) and not any(matches(c, n) for c in claim.numbers)), None
        )
        if rival:
            found.append(Mismatch(stated, rival.text))
    return found


def labelled_rows(claim: Stated, chosen: Sequence[Said]) -> list[Said]:
    """The rows of a table that begin with what the claim is about, in words or figures ("4 to 15 years"); a value of
    another row is another thing's."""
    stated = set(FIGURE.findall(claim.folded))

    def labelled(label: str) -> bool:
        figures = set(FIGURE.findall(label))
        by_figures = claim.language != "en" and bool(figures) and figures <= stated
        return by_figures or any(term.word in label for term in claim.terms)

    return [said for said in chosen if "|" in said.folded and labelled(said.folded.split("|", 1)[0])]


def same_kind(one: Quantity, other: Quantity) -> bool:
    """Values of one measure, years, or counts of one thing."""
    if one.is_year or other.is_year:
        return one.is_year and other.is_year
    return one.dimension == other.dimension and one.of == other.of and bool(one.dimension or one.of)


def contradicts(claim: Stated, chosen: Sequence[Said]) -> str:
    """What the evidence says the other way round, in words; "" when nothing."""
    shared = {term.stem for term in claim.terms}
    claimed = negated(claim.folded, claim.language, shared)
    sources = [negated(sentence.folded, claim.language, shared) for sentence in chosen]
    denied, affirmed = set().union(*(s.denied for s in sources)), set().union(*(s.affirmed for s in sources))
    if (claimed.affirmed & denied) - affirmed - claimed.denied and not claimed.denied & denied:
        return DENIED
    if (claimed.denied & affirmed) - denied - claimed.affirmed and not claimed.denied & denied:
        return NOT_DENIED
    turned = opposite(claim.folded, " ".join(sentence.folded for sentence in chosen))
    return differs(turned[1], turned[0]) if turned else ""

"""What can be counted about a claim and its evidence: the figures from which a support checker learns. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

from answerable.text.chance import beyond_chance
from answerable.text.mismatches.finding import FINDERS, differences
from answerable.text.mismatches.merging import parts_of
from answerable.text.mismatches.polarity import opposite_word
from answerable.text.mismatches.reading import VERBATIM, Compared, Difference, compare
from answerable.text.sentences import split_sentences
from answerable.text.similarity import Match, Said, Stated, best_match, holds, read_claim, read_passage, read_sentence

NEAR = 2_000  # characters on each side of the chosen sentences that are looked at for names and the like
RUN = 4  # words in a row whose worst share is a figure: a clause that nothing supports
COPIED = 0.75  # share of a claim that runs like one sentence
MOST_PICKED = 3
MOST_PARTS = 6  # sentences of a longer claim that are looked at one by one
_LOW_IS_BAD = """rare_1 rare_2 rare_all plain_1 plain_2 worst_run alike pairs longest soft soft_worst reworded special_1
    lexical names_here gain_here_1 gain_here_3 gain_anywhere_3 window_precision rare_in_window"""
_HIGH_IS_BAD = "missing missing_rarest strange contradicted opposite_word differences numbers_wrong"
LOW_IS_BAD, HIGH_IS_BAD = tuple(_LOW_IS_BAD.split()), tuple(_HIGH_IS_BAD.split())
NOTHING: frozenset[str] = frozenset()
WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Text:
    """A passage, with the headings, title and table header that stand around it."""

    text: str
    around: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of words beyond the texts at hand."""

    rarity: Callable[[str], float]  # 0 for the commonest word, 1 for a rare one
    nearest: Callable[[Sequence[str], Sequence[str]], list[float]]  # likeness of each word to the closest of the others
    synonyms: Mapping[str, frozenset[str]]  # of stems
    opposites: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Weighed:
    """The figures by name, with what they were taken from. `picked`: the sentences that bear most on the claim."""

    figures: dict[str, float]
    match: Match
    best: int  # the text that holds the best evidence
    picked: tuple[str, ...]
    differences: dict[str, Difference]
    alike: float
    claim: str
    parts: tuple[Weighed, ...] = ()  # the sentences of a longer claim, each against the texts on its own

    @property
    def hard(self) -> str | None:
        """Why the claim cannot be supported, whatever else speaks for it."""
        if self.parts:
            return next((part.hard for part in self.parts if part.hard), None)
        if self.match.mismatches:
            return self.match.mismatches[0].reason
        found = next((difference.reason for difference in self.differences.values() if difference.hard), None)
        return found or (self.match.contradiction if self.match.contradiction and self.alike >= VERBATIM else None)


def weigh(stated: Stated, claim: str, texts: Sequence[Text], knowledge: Knowledge) -> Weighed:
    """A claim against one or more texts taken together; each sentence of a longer claim also by itself."""
    whole = weigh_one(stated, claim, texts, knowledge)
    spans = split_sentences(claim)[:MOST_PARTS]
    parts: list[Weighed] = []
    if len(spans) > 1:
        sentences = [claim[start:end] for start, end in spans]
        read = [(read_claim(sentence), sentence) for sentence in sentences]
        parts = [weigh_one(one, sentence, texts, knowledge) for one, sentence in read if len(one.terms) > 1]
    each = parts or [whole]
    worst = {f"worst_{name}": min(part.figures[name] for part in each) for name in LOW_IS_BAD}
    worst |= {f"worst_{name}": max(part.figures[name] for part in each) for name in HIGH_IS_BAD}
    return replace(whole, figures=whole.figures | worst, parts=tuple(parts))


def weigh_one(stated: Stated, claim: str, texts: Sequence[Text], knowledge: Knowledge) -> Weighed:
    matches = [best_match(stated, one.text, one.around) for one in texts]
    best = max(range(len(texts)), key=lambda k: (matches[k].score, len(matches[k].covered)))
    match, text = matches[best], texts[best]
    pool = [said for one in texts for said in read_passage(one.text, stated.language)]
    outer = [read_sentence(one.around, 0, len(one.around), stated.language) for one in texts]
    rarities = [knowledge.rarity(term.word) for term in stated.terms]
    held = [[holds(term, said.stems, said.prefixes) for term in stated.terms] for said in pool]
    order = picked_of(held, rarities)
    special = weights_here(held, rarities)
    compared = compared_with(claim, match, text, stated.language)
    found = differences(compared)
    turned = opposite_word(compared, knowledge.opposites)
    if turned:
        found["opposite_word"] = turned
    window = match_places(pool, match)
    figures = {
        **coverage(stated, rarities, held, order, outer),
        **words_in_order(compared),
        **likeness(stated, rarities, held, order, pool, knowledge),
        **numbers_and_names(stated, match, held, order),
        **in_company(held, special, window),
        **beyond_chance(held, rarities, [len(said.stems) for said in pool], window),
        **against(match, found),
        **parts(compared, stated, rarities, held),
        "lexical": match.score,
        "contradicted": float(bool(match.contradiction)),
        "opposite_word": float("opposite_word" in found),
        **{name: float(name in found) for name in FINDERS},
        "differences": float(len(found)),
    }
    sentences = tuple(pool[k].folded for k in order)
    return Weighed(figures, match, best, sentences, found, compared.alike, claim)


def compared_with(claim: str, match: Match, text: Text, language: str) -> Compared:
    """The claim beside the chosen sentences; beside one alone where it is a copy of that one."""
    near = f"{text.around}\n{text.text[max(0, match.start - NEAR) : match.end + NEAR]}"
    source = text.text[match.start : match.end]
    whole = compare(claim, source, near, language)
    spans = split_sentences(source)
    if len(spans) < 2:
        return whole
    single = max((compare(claim, source[s:e], near, language) for s, e in spans), key=lambda one: one.alike)
    return single if single.alike >= COPIED else whole


def picked_of(held: Sequence[Sequence[bool]], rarities: Sequence[float]) -> list[int]:
    """The sentence that holds most of the claim, then those that add most, wherever they stand."""
    covered = [False] * len(rarities)
    order: list[int] = []
    for _ in range(min(MOST_PICKED, len(held))):
        gains = [sum(r for r, h, c in zip(rarities, row, covered, strict=True) if h and not c) for row in held]
        best = max((k for k in range(len(held)) if k not in order), key=lambda k: gains[k])
        if order and gains[best] <= 0:
            break
        order.append(best)
        covered = [c or h for c, h in zip(covered, held[best], strict=True)]
    return order


def coverage(
    stated: Stated,
    rarities: Sequence[float],
    held: Sequence[Sequence[bool]],
    order: Sequence[int],
    outer: Sequence[Said],
) -> dict[str, float]:
    """Shares of the claim's words in the best one, two, three sentences, in all of them, and in the headings."""
    count = len(stated.terms)
    figures: dict[str, float] = {}
    covered = [False] * count
    for place in range(MOST_PICKED):
        if place < len(order):
            covered = [c or h for c, h in zip(covered, held[order[place]], strict=True)]
        figures[f"plain_{place + 1}"] = share(covered)
        figures[f"rare_{place + 1}"] = share(covered, rarities)
    everywhere = [any(column) for column in zip(*held, strict=True)] if held else covered
    above = [any(holds(term, one.stems, one.prefixes) for one in outer) for term in stated.terms]
    either = [e or a for e, a in zip(everywhere, above, strict=True)] if count else []
    first = held[order[0]] if order else []
    best = order[0] if order else 0
    beside = [row for k, row in enumerate(held) if abs(k - best) == 1]
    with_neighbours = [any(column) for column in zip(first, *beside, strict=True)]
    missing = [r for r, h in zip(rarities, either, strict=True) if not h]
    return figures | {
        "plain_all": share(everywhere),
        "rare_all": share(either, rarities),
        "headings": share(above, rarities),
        "neighbours": share(with_neighbours, rarities),
        "missing": float(len(missing)),
        "missing_rarest": max(missing, default=0.0),
        "worst_run": worst_run(covered),
        "worst_run_first": worst_run(first),
        "words": float(count),
    }


def share(held: Sequence[bool], weights: Sequence[float] | None = None) -> float:
    weights = weights or [1.0] * len(held)
    total = sum(weights)
    return sum(w for w, h in zip(weights, held, strict=True) if h) / total if total else 0.0


def worst_run(held: Sequence[bool]) -> float:
    """The smallest share in any few words in a row."""
    size = min(RUN, len(held))
    return min((sum(held[k : k + size]) / size for k in range(len(held) - size + 1)), default=0.0) if size else 0.0


def weights_here(held: Sequence[Sequence[bool]], rarities: Sequence[float]) -> list[float]:
    """Rarity among these very sentences as well: on a page about bridges, "bridge" says little."""
    size = len(held)
    counts = [sum(column) for column in zip(*held, strict=True)] if held else [0] * len(rarities)
    return [r * log((size + 1) / (n + 0.5)) for r, n in zip(rarities, counts, strict=True)]


def match_places(pool: Sequence[Said], match: Match) -> range:
    """The sentences of the pool that lie in the match, when the pool is one text."""
    inside = [k for k, said in enumerate(pool) if said.start >= match.start and said.end <= match.end]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def in_company(held: Sequence[Sequence[bool]], special: Sequence[float], window: range) -> dict[str, float]:
    """What the best sentences hold of the words that set the claim apart from the rest of the page."""
    together = [any(column) for column in zip(*(held[k] for k in window), strict=True)] if window else []
    best = max((share(row, special) for row in held), default=0.0)
    return {"special_1": best, "special_window": share(together, special) if together else best}


def against(match: Match, found: Mapping[str, Difference]) -> dict[str, float]:
    """How many numbers are wrong, by kind, and how many differences rule support out."""
    return {
        "wrong_years": float(sum(one.stated.is_year for one in match.mismatches)),
        "wrong_measures": float(sum(bool(one.stated.dimension) for one in match.mismatches)),
        "hard_differences": float(sum(difference.hard for difference in found.values())),
    }


def words_in_order(compared: Compared) -> dict[str, float]:
    """What runs alike on both sides, word for word."""
    claim = [w.stem for w in compared.claim.words]
    content = [w.stem for w in compared.claim.words if w.content]
    source = [w.stem for w in compared.source.words if w.content]
    pairs = set(zip(content, content[1:], strict=False))
    shared = pairs & set(zip(source, source[1:], strict=False))
    changed = [p for p in compared.places if p.claimed and any(w.content for w in p.claimed)]
    added = [p for p in changed if not any(w.content for w in p.said)]
    return {
        "alike": compared.alike,
        "longest": longest_run(claim, [w.stem for w in compared.source.words]) / max(1, len(claim)),
        "pairs": len(shared) / len(pairs) if pairs else compared.alike,
        "source_length": float(len(compared.source.words)),
        "places_changed": float(len(changed)),
        "places_added": float(len(added)),
    }


def longest_run(one: Sequence[str], other: Sequence[str]) -> int:
    best, row = 0, [0] * (len(other) + 1)
    for word in one:
        fresh = [0] * (len(other) + 1)
        for place, said in enumerate(other, start=1):
            if word == said:
                fresh[place] = row[place - 1] + 1
                best = max(best, fresh[place])
        row = fresh
    return best


def likeness(
    stated: Stated,
    rarities: Sequence[float],
    held: Sequence[Sequence[bool]],
    order: Sequence[int],
    pool: Sequence[Said],
    knowledge: Knowledge,
) -> dict[str, float]:
    """How close in meaning the words come that the picked sentences lack."""
    picked = [held[k] for k in order]
    lacking = [
        (t, r) for k, (t, r) in enumerate(zip(stated.terms, rarities, strict=True)) if not any(p[k] for p in picked)
    ]
    stems = frozenset().union(*(pool[k].stems for k in order)) if order else frozenset()
    strange = [(t, r) for t, r in lacking if not knowledge.synonyms.get(t.stem, NOTHING) & stems]
    words = sorted({word for k in order for word in WORD.findall(pool[k].folded)})
    close = knowledge.nearest([term.word for term, _ in strange], words) if strange and words else []
    total = sum(rarities) or 1.0
    unknown = sum(r for _, r in strange)
    soft = sum(max(0.0, c) * r for c, (_, r) in zip(close, strange, strict=False))
    return {
        "reworded": 1 - unknown / total,
        "soft": 1 - (unknown - soft) / total,
        "soft_worst": min(close, default=0.0 if strange else 1.0),
        "soft_mean": sum(close) / len(close) if close else (0.0 if strange else 1.0),
        "strange": float(len(strange)),
    }


def parts(
    compared: Compared, stated: Stated, rarities: Sequence[float], held: Sequence[Sequence[bool]]
) -> dict[str, float]:
    """The worst part of a claim of several clauses, each with the sentence that holds most of it."""
    shares = []
    for words in parts_of(compared.claim):
        stems = {word.stem for word in words}
        places = [k for k, term in enumerate(stated.terms) if term.stem in stems]
        if len(places) >= 2:
            weights = [rarities[k] for k in places]
            shares.append(max((share([row[k] for k in places], weights) for row in held), default=0.0))
    return {
        "claim_sentences": float(len(split_sentences(compared.claim.text))),
        "parts": float(len(shares)),
        "part_worst": min(shares, default=0.0),
        "part_mean": sum(shares) / len(shares) if shares else 0.0,
    }


def numbers_and_names(
    stated: Stated, match: Match, held: Sequence[Sequence[bool]], order: Sequence[int]
) -> dict[str, float]:
    names = [k for k, term in enumerate(stated.terms) if term.stem in stated.names]
    rows = [held[k] for k in order]
    here = [k for k in names if any(row[k] for row in rows)]
    anywhere = [k for k in names if any(row[k] for row in held)]
    return {
        "numbers": float(len(stated.numbers)),
        "numbers_wrong": float(len(match.mismatches)),
        "numbers_instead": float(sum(1 for one in match.mismatches if one.instead)),
        "names": float(len(names)),
        "names_here": len(here) / len(names) if names else 1.0,
        "names_anywhere": len(anywhere) / len(names) if names else 1.0,
        "names_strange": float(len(names) - len(anywhere)),
    }

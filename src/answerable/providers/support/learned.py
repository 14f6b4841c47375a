"""Support by a learned score over what can be counted, with hard differences that no score outweighs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answerable.providers.embedding.static import embed_by_table
from answerable.providers.local_models import (
    MODELS,
    beside_the_loop,
    load,
    minilm_session,
    minilm_vector,
    model_file,
    token_ids,
    tokenizer,
)
from answerable.providers.support.lexical import (
    CONTEXT_BREAK,
    PARTLY,
    SUPPORTED,
    LexicalSupport,
    around,
    of_rows,
)
from answerable.providers.support.scoring import weights
from answerable.text.claims import bare_claim
from answerable.text.figures import Knowledge, Text, Weighed, weigh
from answerable.text.languages import detect
from answerable.text.rows import SAID
from answerable.text.similarity import Stated, read_claim
from answerable.text.worded import NOT_SAID, ONLY_PART
from answerable.types import Passage, Quote, Support, Verdict

STRICT, LENIENT = 0.5, 0.35  # chances from which a claim is supported, and partly so: see the curve in docs/support.md
HARD = 0.3  # the chance that a hard difference leaves at most
VERBATIM = 0.97  # of the lexical score: a copied claim needs no learned judgement
TOKENS = 96  # of the claim and of a sentence that MiniLM looks at
IN_ORDER = 0.9  # share of the claim's words that stand in the source in the same order, of a copy
MOST_JOINT = 5  # pages that are read together
VOCABULARY = 30_522
COMMONEST = 1_996  # place of "the": the tokenizer's words stand in the order of their frequency
TABLE_ROW = re.compile(
    rf"^[^!?\n]{{1,80}}{SAID}[^:!?\n]{{1,60}}: "
)  # a row as a claim: "Tin – Melting point (°C): 232"


class LearnedSupport:
    """A `SupportChecker`. English sentences are judged by the learned score; claims in other languages and
    what looks like a row of a table that the source does not have by words, numbers and negations. A row read aloud is
    compared with the row cell by cell.

    A claim may come as "stem or header, line break, claim"; the first part counts little. Raises BrokenModel when its
    files are no good, at `ready` or at the first call.
    """

    def __init__(self, *, strict: float = STRICT, lenient: float = LENIENT, models: Path = MODELS) -> None:
        self._strict, self._lenient, self._models = strict, min(lenient, strict), models
        self._lexical = LexicalSupport()

    async def ready(self) -> None:
        """Loads all that the first claim would otherwise wait for. Raises BrokenModel."""
        await beside_the_loop(self._load)

    def _load(self) -> None:
        vector("ready", self._models)
        knowledge(self._models)
        weights(self._models)
        minilm_session(self._models)

    async def check(self, claim: str, passages: Sequence[Passage]) -> Support:
        text = bare_claim(claim.strip().rpartition(CONTEXT_BREAK)[2])
        if row := of_rows(text, passages):
            return row
        if TABLE_ROW.match(text) or detect(text) != "en":
            return rescaled(await self._lexical.check(claim, passages), self._strict, self._lenient)
        return await beside_the_loop(self._check, claim, passages)

    def _check(self, claim: str, passages: Sequence[Passage]) -> Support:
        stated, text = claim_of(claim)
        pages = self._judged_pages(stated, text, passages)
        if not pages:
            return Support(0.0, "unsupported", "nothing of the source was read")
        alone = [page for page in pages if page.chance >= self._strict]
        if alone:
            return finding("supported", "", alone, alone[0].chance)
        joint = self._joint(stated, text, pages)
        if joint:
            return finding("supported", "only these sources together say so", joint[1], joint[0])
        best = pages[0]
        if best.chance >= self._lenient or best.partly:
            close = [page for page in pages if page.chance >= self._lenient or page.partly]
            return finding("partly", best.reason or ONLY_PART, close, best.chance)
        return Support(round(best.chance, 4), "unsupported", best.reason or NOT_SAID)

    def _judged_pages(self, stated: Stated, claim: str, passages: Sequence[Passage]) -> list[Judged]:
        """Each page by all its passages, the most convincing first."""
        by_page: dict[str, list[Passage]] = {}
        for passage in passages:
            by_page.setdefault(passage.page_id, []).append(passage)
        judged = [self._judge(stated, claim, held) for held in by_page.values()]
        return sorted(judged, key=lambda page: page.chance, reverse=True)

    def _judge(self, stated: Stated, claim: str, passages: Sequence[Passage]) -> Judged:
        weighed = weigh(stated, claim, [Text(p.text, around(p)) for p in passages], knowledge(self._models))
        best = passages[weighed.best]
        said = best.text[weighed.match.start : weighed.match.end]
        table = best.kind == "table" or said.count(" | ") > 1
        return Judged(best, weighed, self._chance(weighed, claim, table=table))

    def _chance(self, weighed: Weighed, claim: str, *, table: bool = False) -> float:
        score = weighed.match.score
        if weighed.hard:
            return min(score, HARD)
        if table:  # none were learned from
            return on_scale(score, self._strict, self._lenient)
        if score >= VERBATIM and weighed.alike >= IN_ORDER:
            return score
        return weights(self._models).chance(figures_of(weighed, self._models))

    def _joint(self, stated: Stated, claim: str, pages: Sequence[Judged]) -> tuple[float, list[Judged]] | None:
        """Whether pages that do not support the claim alone do so together; which of them are needed."""
        pages = [page for page in pages[:MOST_JOINT] if not page.contradicts]
        if len(pages) < 2:
            return None
        kept = list(pages)
        whole = self._together(stated, claim, kept)
        if whole < self._strict:
            return None
        for page in reversed(pages):
            others = [other for other in kept if other is not page]
            if len(others) < 2:
                break
            chance = self._together(stated, claim, others)
            if chance >= self._strict:
                kept, whole = others, chance
        return whole, kept

    def _together(self, stated: Stated, claim: str, pages: Sequence[Judged]) -> float:
        """The quotes read as one text."""
        text = "\n\n".join(page.quote.text for page in pages)
        weighed = weigh(stated, claim, [Text(text)], knowledge(self._models))
        return self._chance(weighed, claim)


@dataclass(frozen=True, slots=True)
class Judged:
    """A page, by the passage that holds its best evidence."""

    passage: Passage
    weighed: Weighed
    chance: float

    @property
    def contradicts(self) -> bool:
        return bool(self.weighed.differences or self.weighed.match.contradiction)

    @property
    def partly(self) -> bool:
        """Much of the claim is there, and what is wrong with it is a part that the source does not have."""
        added = {"part_added", "facts_merged"} & self.weighed.differences.keys()
        return bool(added) and not self.weighed.match.mismatches

    @property
    def reason(self) -> str:
        if self.weighed.hard:
            return self.weighed.hard
        found = next(iter(self.weighed.differences.values()), None)
        return found.reason if found else self.weighed.match.reason

    @property
    def quote(self) -> Quote:
        passage, match = self.passage, self.weighed.match
        start, end = passage.start + match.start, passage.start + match.end
        return Quote(passage.passage_id, passage.page_id, start, end, passage.text[match.start : match.end])


def finding(verdict: Verdict, reason: str, pages: Sequence[Judged], chance: float) -> Support:
    return Support(round(min(chance, 1.0), 4), verdict, reason, tuple(page.quote for page in pages))


def rescaled(support: Support, strict: float, lenient: float) -> Support:
    """A lexical finding on the scale of chances."""
    score = on_scale(support.score, strict, lenient)
    return Support(round(score, 4), support.verdict, support.reason, support.quotes)


def on_scale(score: float, strict: float, lenient: float) -> float:
    """A lexical score as a chance: its own thresholds become those that are set."""
    return float(np.interp(score, [0, PARTLY, SUPPORTED, 1], [0, lenient, strict, 1]))


def figures_of(weighed: Weighed, models: Path = MODELS) -> dict[str, float]:
    """The figures with those of meaning: how close the claim is to the sentence that bears most on it, and of a longer
    claim the sentence for which that is least so.

    Two short texts through MiniLM, some 6 ms; it lifts the AUC on ExpertQA from .60 to .64 and on AttributedQA from
    .73 to .75. The cosine of further sentences of the source adds nothing.
    """
    each = [weighed, *weighed.parts] if len(weighed.parts) > 1 else [weighed]
    texts = [text for one in each for text in (one.claim, *one.picked[:1])]
    vectors = {text: minilm_vector(tuple(ids), models) for text, ids in ids_of(texts, models)}
    close = [float(vectors[one.claim] @ vectors[one.picked[0]]) if one.picked else 0.0 for one in each]
    return weighed.figures | {"meaning": close[0], "worst_meaning": min(close[1:] or close)}


def ids_of(texts: Sequence[str], models: Path) -> list[tuple[str, list[int]]]:
    once = list(dict.fromkeys(texts))
    return list(zip(once, token_ids(once, TOKENS, models), strict=True))


def claim_of(given: str) -> tuple[Stated, str]:
    """A claim as it is given to a checker, read: without its markers and its list mark, with its stem or header."""
    context, _, text = given.strip().rpartition(CONTEXT_BREAK)
    text = bare_claim(text)
    return read_claim(text, context), text


@cache
def knowledge(models: Path = MODELS) -> Knowledge:
    known = tokenizer(models)

    @lru_cache(maxsize=50_000)
    def rarity(word: str) -> float:
        place = known.token_to_id(word)
        if place is None or place < COMMONEST:
            return 1.0 if place is None else 0.5
        return float(0.3 + 0.7 * np.log(place / COMMONEST) / np.log(VOCABULARY / COMMONEST))

    def nearest(words: Sequence[str], others: Sequence[str]) -> list[float]:
        one, other = np.stack([vector(w, models) for w in words]), np.stack([vector(w, models) for w in others])
        return [float(value) for value in (one @ other.T).max(axis=1)]

    table = load(model_file("support", "words.json.gz", root=models), words_of)
    return Knowledge(rarity, nearest, table["synonyms"], table["opposites"])


def words_of(path: str) -> dict[str, dict[str, frozenset[str]]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        table = json.load(file)
    return {kind: {word: frozenset(others.split()) for word, others in held.items()} for kind, held in table.items()}


@lru_cache(maxsize=20_000)
def vector(word: str, models: Path) -> NDArray[np.float32]:
    row: NDArray[np.float32] = embed_by_table([word], 16, models)[0]
    return row

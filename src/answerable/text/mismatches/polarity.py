"""Denials, directions and other opposites."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from answerable.text.analysis import fold
from answerable.text.mismatches.reading import VERBATIM, Compared, Difference, Reading, Word, flanked, shown
from answerable.text.opposites import NEGATION, OPPOSITE
from answerable.text.worded import differs, lacks, not_claimed

UPWARD = """rose rises rising rise risen climbed climb climbs soared jumped increased increase increases increasing grew
    grow grows growing gained gain up upward higher more expanded expand doubled tripled surged boosted raised raise
    improved improves improve"""
DOWNWARD = """fell falls falling fall fallen dropped drop drops plunged declined decreased decrease decreases decreasing
    decline shrank shrink shrinks shrinking lost lose down downward lower less fewer contracted contract halved slumped
    reduced reduce reduces lowered worsened worsens worsen"""
SIDE = {word: side for side, words in enumerate((UPWARD, DOWNWARD)) for word in words.split()}
ALIKE = 0.55
AHEAD = 8  # characters after a negation that tell whether it is one
COPIED = 0.85  # share that runs alike, from which one negation counts whatever others there are


def denied(compared: Compared) -> Difference | None:
    """A negation stands on one side only, in words that otherwise run alike."""
    if compared.alike < ALIKE:
        return None
    for place in compared.places:
        claimed, said = negation_in(place.claimed, compared.claim), negation_in(place.said, compared.source)
        if bool(claimed) == bool(said) or not (place.before or place.after):
            continue
        if other_content(place.claimed, claimed) and other_content(place.said, said):
            continue  # both sides say something else besides: no plain negation
        copied = compared.alike >= COPIED and place.before and place.after
        if claimed and (copied or not negation_in(compared.source.words, compared.source)):
            return Difference("negation", lacks(claimed, quoted=True))
        if said and (copied or not negation_in(compared.claim.words, compared.claim)):
            return Difference("negation", not_claimed(said))
    return None


def negation_in(words: tuple[Word, ...], reading: Reading) -> str:
    for word in words:
        found = NEGATION.match(fold(reading.text[word.start : word.end + AHEAD]))  # "not only" denies nothing
        if (found and found[0] == word.folded) or word.folded in {"nicht", "kein"}:
            return word.folded
    return ""


def other_content(words: tuple[Word, ...], negation: str) -> bool:
    return any(w.content and w.folded != negation for w in words)


def direction_turned(compared: Compared) -> Difference | None:
    """The same thing goes up on one side and down on the other."""
    for place in compared.places:
        for claimed in place.claimed:
            for said in place.said:
                if opposed(claimed.folded, said.folded) and flanked(place, compared):
                    return Difference(
                        "direction",
                        differs(shown((said,), compared.source), shown((claimed,), compared.claim)),
                    )
    return ups_and_downs(compared)


def ups_and_downs(compared: Compared) -> Difference | None:
    claimed = {SIDE[w.folded]: w for w in compared.claim.words if w.folded in SIDE}
    said = {SIDE[w.folded]: w for w in compared.source.words if w.folded in SIDE}
    if len(claimed) != 1 or len(said) != 1 or claimed.keys() == said.keys():
        return None
    if negation_in(compared.claim.words, compared.claim) or negation_in(compared.source.words, compared.source):
        return None  # "did not fall" is no fall
    (one,), (other,) = claimed.values(), said.values()
    return Difference("direction", differs(other.folded, one.folded), hard=False)


def opposed(one: str, other: str) -> bool:
    return other in OPPOSITE.get(one, ()) or (one in SIDE and other in SIDE and SIDE[one] != SIDE[other])


PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "anti", "mis")
LEAST = 4  # letters of a word that a prefix turns round


def opposite_word(compared: Compared, opposites: Mapping[str, frozenset[str]]) -> Difference | None:
    """The source has the opposite of a word of the claim, and not the word itself."""
    said = {w.stem: w for w in compared.source.words}
    for word in compared.claim.words:
        if not word.content or word.stem in compared.near.stems or len(word.stem) < 3:
            continue
        found = {*opposites.get(word.stem, ()), *prefixed(word.stem, said)} & said.keys() - compared.claim.stems
        found |= extremes(word, compared, opposites)
        if found:
            other = said[min(found)].folded
            return Difference("opposite", differs(other, word.folded), hard=compared.alike >= VERBATIM)
    return None


def extremes(word: Word, compared: Compared, opposites: Mapping[str, frozenset[str]]) -> set[str]:
    """Shortest for tallest: the opposites are those of short and tall."""
    for ending in ("est", "er"):
        base = word.folded.removesuffix(ending)
        if base == word.folded or len(base) < 3:
            continue
        wanted = opposites.get(base, frozenset()) | opposites.get(base + "e", frozenset())
        return {
            w.stem
            for w in compared.source.words
            if w.folded.endswith(ending)
            and {w.folded.removesuffix(ending), w.folded.removesuffix(ending) + "e"} & wanted
        } - compared.claim.stems
    return set()


def prefixed(stem: str, said: Collection[str]) -> set[str]:
    """Inefficient for efficient, and the other way round."""
    longer = {prefix + stem for prefix in PREFIXES} if len(stem) >= LEAST else set()
    shorter = {stem.removeprefix(p) for p in PREFIXES if stem.startswith(p) and len(stem) - len(p) >= LEAST}
    return {other for other in longer | shorter if other in said}

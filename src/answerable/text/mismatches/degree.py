"""How many, how sure, how far: quantifiers, bounds, superlatives, modality and scope."""

from __future__ import annotations

import re

from answerable.text.mismatches.reading import (
    VERBATIM,
    Compared,
    Difference,
    Place,
    Reading,
    Word,
    same_word,
    shown,
)
from answerable.text.worded import differs, hedged, lacks, lacks_words, left_out

COPYING = 0.7  # share that runs alike, from which a word that was left out was left out on purpose
COPIED = 0.92  # share of the words beside an addition that are copied in order
HALF = 0.5  # share of the claim that is copied at least
RETOLD = 0.4  # share that runs alike, below which a summary's "only" shuts nothing out that the source would name
LEAST_ADDED = 3  # words in a row
REACH = 4  # words after a quantifier among which the thing it counts is looked for
CLASSES = {
    "all": "all every each always entire entirely whole everyone everybody completely alle jeder jede immer tous "
    "toutes todos todas sempre tutti",
    "most": "most mostly majority usually mainly generally largely typically often frequently nearly almost commonly "
    "die meisten meist plupart mayoría",
    "some": "some several sometimes occasionally few certain partly partially rarely many einige manche quelques "
    "algunos algunas alcuni",
    "none": "no none never nobody neither keine nie aucun ninguno nessuno",
}
CLASS = {word: name for name, words in CLASSES.items() for word in words.split()}
STRENGTH = {"none": 0, "some": 1, "most": 2, "all": 3}
ONLY = {
    "only",
    "solely",
    "exclusively",
    "sole",
    "nur",
    "uniquement",
    "seulement",
    "solo",
    "sólo",
    "únicamente",
    "soltanto",
}
ONLY_LIKE = ONLY | {
    "just",
    "alone",
    "single",
    "unique",
    "merely",
    "one",
    "except",
    "until",
    "first",
    "last",
    "any",
}
LOW = re.compile(
    r"\b(?:at least|more than|over|no (?:less|fewer) than|minimum of|above|exceed\w*|mindestens|au moins)\b"
)
HIGH = re.compile(r"\b(?:at most|less than|fewer than|under|no more than|maximum of|below|up to|höchstens|au plus)\b")
HEDGED = re.compile(
    r"(?<!you )\b(?:may|might|could|possibly|perhaps|probably|likely|expected|plans? to|planned|proposed|forecasts?|"
    r"predicts?|predicted|projected|suggests?|alleged(?:ly)?|reportedly|rumou?red|potential(?:ly)?|hopes?|aims? to|"
    r"intends?|believed|thought to|considering|könnte|soll|peut-être|pourrait|podría|potrebbe|estimated to)\b",
    re.IGNORECASE,
)
EXACT = {"exactly", "precisely", "entirely", "completely", "fully", "always", "all", "every", "whole", "genau"}
INEXACT = {"about", "around", "approximately", "roughly", "nearly", "almost", "some", "half", "partly", "etwa", "rund"}
FAR = {"worldwide", "everywhere", "globally", "nationwide", "universally", "anywhere", "weltweit", "überall", "partout"}
AMONG = re.compile(r"\b(?:one of|among|second|third|fourth|fifth|\d+th|2nd|3rd|nearly|almost|possibly|perhaps)\b")
SUPERLATIVE = re.compile(
    r"\b(?:(?:[a-z]{3,}[^e\W])est|best|worst|most (?!of\b)[a-z]+|least (?!\d)[a-z]+)\b", re.IGNORECASE
)
_NOT_SUPERLATIVE = """interest forest west test request harvest protest guest honest modest invest suggest contest rest
    nest chest quest arrest budapest everest northwest southwest midwest latest manifest conquest priest digest"""
NOT_SUPERLATIVE = set(_NOT_SUPERLATIVE.split())


def quantifier_changed(compared: Compared) -> Difference | None:
    """All of what the source says of some; the same noun with a stronger word, or an opposite one."""
    for place in compared.places:
        found = changed_in_place(place, compared)
        if found:
            return found
    for claimed, noun in quantified(compared.claim):
        said = [word for word, other in quantified(compared.source) if other == noun]
        strengths = {STRENGTH[CLASS[word.folded]] for word in said}
        strength = STRENGTH[CLASS[claimed.folded]]
        if strengths and strength not in strengths and (strength > max(strengths) or 0 in strengths or not strength):
            return told(said[0], claimed, compared)
    return None


def changed_in_place(place: Place, compared: Compared) -> Difference | None:
    claimed = next((w for w in place.claimed if w.folded in CLASS), None)
    said = next((w for w in place.said if w.folded in CLASS), None)
    if not place.after:
        return None
    if claimed and said and CLASS[claimed.folded] != CLASS[said.folded]:
        return told(said, claimed, compared)
    if claimed and not said and CLASS[claimed.folded] == "all" and compared.alike >= COPYING:
        plain = not any(w.folded in {"the", "a", "an", "any"} and w.content for w in place.said)
        if plain and not {w for w in compared.near.said if CLASS.get(w) == "all"}:
            return Difference("quantifier", lacks(claimed.folded, quoted=True))
    if said and not claimed and CLASS[said.folded] in {"some", "most"} and compared.alike >= COPYING:
        return Difference(
            "quantifier",
            left_out(said.folded),
            hard=said.folded in {"some", "most", "few", "almost", "nearly"} and not counts_adverb(said, compared),
        )
    return None


def counts_adverb(said: Word, compared: Compared) -> bool:
    """In "most commonly" nothing is counted."""
    after = next((w.folded for w in compared.source.words if w.start > said.start), "")
    return after.endswith("ly")


def quantified(reading: Reading) -> list[tuple[Word, str]]:
    """Each quantifier with the stem of what it counts: the first content words after it."""
    found = []
    for place, word in enumerate(reading.words):
        if word.folded in CLASS:
            counted = [
                w.stem for w in reading.words[place + 1 : place + 1 + REACH] if w.content and w.folded not in CLASS
            ]
            found += [(word, stem) for stem in counted[:2]]
    return found


def told(said: Word, claimed: Word, compared: Compared) -> Difference:
    one, other = shown((said,), compared.source), shown((claimed,), compared.claim)
    return Difference("quantifier", differs(one, other, quoted=True))


def only_added(compared: Compared) -> Difference | None:
    """The claim shuts others out, the source does not."""
    claimed = compared.claim.said & ONLY
    if claimed and not compared.source.said & ONLY_LIKE and "not only" not in compared.claim.text.lower():
        return Difference("only", lacks(min(claimed), quoted=True), hard=compared.alike >= RETOLD)
    return None


def bound_turned(compared: Compared) -> Difference | None:
    """At least on one side, at most on the other."""
    claim, source = compared.claim.text.lower(), compared.source.text.lower()
    for mine, theirs in ((LOW, HIGH), (HIGH, LOW)):
        stated = mine.search(claim)
        if stated and not theirs.search(claim) and theirs.search(source) and not mine.search(source):
            said = theirs.search(source)
            assert said is not None
            return Difference("bound", differs(said[0], stated[0], quoted=True))
    return None


def hedge_dropped(compared: Compared) -> Difference | None:
    """The source says that it may be so, or that it is planned; the claim says that it is so."""
    if HEDGED.search(compared.claim.text) or compared.alike < 0.4:
        return None
    for place in compared.places:
        said = " ".join(w.folded for w in place.said)
        hedge = HEDGED.search(said)
        if hedge and place.after:
            return Difference(
                "modality",
                hedged(hedge[0]),
                hard=compared.alike >= VERBATIM,
            )
    return None


def superlative_added(compared: Compared) -> Difference | None:
    """The highest, where the source says high, higher, or one of the highest."""
    claim, source = compared.claim.text, compared.source.text
    for match in SUPERLATIVE.finditer(claim):
        word = match[0].lower()
        if word in NOT_SUPERLATIVE or AMONG.search(claim[max(0, match.start() - 24) : match.start()].lower()):
            continue
        here = [m for m in SUPERLATIVE.finditer(source) if m[0].lower() == word]
        ranked = [AMONG.search(source[max(0, m.start() - 24) : m.start()].lower()) for m in here]
        if here and all(ranked):
            said = f"{ranked[0][0]} … {word}" if ranked[0] else word
            return Difference("superlative", differs(said, word, quoted=True))
        base = word.removesuffix("est") if " " not in word else word.split()[1]
        plain = rf"{re.escape(base)}|{re.escape(base[:-1])}" if base[-2:-1] == base[-1:] else rf"{re.escape(base)}e?"
        if not here and len(base) > 2 and re.search(rf"\b(?:{plain})(?:e?r)?\b", source, re.IGNORECASE):
            return Difference("superlative", lacks(word, quoted=True), hard=compared.alike >= VERBATIM)
    return None


def exactness_changed(compared: Compared) -> Difference | None:
    """Exactly, where the source says about; or all of it, where the source says nearly."""
    for place in compared.places:
        claimed = next((w for w in place.claimed if w.folded in EXACT), None)
        said = next((w for w in place.said if w.folded in INEXACT), None)
        if claimed and said and place.after:
            return told(said, claimed, compared)
    return None


def scope_widened(compared: Compared) -> Difference | None:
    """Everywhere, where the source speaks of one place."""
    claimed = (compared.claim.said & FAR) - compared.near.said
    if claimed and not {"world", "global", "international", "national", "country"} & compared.source.said:
        return Difference("scope", lacks(min(claimed), quoted=True))
    return None


def part_added(compared: Compared) -> Difference | None:
    """The claim copies the source and then says more: "… everywhere in the world", "According to NASA, …".

    In the middle of a claim such words mostly tie together what the source has in two places.
    """
    words = compared.claim.words
    for run in compared.added:
        strange = [w for w in run if is_strange(w, compared)]
        rest = len(words) - len(run)
        if not strange or compared.alike * len(words) < max(HALF * len(words), COPIED * rest):
            continue
        ends = run[-1] == words[-1] and (len(run) >= LEAST_ADDED or len(strange) > 1)
        opens = run[0] == words[0] and (run[-1].folded == "that" or (len(run) > LEAST_ADDED and run_has_name(run)))
        if ends or opens:
            content = sum(w.content for w in run)
            return Difference("addition", lacks_words(shown(run, compared.claim)), hard=2 * len(strange) >= content)
    return None


def is_strange(word: Word, compared: Compared) -> bool:
    """Nowhere near the source, or a word for everything that the source does not use."""
    if CLASS.get(word.folded) == "all":
        return word.folded not in compared.source.said
    return word.content and not same_word(word, compared.near.stems)


def run_has_name(run: tuple[Word, ...]) -> bool:
    return any(word.name for word in run)

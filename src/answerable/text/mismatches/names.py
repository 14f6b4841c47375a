"""Names: another one in the same place, two that changed roles, a speaker whom the source does not know."""

from __future__ import annotations

import re
from itertools import pairwise

from answerable.text.mismatches.reading import VERBATIM, Compared, Difference, Reading, Word, flanked, same_word, shown
from answerable.text.worded import differs, turned_round, unnamed

ALIKE = 0.5  # share of the claim's words in the source's order, below which a place says little
SPEAKING = re.compile(
    r"\b(?:[Aa]ccording to|[Aa]s (?:reported|stated|noted) by|[Ii]n the (?:words|view) of|[Ll]aut|[Ss]elon|[Ss]egún)\s+"
    r"(?:the |a |an )?((?:[A-ZÀ-Þ][\w’'-]*)(?:\s+(?:of|the|and|for|de)?\s*[A-ZÀ-Þ][\w’'-]*)*)"
)
REPORTING = re.compile(
    r"(.{3,60}?) (?:reported|found|claimed|said|says|wrote|complained|argued?|stated|announced|believes?|claims?|"
    r"reports?) that "
)
HALF = 0.5
GENERAL = {"us", "usa", "uk", "eu", "un", "american", "british", "english"}  # written in many ways
_OPENERS = """additionally furthermore moreover meanwhile however finally overall similarly likewise also another many
    several some most one text title section according although because since today currently recently historically
    instead therefore thus hence first second third next then later listen ask use make avoid keep try consider"""
OPENERS = set(_OPENERS.split())  # words that are written large for opening a sentence
PASSIVE = re.compile(r"\b(?:was|were|is|are|been|being|be)\s+(?:\w+\s+){0,2}\w+\s+by\b")


def name_replaced(compared: Compared) -> Difference | None:
    """The words run alike but for a name: "designed by Stephen Sauvestre" against "designed by Gustave Eiffel"."""
    if compared.alike < ALIKE:
        return None
    for place in compared.places:
        claimed = tuple(w for w in place.claimed if is_name(w, compared.claim))
        said = tuple(w for w in place.said if is_name(w, compared.source))
        if not claimed or not said or not flanked(place, compared):
            continue
        strange = [w for w in claimed if not same_word(w, compared.source.stems)]
        plain = all(w.opening for w in (*claimed, *said))
        if strange and not plain and not same_thing(claimed, said):
            return Difference(
                "name",
                differs(shown(place.said, compared.source), shown(place.claimed, compared.claim)),
                hard=compared.alike >= VERBATIM,
            )
    return None


def is_name(word: Word, reading: Reading) -> bool:
    if word.folded in GENERAL or not word.content:
        return False
    return word.name or (word.opening and reading.text[word.start].isupper() and word.folded not in OPENERS)


def same_thing(claimed: tuple[Word, ...], said: tuple[Word, ...]) -> bool:
    """An abbreviation of the other, or another form of one of its words."""
    short, long = sorted((claimed, said), key=len)
    if len(short) == 1 and len(long) > 1 and short[0].folded == "".join(w.folded[0] for w in long):
        return True
    return any(same_word(word, {other.stem for other in said}) for word in claimed)


def roles_swapped(compared: Compared) -> Difference | None:
    """Two names stand around the same words the other way round: "A beat B" against "B beat A"."""
    names = runs_of_names(compared.claim)
    for (first, end), (start, second) in pairwise(names):
        between = [w.stem for w in compared.claim.words[end:start] if w.content]
        if not 1 <= len(between) <= 3:
            continue
        one = compared.claim.words[first:end]
        other = compared.claim.words[start:second]
        if turned(compared.source, one[-1].stem, other[-1].stem, between) and not voices_differ(compared):
            return Difference(
                "role",
                turned_round(shown(one, compared.claim), shown(other, compared.claim)),
            )
    return None


def runs_of_names(reading: Reading) -> list[tuple[int, int]]:
    """First and last (excluded) place of each run of capitalised words."""
    runs: list[tuple[int, int]] = []
    for place, word in enumerate(reading.words):
        if not is_name(word, reading):
            continue
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def turned(source: Reading, first: str, second: str, between: list[str]) -> bool:
    stems = [w.stem for w in source.words]
    straight = crossed = False
    for place, stem in enumerate(stems):
        if stem not in (first, second):
            continue
        following = stems[place + 1 : place + 8]
        wanted = second if stem == first else first
        if wanted not in following or wanted == stem:
            continue
        inner = following[: following.index(wanted)]
        if any(word in inner for word in between):
            straight, crossed = straight or stem == first, crossed or stem == second
    return crossed and not straight


def voices_differ(compared: Compared) -> bool:
    return bool(PASSIVE.search(compared.claim.text)) != bool(PASSIVE.search(compared.source.text))


def speaker_unknown(compared: Compared) -> Difference | None:
    """The claim names whose word it is, and the source has never heard of them."""
    reporting = REPORTING.match(compared.claim.text)
    if reporting:
        told = [w for w in compared.claim.words if w.start < reporting.end(1) and w.content]
        if told and not any(same_word(w, compared.near.stems) for w in told):
            return Difference("attribution", unnamed(reporting[1]), hard=compared.alike >= HALF)
    for match in SPEAKING.finditer(compared.claim.text):
        words = [
            w for w in compared.claim.words if match.start(1) <= w.start < match.end(1) and w.content and not w.opening
        ]
        if words and not any(same_word(w, compared.near.stems) for w in words):
            return Difference("attribution", unnamed(match[1]))
    return None

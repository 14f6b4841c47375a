"""Numbers bound to what they count, units, days of the week, seasons and ages of the world."""

from __future__ import annotations

from answerable.text.analysis import fold
from answerable.text.measures import SCALE, UNIT
from answerable.text.mismatches.reading import VERBATIM, Compared, Difference, Reading, flanked, shown
from answerable.text.numbers import Quantity, matches, quantities_of_folded, unmatched
from answerable.text.worded import differs, lacks, left_out

GROUPS = [
    "monday tuesday wednesday thursday friday saturday sunday",
    "spring summer autumn winter",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "daily weekly monthly quarterly yearly annually hourly",
    "morning afternoon evening night noon midnight",
    "century decade millennium",
    "second third fourth fifth sixth seventh eighth ninth tenth",
]
GROUP = {word: number for number, words in enumerate(GROUPS) for word in words.split()}
UNIT_WORDS = {word for word in (*UNIT, *SCALE, "pounds", "pound", "degrees") if len(word) > 2}
ERAS = {"bc", "bce"}
NEXT = 3  # words after a number among which what it counts stands


def number_elsewhere(compared: Compared) -> Difference | None:
    """The number is in the source, but counts something else there: "12 masts and 3 decks" has no 3 masts."""
    claimed = counted(compared.claim)
    said = counted(compared.source)
    for quantity, things in claimed:
        if quantity.dimension or quantity.is_year or not things:
            continue
        same = [other for other, _ in said if matches(quantity, other)]
        if not same or any(things[0] in heard for other, heard in said if matches(quantity, other)):
            continue
        other = next((o for o, heard in said if heard[:1] == things[:1] and not o.dimension and not o.is_year), None)
        if other is not None:
            return Difference("number", differs(other.text, quantity.text, where=" of these"))
    return None


def counted(reading: Reading) -> list[tuple[Quantity, list[str]]]:
    """Each number with the stems of the content words just after it."""
    folded = fold(reading.text)
    if len(folded) != len(reading.text):
        return []  # folding moved the places of the words
    found = []
    for quantity in quantities_of_folded(folded):
        after = [w for w in reading.words if w.start >= quantity.end][:NEXT]
        found.append((quantity, [w.stem for w in after if w.content and not w.folded[0].isdigit()]))
    return found


def numbers_crossed(compared: Compared) -> Difference | None:
    """Two numbers of one kind changed places in words that run alike."""
    if compared.alike < 0.6:
        return None
    for place in compared.places:
        mine = quantities_of_folded(fold(shown(place.claimed, compared.claim)))
        theirs = quantities_of_folded(fold(shown(place.said, compared.source)))
        if mine and theirs and flanked(place, compared) and unmatched(mine, theirs):
            one, other = mine[0], theirs[0]
            if one.dimension == other.dimension and one.is_year == other.is_year:
                return Difference("number", differs(other.text, one.text, where=" here"))
    return None


def unit_changed(compared: Compared) -> Difference | None:
    """The same number of something else: 21.5 kilograms is not 21.5 pounds."""
    claim = compared.claim.words
    for place in compared.places:
        if len(place.claimed) != 1 or len(place.said) != 1 or not place.before:
            continue
        one, other = place.claimed[0], place.said[0]
        before = claim[claim.index(one) - 1]
        if before.folded[0].isdigit() and {one.folded, other.folded} <= UNIT_WORDS and one.stem != other.stem:
            return Difference("unit", differs(f"{before.folded} {other.folded}", f"{before.folded} {one.folded}"))
    return None


def day_changed(compared: Compared) -> Difference | None:
    """Another day of the week, season, rank or interval."""
    for word in compared.claim.words:
        group = GROUP.get(word.folded)
        if group is None or word.folded in compared.near.said:
            continue
        said = next((w.folded for w in compared.source.words if GROUP.get(w.folded) == group), "")
        if said:
            return Difference("date", differs(said, word.folded))
    return None


def era_changed(compared: Compared) -> Difference | None:
    claimed, said = compared.claim.said & ERAS, compared.source.said & ERAS
    if bool(claimed) == bool(said) or compared.alike < VERBATIM:
        return None
    era = min(claimed | said).upper()
    return Difference("date", left_out(era) if said else lacks(era))

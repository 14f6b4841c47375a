"""Words for one measured thing or happening: "crowd" and "attendance", "killed" and "death toll". English. Pure."""

from __future__ import annotations

from collections.abc import Collection

from answerable.text.analysis import stem

_KIN = (
    "watch watched attend attended attendance crowd spectator audience visitor fans gate turnout came come",
    "kill killed die died dead death deaths toll fatality fatalities victim casualty perished lives lost",
    "injure injured hurt wound wounded",
    "evacuate evacuated displaced fled flee rehoused leave left homes moved",
    "cost costs price pay paid bill spent spend worth charge fee budget",
    "cut reduce reduced reduction lower lowered fall fell fewer less drop dropped decline declined decrease decreased",
    "increase increased raise raised rise rose grow grew growth more higher",
    "loud noise noisy quiet sound",
    "weigh weighs weighed weight heavy",
    "tall high height",
    "long length",
    "deep depth",
    "wide width broad",
    "fast speed quick",
    "lose loses loss losses",
    "far distance range reach reaches",
    "old age aged",
    "large big size area cover covers",
    "population inhabitant inhabitants residents live lived",
    "employ employs employees staff workers jobs",
    "need should recommend recommended advise advised intake allowance take enough",
    "invent invented create created made make developed",
    "find found discover discovered",
    "build built erect erected construct constructed completed finished",
    "start started begin began begun first founded founder",
    "open opened inaugurated",
    "vote voters voted voting turnout poll",
    "speak speaks speakers spoken",
    "average mean typical typically",
    "soldier soldiers troops men army",
)
KIN = tuple(frozenset(stem(word, "en") for word in words.split()) for words in _KIN)


def kin_of(stems: Collection[str]) -> frozenset[str]:
    """The stems with all that stands for the same."""
    own = frozenset(stems)
    return own.union(*(words for words in KIN if words & own))

"""Sources that put the two sides of a comparison in another order: by one the Nile is longer, by another the Amazon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from answerable.answering.candidates import Candidate, stems_of
from answerable.answering.rivals import independent
from answerable.answering.values import figures_in, years_in
from answerable.answering.weighing import Wanted

ON_TOPIC = 0.3  # prior of a passage that is about the thing asked
APART = 0.005  # share by which one must exceed the other; years by any


@dataclass(frozen=True, slots=True)
class Compared:
    """One side of a comparison with what may answer it, best first."""

    name: str
    wanted: Wanted
    ranked: Sequence[tuple[Candidate, float]]


def order_apart(sides: Sequence[Compared]) -> tuple[Candidate, Candidate] | None:
    """What two independent sources say of the side that is the greater by each; None where they agree."""
    if len(sides) != 2:
        return None
    told = [_told(side, other) for side, other in zip(sides, reversed(sides), strict=True)]
    greater: list[tuple[int, Candidate]] = []  # the side that is greater by a source, and what it says of that
    for number, (one, size) in told[0].items():
        other, against = told[1].get(number, (one, size))
        least = 0.0 if "date" in sides[0].wanted.kinds else APART * max(size, against)
        if abs(size - against) > least:
            greater.append((0, one) if size > against else (1, other))
    wanted = sides[0].wanted
    for side, first in greater:
        for another, second in greater:
            if side != another and independent(second, first, wanted):
                return first, second
    return None


def _told(side: Compared, other: Compared) -> dict[int, tuple[Candidate, float]]:
    """By source, the best sentence or row about this side alone, and the size that it gives."""
    own, another = (stems_of(one.name, one.wanted.language) for one in (side, other))
    found: dict[int, tuple[Candidate, float]] = {}
    for c, _ in side.ranked:
        if c.number in found or c.prior < ON_TOPIC or not own <= c.words or (another - own) & c.words:
            continue
        if (size := _size(c, side.wanted)) is not None:
            found[c.number] = c, size
    return found


def _size(c: Candidate, wanted: Wanted) -> float | None:
    if "date" in wanted.kinds:
        years = years_in(c)
        return float(next(iter(years))) if len(years) == 1 else None
    figures = figures_in(c, wanted)
    return max((f.low for f in figures), default=None)

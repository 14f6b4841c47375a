"""Both sides of what sources differ on, however the model wrote: what it left out follows in their words. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from answerable.answering.candidates import figures_of
from answerable.text.phrases import phrase


@dataclass(frozen=True, slots=True)
class Side:
    """What one source says, as text and as a line with its marker. `values`: what it says otherwise than the other."""

    number: int  # of the source, from 1
    text: str
    line: str
    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of the answer whose markers survived their check, and the sources that it cites."""

    text: str
    numbers: frozenset[int]


def left_out(sides: Sequence[Side], told: Sequence[Told], language: str, answer: str = "") -> str:
    """What is to follow the answer so that it shows both sides; "" when it does. What says that they differ is not said
    again."""
    if not sides:
        return ""
    differ = phrase("sources_differ", language)
    others = {side.number: {other.number for other in sides} - {side.number} for side in sides}
    missing = [side.line for side in sides if not any(_tells(one, side, others[side.number]) for one in told)]
    if len(missing) == len(sides):
        return f" {differ} ".join(missing)
    opening = [] if differ in answer else [differ]
    return " ".join([*opening, *missing]) if missing else ""


def _tells(told: Told, side: Side, others: Set[int]) -> bool:
    """Whether it says what the side says, and not only by the word of the other side."""
    held = figures_of(told.text) | set(re.findall(r"\w+", told.text))
    return bool(side.values & held and told.numbers - others) if side.values else side.number in told.numbers

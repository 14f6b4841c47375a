"""Sources that give different values for one thing, found among the claims of an answer."""

from __future__ import annotations

from answerable.answering.checking import CheckedAnswer
from answerable.types import Conflict, Plan


def find_conflicts(plan: Plan, checked: CheckedAnswer) -> tuple[Conflict, ...]:
    return ()

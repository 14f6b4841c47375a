"""All differences between a claim and its evidence, the gravest first."""

from __future__ import annotations

from collections.abc import Callable

from answerable.text.mismatches.counted import day_changed, era_changed, number_elsewhere, numbers_crossed, unit_changed
from answerable.text.mismatches.degree import (
    bound_turned,
    exactness_changed,
    hedge_dropped,
    only_added,
    part_added,
    quantifier_changed,
    scope_widened,
    superlative_added,
)
from answerable.text.mismatches.merging import facts_merged
from answerable.text.mismatches.names import name_replaced, roles_swapped, speaker_unknown
from answerable.text.mismatches.polarity import denied, direction_turned
from answerable.text.mismatches.reading import Compared, Difference

FINDERS: dict[str, Callable[[Compared], Difference | None]] = {
    function.__name__: function
    for function in (
        numbers_crossed,
        number_elsewhere,
        unit_changed,
        day_changed,
        era_changed,
        name_replaced,
        roles_swapped,
        denied,
        direction_turned,
        quantifier_changed,
        only_added,
        bound_turned,
        superlative_added,
        hedge_dropped,
        speaker_unknown,
        scope_widened,
        facts_merged,
        exactness_changed,
        part_added,
    )
}


def differences(compared: Compared) -> dict[str, Difference]:
    """What each finder found, by its name."""
    found = {name: finder(compared) for name, finder in FINDERS.items()}
    return {name: difference for name, difference in found.items() if difference is not None}

"""Each way in which a claim can differ from its evidence: what is seen, with its reason, and what is let pass."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.text.mismatches.finding import FINDERS, differences
from answerable.text.mismatches.polarity import opposite_word
from answerable.text.mismatches.reading import compare

TOWER = "The old tower in Ulm was designed by Gustave Moreau and opened to the public on 4 May 1889."

SEEN = [
    # finder, claim, source, reason
    ("numbers_crossed", "The ship has 3 masts and 12 decks.", "The ship has 12 masts and 3 decks.", "12"),
    ("number_elsewhere", "There are 3 masts on her.", "The ship carries 12 masts over 3 decks.", "12"),
    ("unit_changed", "It brought back 21.5 pounds of rock.", "It brought back 21.5 kilograms of rock.", "kilograms"),
    ("day_changed", "The council met on Friday night.", "The council met on Thursday night.", "thursday"),
    ("era_changed", "The temple was built around 400.", "The temple was built around 400 BC.", "BC"),
    ("name_replaced", TOWER.replace("Gustave Moreau", "Anna Kessler"), TOWER, "Gustave Moreau"),
    ("name_replaced", TOWER.replace("Ulm", "Lyon"), TOWER, "Ulm"),
    ("roles_swapped", "In the final Arsenal beat Chelsea.", "In the final Chelsea beat Arsenal.", "other way round"),
    ("speaker_unknown", "According to Maria Braun, the dam is safe.", "The dam is safe.", "Maria Braun"),
    ("speaker_unknown", "Critics complained that the dam is safe.", "The dam is safe.", "Critics"),
    ("denied", "The bridge is not open to cars in winter.", "The bridge is open to cars in winter.", "not"),
    ("denied", "The bridge is open to cars in winter.", "The bridge is not open to cars in winter.", "not"),
    ("direction_turned", "Sales of bread fell sharply in May.", "Sales of bread rose sharply in May.", "rose"),
    ("quantifier_changed", "All farmers in the valley grow wine.", "Some farmers in the valley grow wine.", "some"),
    ("quantifier_changed", "Farmers in the valley grow red wine.", "Most farmers in the valley grow red wine.", "most"),
    ("quantifier_changed", "Most of the farmers grow wine.", "No farmers grow wine.", "no"),
    ("only_added", "Copper is the only metal used for this.", "Copper is a metal used for this.", "only"),
    ("bound_turned", "The trip takes at least 3 hours.", "The trip takes at most 3 hours.", "at most"),
    ("exactly", "The tower is exactly 80 metres tall.", "The tower is about 80 metres tall.", "about"),
    ("superlative_added", "It is the largest lake in Asia.", "It is one of the largest lakes in Asia.", "one of"),
    ("superlative_added", "It is the tallest tower in the city.", "It is a tall tower in the city.", "tallest"),
    ("superlative_added", "It is the largest port on the coast.", "It is a large port on the coast.", "largest"),
    ("superlative_added", "It is the biggest port on the coast.", "It is a big port on the coast.", "biggest"),
    ("hedge_dropped", "The plant opens in Graz next year.", "The plant may open in Graz next year.", "may"),
    ("scope_widened", "The rule is followed worldwide.", "The rule is followed in Bavaria.", "worldwide"),
    ("part_added", "The lake is 41 m deep, a depth never measured again.", "The lake is 41 m deep.", "measured"),
    ("part_added", "The lake is 41 m deep in every season.", "The lake is 41 m deep.", "every"),
    (
        "facts_merged",
        "The old mill stands by the river and was painted by Turner in 1811.",
        "The old mill stands by the river. The stone bridge was painted by Turner in 1811.",
        "stone bridge",
    ),
]  # fmt: skip
RENAMED = {"exactly": "exactness_changed"}

LET_PASS = [
    ("The dam is safe for walkers and riders.", "The dam is not only safe for walkers but also for riders."),
    ("The tower is 80 metres tall.", "The tower is 80 metres tall."),
    ("Moreau designed the tower in Ulm.", TOWER),
    ("The USA joined the treaty in 1990.", "The United States of America joined the treaty in 1990."),
    ("Chelsea was beaten by Arsenal in the final.", "Arsenal beat Chelsea in the final."),
    ("Additionally, the dam is safe.", "The dam is safe."),
    ("In fact, studies have shown the dam is safe.", "The dam is safe."),
    ("According to NASA, the probe landed in May.", "NASA says that the probe landed in May."),
    ("Some farmers grow wine.", "Some farmers in the valley grow wine."),
    ("The plant may open next year.", "The plant may open in Graz next year."),
    ("It is one of the largest lakes in Asia.", "It is one of the largest lakes in Asia."),
    ("The bridge is closed in winter.", "The bridge is closed in winter and open in summer."),
    ("Not only cars but also trucks may use the bridge.", "Not only cars but also trucks may use the bridge."),
    ("The academic year 2018–19 began in May.", "The academic year 2018-2019 began in May."),
    ("The mill stands by a river and it was painted red.", "The mill stands by a river. It was painted red."),
    ("Die Brücke ist im Winter offen.", "Die Brücke ist im Winter offen."),
    ("富士山の標高は3776メートルです。", "富士山の標高は3776メートルで、日本で最も高い山です。"),
]  # fmt: skip


@pytest.mark.parametrize(("finder", "claim", "source", "reason"), SEEN)
def test_a_difference_is_seen_and_named(finder: str, claim: str, source: str, reason: str) -> None:
    found = FINDERS[RENAMED.get(finder, finder)](compare(claim, source, source, "en"))

    assert found is not None
    assert reason.lower() in found.reason.lower()


@pytest.mark.parametrize(("claim", "source"), LET_PASS)
def test_the_same_thing_in_the_same_or_other_words_differs_in_nothing(claim: str, source: str) -> None:
    assert {name: d.reason for name, d in differences(compare(claim, source, source, "en")).items() if d.hard} == {}


@pytest.mark.parametrize(
    ("claim", "source", "said"),
    [
        ("The method is inefficient.", "The method is efficient.", "efficient"),
        ("The method is efficient.", "The method is inefficient.", "inefficient"),
        ("It is the shortest tower in town.", "It is the tallest tower in town.", "tallest"),
        ("She sold the house in May.", "She bought the house in May.", "bought"),
    ],
)
def test_the_opposite_of_a_word_is_seen(claim: str, source: str, said: str) -> None:
    known = {"short": frozenset({"tall"}), "tall": frozenset({"short"}), "sold": frozenset({"bought"})}

    found = opposite_word(compare(claim, source, source, "en"), known)

    assert found is not None
    assert said in found.reason


def test_a_word_that_the_source_also_uses_is_no_opposite() -> None:
    source = "The tower is tall beside the short mast."

    assert opposite_word(compare("The mast is short.", source, source, "en"), {"short": frozenset({"tall"})}) is None


@given(st.text(max_size=200), st.text(max_size=300))
def test_any_two_texts_can_be_compared(claim: str, source: str) -> None:
    for found in differences(compare(claim, source, source, "en")).values():
        assert found.reason


@settings(deadline=None)
@given(st.text(min_size=1, max_size=200))
def test_a_copy_never_differs_by_its_places(text: str) -> None:
    compared = compare(text, text, text, "en")

    assert compared.places == ()
    assert compared.added == ()

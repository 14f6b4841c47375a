"""Edits that make true claims false: seeded, of every kind, and counted right."""

from __future__ import annotations

import pytest
from tests.fakes.support import FakeSupport

from answerable.evals.edits import (
    KINDS,
    Pair,
    edited_as,
    edits_of,
    floors_broken,
    measure_edits,
    pairs_of,
    table_of,
)
from answerable.providers.support.learned import LearnedSupport
from answerable.text.passages import page_id_of
from answerable.types import Citation, Page, Passage, Sentence, Turn

TEXTS = [
    "The lighthouse at Harrow Point is 41 metres tall and was lit on 3 May 1863. The old mill is run by Tom Keller.",
    "Most of the ferries from Gull Island are slower in winter. The new quay was opened by Mayor Ida Falk in 1998.",
    "All of the larger boats in the bay weigh about 12 tonnes. The harbour has 4 cranes from Hamburg.",
]


def pairs() -> list[Pair]:
    found = []
    for text in TEXTS:
        page_id = page_id_of("https://a.example/", text)
        passage = Passage(f"{page_id}-0", page_id, 0, len(text), text)
        found += [Pair(sentence.rstrip(".") + ".", passage) for sentence in text.split(". ")]
    return found


def test_the_same_seed_makes_the_same_edits_and_another_seed_others() -> None:
    assert edits_of(pairs(), seed=3) == edits_of(pairs(), seed=3)
    assert edits_of(pairs(), seed=3) != edits_of(pairs(), seed=4)


def test_every_kind_of_edit_is_made_and_none_leaves_the_claim_or_copies_the_passage() -> None:
    found = edits_of(pairs())

    assert {edit.kind for edit in found} == set(KINDS)
    assert [e for e in found if e.claim == e.original or e.claim in e.passage.text] == []


def test_a_kind_has_no_more_edits_than_asked_for() -> None:
    found = edits_of(pairs(), per_kind=1)

    assert len(found) == len({edit.kind for edit in found})


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "number"])
def test_edits_of_english_words_leave_other_languages_alone(kind: str) -> None:
    import random

    text = "Der Leuchtturm von Harrow Point ist nicht 41 Meter hoch und wurde 1863 gebaut."
    pair = Pair(text, Passage("p", "p", 0, len(text), text))

    assert edited_as(kind, pair, [pair], random.Random(1)) == ""


async def test_flips_and_false_flips_are_counted_apart() -> None:
    blind = await measure_edits(pairs(), FakeSupport())
    severe = await measure_edits(pairs(), FakeSupport("unsupported"))

    assert (blind["flip_rate"], blind["false_flips"]) == (0.0, 0.0)
    assert (severe["flip_rate"], severe["false_flips"]) == (1.0, 1.0)
    assert len(blind["missed"]) == blind["n"] == sum(kind["n"] for kind in blind["by_kind"].values())
    assert any("flip" in line for line in table_of(blind))


async def test_the_checker_sees_nearly_all_edits_of_sentences_it_passes() -> None:
    report = await measure_edits(pairs(), LearnedSupport())

    assert report["false_flips"] == 0.0
    assert report["flip_rate"] >= 0.8


def test_the_sentences_of_a_turn_come_with_the_passage_of_their_quote_and_without_markers() -> None:
    page = Page("p", "https://a.example/", "A", "a.example", TEXTS[0])
    cited = Citation(
        1, "p", page.url, "A", "a.example", None, 0, TEXTS[0][:40], 0, 40, "supported", "", "page", page.url
    )
    sentences = (
        Sentence(0, "The lighthouse is tall [1].", 0, 27, (1,), "supported"),
        Sentence(1, "Nothing is known.", 28, 45, (), None),
    )
    turn = Turn("r", "c", "t", 1, "?", None, sentences=sentences, citations=(cited,))  # type: ignore[arg-type]

    (pair,) = pairs_of(turn, [page])

    assert pair.claim == "The lighthouse is tall."
    assert pair.passage.page_id == "p"


async def test_the_pinned_floors_hold_each_figure_and_each_kind() -> None:
    blind = await measure_edits(pairs(), FakeSupport())
    good = {
        "n": 300, "flip_rate": 0.8, "false_flips": 0.05, "by_kind": {kind: {"flip_rate": 0.5} for kind in KINDS}
    }  # fmt: skip

    assert floors_broken(good) == []
    assert len(floors_broken(blind)) == 1 + len(KINDS) + 1, "the rate, each kind, and too few of them"
    assert floors_broken(good | {"false_flips": 0.06}) == ["edits: false_flips is 0.06, pinned at 0.05"]
    assert floors_broken(good | {"by_kind": good["by_kind"] | {"unit": {"flip_rate": 0.49}}}) == [  # type: ignore[operator]
        "edits: flip_rate of unit is 0.49, pinned at 0.5"
    ]

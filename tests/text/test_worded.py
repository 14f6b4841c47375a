"""Reasons that know what they say: equal to their English, whole after a copy, and with words in every language."""

from __future__ import annotations

import copy
import inspect
import pickle

from answerable.text import worded
from answerable.text.similarity import best_match, read_claim
from answerable.text.worded import Worded, coded, differs, lacks


def test_a_reason_is_its_english_with_a_code_and_what_fills_it() -> None:
    assert lacks("330") == "the source does not say 330"
    assert differs("324", "330", quoted=True) == "the source says “324”, the claim says “330”"
    assert coded(differs("324", "330")) == ("differs", ("324", "330"))
    assert coded("somebody's own words") == ("", ())


def test_copies_keep_the_code() -> None:
    for whole in (copy.deepcopy(lacks("330")), pickle.loads(pickle.dumps(lacks("330")))):
        assert (whole, coded(whole)) == ("the source does not say 330", ("lacks", ("330",)))


def test_what_a_comparison_finds_can_be_said_in_other_words() -> None:
    found = best_match(read_claim("The tower is 300 metres tall."), "The tower is 330 metres tall.")

    assert found.reason == "the source says 330 metres, the claim says 300 metres"
    assert coded(found.reason) == ("differs", ("330 metres", "300 metres"))


def all_reasons() -> dict[str, Worded]:
    made = {name: one for name, one in vars(worded).items() if isinstance(one, Worded)}
    for name, make in inspect.getmembers(worded, inspect.isfunction):
        if make.__module__ == worded.__name__ and name != "coded":
            blanks = [p for p in inspect.signature(make).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
            made[name] = make(*("x" for _ in blanks))
    return made


def test_every_reason_has_a_code() -> None:
    assert len(all_reasons()) > 15
    assert all(coded(one)[0] for one in all_reasons().values())

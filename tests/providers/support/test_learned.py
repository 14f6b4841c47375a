"""The learned support checker: what outweighs its score, what it hands to the lexical one, and damaged files."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest

from answerable.config import load_settings
from answerable.providers import local_models
from answerable.providers.local_models import MODELS, BrokenModel
from answerable.providers.support import learned as module
from answerable.providers.support.learned import HARD, LearnedSupport, on_scale
from answerable.types import Passage
from answerable.wiring import support_checker

TEXT = (
    "The harbour of Port Wennick is old. The lighthouse at Harrow Point was built by Anna Voss and first lit in 1863. "
    "It is not open to visitors in winter. Some of its lamps may be replaced next year."
)


def passage(text: str = TEXT, page: str = "a", **more: str) -> Passage:
    return Passage(f"{page}-0", page, 0, len(text), text, (), "prose", **more)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("The lighthouse at Harrow Point was built by Anna Voss and first lit in 1865.", "1865"),
        ("The lighthouse at Harrow Point was built by Tom Keller and first lit in 1863.", "Anna Voss"),
        ("It is open to visitors in winter.", "not"),
        ("All of its lamps may be replaced next year.", "Some"),
        ("Some of its lamps will be replaced next year.", "may"),
    ],
)
async def test_a_hard_difference_is_never_supported_and_is_named(claim: str, reason: str) -> None:
    found = await LearnedSupport(strict=0.31, lenient=0.0).check(claim, [passage()])

    assert found.verdict != "supported"
    assert found.score <= HARD
    assert reason in found.reason


async def test_the_same_sentence_is_supported_in_its_own_and_in_other_words() -> None:
    checker = LearnedSupport()

    copied = await checker.check("The lighthouse at Harrow Point was built by Anna Voss.", [passage()])
    reworded = await checker.check("Anna Voss built the Harrow Point lighthouse, which was lit in 1863.", [passage()])

    assert (copied.verdict, reworded.verdict) == ("supported", "supported")


async def test_a_claim_that_says_more_than_its_source_is_partly_supported_and_the_addition_is_named() -> None:
    found = await LearnedSupport().check(
        "The lighthouse at Harrow Point was built by Anna Voss and first lit in 1863, as marble palaces are.",
        [passage()],
    )

    assert found.verdict == "partly"
    assert "marble palaces" in found.reason
    assert [quote.page_id for quote in found.quotes] == ["a"]


async def test_the_thresholds_are_those_that_are_set() -> None:
    claim = "Anna Voss put up the beacon of Harrow Point."
    chance = (await LearnedSupport().check(claim, [passage()])).score

    passed = await LearnedSupport(strict=chance - 0.01, lenient=0.0).check(claim, [passage()])
    partly = await LearnedSupport(strict=chance + 0.01, lenient=chance - 0.01).check(claim, [passage()])
    refused = await LearnedSupport(strict=chance + 0.02, lenient=chance + 0.01).check(claim, [passage()])

    assert (passed.verdict, partly.verdict, refused.verdict) == ("supported", "partly", "unsupported")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Der Leuchtturm ist 41 Meter hoch.", "Der Leuchtturm ist 41 Meter hoch und weiß."),
        ("富士山の標高は3776メートルです。", "富士山の標高は3776メートルで、日本で最も高い山です。"),
        ("Tin – Melting point (°C): 232", "| Metal | Melting point (°C) |\n| Tin | 232 |"),
        ("Python 3.12 – Security fixes until: October 2028.", "| Python | Until |\n| Python 3.12 | October 2028 |"),
    ],
)
async def test_other_languages_and_table_rows_are_not_judged_by_what_was_learned_from_english(
    claim: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "weights", lambda models: pytest.fail("asked the learned score"))

    found = await LearnedSupport().check(claim, [passage(text, context="Melting point Security fixes until")])

    assert found.verdict == "supported"


@pytest.mark.parametrize("number", ["1. ", "4) ", "• ", "- "])
async def test_the_number_of_a_list_item_is_no_number_of_the_claim(number: str) -> None:
    found = await LearnedSupport().check(f"{number}The harbour of Port Wennick is old.", [passage()])

    assert found.verdict == "supported"


def test_a_lexical_score_keeps_its_order_and_its_verdict_on_the_scale_of_chances() -> None:
    scores = [on_scale(k / 100, 0.5, 0.35) for k in range(101)]

    assert scores == sorted(scores)
    assert [on_scale(score, 0.5, 0.35) for score in (0.0, 0.5, 0.68, 1.0)] == [0.0, 0.35, 0.5, 1.0]


@pytest.mark.parametrize("name", ["weights.json", "words.json.gz"])
async def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    shutil.copytree(MODELS, tmp_path / "models")
    (tmp_path / "models" / "support" / name).write_bytes(b"{")

    with pytest.raises(BrokenModel, match=name.split(".")[0]):
        await LearnedSupport(models=tmp_path / "models").ready()


async def test_without_its_files_claims_are_checked_by_their_words_and_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        module.LearnedSupport.__init__, "__kwdefaults__", {"strict": 0.5, "lenient": 0.3, "models": tmp_path}
    )

    with caplog.at_level(logging.WARNING):
        checker = await support_checker(load_settings(environ={}))

    assert type(checker).__name__ == "LexicalSupport"
    assert "by their words alone" in caplog.text
    assert local_models.MODELS == MODELS

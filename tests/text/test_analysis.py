"""Words in any script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.analysis import content_words, fold, identifiers, index_tokens, stems, tokens

PAIRS = json.loads((Path(__file__).parents[1] / "data/cases/languages/lang-case-folding.json").read_text("utf-8"))[
    "pairs"
]


@pytest.mark.parametrize(("one", "other"), PAIRS[:4])
def test_spellings_that_differ_in_case_only_are_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), PAIRS[4:])
def test_spellings_of_which_nobody_is_sure_do_not_raise(one: str, other: str) -> None:
    assert isinstance(fold(one) == fold(other), bool)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text)

    assert fold(once) == once


@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert all(tokens(text))
    assert len(stems(text)) == len(tokens(text))
    parts = [term for token in tokens(text) for term in index_tokens(token)]
    assert index_tokens(text) == [*parts, *identifiers(fold(text))]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("“It’s” — 4\u00a0% of 9–3", '"it\'s" - 4 % of 9-3'),
        ("１９３１年 ＪＲ", "1931年 jr"),
        ("١٢٣ १२३", "123 123"),
        ("10² km²", "10^2 km^2"),
        ("2½", "2 1/2"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("İstanbul", "istanbul"),
    ],
)
def test_typography_is_made_plain(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Eiffel Tower, 1,500 m.", ["the", "eiffel", "tower", "1500", "m"]),
        ("330m of C++ and C#", ["330", "m", "of", "c++", "and", "c#"]),
        ("海鳴橋は1931年", ["海鳴", "鳴橋", "橋は", "1931", "年"]),
        ("서울은 수도", ["서울", "울은", "수도"]),
        ("ในปี", ["ใน", "นปี"]),
        ("प्रधानमंत्री ने", ["प्रधानमंत्री", "ने"]),
        ("L’école d’été", ["l'école", "d'été"]),
        ("", []),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert tokens(text) == words


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("The tower is in the city", "en", ["tower", "city"]),
        ("Der Turm ist in der Stadt", "de", ["turm", "stadt"]),
        ("L'école est dans la ville", "fr", ["école", "ville"]),
        ("塔の高さは", "ja", ["塔", "高"]),
    ],
)
def test_content_words_leave_out_grammar(text: str, language: str, words: list[str]) -> None:
    assert content_words(text, language) == words


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [("en", "repaired repairs", "repairing repair"), ("de", "Häuser", "Hauses"), ("ru", "башни", "башню")],
)
def test_forms_of_a_word_share_a_stem(language: str, one: str, other: str) -> None:
    assert set(stems(one, language)) == set(stems(other, language))


def test_index_terms_do_not_care_for_accents() -> None:
    assert index_tokens("Zürich cafés") == index_tokens("Zurich cafes")

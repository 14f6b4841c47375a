"""The language of a text is guessed from its script, its words and its letters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.languages import detect

CHINESE = json.loads(
    (Path(__file__).parents[1] / "data/cases/languages/lang-traditional-chinese.json").read_text("utf-8")
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How tall is the Eiffel Tower?", "en"),
        ("Wann öffnet das Rathaus in Seeblick?", "de"),
        ("Quelle est la hauteur de la tour Eiffel ?", "fr"),
        ("¿Cuánto mide la torre Eiffel?", "es"),
        ("Quanto è alta la torre di Pisa?", "it"),
        ("Qual é a altura da torre?", "pt"),
        ("Hoe hoog is de toren van Utrecht?", "nl"),
        ("Jak wysoka jest wieża?", "pl"),
        ("Kule ne kadar yüksek?", "tr"),
        ("Какая высота Эйфелевой башни?", "ru"),
        ("Яка висота Ейфелевої вежі?", "uk"),
        ("海鳴登山鉄道の始発は何時ですか", "ja"),
        ("Sylva 隧道有多长？", "zh"),
        ("에펠탑의 높이는?", "ko"),
        ("ما هو ارتفاع برج إيفل؟", "ar"),
        ("ارتفاع برج ایفل چقدر است؟", "fa"),
        ("एफिल टॉवर कितना ऊँचा है?", "hi"),
        ("Πόσο ψηλός είναι ο πύργος;", "el"),
        ("מה גובה מגדל אייפל?", "he"),
        ("หอไอเฟลสูงเท่าไร", "th"),
        ("Berlin", "en"),
        ("", "en"),
        ("42 ?!", "en"),
    ],
)
def test_language_of_a_question(text: str, language: str) -> None:
    assert detect(text) == language


def test_traditional_simplified_and_japanese_are_told_apart() -> None:
    assert [detect(item["question"]) for item in CHINESE["items"]] == ["zh-Hant", "zh", "ja"]


def test_a_foreign_name_makes_no_foreign_question() -> None:
    assert detect("Who painted Las Meninas and where is the original?") == "en"


@given(st.text())
def test_every_text_has_a_language(text: str) -> None:
    assert detect(text)

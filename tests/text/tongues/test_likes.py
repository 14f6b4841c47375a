"""What a text says of a question's word in other forms."""

from __future__ import annotations

import pytest

from answerable.text.analysis import stem, stems
from answerable.text.tongues.likes import matters_of, of_another_measure, said, singly, spelled_out
from answerable.text.tongues.nouns import ADMISSION, ARTICLES, GENERAL, THINGS
from answerable.text.tongues.things import things_of
from answerable.text.tongues.words import MATTERS

LANGUAGES = {"en", "de", "fr", "es", "it", "pt", "nl", "ru", "hi"}


def held(asked: str, language: str, text: str, tongue: str = "") -> float:
    return said(stem(asked, language), language, frozenset(stems(text, language)), tongue)


@pytest.mark.parametrize(
    ("language", "asked", "text"),
    [
        ("de", "zahlt", "Der Eintritt beträgt 7 Euro"),
        ("de", "offen", "Öffnungszeiten: 9 bis 12 Uhr"),
        ("fr", "coûte", "Tarif réduit : 3 €"),
        ("es", "llama", "Su nombre viene del río"),
        ("it", "apre", "Orario: 9-12"),
        ("pt", "custa", "Preço por pessoa"),
        ("nl", "kost", "De toegangsprijs is laag"),
        ("ru", "стоит", "Цена билета"),
        ("hi", "कीमत", "प्रवेश शुल्क"),
    ],
)
def test_a_like_word_stands_for_the_word_asked(language: str, asked: str, text: str) -> None:
    assert held(asked, language, text) == 1


def test_a_compound_holds_its_head_and_the_head_a_part_of_the_compound() -> None:
    assert held("brücke", "de", "die Wehrbrücke") > held("wehrbrücke", "de", "die Brücke") > 0
    assert held("wehrbrücke", "de", "der Turm") == 0


def test_another_language_is_matched_by_like_words_and_names_in_its_script() -> None:
    assert held("museum", "de", "Музей открыт", "ru") == 1
    assert held("werchneozjorsk", "de", "в городе Верхнеозёрске", "ru") == 0  # spelt by other rules
    assert held("балалайки", "ru", "214 balalaikas", "en") == 1


def test_a_question_in_english_is_left_as_it_is() -> None:
    assert held("cost", "en", "price", "en") == 0
    assert held("cost", "en", "Eintritt", "de") == 0
    assert spelled_out("Is it closed?", "en") == "Is it closed?"
    assert things_of("What does the sauna cost?", "en") == frozenset()


def test_what_is_asked_by_the_build_of_the_question_gets_a_word() -> None:
    assert spelled_out("Wann hat der Laden auf?", "de") == "Wann hat der Laden auf? öffnet"
    assert "gesperrt" in spelled_out("Warum darf man nicht auf den Turm?", "de")
    assert spelled_out("Wer kommt auf den Turm?", "de") == "Wer kommt auf den Turm?"


def test_a_height_is_no_depth() -> None:
    assert of_another_measure("Wie tief ist das Becken?", "Ein Brett in 5 Metern Höhe.", "de")
    assert not of_another_measure("Wie tief ist das Becken?", "Es ist 4 Meter tief, das Brett 5 Meter hoch.", "de")
    assert not of_another_measure("Wie tief ist das Becken?", "Es misst 4 Meter.", "de")


def test_two_words_for_one_matter_count_once() -> None:
    asked = [stem(word, "de") for word in ("eintritt", "zahlt", "turm")]

    assert singly(asked, "de") == [asked[0], asked[2]]


def test_the_things_of_a_question_are_its_nouns_but_not_what_is_asked_of_them() -> None:
    assert things_of("Was kostet der Eintritt in die Sauna?", "de") == {stem("sauna", "de")}
    assert things_of("Combien coûte le sauna à Orlac ?", "fr") >= {stem("sauna", "fr"), stem("orlac", "fr")}
    assert things_of("धरमपुर का पुल कितना लंबा है?", "hi") == {stem("पुल", "hi")}


@pytest.mark.parametrize("matter", [*MATTERS, *THINGS])
def test_each_matter_has_words_in_all_nine_languages(matter: str) -> None:
    assert set({**MATTERS, **THINGS}[matter]) == LANGUAGES


def test_each_word_of_a_list_is_known_by_its_stem() -> None:
    for matter, languages in MATTERS.items():
        for language, words in languages.items():
            assert all(matter in matters_of(stem(word, language), language) for word in words.split())


def test_no_other_list_speaks_of_a_language_that_has_no_matters() -> None:
    assert set(ADMISSION) | set(ARTICLES) | set(GENERAL) <= LANGUAGES - {"en"}

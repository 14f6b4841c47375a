"""What the engine says, in the reader's language: by codes and what fills them, else in its own English, marked."""

from __future__ import annotations

import pytest
from tests.text.test_worded import all_reasons

from answerable.text.worded import Worded, coded, lacks
from answerable.types import Note, Sentence, TurnError
from answerable.web.telling import Told, fault, note, reason, web_status
from answerable.web.words import words_of

GERMAN, HINDI, ENGLISH = words_of("de"), words_of("hi"), words_of("en")
WHY = {"denied_by", "unheard_of", "UNFORESEEN", "FAR", "NO_WORDS"}  # reasons against an answer, not of a verdict


@pytest.mark.parametrize("words", [GERMAN, HINDI], ids=["de", "hi"])
def test_every_reason_has_words(words: object) -> None:
    for name, one in all_reasons().items():
        key = f"{'why' if name in WHY else 'reason'}_{coded(one)[0]}"
        assert key in words.known, key  # type: ignore[attr-defined]


def sentence(said: str) -> Sentence:
    return Sentence(0, "It is 300 m.", 0, 12, (), "unsupported", said, 0, *coded(said))


def test_a_reason_is_said_in_the_reader_s_language_with_what_fills_it() -> None:
    assert reason(sentence(lacks("300 m")), GERMAN) == Told("die Quelle sagt nicht: 300 m")
    assert reason(sentence(lacks("300 m")), ENGLISH) == Told("the source does not say 300 m")
    assert reason(sentence("a judge's own words"), GERMAN) == Told("a judge's own words", "en")
    assert reason(sentence(lacks("{b} {0}")), HINDI).text.endswith("{b} {0}")
    assert reason(sentence(Worded("of a later version", "differs", ("one",))), GERMAN) == Told(
        "of a later version", "en"
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (Note("page_skipped", "x", "https://a.example/", "timeout"), "https://a.example/: zu langsam"),
        (Note("provider_failed", "x", "tavily", "bad_key"), "tavily: der Schlüssel wurde abgelehnt"),
        (Note("why_not", "x", "Quux", "unheard"), "Keine Quelle spricht von: Quux"),
        (Note("searched", "x", "tower; height"), "Gesucht nach: tower; height"),
        (Note("outside_domains", "x"), "Was gefunden wurde, liegt außerhalb der gewählten Websites."),
    ],
)  # fmt: skip
def test_a_note_is_said_by_its_code(given: Note, told: str) -> None:
    assert note(given, GERMAN) == Told(told)
    assert note(given, ENGLISH) == Told("x")


def test_a_focus_that_nobody_serves_is_named_in_the_reader_s_language() -> None:
    assert note(Note("focus_unserved", "x", "news"), GERMAN).text.startswith("Für „Nachrichten“ ist kein Suchanbieter")


def test_a_note_of_an_older_record_stays_as_it_was_told() -> None:
    assert note(Note("page_skipped", "https://a.example/: timeout"), GERMAN) == Told(
        "https://a.example/: timeout", "en"
    )
    assert note(Note("of_tomorrow", "What is new"), GERMAN) == Told("What is new", "en")


def test_a_fault_and_a_web_that_cannot_be_searched_are_said_by_their_code() -> None:
    failure = TurnError("model_failed", "It stopped.", "writing", True, "Try again.")
    assert fault(failure, ENGLISH) == Told("It stopped. Try again.")
    assert fault(failure, GERMAN).text.startswith("Das Modell antwortet nicht mehr.")
    status = Worded("No web search is set up. Only your own pages are searched.", "web_none instead_own")
    assert web_status(status, GERMAN) == Told(
        "Es ist keine Websuche eingerichtet. Nur Ihre eigenen Seiten werden durchsucht."
    )
    assert web_status(status, ENGLISH) == Told(str(status))
    assert web_status("Something else", GERMAN) == Told("Something else", "en")
    assert web_status(None, GERMAN) is None

"""The engine's own lines: there in every language, and never taken for a claim."""

from __future__ import annotations

import pytest

from answerable.text.claims import states_fact
from answerable.text.phrases import phrase

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ja", "hi", "ar")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_of_ours_states_no_fact(language: str) -> None:
    assert not states_fact(phrase("sources_differ", language))
    assert not states_fact(phrase("from_sources", language))


def test_every_language_has_its_own() -> None:
    assert len({phrase("from_sources", language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_greeting_gets_also_fits_thanks(language: str) -> None:
    greetings = ("hello", "hallo", "bonjour", "hola", "ciao", "olá", "здравств", "您好", "こんにちは", "नमस्ते", "مرحب")
    assert not any(word in phrase("chat", language).casefold() for word in greetings)


@pytest.mark.parametrize(("language", "like"), [("pt-BR", "pt"), ("zh-Hant", "zh"), ("xx", "en")])
def test_a_tag_falls_back_to_what_we_have(language: str, like: str) -> None:
    assert phrase("sources_differ", language) == phrase("sources_differ", like)

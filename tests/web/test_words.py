"""The page's words: complete in every language, and chosen by the reader."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.fakes.engine import FakeEngine

from answerable.web.app import create_app
from answerable.web.words import FOLDER, LANGUAGES, wished, words_of

ENGLISH = json.loads((FOLDER / "en.json").read_text("utf-8"))
SAME = {
    "api",
    "part_reranker",
    "decimal",
    "note_page_skipped",
    "note_provider_failed",
    "token",
    "day",
    "hero_after",
    "focus_web",
    "seconds",
    "milliseconds",
}  # may be spelt alike
TEMPLATES = FOLDER.parents[1] / "templates"


def read(language: str) -> dict[str, Any]:
    words: dict[str, Any] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return words


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word_with_the_same_blanks(language: str) -> None:
    words = read(language)

    assert list(words) == list(ENGLISH)
    for key, word in words.items():
        forms = [word] if isinstance(word, str) else [word[form] for form in ("one", "other")]
        english = ENGLISH[key] if isinstance(ENGLISH[key], str) else ENGLISH[key]["other"]
        assert all(form.strip() and fields(form) == fields(english) for form in forms), key
    assert len(words["months"].split()) == 12


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_word_was_left_in_english(language: str) -> None:
    assert {key for key, word in read(language).items() if word == ENGLISH[key]} <= SAME


def test_templates_hold_no_words_of_their_own() -> None:
    """Names and signs apart, what a reader sees or hears comes from the files of words."""
    left = {}
    for path in sorted(TEMPLATES.glob("*.html")):
        text = re.sub(r"\{% block body_class %\}.*?\{% endblock %\}", " ", path.read_text("utf-8"))
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(pre|script)\b.*?</\1>", " ", text, flags=re.S)
        told = re.findall(r'\b(?:aria-label|placeholder|title|alt)="([^"]*[A-Za-z]{2}[^"]*)"', text)
        told += re.findall(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>", " ", text))
        if extra := set(told) - {"Answerable", "Esc"}:
            left[path.name] = extra

    assert left == {}


@pytest.mark.parametrize("path", sorted(FOLDER.parent.glob("*.js")), ids=lambda path: path.name)
def test_scripts_hold_no_words_of_their_own(path: Path) -> None:
    code = re.sub(r"//[^\n]*|/\*.*?\*/|throw new Error\(.*?\);", "", path.read_text("utf-8"), flags=re.S)
    texts = [found[2] for found in re.finditer(r"([\"`])((?:(?!\1)[^\n])*)\1", code)]

    assert [text for text in texts if re.match(r"[A-Z][a-z]+ [a-z]+", text)] == []


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-CH, en;q=0.5", "de"),
        ("fr, hi;q=0.8, de;q=0.9", "de"),
        ("fr-FR, it", "en"),
        ("hi-IN", "hi"),
        ("de;q=0, hi;q=0.1", "hi"),
        ("*, ;;q=x, de;q=1.1.1, \x00", "en"),
    ],
)
def test_the_browser_s_wish_is_followed(header: str, language: str) -> None:
    assert wished(header) == language


def test_numbers_and_days_follow_the_language() -> None:
    day = datetime(2026, 3, 1, 9, 5, tzinfo=UTC)

    assert [words_of(one)("pages_read", n=1) for one in LANGUAGES] == ["1 page read", "1 Seite gelesen", "1 पृष्ठ पढ़ा"]
    assert words_of("en")("pages_read", n=2) == "2 pages read"
    assert words_of("en")("pages_read", n=0) == "0 pages read"
    assert [words_of(one).when(day) for one in LANGUAGES] == ["1 March 2026", "1. März 2026", "1 मार्च 2026"]
    assert words_of("de").when(day, time=True) == "1. März 2026, 09:05 UTC"


def test_a_chosen_language_is_remembered_and_leads_back_to_the_same_page() -> None:
    with TestClient(create_app(FakeEngine()), base_url="http://localhost") as client:
        assert '<html lang="de"' in client.get("/", headers={"accept-language": "de"}).text
        answer = client.post(
            "/language", data={"to": "hi"}, headers={"referer": "http://localhost/docs"}, follow_redirects=False
        )
        page = client.get("/", headers={"accept-language": "de"})

    assert (answer.status_code, answer.headers["location"]) == (303, "/docs")
    assert '<html lang="hi"' in page.text
    assert "आप क्या जानना चाहते हैं?" in page.text


def test_an_unknown_language_changes_nothing() -> None:
    with TestClient(create_app(FakeEngine()), base_url="http://localhost") as client:
        answer = client.post("/language", data={"to": "../../etc"}, headers={"referer": "http://evil.example//x"})

    assert "set-cookie" not in answer.headers
    assert '<html lang="en"' in answer.text

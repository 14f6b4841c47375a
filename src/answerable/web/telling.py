"""What the engine says, in the reader's language: by its code and the words that fill it, never by its English."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.schemas import Problem
from answerable.text.worded import coded
from answerable.types import Citation, Note, Sentence, TurnError
from answerable.web.words import Words

_VALUES = "abc"  # the names of what fills a reason


@dataclass(frozen=True, slots=True)
class Told:
    """`lang`: "en" where a page in another language can only say it in English."""

    text: str
    lang: str = ""


def reason(of: Sentence | Citation, words: Words) -> Told:
    return _told(f"reason_{of.reason_code}", of.reason, words, dict(zip(_VALUES, of.reason_values, strict=False)))


def note(of: Note, words: Words) -> Told:
    """Of a known cause only the cause is told; the whole message is in the turn's JSON."""
    if of.code == "why_not":
        return _told(f"why_{of.cause}", of.message, words, {"about": of.about})
    if of.code == "focus_unserved" and f"focus_{of.about}" in words.known:
        return _told("note_focus_unserved", of.message, words, {"about": words(f"focus_{of.about}")})
    cause = next((key for key in (f"cause_{of.cause}", f"search_{of.cause}") if key in words.known), "")
    if of.code in {"page_skipped", "provider_failed"} and not (of.about and cause):
        return _told("", of.message, words, {})
    return _told(f"note_{of.code}", of.message, words, {"about": of.about, "cause": words(cause) if cause else ""})


def fault(of: TurnError | Problem, words: Words) -> Told:
    message = of.message if isinstance(of, TurnError) else of.detail
    return _told(f"problem_{of.code}", " ".join(filter(None, (message, of.hint))), words, {})


def web_status(english: str | None, words: Words) -> Told | None:
    """Its code names what is wrong with the web and what is searched instead, with a space between."""
    if not english:
        return None
    keys = coded(english)[0].split()
    if words.language == "en" or not keys or not all(key in words.known for key in keys):
        return Told(english, "" if words.language == "en" else "en")
    return Told(" ".join(words(key) for key in keys))


def _told(key: str, english: str, words: Words, values: dict[str, str]) -> Told:
    """English says more than its translations: it is kept as it was told."""
    if words.language == "en":
        return Told(english)
    word = words.known.get(key)
    if not isinstance(word, str):
        return Told(english, "en")
    try:
        return Told(word.format(**values))
    except (KeyError, IndexError):  # a record of another version, which fills it otherwise
        return Told(english, "en")

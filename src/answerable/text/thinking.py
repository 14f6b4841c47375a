"""Thinking blocks (`<think>…</think>`) taken out of a model's text while it streams, at any split."""

from __future__ import annotations

import re

_NAMES = ("think", "thinking", "thought", "reasoning")
_OPEN = re.compile(rf"<({'|'.join(_NAMES)})>", re.IGNORECASE)
_LONGEST = max(len(name) for name in _NAMES) + 2


class ThinkingFilter:
    """Feed pieces, show what comes back; `finish()` gives the rest.

    A block that never closes is thinking that was cut, unless text stood before it: then it was a word about tags.
    """

    def __init__(self) -> None:
        self._held = ""
        self._name = ""  # of the block under way
        self._shown = False

    def feed(self, piece: str) -> str:
        self._held += piece
        out = ""
        while self._held:
            step = self._leave() if self._name else self._enter()
            if step is None:
                break
            out += step
        if not self._shown:
            out = out.lstrip()  # models put blank lines between thinking and answer
        self._shown = self._shown or bool(out)
        return out

    def finish(self) -> str:
        rest, self._held = self._held, ""
        if self._name:
            rest = f"<{self._name}>{rest}" if self._shown else ""
            self._name = ""
        return rest if self._shown else rest.lstrip()

    def _enter(self) -> str | None:
        """Text up to the next block, or None when more must arrive."""
        if opening := _OPEN.search(self._held):
            text, self._held = self._held[: opening.start()], self._held[opening.end() :]
            self._name = opening[1]
            return text
        safe = _safe_length(self._held)
        text, self._held = self._held[:safe], self._held[safe:]
        return text or None

    def _leave(self) -> str | None:
        closing = re.search(rf"</{self._name}>", self._held, re.IGNORECASE)
        if closing is None:
            return None
        self._held, self._name = self._held[closing.end() :], ""
        return ""


def without_thinking(text: str) -> str:
    """The whole text at once."""
    thinking = ThinkingFilter()
    return thinking.feed(text) + thinking.finish()


def _safe_length(text: str) -> int:
    """How much of the text cannot be the beginning of an opening tag."""
    at = text.rfind("<", max(0, len(text) - _LONGEST + 1))
    if at < 0:
        return len(text)
    begun = text[at:].lower()
    return at if any(f"<{name}>".startswith(begun) for name in _NAMES) else len(text)

"""What the next plan may know of a turn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerable.text.cleaning import shortened
from answerable.types import Sentence

SUMMARY_CHARS = 300
_NUMBERS = re.compile(r"\[\d+\]")
_MARKUP = re.compile(r"[*_`#|]+")


def summary_of(sentences: Sequence[Sentence]) -> str:
    """The first two sentences that hold, without numbers; 300 characters at most, white space folded."""
    held = [s for s in sentences if s.verdict in ("supported", "partly")] or list(sentences)
    text = " ".join(_MARKUP.sub(" ", _NUMBERS.sub("", sentence.text)) for sentence in held[:2])
    return shortened(text, SUMMARY_CHARS)

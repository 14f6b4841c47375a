"""How well a passage covers the words of a question: the part of relevance that no vector sees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from answerable.text.analysis import content_words, fold, identifiers, index_tokens
from answerable.text.bm25 import K1, B, rarity
from answerable.text.languages import detect

# Added to the rarity of every word. When all texts speak of the thing asked about, its name has no rarity left, yet a
# text without it does not answer. Of 0, .5, 1, 2 and 5, 1 did best on Cranfield and CLAPNQ together.
BASE = 1.0
OPTION = re.compile(r"(?<![\w-])(?:--?|%)([A-Za-z])(?!\w)")  # -C, %Z: letters that mean something
LATIN_LETTER = re.compile("[A-Za-z\u00c0-\u024f]")
LETTER = re.compile(r"[^\W\d_]")


def question_tokens(question: str) -> list[str]:
    """What a question asks about, as index tokens, each once, in order; all its tokens when nothing else is left."""
    words = [*content_words(question, detect(question)), *(letter.lower() for letter in OPTION.findall(question))]
    words += identifiers(fold(question))
    return list(dict.fromkeys(index_tokens(" ".join(words)) or index_tokens(question)))


def coverage(question: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """One share a text, from 0 to below 1: the question's words it holds, rare ones counting more, repeats saturating.

    Rarity and usual length are those of `texts`, as in BM25, but the share is of what a perfect text would hold, so a
    text scores low where all do.
    """
    wanted = question_tokens(question)
    if not wanted or not texts:
        return np.zeros(len(texts))
    held = [Counter(index_tokens(text)) for text in texts]
    counts = np.array([[words[token] for token in wanted] for words in held], np.float64)
    lengths = np.array([words.total() for words in held], np.float64)
    saturation = K1 * (1 - B + B * lengths / max(1.0, lengths.mean()))
    # A word that no text holds counts as if one did: it may be a misspelling or another word for the same thing.
    weights = BASE + rarity(np.maximum((counts > 0).sum(axis=0), 1), len(texts))
    shares: NDArray[np.float64] = counts / (counts + saturation[:, None]) @ (weights / weights.sum())
    return shares


def mostly_latin(text: str) -> bool:
    """Whether at least seven letters of ten are Latin: a small English model can make something of such a text."""
    return len(LATIN_LETTER.findall(text)) >= 0.7 * len(LETTER.findall(text))

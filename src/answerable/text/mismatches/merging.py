"""Two facts run together: what the source says of one thing said of another."""

from __future__ import annotations

import re

from answerable.text.mismatches.reading import Compared, Difference, Reading, Word, read, same_word
from answerable.text.sentences import split_sentences
from answerable.text.worded import of_another

JOINT = re.compile(r",? (?:and|but|which|while|und|et|y|e) |; |(?<=[.!?]) (?=\S)")
LEAST = 3  # content words of a part that is looked at
COPIED = 0.75  # share of the claim that runs like the source, below which "this of another" is too often the same thing
HELD = 0.75  # share of a part's words that the sentence it comes from holds
POINTING = {"it", "he", "she", "they", "this", "these", "that", "its", "his", "her", "their", "we", "who", "which"}


def facts_merged(compared: Compared) -> Difference | None:
    """A later part of the claim comes from a sentence about something else than the claim's own subject."""
    parts = parts_of(compared.claim)
    if len(parts) < 2:
        return None
    subject = [w for w in parts[0] if w.content][:2]
    sentences = [read(compared.near.text[s:e], compared.claim.language) for s, e in split_sentences(compared.near.text)]
    for part in parts[1:]:
        content = [w for w in part if w.content]
        if len(content) < LEAST or not subject:
            continue
        held = max(sentences, key=lambda s: (share(content, s), -len(s.words)), default=None)
        if held is None or share(content, held) < HELD:
            continue
        other = about_another(held, content, compared)
        if other and not any(same_word(w, held.stems) for w in subject):
            return Difference("merged", of_another(other), hard=compared.alike >= COPIED)
    return None


def parts_of(claim: Reading) -> list[list[Word]]:
    cuts = [match.start() for match in JOINT.finditer(claim.text)]
    edges = [0, *cuts, len(claim.text)]
    return [[w for w in claim.words if first <= w.start < last] for first, last in zip(edges, edges[1:], strict=False)]


def share(words: list[Word], sentence: Reading) -> float:
    return sum(same_word(w, sentence.stems) for w in words) / len(words)


def about_another(sentence: Reading, content: list[Word], compared: Compared) -> str | None:
    """The words that open a sentence, when they name something that the claim does not speak of."""
    opening: list[Word] = []
    for word in sentence.words:
        if same_word(word, {w.stem for w in content}) or len(opening) >= 6:
            break
        opening.append(word)
    if not opening or any(w.folded in POINTING for w in opening):
        return None
    told = [w for w in opening if w.content]
    if not told or any(same_word(w, compared.claim.stems) for w in told):
        return None
    return sentence.text[opening[0].start : told[-1].end]

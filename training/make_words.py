"""Make the table of synonyms and opposites that the support checker knows, from WordNet 3.0.

    apt-get download wordnet-base && dpkg -x wordnet-base_*.deb wordnet
    python training/make_words.py wordnet/usr/share/wordnet --out src/answerable/models/support

Kept are single words that the tokenizer of MiniLM holds whole (the common ones), by their stems: synonyms of their
first senses, and direct antonyms. Runs in the project's own environment; seconds.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from pathlib import Path

from answerable.providers.local_models import tokenizer
from answerable.text.analysis import stem

SENSES = 3  # of a word, most frequent first, in which it lends its synonyms
PARTS = ("noun", "verb", "adj", "adv")


def synsets(path: Path) -> dict[str, tuple[list[str], list[tuple[str, int, int]]]]:
    """Offset -> its words, and its antonym pointers (offset, own word, other word; from 1)."""
    found = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("  "):
            continue
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * k].split("(")[0].lower() for k in range(count)]
        at = 4 + 2 * count
        pointers = []
        for k in range(int(fields[at])):
            kind, offset, _, ends = fields[at + 1 + 4 * k : at + 5 + 4 * k]
            if kind == "!":
                pointers.append((offset, int(ends[:2], 16), int(ends[2:], 16)))
        found[fields[0]] = (words, pointers)
    return found


def senses(path: Path) -> dict[str, list[str]]:
    """Word -> offsets of its first senses."""
    found = {}
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            count = int(fields[2])
            found[fields[0]] = fields[-count:][:SENSES]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("wordnet", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    known = tokenizer()

    def common(word: str) -> bool:
        return word.isalpha() and len(word) > 2 and known.token_to_id(word) is not None

    synonyms: dict[str, set[str]] = defaultdict(set)
    opposites: dict[str, set[str]] = defaultdict(set)
    for part in PARTS:
        sets, first = synsets(given.wordnet / f"data.{part}"), senses(given.wordnet / f"index.{part}")
        for offset, (words, pointers) in sets.items():
            used = [w for w in words if common(w) and offset in first.get(w, ())]
            for word in used:
                synonyms[stem(word)] |= {stem(other) for other in used} - {stem(word)}
            for target, own, other in pointers:
                pair = words[own - 1], sets[target][0][other - 1]
                if all(word.isalpha() for word in pair) and any(map(common, pair)):
                    opposites[stem(pair[0])].add(stem(pair[1]))
    for word, others in opposites.items():
        synonyms[word] -= others
    table = {
        "synonyms": {word: " ".join(sorted(others)) for word, others in sorted(synonyms.items()) if others},
        "opposites": {word: " ".join(sorted(others - {word})) for word, others in sorted(opposites.items())},
    }
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / "words.json.gz"
    path.write_bytes(gzip.compress(json.dumps(table, separators=(",", ":")).encode(), mtime=0))
    counts = ", ".join(f"{len(words)} words with {kind}" for kind, words in table.items())
    print(f"{counts}; {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

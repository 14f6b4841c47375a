"""Our extraction beside trafilatura's, on a folder of pages with their true main text.

    python benchmarks/extraction.py DIR [--half tuning|other] [--weights DIR] [--worst N] [--json]

DIR holds `truth.jsonl.gz` (id, url, type, main_text, must_have, must_not_have; title, author, published where known)
and `html/ID.html.gz`. Word F1 is of lower-cased `\\w+` tokens as multisets, a page at a time, an empty extraction being
0; `kept` and `leaked` are the shares of must-have and must-not-have snippets found, pooled. Each page is timed in the
same process by both, one after the other. The halves are drawn for each type of page from a fixed seed
(`half_of` in src/answerable/evals/extraction.py). The package's weights have learned from both: what counts is what
weights fitted on one half (`--weights`) make of the other.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import trafilatura

from answerable.evals.extraction import Found, measure, ours, summary, table_of
from answerable.providers.reading.judging import WEIGHTS, use


@dataclass(frozen=True)
class Weighed:
    """Ours with the weights of another folder than the package's."""

    folder: Path

    def __call__(self, html: str, url: str) -> Found:
        if self.folder not in _USED:
            use(self.folder / WEIGHTS)
            _USED.append(self.folder)
        return ours(html, url)


_USED: list[Path] = []  # in this process


def plain(html: str, url: str) -> Found:
    document = trafilatura.bare_extraction(html, url=url, with_metadata=True)
    text = trafilatura.extract(html, url=url) or ""
    if document is None or isinstance(document, dict):
        return Found(text)
    return Found(text, document.title or "", document.author or "", document.date or "")


def text_alone(html: str, url: str) -> Found:
    """As it is timed: `plain` goes over a page twice, for its metadata."""
    return Found(trafilatura.extract(html, url=url) or "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("tuning", "other"))
    parser.add_argument("--worst", type=int, default=0, help="name the pages where we lose most")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--weights", type=Path, help="a folder that training/fit_extraction.py wrote to")
    options = parser.parse_args()
    own = Weighed(options.weights) if options.weights else ours
    extractors = {"ours": own, "trafilatura": text_alone, "with metadata": plain}
    scores = measure(options.folder, half=options.half, extractors=extractors)
    results = {name: summary(found) for name, found in scores.items()}
    results["trafilatura"]["metadata"] = results.pop("with metadata")["metadata"]
    print(json.dumps(results) if options.json else "\n".join(table_of(results)))
    pairs = sorted(zip(scores["ours"], scores["trafilatura"], strict=True), key=lambda pair: pair[0].f1 - pair[1].f1)
    for own, other in pairs[: options.worst]:
        print(own.id, own.type, f"ours {own.f1:.2f} trafilatura {other.f1:.2f}")


if __name__ == "__main__":
    main()

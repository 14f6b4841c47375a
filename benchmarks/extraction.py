"""Our extraction beside trafilatura's, on a folder of pages with their true main text.

    python benchmarks/extraction.py DIR [--half tuning|other] [--worst N] [--json]

DIR holds `truth.jsonl.gz` (id, url, type, main_text, must_have, must_not_have; title, author, published where known)
and `html/ID.html.gz`. Word F1 is of lower-cased `\\w+` tokens as multisets, a page at a time, an empty extraction being
0; `kept` and `leaked` are the shares of must-have and must-not-have snippets found, pooled. Each page is timed in the
same process by both, one after the other. The halves are drawn for each type of page from a fixed seed
(`half_of` in src/answerable/evals/extraction.py): what is tuned is tuned on the first, what counts is the other.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import trafilatura

from answerable.evals.extraction import Found, measure, ours, summary, table_of


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
    options = parser.parse_args()
    extractors = {"ours": ours, "trafilatura": text_alone, "with metadata": plain}
    scores = measure(options.folder, half=options.half, extractors=extractors)
    results = {name: summary(found) for name, found in scores.items()}
    results["trafilatura"]["metadata"] = results.pop("with metadata")["metadata"]
    print(json.dumps(results) if options.json else "\n".join(table_of(results)))
    pairs = sorted(zip(scores["ours"], scores["trafilatura"], strict=True), key=lambda pair: pair[0].f1 - pair[1].f1)
    for own, other in pairs[: options.worst]:
        print(own.id, own.type, f"ours {own.f1:.2f} trafilatura {other.f1:.2f}")


if __name__ == "__main__":
    main()

"""What the engine finds for the questions of the webs in training/read, for fit_cross_encoder.py to learn from.

    python training/read_webs.py --out read.jsonl.gz

Every question goes the ordinary way through the engine. A line holds it with all sentences and rows of the evidence
that was found, as the cross-encoder is given them, the sections they stand in, and the places of those that are right:
of a gold page, with an expected text. `doubtful` ones have the text and stand elsewhere. Runs in the project's own
environment; some twenty minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

from answerable.answering.candidates import candidates_of
from answerable.answering.selecting import parts_of
from answerable.answering.weighing import reading_text
from fit_choice import Found, found_in, is_right, unpacked

WEBS = Path(__file__).parent / "read"


def row_of(found: Found) -> dict[str, Any] | None:
    """None where the question has several parts, or an answer that was not found."""
    spec, _, _, looked = found
    candidates = candidates_of(looked.evidence, looked.plan.language)
    right = [is_right(c, spec, looked.evidence) for c in candidates]
    if len(parts_of(looked.plan)) > 1 or not candidates or (not spec.get("abstain") and not any(right)):
        return None
    (question, _), *_ = parts_of(looked.plan)
    places = {(c.number, c.above): n for n, c in enumerate(candidates)}
    return {
        "question": question,
        "texts": [reading_text(c) for c in candidates],
        "sections": [places[c.number, c.above] for c in candidates],
        "right": [k for k, told in enumerate(right) if told],
        "doubtful": [k for k, told in enumerate(right) if told is None],
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    with gzip.open(given.out, "wt", encoding="utf-8") as out:
        for packed in sorted(WEBS.glob("*.tar.gz")):
            with unpacked(packed, packed.name.removesuffix(".tar.gz")) as folder:
                rows = [row for found in asyncio.run(found_in(folder)) if (row := row_of(found))]
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            print(f"{packed.name}: {len(rows)} questions", flush=True)


if __name__ == "__main__":
    main()

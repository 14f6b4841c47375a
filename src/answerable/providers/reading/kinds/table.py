"""CSV and TSV: one table, a line a row, the first row its header."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

from answerable.providers.reading.extracted import MAX_CHARS, Extracted, Job
from answerable.providers.reading.kinds.composing import Composer
from answerable.providers.reading.kinds.text import name_of, read_text

_LABELS = (
    "text/csv",
    "application/csv",
    "text/x-csv",
    "text/tab-separated-values",
    "text/tsv",
    "application/vnd.ms-excel",
)
_ADDRESS = re.compile(r"\.(?:csv|tsv|tab)(?:[?#]|$)", re.IGNORECASE)
_PROBE_LINES = 50


def looks_like_table(text: str, job: Job) -> bool:
    """By its label or name, and by its lines: most must have as many fields as the first."""
    label = job.content_type.partition(";")[0].strip().lower()
    named = label in _LABELS or _ADDRESS.search(job.url) is not None
    return named and _separator(text) is not None


def read_table(text: str, job: Job) -> Extracted:
    """Plain commas stay as they are written; any other form becomes `cell | cell`. As text when it is no table."""
    separator = _separator(text)
    if separator is None:
        return read_text(text, job)
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    whole, text = len(text), text[: MAX_CHARS + 1]
    if separator == "," and '"' not in text:
        table = "\n".join(line.rstrip() for line in text.split("\n") if line.strip(", \t"))
    else:
        rows = csv.reader(io.StringIO(text), delimiter=separator)
        lines: list[str] = []
        try:
            for row in rows:
                if any(cell.strip() for cell in row):
                    lines.append(" | ".join(" ".join(cell.split()).replace("|", "¦") or "–" for cell in row))
        except csv.Error:  # a field of more than 131,072 characters: no table for people
            return read_text(text, job)
        table = "\n".join(lines)
    out = Composer()
    out.add("table", table)
    if len(text) < whole:
        out.cut = "size"
    return out.extracted("table", name_of(job.url))


def _separator(text: str) -> str | None:
    """The sign that cuts most lines into equally many fields, two at least; None when there is none."""
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:_PROBE_LINES]
    best: tuple[float, int, str] | None = None
    for place, sign in enumerate(("\t", ";", ",", "|")):
        try:
            counts = Counter(len(row) for row in csv.reader(lines, delimiter=sign) if row)
        except csv.Error:
            continue
        if not counts:
            continue
        fields, times = counts.most_common(1)[0]
        share = times / sum(counts.values())
        if fields >= 2 and share >= 0.6 and (best is None or (share, -place) > (best[0], best[1])):
            best = (share, -place, sign)
    return None if best is None else best[2]

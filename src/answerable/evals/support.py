"""How often a support checker agrees with people: rows of claims with their evidence, read from a file."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import BadRequest
from answerable.protocols import SupportChecker
from answerable.text.passages import page_id_of, passage_id_of
from answerable.types import Passage

Figures = dict[str, Any]
FIGURES = ("macro_f1", "balanced_accuracy", "false_accept", "false_alarm")
RESAMPLES, SEED = 1_000, 0
# Partly supported counts as not supported: a reader takes a marker to stand for the whole claim.
LABELS = {
    "supported": True,
    "supports": True,
    "entailment": True,
    "entailed": True,
    "attributable": True,
    "true": True,
    "yes": True,
    "partially_supported": False,
    "partly_supported": False,
    "partly": False,
    "partial": False,
    "not_supported": False,
    "unsupported": False,
    "refutes": False,
    "refuted": False,
    "not_enough_info": False,
    "contradiction": False,
    "neutral": False,
    "not_entailed": False,
    "not_attributable": False,
    "contradictory": False,
    "extrapolatory": False,
    "false": False,
    "no": False,
}


@dataclass(frozen=True, slots=True)
class Row:
    claim: str
    evidence: tuple[str, ...]  # one text a page
    supported: bool
    set: str


@dataclass(frozen=True, slots=True)
class Judged:
    row: Row
    passed: bool
    ms: float


def read_rows(path: Path) -> list[Row]:
    """Raises BadRequest with the line that is no row."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as fault:
        raise BadRequest(f"{path} cannot be read: {fault}") from None
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                rows.append(row_of(json.loads(line), name))
            except ValueError as fault:  # of JSON too
                raise BadRequest(f"{path}, line {number} is no row of a claim with evidence: {fault}") from None
    if not rows:
        raise BadRequest(f"{path} holds no rows", hint="Give one JSON object a line.")
    return rows


def row_of(given: object, name: str) -> Row:
    """Raises ValueError that says what is wrong with what is no row."""
    if not isinstance(given, Mapping):
        raise ValueError("expected an object with claim, evidence and supported or label")
    claim = given.get("claim")
    if not isinstance(claim, str) or not claim.strip():
        raise ValueError("`claim` is missing, empty or no text")
    return Row(claim, evidence_of(given), label_in(given), str(given.get("set") or name))


def evidence_of(given: Mapping[str, Any]) -> tuple[str, ...]:
    """One text a page: those of `evidence`, or the `evidence_sentences` of one page joined."""
    texts = given.get("evidence")
    key, joined = "evidence", False
    if texts is None:
        texts, key, joined = given.get("evidence_sentences"), "evidence_sentences", True
    if isinstance(texts, str):
        texts = [texts]
    if texts is None:
        raise ValueError("`evidence` (or `evidence_sentences`) is missing")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"`{key}` is no list of texts")
    return ("\n".join(texts),) if joined else tuple(texts)


def label_in(given: Mapping[str, Any]) -> bool:
    for key in ("supported", "label"):
        if given.get(key) is not None:
            return label_of(given[key])
    raise ValueError("`supported` (or `label`) is missing")


def label_of(value: object) -> bool:
    """Raises ValueError for a label that is not known."""
    if isinstance(value, bool):
        return value
    if value in (0, 1):
        return bool(value)
    known = LABELS.get("_".join(str(value).lower().replace("-", " ").replace("_", " ").split()))
    if known is None:
        raise ValueError(f"the label {value!r} is not known; known are true, false, 1, 0, {', '.join(LABELS)}")
    return known


def passages_of(row: Row) -> list[Passage]:
    """Each text of the evidence as one passage of a page of its own."""
    found = []
    for place, text in enumerate(row.evidence):
        url = f"https://evidence.example/{place}"
        page_id = page_id_of(url, text)
        found.append(Passage(passage_id_of(url, text), page_id, 0, len(text), text))
    return found


async def measure(rows: Sequence[Row], checker: SupportChecker) -> Figures:
    """`supported` is predicted where the verdict is `supported`. One claim after the other, as in an answer."""
    judged = []
    for row in rows:
        passages = passages_of(row)
        began = time.perf_counter()
        support = await checker.check(row.claim, passages)
        judged.append(Judged(row, support.verdict == "supported", (time.perf_counter() - began) * 1000))
    return summary(judged)


def summary(judged: Sequence[Judged]) -> Figures:
    """The figures of all rows, then of each set; `…_95` holds the bounds of an interval."""
    sets = dict.fromkeys(one.row.set for one in judged)
    by_set = {name: figures_of([one for one in judged if one.row.set == name]) for name in sets}
    return {**figures_of(judged), "by_set": by_set}


def figures_of(judged: Sequence[Judged]) -> Figures:
    truth = np.array([one.row.supported for one in judged])
    passed = np.array([one.passed for one in judged])
    cells = truth * 2 + passed  # 0 refused rightly, 1 passed wrongly, 2 refused wrongly, 3 passed rightly
    drawn = np.random.default_rng(SEED).integers(0, len(cells), (RESAMPLES, len(cells)))
    point = rates(np.bincount(cells, minlength=4)[None, :])
    spread = rates(np.stack([np.sum(cells[drawn] == cell, axis=1) for cell in range(4)], axis=1))
    figures: Figures = {"n": len(judged)}
    for name in FIGURES:
        figures[name] = rounded(point[name][0])
        held = spread[name][~np.isnan(spread[name])]
        figures[f"{name}_95"] = (
            [rounded(float(bound)) for bound in np.percentile(held, [2.5, 97.5])] if len(held) else None
        )
    spent = np.array([one.ms for one in judged])
    mean, error = float(spent.mean()), 1.96 * float(spent.std()) / len(spent) ** 0.5
    figures |= {"ms_per_claim": round(mean, 2), "ms_per_claim_95": [round(mean - error, 2), round(mean + error, 2)]}
    return figures


def rates(counts: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    """The figures of each row of counts (refused rightly, passed wrongly, refused wrongly, passed rightly)."""
    refused, accepted, alarmed, right = counts.astype(float).T
    with np.errstate(invalid="ignore", divide="ignore"):
        false_accept, false_alarm = accepted / (refused + accepted), alarmed / (alarmed + right)
        of_supported = 2 * right / (2 * right + accepted + alarmed)
        of_others = 2 * refused / (2 * refused + accepted + alarmed)
    both = np.nan_to_num(np.stack([of_supported, of_others]))  # a class that is neither there nor predicted counts 0
    shares = np.stack([1 - false_alarm, 1 - false_accept])
    balanced = np.where(np.isnan(shares).any(axis=0), np.nansum(shares, axis=0), shares.mean(axis=0))
    return {
        "macro_f1": both.mean(axis=0),
        "balanced_accuracy": balanced,
        "false_accept": false_accept,
        "false_alarm": false_alarm,
    }


def rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)


def table_of(figures: Figures) -> list[str]:
    """A Markdown table: all rows, then each set, with the bounds of the intervals."""
    named = [("all", figures), *figures["by_set"].items()]
    lines = [f"| set | n | {' | '.join(name.replace('_', ' ') for name in FIGURES)} | ms a claim |"]
    lines.append("|---" * (len(FIGURES) + 3) + "|")
    for name, found in named:
        cells = " | ".join(_cell(found, figure) for figure in FIGURES)
        lines.append(f"| {name} | {found['n']} | {cells} | {found['ms_per_claim']:.1f} |")
    return lines


def _cell(found: Figures, name: str) -> str:
    if found[name] is None:
        return ""
    low, high = found[f"{name}_95"]
    return f"{found[name]:.3f} ({low:.3f}–{high:.3f})"

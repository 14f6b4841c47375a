"""`finalize_citations`: checked, renumbered citations for an answer that is already whole."""

from __future__ import annotations

from collections.abc import Hashable

from answerable.text.citing import Check, CitingMachine, Ended, Found, Sources
from answerable.text.similarity import best_match, read_claim
from answerable.text.urls import canonical_url


def finalize_citations(
    answer: str, passages: dict[int, str], urls: dict[int, str], min_support: float = 0.3
) -> tuple[str, list[str], list[str]]:
    """The answer with citations that hold, the addresses of its sources in display order, and the uncited claims.

    A marker survives when its passage (`passages[k]` for `[k]`) supports the sentence with at least `min_support`;
    numbers in the sentence must be in the passage whatever `min_support` is. Survivors stand before the final stop.
    Passages with one address are one source; a passage without an address is a source of its own, listed as "".
    """
    addresses = {k: urls.get(k) or "" for k in passages}
    by_page: dict[Hashable, str] = {}
    page_of: dict[int, Hashable] = {}
    by_address: dict[str, int] = {}
    for k, address in addresses.items():
        page_of[k] = canonical_url(address) if address else k
        by_page.setdefault(page_of[k], address)
        if address:
            by_address.setdefault(canonical_url(address), k)
    highest = max((k for k in passages if k > 0), default=0)
    machine = CitingMachine(Sources(highest, page_of.get, lambda address: by_address.get(canonical_url(address))))
    left: list[str] = []
    for steps in (machine.feed(answer), machine.close()):
        reply: Found | None = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration:
                break
            reply = check(step, passages, min_support) if isinstance(step, Check) else None
            if isinstance(step, Ended) and step.sentence.verdict in {"unsupported", "uncited"}:
                left.append(step.sentence.text)
    return machine.answer, [by_page[page] for page in machine.pages], left


def check(request: Check, passages: dict[int, str], min_support: float) -> Found:
    claim = read_claim(request.text, request.context)
    scores = {k: best_match(claim, passages[k]).score for k in request.numbers}
    keep = tuple(k for k, score in scores.items() if score > 0 and score >= min_support)
    return Found("supported" if keep else "unsupported", keep=keep)

"""Does a page support a claim? The question a reader asks of somebody else's sentence."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from answerable.errors import BadRequest
from answerable.protocols import SupportChecker
from answerable.text.analysis import index_tokens
from answerable.text.cleaning import storable
from answerable.text.leaves import link_to, page_label
from answerable.text.passages import best_part
from answerable.types import Page, ReadAs, Verdict

CLAIM_CHARS = 2_000
PAGE_CHARS = 150_000  # of a page that a claim is held against; of a longer one, what shares most with the claim


@dataclass(frozen=True, slots=True)
class VerifiedQuote:
    """The words that bear on the claim: `page.text[start:end] == text`; `link` leads to them."""

    text: str
    start: int
    end: int
    link: str
    page_label: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """`supported`, `partly` or `unsupported`, by this page alone. `url` is empty for a text."""

    claim: str
    verdict: Verdict
    score: float
    reason: str
    quotes: tuple[VerifiedQuote, ...]
    url: str
    title: str
    read_as: ReadAs = "page"


async def verify_claim(claim: str, page: Page, support: SupportChecker) -> Verification:
    """Raises BadRequest for a claim that is empty or too long."""
    claim = " ".join(storable(claim).split())
    if not claim:
        raise BadRequest("the claim is empty", hint="Write the sentence to verify.")
    if len(claim) > CLAIM_CHARS:
        raise BadRequest(f"the claim has {len(claim):,} characters; {CLAIM_CHARS:,} can be verified at once")
    passages = await asyncio.to_thread(best_part, page, index_tokens(claim), PAGE_CHARS)
    found = await support.check(claim, passages)
    quotes = tuple(
        VerifiedQuote(q.text, q.start, q.end, link_to(page, q.text, q.start), page_label(page, q.start))
        for q in found.quotes
    )
    return Verification(claim, found.verdict, found.score, found.reason, quotes, page.url, page.title, page.read_as)

"""How long a page may be shown from the cache: by its kind, with what its host says as a bound."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from answerable.types import Caching, Page

_NEWS_ADDRESS = re.compile(
    r"/(?:news|live|live-?blog|breaking|nachrichten|noticias|actualites?|ticker|scores?|weather|wetter|prices?|stocks?|quote)(?:[/.?-]|$)"
    r"|//(?:news|live|ticker|status|weather|finance)\.",
    re.IGNORECASE,
)
_REFERENCE_ADDRESS = re.compile(
    r"//(?:docs?|developers?|man|manual|help|support|wiki|en|de|fr|es|[a-z]{2})\.[^/]*(?:wiki|readthedocs|docs|mozilla)"
    r"|//(?:docs?|developers?|manuals?|wiki)\.|/(?:wiki|docs?|documentation|manual|reference|rfc|spec|abs|doi)/|readthedocs\.",
    re.IGNORECASE,
)
_RECENT = timedelta(days=3)
_OLD = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a page is fresh, and how long after that it may be shown while it is asked for anew."""

    fresh: timedelta
    stale: timedelta


NEWS = Lifetime(timedelta(minutes=10), timedelta(hours=1))
REFERENCE = Lifetime(timedelta(days=1), timedelta(days=7))
ORDINARY = Lifetime(timedelta(hours=6), timedelta(days=1))
STALE_IF_FAILING = timedelta(days=7)  # a page whose host does not answer is better than none


def lifetime(page: Page, caching: Caching, now: datetime) -> Lifetime | None:
    """None: not to be kept. A host may shorten the time, not lengthen it; one that wants to be asked each time is."""
    if caching.no_store:
        return None
    usual = _usual(page, now)
    if caching.max_age is None:
        return usual
    bound = timedelta(seconds=caching.max_age)
    return Lifetime(min(usual.fresh, bound), usual.stale if bound else timedelta(0))


def _usual(page: Page, now: datetime) -> Lifetime:
    if page.kind == "feed" or _NEWS_ADDRESS.search(page.url):
        return NEWS
    latest = max((moment for moment in (page.published, page.modified) if moment), default=None)
    if latest is not None and now - latest < _RECENT:
        return NEWS
    if page.kind in {"pdf", "docx", "pptx"} or _REFERENCE_ADDRESS.search(page.url):
        return REFERENCE
    return REFERENCE if latest is not None and now - latest > _OLD else ORDINARY

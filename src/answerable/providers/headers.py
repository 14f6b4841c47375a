"""What response headers say about time: when to ask again, and how long an answer may be kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from answerable.types import Caching, Validators

_YEAR = 365 * 24 * 3600.0  # RFC 9111 knows no limit; nobody who says more means it
_DIRECTIVE = re.compile(r"([\w-]+)\s*(?:=\s*(?:\"([^\"]*)\"|([^\s,]+)))?")


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait, from seconds or a date (RFC 9110, 10.2.3); None when nothing is said."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", value):
        return float(value)
    then = http_date(value)
    return None if then is None else max(0.0, (then - now).total_seconds())


def http_date(value: str) -> datetime | None:
    """A date in any of the forms of RFC 9110, 5.6.7; None for anything else."""
    try:
        then = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return then if then.tzinfo else then.replace(tzinfo=UTC)


def caching_of(url: str, headers: Mapping[str, str], now: datetime) -> Caching:
    """How long a response stays fresh in a cache of one user (RFC 9111, 4.2), and what to ask with afterwards."""
    said = {m[1].lower(): m[2] or m[3] or "" for m in _DIRECTIVE.finditer(headers.get("cache-control", ""))}
    etag, modified = headers.get("etag", "").strip(), headers.get("last-modified", "").strip()
    return Caching(
        max_age=_max_age(said, headers, now),
        no_store="no-store" in said,
        validators=Validators(url, etag, modified) if etag or modified else None,
    )


def _max_age(said: Mapping[str, str], headers: Mapping[str, str], now: datetime) -> float | None:
    if "no-cache" in said or "no-store" in said:
        return 0.0
    age = _seconds(headers.get("age", "")) or 0.0  # spent on the way here, in caches of others
    if "max-age" in said:
        lifetime = _seconds(said["max-age"])  # what is no number counts as stale (4.2.1)
        return 0.0 if lifetime is None else min(_YEAR, max(0.0, lifetime - age))
    if "expires" not in headers:
        return 0.0 if "no-cache" in headers.get("pragma", "").lower() else None
    until = http_date(headers["expires"])  # "0" and other non-dates mean already stale (5.3)
    since = http_date(headers.get("date", "")) or now
    return 0.0 if until is None else min(_YEAR, max(0.0, (until - since).total_seconds() - age))


def _seconds(value: str) -> float | None:
    return float(value) if re.fullmatch(r"[0-9]{1,18}", value.strip()) else None

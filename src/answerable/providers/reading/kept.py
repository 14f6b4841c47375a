"""The page cache as the reader uses it: what may be shown, what is asked for anew, what stands in for silence."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from answerable.errors import ReadError, StorageError
from answerable.protocols import Clock, HeldPage, PageCache
from answerable.providers.reading.keeping import STALE_IF_FAILING, lifetime
from answerable.text.urls import canonical_url
from answerable.types import Caching, Page, Validators

_MAX_ALIASES = 5_000
_PAUSE = timedelta(minutes=1)  # before a page whose renewal failed is asked for again in the background
_GONE = {"not_found", "login_required", "paywall", "blocked_by_robots", "private_address"}
_SILENT = {"timeout", "connection", "tls", "challenge"}
_log = logging.getLogger(__name__)
T = TypeVar("T")


class KeptPages:
    """A cache that fails costs a fetch, never an answer: its faults are logged."""

    def __init__(self, cache: PageCache | None, now: Clock) -> None:
        self._cache, self._now = cache, now
        self._aliases: OrderedDict[str, str] = OrderedDict()  # asked -> where its redirects led
        self._paused: OrderedDict[str, datetime] = OrderedDict()

    async def held(self, url: str) -> HeldPage | None:
        if self._cache is None:
            return None
        try:
            return await self._cache.held(self._address(url), now=self._now())
        except StorageError as fault:
            _log.warning("the page cache could not be read: %s", fault)
            return None

    def is_fresh(self, held: HeldPage) -> bool:
        return self._now() < held.fresh_until

    def may_be_shown(self, held: HeldPage) -> bool:
        return self._now() < held.stale_until

    def may_renew(self, url: str) -> bool:
        """Whether the host was not asked in vain just now."""
        until = self._paused.get(canonical_url(url))
        return until is None or self._now() >= until

    def stands_in(self, held: HeldPage, failure: ReadError) -> bool:
        """Whether the page is better than the failure to read it again."""
        silent = failure.cause in _SILENT or (failure.http_status or 0) in {429, 500, 502, 503, 504}
        return silent and self._now() - held.checked < STALE_IF_FAILING

    async def keep(self, page: Page, caching: Caching) -> None:
        await self._hold(page, caching, caching.validators)

    async def unchanged(self, held: HeldPage, caching: Caching) -> Page:
        """The page as it was read, checked now. A 304 may leave out what was said before (RFC 9111, 4.3.4)."""
        page = replace(held.page, checked=self._now())
        await self._hold(page, caching, caching.validators or held.validators)
        return page

    async def _hold(self, page: Page, caching: Caching, validators: Validators | None) -> None:
        life = lifetime(page, caching, self._now())
        if self._cache is None:
            return
        now = self._now()
        try:
            if life is None:
                await self._cache.drop(page.url)
            else:
                fresh_until = now + life.fresh
                await self._cache.hold(HeldPage(page, now, fresh_until, fresh_until + life.stale, validators))
        except StorageError as fault:
            _log.warning("a page could not be kept: %s", fault)

    async def failed(self, url: str, failure: ReadError) -> None:
        """A page that is gone is not shown again; one whose host is silent is left in peace for a while."""
        _bounded(self._paused, canonical_url(url), self._now() + _PAUSE)
        if self._cache is None or failure.cause not in _GONE:
            return
        try:
            await self._cache.drop(self._address(url))
        except StorageError as fault:
            _log.warning("the page cache could not be written: %s", fault)

    def led(self, asked: str, url: str) -> None:
        """Remembers where an address leads, so that the page is found under either."""
        before, after = canonical_url(asked), canonical_url(url)
        if before != after:
            _bounded(self._aliases, before, url)

    def _address(self, url: str) -> str:
        return self._aliases.get(canonical_url(url), url)


def _bounded(held: OrderedDict[str, T], key: str, value: T) -> None:
    held[key] = value
    while len(held) > _MAX_ALIASES:
        held.popitem(last=False)

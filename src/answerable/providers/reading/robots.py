"""What robots.txt allows, as RFC 9309 says, remembered for a day.

Paths are matched by `protego`. Lines, groups and agents are read here, since it parts groups at records it does not
know (2.2.4), takes `Answer` for `Answerable` (2.2.1), and ends lines where Unicode does (2.2).
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import quote

from protego import Protego

from answerable.errors import ReadCause
from answerable.providers.reading.guard import Refused, Target

AGENT = "Answerable"  # the product token that robots.txt groups are matched with
MAX_BYTES = 500 * 1024  # 2.5: parse at least 500 KiB; the rest is not read
MAX_REDIRECTS = 5  # 2.3.1.2
_DAY = 24 * 3600.0  # 2.4: no longer than a day
_CLOSED, _UNREACHED, _LATE = 300.0, 30.0, 10.0  # a host that failed to answer is asked again sooner
_MAX_ORIGINS = 2000
_SHARE = 0.6  # of the time for a page that its robots.txt may take

_FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    **dict.fromkeys(("crawl-delay", "crawldelay", "crawl delay"), "crawl-delay"),
    **dict.fromkeys(("sitemap", "site-map"), "sitemap"),
    "allow": "allow",
}
_TOKEN = re.compile(r"[A-Za-z_-]+")
_SURROGATE = re.compile("[\udc80-\udcff]")
_NOT_PLAIN = re.compile(r"[^\x21-\x7e]+")
_BARE = re.compile(rf"({'|'.join(sorted(_FIELDS, key=len, reverse=True))})\s+(\S.*)", re.IGNORECASE)


@dataclass(slots=True)
class Group:
    """The rules of all groups that name one agent."""

    rules: list[tuple[str, str]] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    _parsed: Protego | None = None

    def allow(self, url: str) -> bool:
        if self._parsed is None:
            lines = "".join(f"{name}: {_as_matched(value)}\n" for name, value in self.rules)
            self._parsed = Protego.parse(f"User-agent: *\n{lines}")
        return self._parsed.can_fetch(_as_matched(url), "*")


@dataclass(frozen=True, slots=True)
class Rules:
    """Either a parsed file, or one word for all paths."""

    groups: dict[str, Group] = field(default_factory=dict)
    all_paths: bool = True
    reason: str = ""  # why all is closed, when the file itself does not say it
    cause: ReadCause = "blocked_by_robots"
    sitemaps: tuple[str, ...] = ()

    def allow(self, url: str, agent: str = AGENT) -> bool:
        """Whether an agent, by its product token or whole User-Agent header, may read an address of the site."""
        if not self.all_paths:
            return False
        group = self._group(agent)
        return group is None or group.allow(url)

    def crawl_delay(self, agent: str = AGENT) -> float | None:
        """Seconds the site wants between requests of a crawler, if it says so (no part of the RFC)."""
        group = self._group(agent)
        return max(group.delays, default=None) if group else None

    def _group(self, agent: str) -> Group | None:
        token = _TOKEN.match(agent.strip())
        return self.groups.get(token[0].lower() if token else "") or self.groups.get("*")


ALLOW_ALL = Rules()


def parse_rules(body: bytes) -> Rules:
    """2.3.1.5: anything that can be parsed is used, whatever stands around it."""
    groups: dict[str, Group] = {}
    current: list[Group] = []
    sitemaps: list[str] = []
    naming = False  # among the lines that name a group's agents
    for name, value in _records(body):
        if name == "user-agent":
            current = current if naming else []
            naming = True
            agent = _agent(value)
            if agent:
                current.append(groups.setdefault(agent, Group()))
        elif name in {"allow", "disallow"}:
            naming = False
            for group in current:
                group.rules += [(name, value)] if value else []
        elif name == "crawl-delay":
            for group in current:
                group.delays += _delay(value)
        elif value:
            sitemaps.append(value)
    return Rules(groups, sitemaps=tuple(sitemaps))


def _records(body: bytes) -> list[tuple[str, str]]:
    """Field and value of each line that is understood. 2.2: lines end with CR, LF or both, comments begin with `#`."""
    if len(body) > MAX_BYTES:  # the last line would be cut in the middle, and mean another path
        kept = body[:MAX_BYTES]
        body = kept[: max(kept.rfind(b"\n"), kept.rfind(b"\r")) + 1]
    text = body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    text = _SURROGATE.sub(lambda match: f"%{ord(match[0]) - 0xDC00:02X}", text)  # a path in another encoding
    records = []
    for line in re.split(r"[\r\n]", text):
        line = line.partition("#")[0].strip(" \t\x00\ufeff")
        name, colon, value = line.partition(":")
        known = _FIELDS.get(name.strip().lower()) if colon else None
        if known is None and (bare := _BARE.fullmatch(line)):  # the colon forgotten
            known, value = _FIELDS[bare[1].lower()], bare[2]
        if known is not None:
            records.append((known, value.strip()))
    return records


def _as_matched(text: str) -> str:
    """A path or address as `protego` is to see it."""
    text = _NOT_PLAIN.sub(lambda match: quote(match[0]), text)  # it ends lines where Unicode does
    path, question, query = text.partition("?")
    if path.endswith("/index.html"):
        path += "*" if not question and "://" not in text else ""  # else it takes it for `/` too, as the RFC does not
    return path + question + query.replace("%2F", "/").replace("%2f", "/")  # 2.2.2, the first line of its table


def _agent(value: str) -> str:
    if re.fullmatch(r"\*(\s.*)?", value):
        return "*"
    token = _TOKEN.match(value)
    return token[0].lower() if token else ""


def _delay(value: str) -> list[float]:
    try:
        seconds = float(value)
    except ValueError:
        return []
    return [seconds] if math.isfinite(seconds) and seconds >= 0 else []


def rules_for(status: int, body: bytes) -> Rules:
    """2.3.1: no such file (4xx) allows everything; a server error (5xx) forbids everything."""
    if 200 <= status < 300:
        return parse_rules(body)
    closed = Rules(all_paths=False, reason=f"its robots.txt answered {status}, which closes the site")
    return closed if status >= 500 else ALLOW_ALL


class RulesCache:
    """Rules by origin. What has expired is kept for as long as the host cannot be reached (2.3.1.4)."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, Rules]] = OrderedDict()

    def get(self, origin: str) -> Rules | None:
        expires, rules = self._held.get(origin, (0.0, None))
        if rules is None or expires <= self._clock():
            return None
        self._held.move_to_end(origin)
        return rules

    def put(self, origin: str, rules: Rules, seconds: float = _DAY) -> Rules:
        """Returns what holds from now: an unreachable host's own last word, if it had given one."""
        former = self._held.get(origin, (0.0, None))[1]
        if not rules.all_paths and former is not None and former.all_paths:
            rules = former
        self._held[origin] = (self._clock() + seconds, rules)
        while len(self._held) > _MAX_ORIGINS:
            self._held.popitem(last=False)
        return rules


Ask = Callable[[str, float], Awaitable[tuple[int, bytes]]]  # address, seconds -> status, body; raises Refused


class Robots:
    """Asks each origin for its rules once a day."""

    def __init__(self, ask: Ask, cache: RulesCache | None = None) -> None:
        self._ask = ask
        self._cache = cache or RulesCache()
        self._locks: dict[str, asyncio.Lock] = {}

    async def check(self, target: Target, seconds: float) -> None:
        """Raises Refused for what is closed, and for a host whose rules cannot be had in time."""
        rules = await self.rules(target, seconds)
        if not rules.allow(target.url):
            raise Refused(rules.cause, rules.reason or f"{target.host} asks not to be read here (robots.txt)")

    async def rules(self, target: Target, seconds: float) -> Rules:
        held = self._cache.get(target.origin)
        if held is not None:
            return held
        lock = self._locks.setdefault(target.origin, asyncio.Lock())
        try:
            async with lock:  # pages of one host ask once
                return self._cache.get(target.origin) or await self._fetched(target, seconds * _SHARE)
        finally:
            if not lock.locked():
                self._locks.pop(target.origin, None)

    async def _fetched(self, target: Target, seconds: float) -> Rules:
        try:
            async with asyncio.timeout(seconds):
                status, body = await self._ask(f"{target.origin}/robots.txt", seconds)
        except TimeoutError:
            return self._unreached(target, "timeout", f"{target.host} did not answer in time")
        except Refused as refused:
            if refused.cause in {"too_many_redirects", "bad_redirect", "bad_url"}:  # 2.3.1.2: as if there were none
                return self._cache.put(target.origin, ALLOW_ALL)
            if refused.cause == "http_error":  # asked to wait; the page would be told the same
                raise
            return self._unreached(target, refused.cause, refused.message)
        rules = rules_for(status, body)
        return self._cache.put(target.origin, rules, _DAY if rules.all_paths else _CLOSED)

    def _unreached(self, target: Target, cause: ReadCause, reason: str) -> Rules:
        """2.3.1.4: a site whose rules cannot be reached is closed, unless it had given some before."""
        rules = Rules(all_paths=False, reason=f"{reason} (its robots.txt, without which it is not read)", cause=cause)
        return self._cache.put(target.origin, rules, _LATE if cause == "timeout" else _UNREACHED)

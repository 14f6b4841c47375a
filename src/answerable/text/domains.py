"""Which sites a search may use: names to keep to and names to leave out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from answerable.text.urls import host_of, is_ip, is_web_url

MOST = 20  # names a question, as in the APIs that people come from
_NOWHERE = "invalid"  # a top-level name that no site has (RFC 2606)
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


def domain_entry(text: str) -> str:
    """One spelling of `example.com`, `-example.com`, `.gov`, `https://www.example.com/news`. Raises ValueError."""
    name = text.strip()
    leave = name.startswith("-")
    name = name.removeprefix("-").strip()
    if "://" in name and not is_web_url(name):
        raise ValueError(f"{text!r} is no domain; write example.com, or -example.com to leave it out")
    name = name.partition("://")[2] or name
    name = name.removeprefix("*").lstrip(".")
    host = host_of(f"https://{name}").removeprefix("www.")
    if not host or not (is_ip(host) or all(_LABEL.fullmatch(label) for label in host.split("."))):
        raise ValueError(f"{text!r} is no domain; write example.com, or -example.com to leave it out")
    path = urlsplit(f"https://{name}").path.rstrip("/")
    return f"{'-' if leave else ''}{host}{path}"


def domain_entries(texts: Iterable[str]) -> tuple[str, ...]:
    """Each once, in one spelling. Raises ValueError, also for more than can be asked for."""
    entries = tuple(dict.fromkeys(domain_entry(text) for text in texts if text.strip()))
    if len(entries) > MOST:
        raise ValueError(f"{len(entries)} domains; {MOST} are the most")
    if both := {entry for entry in entries if f"-{entry}" in entries}:
        raise ValueError(f"{min(both)!r} is both asked for and left out")
    return entries


@dataclass(frozen=True, slots=True)
class Domains:
    """`keep`: only these and what is below them, all when empty; `leave`: never these. Entries of `domain_entry`."""

    keep: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()

    @classmethod
    def of(cls, entries: Iterable[str]) -> Self:
        entries = tuple(entries)
        return cls(
            tuple(entry for entry in entries if not entry.startswith("-")),
            tuple(entry[1:] for entry in entries if entry.startswith("-")),
        )

    @property
    def entries(self) -> tuple[str, ...]:
        return (*self.keep, *(f"-{name}" for name in self.leave))

    @property
    def keep_hosts(self) -> tuple[str, ...]:
        """Hosts alone, for vendors who know no paths."""
        return _hosts(self.keep)

    @property
    def leave_hosts(self) -> tuple[str, ...]:
        """Only what is left out whole: a vendor who knows no paths must not drop a site for one part of it."""
        return _hosts(name for name in self.leave if "/" not in name)

    def permits(self, url: str) -> bool:
        if not self.keep and not self.leave:
            return True
        return (not self.keep or any(_holds(name, url) for name in self.keep)) and not any(
            _holds(name, url) for name in self.leave
        )

    def touches(self, site: str) -> bool:
        """Whether something on this site may be used; no need to search it otherwise."""
        if any(_below(site, name) for name in self.leave_hosts):
            return False
        return not self.keep or any(_below(name, site) or _below(site, name) for name in self.keep_hosts)

    def within(self, other: Domains) -> Domains:
        """What both permit. Where nothing is left, it permits no page."""
        leave = tuple(dict.fromkeys((*self.leave, *other.leave)))
        if not self.keep or not other.keep:
            return Domains(self.keep or other.keep, leave)
        narrow = [one for one in self.keep if any(_contains(two, one) for two in other.keep)]
        narrow += [two for two in other.keep if any(_contains(one, two) for one in self.keep)]
        return Domains(tuple(dict.fromkeys(narrow)) or (_NOWHERE,), leave)

    @property
    def nowhere(self) -> bool:
        return self.keep == (_NOWHERE,)


def _hosts(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.partition("/")[0] for name in names))


def _below(host: str, name: str) -> bool:
    return host == name or host.endswith(f".{name}")


def _contains(wide: str, narrow: str) -> bool:
    """Whether everything that the narrow entry names is named by the wide one too."""
    return _holds(wide, f"https://{narrow}")


def _holds(name: str, url: str) -> bool:
    domain, slash, path = name.partition("/")
    if not _below(host_of(url), domain):
        return False
    there = urlsplit(url).path
    return not slash or there == f"/{path}" or there.startswith(f"/{path}/")

"""Which proxy an address is reached through: a pure decision on what was set."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from answerable.text.urls import host_of


@dataclass(frozen=True, slots=True)
class Proxies:
    """A proxy for each scheme ("" is none), and `direct`: what NO_PROXY lists, as curl and Go read it.

    An entry is a host (its subdomains belong to it; `.host` and `*.host` say the same), an address, a network
    (`10.0.0.0/8`, `fd00::/8`), any of them with a port, or `*` for everything. IPv6 may stand in brackets or not.
    What cannot be understood matches nothing.
    """

    http: str = ""
    https: str = ""
    direct: tuple[str, ...] = ()

    @classmethod
    def only(cls, proxy: str, direct: tuple[str, ...] = ()) -> Proxies:
        return cls(proxy, proxy, direct)

    def for_url(self, url: str) -> str:
        """The proxy's address; "" when the address is reached directly."""
        parts = urlsplit(url)
        proxy = self.https if parts.scheme.lower() == "https" else self.http
        if not proxy:
            return ""
        port = parts.port or (443 if parts.scheme.lower() == "https" else 80)
        return "" if any(_matches(entry, host_of(url), port) for entry in self.direct) else proxy


def listed(value: str) -> tuple[str, ...]:
    """The entries of NO_PROXY, which people separate by commas, blanks or both."""
    return tuple(entry for entry in re.split(r"[\s,]+", value) if entry)


def _matches(entry: str, host: str, port: int) -> bool:
    entry = entry.strip().lower()
    if entry == "*":
        return True
    name, only_port = _split(entry.partition("://")[2] or entry)
    if only_port not in {None, port} or not name:
        return False
    address = _address(host)
    if address is not None:
        return address in _network(name)
    plain = host_of(f"http://{name.removeprefix('*').lstrip('.')}/")
    return bool(plain) and (host == plain or host.endswith(f".{plain}"))


def _split(entry: str) -> tuple[str, int | None]:
    """An entry and its port: an address in brackets may have one, a bare IPv6 address cannot."""
    bracketed = re.fullmatch(r"\[([^\]]*)\](/[0-9]+)?(?::([0-9]+))?/?", entry)
    if bracketed:
        return bracketed[1] + (bracketed[2] or ""), int(bracketed[3]) if bracketed[3] else None
    named = re.fullmatch(r"([^:]+):([0-9]+)/?", entry)
    return (named[1], int(named[2])) if named else (entry.rstrip("/"), None)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | tuple[()]:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return ()


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address

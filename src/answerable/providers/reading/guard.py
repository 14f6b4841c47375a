"""Which addresses may be fetched: pure decisions on what is written and on what a name resolves to."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import httpx2

from answerable.errors import ReadCause

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]  # name, port -> addresses, in the order to try them
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Beside the two of the web, those on which public sites are commonly served; any other is named in `allow_hosts`.
USUAL_PORTS = frozenset({80, 443, 8080, 8443})
_MAX_URL = 4096
_LOCAL_SUFFIXES = (
    ".localhost", ".local", ".internal", ".localdomain", ".home.arpa", ".lan", ".intranet", ".corp", ".home",
    ".private", ".svc",
)  # fmt: skip
# With a proxy nobody here sees what a name resolves to: these are known to lead to a cloud's own data, or to whatever
# address they spell (`169.254.169.254.nip.io`).
_TELLTALE = (
    "metadata.goog", "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com", "nip.io",
    "sslip.io", "xip.io", "localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "traefik.me", "rbndr.us",
)  # fmt: skip
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\Z", re.ASCII)
# Not global whatever the standard library of the day says; the last is Azure's metadata host, on a public address.
_REFUSED = tuple(
    ipaddress.ip_network(net)
    for net in (
        "0.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32",
        "::/128", "::1/128", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16",
        "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    )
)  # fmt: skip
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_6TO4 = ipaddress.IPv6Network("2002::/16")
_GLOBAL = ipaddress.IPv6Network("2000::/3")  # all that has been given out (IANA); the rest is of no public host
_ISATAP = {0x00005EFE, 0x02005EFE}  # RFC 5214: before an IPv4 address at the end
_COMPATIBLE = ipaddress.IPv6Network("::/96")


class Refused(Exception):
    """What is not fetched or not taken, and why; whoever knows the page's address makes a ReadError of it."""

    def __init__(self, cause: ReadCause, message: str, *, http_status: int | None = None) -> None:
        super().__init__(message)
        self.cause: ReadCause = cause
        self.message, self.http_status = message, http_status


@dataclass(frozen=True, slots=True)
class Target:
    """An address that passed: what to request and whom to connect to."""

    url: str  # without fragment and user name, the host in plain form
    scheme: str
    host: str  # ASCII, lower case, no trailing dot; a numeric address in its usual form
    port: int

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"


class Guard:
    """`allow_hosts` (host, on the usual ports, or host:port) may be private, and on any port they name."""

    def __init__(
        self,
        allow_hosts: Sequence[str] = (),
        *,
        ports: frozenset[int] = USUAL_PORTS,
        resolve: Resolve | None = None,
    ) -> None:
        self._allowed = frozenset(_allowed_host(entry) for entry in allow_hosts)
        self._ports = ports
        self._system = SystemResolver()
        self._resolve = resolve or self._system

    def close(self) -> None:
        self._system.close()

    def check(self, url: str) -> Target:
        """What can be decided from the address as written. Raises Refused."""
        parsed = _parsed(url)
        usual = 443 if parsed.scheme == "https" else 80
        host, port = _plain_host(parsed), usual if parsed.port is None else parsed.port
        if not self._is_allowed(host, port):
            _refuse_local(host)
        if parsed.userinfo:
            raise Refused("bad_url", "addresses with a user name are not fetched")
        if port not in self._ports and (host, port) not in self._allowed:
            raise Refused("bad_url", f"port {port} is not one of the web's; allow {host}:{port} to read it")
        netloc = f"[{host}]" if ":" in host else host
        path = parsed.raw_path.decode("ascii")
        return Target(
            f"{parsed.scheme}://{netloc}{'' if port == usual else f':{port}'}{path}", parsed.scheme, host, port
        )

    async def addresses(self, host: str, port: int) -> list[str]:
        """Where to connect for a host that passed `check`; every answer must be public. Raises Refused."""
        if _as_ip(host) is not None:
            found: Sequence[str] = [host]
        else:
            try:
                found = await self._resolve(host, port)
            except OSError as fault:
                raise Refused("connection", f"{host} does not resolve") from fault
        if not found:
            raise Refused("connection", f"{host} does not resolve")
        if not self._is_allowed(host, port):
            for address in found:
                ip = _as_ip(address)
                if ip is None or not is_public(ip):
                    raise Refused("private_address", f"{host} is at {address}, which is not a public address")
        return list(found)

    def _is_allowed(self, host: str, port: int) -> bool:
        return (host, port) in self._allowed or ((host, None) in self._allowed and port in self._ports)


def is_public(ip: Address) -> bool:
    """Whether an address is one of the public internet; those that wrap another are what they wrap."""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id is not None:
            return False
        inner = _embedded(ip)
        if inner is not None and not is_public(inner):
            return False
        if ip not in _GLOBAL:
            return inner is not None
    return ip.is_global and not any(ip in net for net in _REFUSED if net.version == ip.version)


def _embedded(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip in _6TO4:
        return ip.sixtofour
    if ip in _NAT64 or (ip in _COMPATIBLE and int(ip) > 1):
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if int(ip) >> 32 & 0xFFFFFFFF in _ISATAP:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return None


class SystemResolver:
    """The system's resolver, on threads of its own: names that hang must not hold up what else needs a thread."""

    def __init__(self, threads: int = 8) -> None:
        self._threads = threads
        self._executor: ThreadPoolExecutor | None = None

    async def __call__(self, host: str, port: int) -> list[str]:
        """Raises OSError."""
        self._executor = self._executor or ThreadPoolExecutor(self._threads, "resolve")
        look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(self._executor, look_up)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


def _parsed(url: str) -> httpx2.URL:
    url = url.strip()
    if len(url) > _MAX_URL or "\\" in url or any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in url):
        raise Refused("bad_url", "the address is too long or holds characters that do not belong in one")
    scheme, colon, _ = url.partition(":")
    if not colon or scheme.lower() not in {"http", "https"}:
        raise Refused("bad_url", "only http and https addresses are fetched")
    try:
        # Compatibility forms (full-width digits, circled letters) are folded as browsers fold them, before judging.
        head, slashes, rest = url.partition("://")
        authority, slash, path = _split_authority(rest)
        parsed = httpx2.URL(f"{head}{slashes}{_folded(authority)}{slash}{path}")
    except (httpx2.InvalidURL, ValueError) as fault:
        raise Refused("bad_url", f"the address cannot be understood ({fault})") from None
    if not slashes or not parsed.host:
        raise Refused("bad_url", "the address names no host")
    return parsed.copy_with(fragment=None)


def _split_authority(rest: str) -> tuple[str, str, str]:
    match = re.search(r"[/?#]", rest)
    if match is None:
        return rest, "", ""
    return rest[: match.start()], match[0], rest[match.end() :]


def _folded(authority: str) -> str:
    folded = unicodedata.normalize("NFKC", authority).replace("\u3002", ".")
    match = re.fullmatch(r"(.*@)?([^@:\[\]]+?)\.?(:\d*)?", folded, re.ASCII | re.DOTALL)
    if match and _NUMBER.match(match[2].lower().rpartition(".")[2]):
        return f"{match[1] or ''}{_number_host(match[2].lower())}{match[3] or ''}"
    return folded


def _plain_host(parsed: httpx2.URL) -> str:
    host = parsed.raw_host.decode("ascii").lower().strip("[]").rstrip(".")
    if ":" in host:
        try:
            return str(ipaddress.IPv6Address(host))
        except ValueError:
            raise Refused("bad_url", "the address holds a malformed IPv6 address") from None
    if not host or "%" in host or ".." in host or len(host) > 253:
        raise Refused("bad_url", "the address names no proper host")
    if _NUMBER.match(host.rpartition(".")[2]):
        return _number_host(host)
    return host


def _number_host(host: str) -> str:
    """A host that ends in a number is an IPv4 address, read as browsers read it: decimal, octal, hex, short."""
    try:
        numbers = [_number(part) for part in host.split(".")]
        *head, last = numbers
        if len(numbers) > 4 or any(n > 255 for n in head) or last >= 256 ** (5 - len(numbers)):
            raise ValueError
    except ValueError:
        raise Refused("bad_url", "the address holds a malformed IPv4 address") from None
    return str(ipaddress.IPv4Address(sum(n << (24 - 8 * i) for i, n in enumerate(head)) + last))


def _number(part: str) -> int:
    if not _NUMBER.match(part):
        raise ValueError(part)
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if len(part) > 1 and part.startswith("0") else int(part)


def _refuse_local(host: str) -> None:
    ip = _as_ip(host)
    if ip is not None:
        if not is_public(ip):
            raise Refused("private_address", f"{host} is not a public address")
    elif "." not in host or host.endswith(_LOCAL_SUFFIXES):
        raise Refused("private_address", f"{host} is a name of a local network")
    elif host.endswith(tuple(f".{name}" for name in _TELLTALE)) or host in _TELLTALE:
        raise Refused("private_address", f"{host} is a name that leads to local addresses")


def _as_ip(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _allowed_host(entry: str) -> tuple[str, int | None]:
    """`host` or `host:port` of the setting; a whole address is taken for its host and port."""
    entry = entry.strip().partition("://")[2] or entry.strip()
    entry = entry.split("/")[0]
    if entry.count(":") > 1 and not entry.startswith("["):
        entry = f"[{entry}]"  # a bare IPv6 address
    try:
        parsed = httpx2.URL(f"http://{entry}")
        explicit = re.search(r":(\d+)\Z", entry)
        return _plain_host(parsed), int(explicit[1]) if explicit else None
    except (httpx2.InvalidURL, Refused, ValueError):
        return entry.lower(), None

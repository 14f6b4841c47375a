"""The client's half of SOCKS5 (RFC 1928, with user name and password by RFC 1929), whatever pieces it arrives in.

`httpcore2` has one too, which takes each read for a whole message and leaves its socket open when the proxy refuses.
"""

from __future__ import annotations

import ipaddress

import httpcore2

_NO_LOGIN, _LOGIN = 0, 2
_NAME = 3
_REPLIES = {
    1: "it failed",
    2: "its rules forbid it",
    3: "the network cannot be reached",
    4: "the host cannot be reached",
    5: "the host refused the connection",
    6: "the connection took too many hops",
    7: "it does not connect",
    8: "it does not know this kind of address",
}


async def socks_handshake(
    stream: httpcore2.AsyncNetworkStream, host: str, port: int, login: tuple[str, str] | None
) -> None:
    """Asks a SOCKS5 proxy for a connection; afterwards the stream is one to the host. Raises ProxyError."""
    await stream.write(bytes((5, 1, _LOGIN if login else _NO_LOGIN)))
    version, method = await _exactly(stream, 2)
    if version != 5:
        raise httpcore2.ProxyError("it does not speak SOCKS5")
    if method == _LOGIN and login:
        await _log_in(stream, *login)
    elif method != _NO_LOGIN:
        raise httpcore2.ProxyError("it wants a user name and password, which its address can hold")
    await stream.write(b"\x05\x01\x00" + _destination(host) + port.to_bytes(2))
    _, reply, _, kind = await _exactly(stream, 4)
    if reply != 0:
        raise httpcore2.ProxyError(_REPLIES.get(reply, f"it answered {reply}"))
    length = {1: 4, 4: 16}.get(kind) or (await _exactly(stream, 1))[0]
    await _exactly(stream, length + 2)  # the address it connects from, which nobody needs


async def _log_in(stream: httpcore2.AsyncNetworkStream, name: str, password: str) -> None:
    said = [part.encode("utf-8")[:255] for part in (name, password)]
    await stream.write(b"\x01" + b"".join(bytes((len(part),)) + part for part in said))
    if (await _exactly(stream, 2))[1] != 0:
        raise httpcore2.ProxyError("it does not accept the user name and password")


def _destination(host: str) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.encode("ascii")
        return bytes((_NAME, len(name))) + name
    return bytes((1 if address.version == 4 else 4,)) + address.packed


async def _exactly(stream: httpcore2.AsyncNetworkStream, count: int) -> bytes:
    got = b""
    while len(got) < count:
        piece = await stream.read(count - len(got))
        if not piece:
            raise httpcore2.ProxyError("it broke off")
        got += piece
    return got

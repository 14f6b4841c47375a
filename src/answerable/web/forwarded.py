"""Behind a reverse proxy: the path it shows us under, and what it says of the client, if it is to be believed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address, ip_network
from urllib.parse import quote

from answerable.web.plain import App, Receive, Scope, Send, redirect

_PREFIX = re.compile(r"(?:/(?!\.\.?(?:/|$))[A-Za-z0-9._~-]+)+")
_HOST = re.compile(r"[A-Za-z0-9._-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?")


class ForwardedMiddleware:
    """`base_path`: the prefix, whether or not the proxy strips it. `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix`
    are heeded from `proxies` (addresses and networks) alone: anybody can send them."""

    def __init__(self, app: App, *, base_path: str = "", proxies: Iterable[str] = ()) -> None:
        self._app, self._base = app, base_path.rstrip("/")
        self._networks = [ip_network(network, strict=False) for network in proxies]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = self._told(scope)
        root = told.pop("root_path", self._base)
        scope = {**scope, **told}
        app = self._app
        if root:
            path: str = scope["path"]
            if path == root and scope["method"] in {"GET", "HEAD"}:  # below it, links of the page would not be ours
                query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
                app = redirect(f"{root}/{query}", status=308)
            elif not path.startswith(f"{root}/"):
                path = root + path
            scope |= {"root_path": root, "path": path, "raw_path": quote(path).encode("ascii")}
        await app(scope, receive, send)

    def _told(self, scope: Scope) -> Scope:
        """Parts of the scope as the proxy tells them; nothing from anyone else."""
        peer = (scope.get("client") or ("", 0))[0]
        if not self._is_proxy(peer):
            return {}
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        told: Scope = {}
        hops = [hop.strip() for hop in headers.get(b"x-forwarded-for", "").split(",") if hop.strip()]
        if hops:  # the nearest hop that is no proxy of ours is the client; what stands before it anyone can invent
            client = next((hop for hop in reversed(hops) if not self._is_proxy(hop)), hops[0])
            told["client"] = (client, 0)
        if (scheme := _last(headers, b"x-forwarded-proto").lower()) in {"http", "https"}:
            told["scheme"] = scheme
        if _HOST.fullmatch(host := _last(headers, b"x-forwarded-host")):
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            told["headers"] = [(b"host", host.encode("ascii")), *others]
        if _PREFIX.fullmatch(prefix := _last(headers, b"x-forwarded-prefix").rstrip("/")):
            told["root_path"] = prefix
        return told

    def _is_proxy(self, address: str) -> bool:
        try:
            known = ip_address(address.strip("[]"))
        except ValueError:
            return False
        return any(known in network for network in self._networks)


def _last(headers: dict[bytes, str], name: bytes) -> str:
    return headers.get(name, "").rpartition(",")[2].strip()

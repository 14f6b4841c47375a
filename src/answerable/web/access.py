"""Who may call: known hosts, same-origin writes, the token; and the headers that every response carries."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
COOKIE = "answerable_session"
CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types answerable",
    ]
)
# A page of the collection is foreign content: it gets no script, no request, no form and an origin of its own.
FOREIGN_HEADERS = {
    "Content-Security-Policy": "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; "
    "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
SECURITY_HEADERS = (
    ("x-content-type-options", "nosniff"),
    # Not `no-referrer`: it makes browsers send `Origin: null` with our own forms. Other hosts get nothing either way.
    ("referrer-policy", "same-origin"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
OPEN_PATHS = ("/healthz", "/readyz", "/login", "/static/", "/favicon.ico", "/robots.txt")


class AccessMiddleware:
    """Plain ASGI, so that streams pass through untouched.

    `allowed_hosts` are names without port; `*` stands for any. A name that merely resolves to this machine is refused,
    which is what keeps a hostile page from reading answers by rebinding its own name.
    """

    def __init__(
        self,
        app: App,
        *,
        token: str | None = None,
        allowed_hosts: Iterable[str] = LOCAL_HOSTS,
        max_body: int | None = None,
    ) -> None:
        self._app, self._max_body = app, max_body
        self._token = token or None
        self._hosts = {host.strip("[]").lower() for host in allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        send = _with_security_headers(send)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> App | None:
        host = headers.get("host", "")
        if "*" not in self._hosts and _hostname(host) not in self._hosts:
            return _problem(
                421, "wrong_host", f"This server does not answer for the host {host!r}.", "Open it by its own address."
            )
        if scope["method"] not in SAFE_METHODS and not _same_origin(headers, host):
            return _problem(
                403, "cross_origin", "This request came from another site's page.", "Send it from this server's page."
            )
        length = headers.get("content-length", "")
        if self._max_body is not None and length.isdigit() and int(length) > self._max_body:
            detail = f"The body has {int(length):,} bytes; {self._max_body:,} are the most that are read."
            return _problem(413, "too_large", detail, "Send less.")
        if self._token is None or _path(scope).startswith(OPEN_PATHS) or self._known(headers):
            return None
        return self._ask_for_token(scope)

    def _known(self, headers: dict[str, str]) -> bool:
        assert self._token is not None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return hmac.compare_digest(given.strip().encode("latin-1"), self._token.encode("utf-8"))
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(
            cookie.value.encode("latin-1", "replace"), session_of(self._token).encode("ascii")
        )

    def _ask_for_token(self, scope: Scope) -> App:
        """A page may carry `?token=` once: it becomes a cookie and leaves the address."""
        assert self._token is not None
        path = _path(scope)
        if path.startswith(("/v1/", "/metrics")) or scope["method"] not in SAFE_METHODS:
            return _problem(401, "token_needed", "This server needs a token.", "Send `Authorization: Bearer <token>`.")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        root = scope.get("root_path", "")
        given = next((value for name, value in query if name == "token"), None)
        if given is not None and hmac.compare_digest(given.encode("utf-8"), self._token.encode("utf-8")):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            place = "/" + quote(path).lstrip("/")  # `//host/` would lead to that host
            return _redirect(root + place + (f"?{rest}" if rest else ""), cookie=session_cookie(self._token))
        return _redirect(f"{root}/login?next={quote(path, safe='')}")


def session_of(token: str) -> str:
    """What the cookie holds: proof of the token, not the token."""
    return hmac.new(token.encode("utf-8"), b"answerable session", hashlib.sha256).hexdigest()


def session_cookie(token: str) -> str:
    return f"{COOKIE}={session_of(token)}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"


def is_local(host: str) -> bool:
    return host.strip("[]").lower() in LOCAL_HOSTS or host.startswith("127.")


def _path(scope: Scope) -> str:
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")) or "/"


def _hostname(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _same_origin(headers: dict[str, str], host: str) -> bool:
    """Browsers send Origin with every unsafe request; whoever sends neither header is no browser."""
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        mine = urlsplit(f"//{host}")
        return parts.hostname == mine.hostname and port == (mine.port or {"https": 443}.get(parts.scheme, 80))
    except ValueError:
        return False


def _with_security_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            present = {name.lower() for name, _ in headers}
            wanted = (*SECURITY_HEADERS, ("content-security-policy", CONTENT_POLICY))
            headers += [(n.encode(), v.encode()) for n, v in wanted if n.encode() not in present]
            message = {**message, "headers": headers}
        await send(message)

    return send_with_headers


def _problem(status: int, code: str, detail: str, hint: str) -> App:
    titles = {401: "Unauthorized", 403: "Forbidden", 413: "Content Too Large", 421: "Misdirected Request"}
    title = titles[status]
    fields = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code, "hint": hint}
    extra = [(b"www-authenticate", b"Bearer")] if status == 401 else []
    return _respond(status, json.dumps(fields).encode(), [(b"content-type", b"application/problem+json"), *extra])


def _redirect(location: str, *, cookie: str | None = None) -> App:
    headers = [(b"location", location.encode("latin-1")), (b"cache-control", b"no-store")]
    return _respond(303, b"", headers + ([(b"set-cookie", cookie.encode())] if cookie else []))


def _respond(status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> App:
    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        length = (b"content-length", str(len(body)).encode())
        await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
        await send({"type": "http.response.body", "body": body})

    return respond

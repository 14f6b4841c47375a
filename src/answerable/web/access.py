"""Who may call, from where and how often: hosts, same-origin writes, tokens, limits; and every reply's headers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from answerable.errors import AnswerableError
from answerable.web.callers import Caller, Gate, session_cookie
from answerable.web.limits import RateLimiter
from answerable.web.openai_shapes import PATHS as OPENAI_PATHS
from answerable.web.owned import as_seen_by
from answerable.web.plain import App, Message, Receive, Scope, Send, path_of, problem, redirect, respond

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = "(addresses)"  # stands for all hosts written as numbers
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
IMPORT_PATH, IMPORT_BYTES = "/v1/conversations/import", 20_000_000  # a conversation with the pages it cites
UPLOAD_BYTES = 64_000_000  # files for the own index, all of a request together
LARGE = {IMPORT_PATH: IMPORT_BYTES, "/v1/index": UPLOAD_BYTES, "/sources": UPLOAD_BYTES}
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
OPEN_PATHS = (
    "/healthz",
    "/readyz",
    "/login",
    "/language",
    "/static/",
    "/favicon.ico",
    "/robots.txt",
    "/manifest.webmanifest",
    "/sw.js",
)
API_PATHS = ("/v1/", "/metrics", "/mcp", *OPENAI_PATHS)
WRONG_TOKENS = 30  # a minute, from one address


@dataclass(frozen=True, slots=True)
class Rules:
    """What the settings of the same names say. `token_needed`: also where no admin token is set."""

    token_needed: bool = False
    cors_origins: tuple[str, ...] = ()
    base_path: str = ""
    trusted_proxies: tuple[str, ...] = ()
    rate_per_token: int = 0
    rate_per_address: int = 0
    daily_budget: float = 0.0
    daily_tokens: int = 0


class AccessMiddleware:
    """Plain ASGI, so that streams pass through untouched. Leaves the engine as the caller may see it in
    `scope["engine"]`.

    `allowed_hosts` are names without port; `*` stands for any. A name that merely resolves to this machine is refused,
    which is what keeps a hostile page from reading answers by rebinding its own name.
    """

    def __init__(
        self,
        app: App,
        *,
        gate: Gate,
        allowed_hosts: Iterable[str],
        rules: Rules,
        max_body: int | None = None,
    ) -> None:
        self._app, self._gate, self._max_body = app, gate, max_body
        self._hosts = {host.strip("[]").lower() for host in allowed_hosts}
        self._origins = frozenset(rules.cors_origins)
        self._per_token, self._per_address = rules.rate_per_token, rules.rate_per_address
        self._limiter = RateLimiter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        send = _with_headers(send, self._cors(headers))
        try:
            reply = self._refusal(scope, headers) or await self._unknown(scope, headers) or self._hurried(scope)
        except AnswerableError as fault:  # the tokens could not be looked up
            reply = problem(scope, 503, "unavailable", fault.message, fault.hint, [(b"retry-after", b"1")])
        if reply is None:
            state = scope["app"].state
            scope["engine"] = as_seen_by(scope["caller"], state.engine, state.budgets)
        await (reply or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> App | None:
        host = headers.get("host", "")
        if not self._answers_for(_hostname(host)):
            hint = "Open it by its own address, or name the host in ANSWERABLE_HOSTS."
            return problem(scope, 421, "wrong_host", f"This server does not answer for the host {host!r}.", hint)
        told = headers.get("origin") in self._origins
        if told and scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            return respond(204, b"", ())
        if scope["method"] not in SAFE_METHODS and not told and not _same_origin(headers, host):
            hint = "Send it from this server's page, or name that site in ANSWERABLE_CORS_ORIGINS."
            return problem(scope, 403, "cross_origin", "This request came from another site's page.", hint)
        length = headers.get("content-length", "")
        most = LARGE.get(path_of(scope), self._max_body)
        if most is not None and length.isdigit() and int(length) > most:
            detail = f"The body has {int(length):,} bytes; {most:,} are the most that are read."
            return problem(scope, 413, "too_large", detail, "Send less.")
        return None

    async def _unknown(self, scope: Scope, headers: dict[str, str]) -> App | None:
        """Finds out who calls; a refusal for nobody known."""
        if path_of(scope).startswith(OPEN_PATHS):
            scope["caller"] = Caller()
            return None
        caller = await self._gate.caller(headers, scope["app"].state.engine.tokens)
        if caller is not None:
            scope["caller"] = caller
            return None
        if "authorization" in headers and (wait := self._limiter.take(f"wrong {_peer(scope)}", WRONG_TOKENS)):
            return _too_many(scope, wait, "Too many wrong tokens came from this address.")
        return await self._ask_for_token(scope)

    async def _ask_for_token(self, scope: Scope) -> App:
        """A page may carry `?token=` once: it becomes a cookie and leaves the address."""
        path = path_of(scope)
        if path.startswith(API_PATHS) or scope["method"] not in SAFE_METHODS:
            hint = "Send `Authorization: Bearer <token>`."
            bearer = [(b"www-authenticate", b"Bearer")]
            return problem(scope, 401, "token_needed", "This server needs a token.", hint, bearer)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        root = scope.get("root_path", "")
        given = next((value for name, value in query if name == "token"), "")
        if given and await self._gate.holder(given, scope["app"].state.engine.tokens):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            place = "/" + quote(path).lstrip("/")  # `//host/` would lead to that host
            cookie = session_cookie(given, path=root, secure=scope.get("scheme") == "https")
            return redirect(root + place + (f"?{rest}" if rest else ""), cookie=cookie)
        return redirect(f"{root}/login?next={quote(path, safe='')}")

    def _hurried(self, scope: Scope) -> App | None:
        """Work is limited by token and by address; reading what is there is not."""
        caller: Caller = scope["caller"]
        if scope["method"] != "POST" or not caller.limited:
            return None
        token = caller.token
        per_token = self._per_token if token is None or token.requests_per_minute is None else token.requests_per_minute
        wait = self._limiter.take(f"address {_peer(scope)}", self._per_address)
        if wait:
            return _too_many(scope, wait, "Too many requests came from this address.")
        if not path_of(scope).startswith(OPEN_PATHS) and (
            wait := self._limiter.take(f"token {caller.name}", per_token)
        ):
            return _too_many(scope, wait, "Too many requests came with this token.")
        return None

    def _answers_for(self, host: str) -> bool:
        return "*" in self._hosts or host in self._hosts or (ANY_ADDRESS in self._hosts and _is_address(host))

    def _cors(self, headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
        """Without credentials: a page of another site must bring a token, the cookie is not sent along."""
        origin = headers.get("origin", "")
        if not self._origins:
            return []
        vary = [(b"vary", b"Origin")]
        if origin not in self._origins:
            return vary
        allowed = [
            ("access-control-allow-origin", origin),
            ("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE"),
            (
                "access-control-allow-headers",
                "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
            ),
            ("access-control-expose-headers", "ETag, Retry-After"),
            ("access-control-max-age", "600"),
        ]
        return vary + [(name.encode(), value.encode("latin-1")) for name, value in allowed]


def is_local(host: str) -> bool:
    return host.strip("[]").lower() in LOCAL_HOSTS or host.startswith("127.")


def _too_many(scope: Scope, wait: int, detail: str) -> App:
    hint = f"Wait {wait} s and try again."
    return problem(scope, 429, "rate_limited", detail, hint, [(b"retry-after", str(wait).encode())])


def _peer(scope: Scope) -> str:
    address: str = (scope.get("client") or ("", 0))[0]
    return address


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


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


def _with_headers(send: Send, more: list[tuple[bytes, bytes]]) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), *more]
            present = {name.lower() for name, _ in headers}
            wanted = (*SECURITY_HEADERS, ("content-security-policy", CONTENT_POLICY))
            headers += [(n.encode(), v.encode()) for n, v in wanted if n.encode() not in present]
            message = {**message, "headers": headers}
        await send(message)

    return send_with_headers

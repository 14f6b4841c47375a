"""Who calls: the owner of a token, whoever holds the admin token, or this machine's own user where none is needed."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.cookies import CookieError, SimpleCookie

from answerable.protocols import TokenStore
from answerable.text.tokens import TOKEN_PREFIX, hash_of, session_of
from answerable.types import Token

COOKIE = "answerable_session"
_USE_TOLD = timedelta(minutes=1)  # `last_used` is kept this exact: a write a request would be too many


@dataclass(frozen=True, slots=True)
class Caller:
    """`owner` None sees everything; `token` is set for whoever came with one that the admin gave out."""

    owner: str | None = None
    token: Token | None = None
    limited: bool = True  # the user of this machine, where no token is needed, is not

    @property
    def name(self) -> str:
        return self.token.id if self.token else "admin"


class Gate:
    """`admin`: the token of the settings. `needed`: nobody comes in without one."""

    def __init__(self, admin: str | None, *, needed: bool) -> None:
        self._admin = admin or None
        self.needed = needed or self._admin is not None

    async def caller(self, headers: dict[str, str], tokens: TokenStore) -> Caller | None:
        """None for nobody known."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return await self.holder(_sent(given), tokens)
        if (session := _cookie(headers)) and (known := await self._by_session(session, tokens)):
            return known
        return None if self.needed else Caller(limited=False)

    async def holder(self, token: str, tokens: TokenStore) -> Caller | None:
        """Whoever holds this token. Where none is needed, a client that must send something may send anything, but not
        a token that was revoked."""
        if token and (known := await self._by_session(session_of(token), tokens)):
            return known
        return None if self.needed or token.startswith(TOKEN_PREFIX) else Caller(limited=False)

    async def _by_session(self, session: str, tokens: TokenStore) -> Caller | None:
        if self._admin and hmac.compare_digest(session.encode("utf-8"), session_of(self._admin).encode("ascii")):
            return Caller()
        now = datetime.now(UTC)
        token = await tokens.by_hash(hash_of(session))
        if token is None or token.revoked_at or (token.expires_at and token.expires_at <= now):
            return None
        if token.last_used is None or now - token.last_used > _USE_TOLD:
            await tokens.used(token.id, now)
        return Caller(None if token.admin else token.owner, token)


def session_cookie(token: str, *, path: str = "", secure: bool = False) -> str:
    """The cookie proves the token and is not the token."""
    flags = "; Secure" if secure else ""
    return f"{COOKIE}={session_of(token)}; HttpOnly; SameSite=Lax; Path={path or '/'}; Max-Age=2592000{flags}"


def _sent(given: str) -> str:
    """Headers arrive as Latin-1, people send UTF-8."""
    try:
        return given.strip().encode("latin-1").decode("utf-8")
    except UnicodeError:
        return given.strip()


def _cookie(headers: dict[str, str]) -> str:
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""

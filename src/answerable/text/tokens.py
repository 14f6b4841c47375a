"""Tokens: how one is made, what a browser keeps of it, and what the database keeps.

A token holds 256 random bits, so that its hash cannot be searched for the token and needs no slow or salted function:
those make up for passwords that people choose. The database keeps the hash of the session, not of the token, so that
neither the cookie nor a stolen database shows a token, and a stolen database makes no cookie.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

TOKEN_PREFIX = "ans_"  # tells what leaked, to people and to programs that look for leaks


def new_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def session_of(token: str) -> str:
    """Proof of the token, not the token."""
    return hmac.new(token.encode("utf-8", "surrogatepass"), b"answerable session", hashlib.sha256).hexdigest()


def hash_of(session: str) -> str:
    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()

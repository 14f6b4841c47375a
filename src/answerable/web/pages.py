"""The pages: start, conversation, turn fragment, page as it was read, the collection, sign-in, API reference."""

from __future__ import annotations

from fastapi import FastAPI


def install(app: FastAPI) -> None:
    return

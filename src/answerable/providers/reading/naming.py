"""What the names of an element, its classes and its id, say of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from lxml.html import HtmlElement

_REMEMBERED, _CHARS = 8192, 200  # strings, and characters of one


def called(element: HtmlElement) -> str:
    """Its classes and its id."""
    return f"{element.get('class') or ''} {element.get('id') or ''}"


def remembered(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Whether a pattern is found in names. A page gives few names to many elements, so each is looked through once."""

    @lru_cache(maxsize=_REMEMBERED)
    def known(names: str) -> bool:
        return pattern.search(names) is not None

    def found(names: str) -> bool:
        return known(names) if len(names) <= _CHARS else pattern.search(names) is not None

    return found

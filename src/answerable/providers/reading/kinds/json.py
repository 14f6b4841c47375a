"""JSON, JSON Lines and JSON feeds as text that reads: `key: value` lines, nested ones indented."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from answerable.providers.reading.extracted import Extracted, Job
from answerable.providers.reading.kinds.composing import Composer
from answerable.providers.reading.kinds.feed import Entry, written_feed
from answerable.providers.reading.kinds.text import name_of, read_text
from answerable.text.dates import parse_date

_MAX_LINES = 20_000
_LARGE = 12  # lines
_LEVELS = 5  # of headings; what nests deeper is told by indents
_ROWS = 2  # records with the same plain keys, from this many on, are a table
_COLUMNS = 12
_CELL_CHARS = 120
_TITLES = ("title", "name", "headline", "full_name", "label")


def read_json(text: str, job: Job) -> Extracted:
    """As plain text when it is no JSON after all."""
    value = _loaded(text)
    if value is None:
        return read_text(text, job)
    if isinstance(value, dict) and "jsonfeed.org" in str(value.get("version", "")):
        return written_feed("json", str(value.get("title") or ""), _entries(value, job.now), job)
    out = Composer()
    _write(value, out)
    title = next((value[k] for k in _TITLES if isinstance(value.get(k), str)), "") if isinstance(value, dict) else ""
    return out.extracted("json", title or name_of(job.url), nothing="JSON without a value")


def readable_json(text: str) -> str:
    """`key: value` lines, nested ones indented; as it is when it is no JSON after all."""
    value = _loaded(text)
    return text if value is None else "\n".join(_lines(value))


def _loaded(text: str) -> Any:
    """The value of JSON, or the list of values of JSON Lines; None for neither."""
    try:
        return json.loads(text, parse_int=_number, parse_float=_number)
    except (ValueError, RecursionError):
        pass
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not lines[0].lstrip().startswith(("{", "[")):
        return None
    values = []
    for place, line in enumerate(lines):
        try:
            values.append(json.loads(line, parse_int=_number, parse_float=_number))
        except (ValueError, RecursionError):
            if place < len(lines) - 1:  # the last line may have been cut
                return None
    return values


class _Number(str):
    """A number as it was written: 4.310 is not 4.31, and 12345678901234567890 stays itself."""

    __slots__ = ()


def _number(text: str) -> _Number:
    return _Number(text)


def _write(value: Any, out: Composer, level: int = 1) -> None:
    """Keys with much below them are headings, records are tables, the rest is lines and comes first."""
    if isinstance(value, list):
        _write_list(value, out, level)
        return
    plain: dict[str, Any] = {}
    large: dict[str, Any] = {}
    for key, inner in value.items() if isinstance(value, dict) else ():
        heads = isinstance(inner, dict | list) and level <= _LEVELS and (_columns(inner) or _is_large(inner))
        (large if heads else plain)[str(key)] = inner
    # First what belongs to the value itself: below the first heading it would be taken for that one's.
    _add_lines(out, plain if isinstance(value, dict) else value)
    for key, inner in large.items():
        out.add("heading", key.strip() or "–", level=level)
        _write(inner, out, level + 1)


def _write_list(values: list[Any], out: Composer, level: int) -> None:
    columns = _columns(values)
    if columns:
        rows = [columns, *([_cell(record.get(column)) for column in columns] for record in values)]
        out.add("table", "\n".join(" | ".join(cell or "–" for cell in row) for row in rows))
        return
    if all(not isinstance(value, dict | list) for value in values):
        _add_lines(out, values)
        return
    headed = level <= _LEVELS and any(map(_is_large, values))
    for place, value in enumerate(values, start=1):  # a block a record, so that each can be quoted by itself
        if out.full:
            return
        if headed:
            title = next((value[k] for k in _TITLES if isinstance(value.get(k), str)), "") if _is_map(value) else ""
            out.add("heading", title.strip() or str(place), level=level)
            _write(value, out, level + 1)
        else:
            _add_lines(out, value)


def _add_lines(out: Composer, value: Any) -> None:
    lines = list(_lines(value))
    out.add("paragraph", "\n".join(lines))
    if len(lines) >= _MAX_LINES:
        out.cut = "size"


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _is_large(value: Any) -> bool:
    """Whether it takes more lines than are read at one glance."""
    return isinstance(value, dict | list) and sum(1 for _ in islice(_lines(value), _LARGE + 1)) > _LARGE


def _columns(values: Any) -> list[str]:
    """The keys of records that can stand as rows of a table; none when they cannot."""
    if (
        not isinstance(values, list)
        or len(values) < _ROWS
        or not all(isinstance(value, dict) and value for value in values)
    ):
        return []
    keys = list(dict.fromkeys(key for value in values for key in value))
    if len(keys) > _COLUMNS or len(keys) < 2:
        return []
    for value in values:
        if len(value) * 2 < len(keys):
            return []
        for cell in value.values():
            if isinstance(cell, dict | list) or len(str(cell)) > _CELL_CHARS:
                return []
    return keys


def _cell(value: Any) -> str:
    return "" if value is None else " ".join(_shown(value).split()).replace("|", "¦")


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _lines(value: Any) -> Iterator[str]:
    stack: list[tuple[int, str, Any]] = [(0, "", value)]
    made = 0
    while stack and made < _MAX_LINES:
        depth, name, value = stack.pop()
        indent = "  " * min(depth, 10)
        if isinstance(value, dict | list):
            if name:
                made += 1
                yield f"{indent}{name}:"
            inner = value.items() if isinstance(value, dict) else ((f"{i + 1}", v) for i, v in enumerate(value))
            stack += [(depth + bool(name), str(k), v) for k, v in reversed(list(inner))]
        else:
            made += 1
            shown = _shown(value).strip()
            yield f"{indent}{name}: {shown}" if name else shown


def _entries(value: dict[str, Any], now: datetime) -> Iterator[Entry]:
    items = value.get("items")
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, dict):
            continue
        text = item.get("content_text") or item.get("content_html") or item.get("summary") or ""
        yield Entry(
            title=str(item.get("title") or ""),
            link=str(item.get("url") or item.get("external_url") or ""),
            text=str(text),
            published=_date(item.get("date_published"), now),
            updated=_date(item.get("date_modified"), now),
        )


def _date(value: Any, now: datetime) -> datetime | None:
    return parse_date(value, now) if isinstance(value, str) else None

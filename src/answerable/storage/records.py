"""Turns, pages and events as the JSON that is kept."""

from __future__ import annotations

from pydantic import TypeAdapter

from answerable.events import EVENTS, Event
from answerable.types import Page, Turn

TURN: TypeAdapter[Turn] = TypeAdapter(Turn)
PAGE: TypeAdapter[Page] = TypeAdapter(Page)
_EVENTS: dict[str, TypeAdapter[Event]] = {name: TypeAdapter(kind) for name, kind in EVENTS.items()}


def event_data(event: Event) -> dict[str, object]:
    data: dict[str, object] = _EVENTS[event.name].dump_python(event, mode="json")
    return data


def event_from(name: str, data: dict[str, object]) -> Event:
    return _EVENTS[name].validate_python(data)

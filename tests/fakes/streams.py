"""How a client reads the event stream, and the stored cases of the web."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "data" / "cases"


def decode(stream: str) -> Iterator[dict[str, str]]:
    """The event-stream rules of the HTML standard, as a client applies them."""
    data: list[str] = []
    fields = {"event": "message", "id": ""}
    for line in stream.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield {**fields, "data": "\n".join(data)}
            data, fields = [], {**fields, "event": "message"}
        elif name == "data":
            data.append(value)
        elif name in fields:
            fields[name] = value


def case(id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    lines = (CASES / "cases-web.jsonl").read_text("utf-8").splitlines()
    found = next(c for c in map(json.loads, lines) if c["id"] == id)
    return json.loads((CASES / found["file"]).read_text("utf-8")), found["expected"]

"""Answers in a given shape from models that may not keep to it: lenient reading, one repair."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from answerable.errors import LLMError
from answerable.protocols import Message, T
from answerable.text.cleaning import storable, storable_json
from answerable.text.jsonish import json_values, one_string, string_list
from answerable.types import Usage

if TYPE_CHECKING:
    from answerable.providers.llm.calls import Calls, Schema


async def ask(calls: Calls, messages: Sequence[Message], output: type[T], deadline: float) -> tuple[T, Usage]:
    """Asks once, and once more with what was wrong. The vendor holds the model to the schema where it can."""
    adapter: TypeAdapter[T] = TypeAdapter(output)
    schema = adapter.json_schema()
    native = schema if calls.native_schema and schema.get("type") == "object" else None
    asked = _with_schema(messages, schema)
    spent = Usage()
    for last_try in (False, True):
        try:
            answer = await calls.whole(asked, _left(deadline), native)
        except LLMError as error:
            if native is None or error.cause != "malformed":
                raise
            native = None  # servers that do not know schemas refuse the request; the prompt holds it too
            answer = await calls.whole(asked, _left(deadline), None)
        spent += answer.usage
        try:
            return read_as(adapter, schema, answer.text), spent
        except ValueError as fault:
            if last_try:
                break
            asked = [*asked, Message("assistant", answer.text or "(nothing)"), _repair(fault)]
    raise calls.failure("malformed", "twice it gave no answer in the form asked for")


def read_as(adapter: TypeAdapter[T], schema: Schema, text: str) -> T:
    """The first reading of the text that fits; raises ValueError with what was wrong with the best one."""
    fault: ValueError = ValueError("there is no JSON in it")
    for value in _readings(schema, text):
        try:
            return adapter.validate_python(value)
        except ValidationError as error:
            fault = ValueError("; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:3]))
    raise fault


def _readings(schema: Schema, text: str) -> Iterator[object]:
    field = _list_field(schema)
    for value in map(storable_json, json_values(text)):
        yield {field: value} if field and isinstance(value, list) else value
    if (name := _string_field(schema)) and (said := storable(one_string(text))):
        yield {name: said}
    if (field or _is_string_list(schema)) and (items := [storable(item) for item in string_list(text)]):
        yield {field: items} if field else items


def _list_field(schema: Schema) -> str | None:
    """The one property that is a list of strings, when nothing else is required: a bare list stands for it."""
    properties: Any = schema.get("properties") or {}
    required: Any = schema.get("required") or []
    lists = [name for name, kind in properties.items() if _is_string_list(kind)]
    return lists[0] if len(lists) == 1 and set(required) <= set(lists) else None


def _string_field(schema: Schema) -> str | None:
    """The one property, when it is a string: a sentence stands for it."""
    properties: Any = schema.get("properties") or {}
    return (
        next((name for name, kind in properties.items() if kind.get("type") == "string"), None)
        if (len(properties) == 1)
        else None
    )


def _is_string_list(schema: Any) -> bool:
    return bool(schema.get("type") == "array" and (schema.get("items") or {}).get("type") == "string")


def _with_schema(messages: Sequence[Message], schema: Schema) -> list[Message]:
    """Also said in the prompt: many servers ignore the schema they are given."""
    rule = Message("system", f"Answer with JSON only, by this schema:\n{json.dumps(schema, ensure_ascii=False)}")
    at = next((i for i, message in enumerate(messages) if message.role != "system"), len(messages))
    return [*messages[:at], rule, *messages[at:]]


def _repair(fault: ValueError) -> Message:
    return Message("user", f"That was not what I asked for: {fault}. Answer again with the JSON only.")


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())

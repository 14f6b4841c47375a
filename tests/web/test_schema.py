"""The API held to its own description: whatever is sent, the reply is one that is described."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.fakes.serving import serving_here

from answerable.web.app import create_app
from answerable.wiring import Engine

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
OFFLINE = {"search": ["own"], "collection": False, "read_timeout": 0.5}


async def test_every_reply_is_described(tmp_path: Path) -> None:
    async with Engine.from_settings({"data_dir": str(tmp_path), **OFFLINE}) as engine:
        await engine.warm_up()
        async with serving_here(create_app(engine)) as address:
            tried = await asyncio.to_thread(try_all, address)

    assert len(tried) > 20


def try_all(address: str) -> list[str]:
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    tried = []
    for found in schema.get_all_operations():
        operation = found.ok()
        tried.append(operation.label)
        try_one(operation.as_strategy())
    return tried


def try_one(cases: Any) -> None:
    @settings(max_examples=8, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def reply_is_described(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    reply_is_described()

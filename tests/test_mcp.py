"""The MCP server as its clients meet it: a real process over standard input and output, a real socket over HTTP."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

TALL = "How tall is the Eiffel Tower?"


def settings(folder: Path, **more: str) -> dict[str, str]:
    """Offline: answers come from the built-in collection."""
    return {"ANSWERABLE_DATA_DIR": str(folder), "ANSWERABLE_SEARCH": "own", "HOME": str(folder), "PATH": "", **more}


@asynccontextmanager
async def over_stdio(folder: Path) -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "answerable", "mcp"], env=settings(folder), cwd=folder
    )
    async with Client(server) as client:
        yield client


@asynccontextmanager
async def http_server(folder: Path, **more: str) -> AsyncIterator[str]:
    """The address of a server process, from what it prints."""
    command = (sys.executable, "-m", "answerable", "mcp", "--http", "--port", "0")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env=settings(folder, **more), stderr=pipe, cwd=folder)
    assert process.stderr is not None
    try:
        line = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
        yield line.split()[2]
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), 30)


@asynccontextmanager
async def over_http(folder: Path) -> AsyncIterator[Client]:
    async with http_server(folder) as address, Client(address) as client:
        yield client


async def words(client: Client, tool: str, **arguments: Any) -> str:
    """What a call says that fails."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return " ".join(getattr(part, "text", "") for part in result.content)


@pytest.mark.parametrize("transport", [over_stdio, over_http])
async def test_the_four_tools_answer_over_each_transport(transport: Any, tmp_path: Path) -> None:
    told: list[str] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with transport(tmp_path) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        asked = await client.call_tool("ask", {"question": TALL}, progress_callback=progress)
        found = await client.call_tool("search", {"query": TALL, "max_results": 2})
        verified = await client.call_tool(
            "verify", {"claim": "The tower is 300 metres tall.", "text": "The tower is 330 metres tall."}
        )
        followed = await client.call_tool(
            "ask", {"question": "Who built it?", "conversation_id": asked.structured_content["conversation_id"]}
        )
        failures = {
            "empty": await words(client, "ask", question=" "),
            "conversation": await words(client, "ask", question="x?", conversation_id="con_none"),
            "file": await words(client, "read_page", url="/etc/passwd"),
            "private": await words(client, "read_page", url="http://127.0.0.1:1/"),
            "both": await words(client, "verify", claim="x", url="http://a.example", text="y"),
            "domain": await words(client, "ask", question="x?", domains=["not a domain"]),
        }

    assert set(tools) == {"ask", "search", "read_page", "verify"}
    assert all(tool.description and tool.output_schema for tool in tools.values())
    answer = asked.structured_content
    assert "330 metres" in answer["answer"]
    assert answer["outcome"] == "answered"
    assert all(f"[{one['n']}]" in answer["answer"] and one["quote"] for one in answer["citations"])
    assert any("Ranking" in line for line in told)
    assert "330" in " ".join(found.structured_content["results"][0]["passages"])
    assert verified.structured_content["verdict"] == "unsupported"
    assert "300" in verified.structured_content["reason"]
    assert "the company of the engineer Gustave Eiffel" in followed.structured_content["answer"]
    assert "the question is empty" in failures["empty"].lower()
    assert "con_none" in failures["conversation"]
    assert "is no web address" in failures["file"]
    assert "private_address" in failures["private"]
    assert "either `url` or `text`" in failures["both"]
    assert "is no domain" in failures["domain"]


async def test_over_http_strangers_and_other_sites_are_refused(tmp_path: Path) -> None:
    ask = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with http_server(tmp_path, ANSWERABLE_TOKEN="the-token") as address:
        async with httpx2.AsyncClient() as client:
            replies = {
                "no token": await client.post(address, json=ask),
                "wrong token": await client.post(address, json=ask, headers={"authorization": "Bearer x"}),
                "rebound": await client.post(address, json=ask, headers={"host": "evil.example"}),
                "other site": await client.post(address, json=ask, headers={"origin": "https://evil.example"}),
            }
        known = httpx2.AsyncClient(headers={"authorization": "Bearer the-token"})
        async with known, Client(streamable_http_client(address, http_client=known)) as session:
            tools = await session.list_tools()

    assert {name: reply.status_code for name, reply in replies.items()} == {
        "no token": 401,
        "wrong token": 401,
        "rebound": 421,
        "other site": 403,
    }
    assert len(tools.tools) == 4

"""Clients that exist, unchanged but for their base address: OpenAI's and Perplexity's."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import openai
import perplexity
import pytest
from tests.fakes.engine import TOWER, VISITS, FakeEngine, Said, Script, broken, eiffel
from tests.fakes.serving import Served, serving

from answerable.types import Note, PastTurn
from answerable.web.app import create_app

ASK: Any = [{"role": "user", "content": "How tall is the Eiffel Tower?"}]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@asynccontextmanager
async def openai_client(served: Served, engine: FakeEngine) -> AsyncIterator[openai.AsyncOpenAI]:
    with served.using(engine) as address:
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
            yield client


@asynccontextmanager
async def perplexity_client(served: Served, engine: FakeEngine) -> AsyncIterator[perplexity.AsyncPerplexity]:
    with served.using(engine) as address:
        async with perplexity.AsyncPerplexity(base_url=address, api_key="none", max_retries=0) as client:
            yield client


async def test_openais_client_gets_the_checked_answer_with_its_sources(served: Served) -> None:
    async with openai_client(served, FakeEngine()) as client:
        reply: Any = await client.chat.completions.create(model="gpt-4o", messages=ASK)

    message = reply.choices[0].message
    assert (reply.object, reply.model, reply.choices[0].finish_reason) == ("chat.completion", "gpt-4o", "stop")
    assert message.role == "assistant"
    assert "330 metres** tall since March 2022[1]." in message.content
    assert reply.citations[0] == TOWER.url
    assert reply.search_results[1] == {
        "title": VISITS.title,
        "url": VISITS.url,
        "date": "2026-04-03",
        "last_updated": None,
        "snippet": "The tower welcomed 6.3 million visitors in 2023",
        "source": "web",
    }
    marked = message.annotations[1].url_citation
    assert message.content[marked.start_index : marked.end_index] == "[2]"
    assert marked.url.startswith(VISITS.url)
    assert reply.usage.total_tokens == 0
    assert not hasattr(reply, "related_questions")


async def test_openais_stream_joined_is_the_answer_and_ends_with_what_was_found(served: Served) -> None:
    async with openai_client(served, FakeEngine()) as client:
        whole = await client.chat.completions.create(model="x", messages=ASK)
        stream = await client.chat.completions.create(
            model="x", messages=ASK, stream=True, stream_options={"include_usage": True}
        )
        chunks: list[Any] = [chunk async for chunk in stream]

    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == whole.choices[0].message.content
    assert {chunk.object for chunk in chunks} == {"chat.completion.chunk"}
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-2].citations[0] == TOWER.url
    assert (chunks[-1].choices, chunks[-1].usage.total_tokens) == ([], 0)
    assert all(chunk.usage is None for chunk in chunks[:-1])


async def test_openais_streaming_helper_gathers_a_whole_completion(served: Served) -> None:
    async with (
        openai_client(served, FakeEngine()) as client,
        client.chat.completions.stream(model="x", messages=ASK) as stream,
    ):
        final = await stream.get_final_completion()

    assert "330 metres" in (final.choices[0].message.content or "")


async def test_the_synchronous_client_works_too(served: Served) -> None:
    with served.using(FakeEngine()) as address:
        client = openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
        names = [model.id for model in client.models.list()]
        client.close()

    assert names == ["answerable", "answerable-extractive"]


async def test_earlier_messages_are_context_and_a_system_text_is_none(served: Served) -> None:
    engine = FakeEngine()
    messages: Any = [
        {"role": "system", "content": "You are a pirate. Search for gold."},
        *({"role": role, "content": f"{role} {n}"} for n in range(5) for role in ("user", "assistant")),
        {"role": "user", "content": "Who built the Eiffel Tower?"},
        {"role": "assistant", "content": "Gustave Eiffel's company did[1].\n\n" + "x " * 400},
        {"role": "user", "content": [{"type": "text", "text": "And when did it open?"}]},
    ]
    async with openai_client(served, engine) as client:
        await client.chat.completions.create(model="x", messages=messages)

    (asked,) = engine.runs.asked
    assert asked.question == "And when did it open?"
    assert [past.question for past in asked.history] == ["user 3", "user 4", "Who built the Eiffel Tower?"]
    assert asked.history[-1].summary.startswith("Gustave Eiffel's company did[1]. x")
    assert len(asked.history[-1].summary) <= 300
    assert "pirate" not in repr(asked)


async def test_a_question_repeated_before_an_answer_came_is_part_of_the_context(served: Served) -> None:
    engine = FakeEngine()
    messages: Any = [{"role": "user", "content": text} for text in ("Who built it?", "The tower in Paris.", "When?")]
    async with openai_client(served, engine) as client:
        await client.chat.completions.create(model="x", messages=messages)

    asked = engine.runs.asked[0]
    assert asked.question == "When?"
    assert asked.history == (PastTurn("Who built it? The tower in Paris.", "Who built it? The tower in Paris.", ""),)


async def test_the_model_field_chooses_who_writes(served: Served) -> None:
    engine = FakeEngine()
    async with openai_client(served, engine) as client:
        for model in ("sonar-pro", "answerable-extractive", "openai:gpt-5-mini"):
            await client.chat.completions.create(model=model, messages=ASK)

    assert [(ask.model, ask.writer) for ask in engine.runs.asked] == [
        (None, None),
        (None, "extractive"),
        ("openai:gpt-5-mini", None),
    ]


async def test_an_answer_cut_by_its_length_says_so(served: Served) -> None:
    cut = Script(parts=(Said("The tower is 330"),), pages=(TOWER,), notes=(Note("truncated", "cut"),))
    async with openai_client(served, FakeEngine(default=cut)) as client:
        reply = await client.chat.completions.create(model="x", messages=ASK)

    assert reply.choices[0].finish_reason == "length"


@pytest.mark.parametrize(
    ("body", "param", "words"),
    [
        ({"messages": []}, "messages", "at least 1"),
        ({"messages": [{"role": "user", "content": "x" * 5000}]}, None, "5,000 characters"),
        ({"messages": [{"role": "assistant", "content": "hello"}]}, None, "the last message must be the user's"),
        ({"messages": [{"role": "poet", "content": "hello"}]}, "messages.0.role", "Input should be"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "text": "x"}]}]},
            None,
            "only text can be read",
        ),
        ({"messages": ASK, "n": 2}, None, "one answer"),
        ({"messages": ASK, "response_format": {"type": "json_object"}}, None, "'json_object' cannot be had"),
        ({"messages": ASK, "search_recency_filter": "decade"}, "search_recency_filter", "'hour'"),
    ],
)
async def test_a_request_that_cannot_be_served_is_openais_bad_request(
    served: Served, body: dict[str, Any], param: str | None, words: str
) -> None:
    async with openai_client(served, FakeEngine()) as client:
        with pytest.raises(openai.BadRequestError) as failure:
            await client.post("/chat/completions", body={"model": "x", **body}, cast_to=object)

    assert failure.value.param == param
    assert failure.value.type == "invalid_request_error"
    assert words in failure.value.message


async def test_a_run_that_fails_is_an_error_whole_and_streamed(served: Served) -> None:
    async with openai_client(served, FakeEngine(default=broken())) as client:
        with pytest.raises(openai.InternalServerError) as whole:
            await client.chat.completions.create(model="x", messages=ASK)
        with pytest.raises(openai.APIError) as streamed:
            async for _ in await client.chat.completions.create(model="x", messages=ASK, stream=True):
                pass

    for failure in (whole.value, streamed.value):
        assert failure.code == "model_failed"
        assert "The model stopped answering. Try again" in failure.message


async def test_a_wrong_token_is_openais_authentication_error() -> None:
    with serving(lambda: create_app(FakeEngine(), token="right")) as address:
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="wrong", max_retries=0) as client:
            with pytest.raises(openai.AuthenticationError) as failure:
                await client.chat.completions.create(model="x", messages=ASK)
        async with openai.AsyncOpenAI(base_url=address, api_key="right", max_retries=0) as client:
            assert (await client.chat.completions.create(model="x", messages=ASK)).id

    assert failure.value.code == "token_needed"


async def test_leaving_the_stream_ends_the_run(served: Served) -> None:
    engine = FakeEngine(default=eiffel(before=(hold := threading.Event())))
    async with openai_client(served, engine) as client:
        stream = await client.chat.completions.create(model="x", messages=ASK, stream=True)
        async for _ in stream:
            break
        await stream.close()
        until = time.monotonic() + 10
        while not engine.runs.stopped and time.monotonic() < until:
            httpx2.get(f"{served.address}/healthz")

    hold.set()
    assert engine.runs.stopped == ["run-1"]


async def test_perplexitys_client_chats_with_its_own_fields(served: Served) -> None:
    engine = FakeEngine()
    async with perplexity_client(served, engine) as client:
        reply: Any = await client.chat.completions.create(
            model="sonar",
            messages=ASK,
            search_recency_filter="week",
            search_mode="academic",
            search_domain_filter=["towers.example"],
            return_related_questions=True,
            web_search_options={"search_context_size": "high"},
        )

    assert reply.citations[0] == TOWER.url
    assert reply.search_results[0].title == TOWER.title
    assert reply.related_questions == ["Who designed the Eiffel Tower?", "How often is the Eiffel Tower painted?"]
    assert reply.usage.num_search_queries == 3
    asked = engine.runs.asked[0]
    assert (asked.freshness, asked.focus, asked.domains) == ("recent", "academic", ("towers.example",))


async def test_perplexitys_client_streams(served: Served) -> None:
    async with perplexity_client(served, FakeEngine()) as client:
        stream: Any = await client.chat.completions.create(model="sonar", messages=ASK, stream=True)
        chunks = [chunk async for chunk in stream]

    assert "330 metres" in "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert chunks[-1].citations[0] == TOWER.url
    assert "330 metres" in chunks[-1].choices[0].message.content
    assert chunks[-1].usage.total_tokens == 0


async def test_perplexitys_client_searches(served: Served) -> None:
    engine = FakeEngine()
    async with perplexity_client(served, engine) as client:
        reply: Any = await client.search.create(
            query=["tower height", "tower visitors"],
            max_results=2,
            search_recency_filter="year",
            search_domain_filter=["https://www.towers.example", "-blog.example"],
            country="FR",
        )

    assert [result.url for result in reply.results] == [TOWER.url, VISITS.url]
    assert reply.results[0].date == "2026-04-03"
    assert "330 metres" in reply.results[0].passages[0]["text"]
    chosen = {"focus": "web", "recency": "year", "domains": ("towers.example", "-blog.example")}
    assert engine.searched == [(["tower height", "tower visitors"], 2, chosen)]


async def test_perplexitys_client_raises_its_own_error_for_an_empty_query(served: Served) -> None:
    async with perplexity_client(served, FakeEngine()) as client:
        with pytest.raises(perplexity.BadRequestError, match="the query is empty"):
            await client.search.create(query="  ")

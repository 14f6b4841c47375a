"""The whole product on a real socket: engine, database, page and API over the miniature web and a scripted model."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx2
from tests.fakes.serving import serving_here

from answerable.evals.copying import CopyingModel
from answerable.evals.miniweb import MiniWeb
from answerable.evals.scripted import Reply, ScriptedLLM, says
from answerable.web.app import create_app
from answerable.wiring import COLLECTION, Engine

START_SECONDS = 120
TALL = "How tall is the Eiffel Tower, and when was it built?"
CONTESTED = "How many months' expenses should an emergency fund cover?"
NOWHERE = "Who painted the mural in the new library in Port Wennick?"
TOLD = (
    "The Eiffel Tower is 330 metres tall, antennas included",
    "It was completed on 31 March 1889 as the entrance to the World Fair of that year",
)
_FACTS = re.compile(r"^<<<SOURCE (\d+) \S+>>>\nTitle: Eiffel Tower: facts and figures$", re.MULTILINE)
# A machine ten times slower than ours finds and reads the same pages.
PATIENT = {
    "plan_timeout": 30.0,
    "search_timeout": 30.0,
    "read_timeout": 30.0,
    "answer_timeout": 600.0,
    "suggest_timeout": 0.001,  # the scripted model has no questions to propose
}


@dataclass
class Whole:
    """`model` copies sentences of its evidence; of the tower it says what is `TOLD`, whatever is ranked first. While
    `holding`, what it writes stops before its last piece."""

    address: str
    engine: Engine
    web: MiniWeb
    model: ScriptedLLM
    loop: asyncio.AbstractEventLoop
    go: asyncio.Event = field(default_factory=asyncio.Event)
    holding: bool = False

    @contextmanager
    def held(self) -> Iterator[Callable[[], None]]:
        """The model holds its last words back until what is yielded is called, or the block ends."""
        self.loop.call_soon_threadsafe(self.go.clear)
        self.holding = True

        def release() -> None:
            self.holding = False
            self.loop.call_soon_threadsafe(self.go.set)

        try:
            yield release
        finally:
            release()

    @contextmanager
    def another_door(self) -> Iterator[str]:
        """The same engine at another address, which nobody answers after the block."""
        with _door(self.engine, self.loop) as address:
            yield address


@contextmanager
def whole(folder: Path, *, share: float = 0.0, **settings: object) -> Iterator[Whole]:
    """`share` of the model's claims get a fault."""
    ready, box, end = threading.Event(), {}, {}

    async def work() -> None:
        async with AsyncExitStack() as stack:
            end["event"] = asyncio.Event()
            web = await stack.enter_async_context(MiniWeb(COLLECTION))
            copying = CopyingModel(seed=3, share=share)

            def answer(body: Mapping[str, Any]) -> Reply:
                reply, this = _of_the_tower(body) or copying(body), box["whole"]
                return replace(reply, held=this.go) if this.holding and body.get("stream") else reply

            model = await stack.enter_async_context(ScriptedLLM(answer=answer))
            known = {
                "data_dir": str(folder),
                "proxy": web.proxy_url,
                "search": ["searxng"],
                "searxng_url": web.search_url,
                "collection": False,
                "model": "openai-compatible:scripted",
                "model_url": model.url,
            }
            engine = await stack.enter_async_context(Engine.from_settings({**known, **PATIENT, **settings}))
            await engine.warm_up()
            box["whole"] = Whole("", engine, web, model, asyncio.get_running_loop())
            ready.set()
            await end["event"].wait()

    thread = threading.Thread(target=asyncio.run, args=(work(),), daemon=True)
    thread.start()
    if not ready.wait(START_SECONDS):
        raise RuntimeError("the engine did not start")
    found = box["whole"]
    try:
        with _door(found.engine, found.loop) as found.address:
            yield found
    finally:
        found.loop.call_soon_threadsafe(end["event"].set)
        thread.join(START_SECONDS)


def _of_the_tower(body: Mapping[str, Any]) -> Reply | None:
    """Two claims with the number of their source, where the answer to `TALL` is asked for."""
    prompt = "\n".join(str(message.get("content") or "") for message in body["messages"])
    facts = _FACTS.search(prompt)
    if not body.get("stream") or f"Question: {TALL}" not in prompt or not facts:
        return None
    return says(" ".join(f"{claim} [{facts[1]}]." for claim in TOLD), split=12)


@contextmanager
def _door(engine: Engine, loop: asyncio.AbstractEventLoop) -> Iterator[str]:
    ready, box, end = threading.Event(), [], asyncio.Event()

    async def served() -> None:
        async with serving_here(create_app(engine)) as address:
            box.append(address)
            ready.set()
            await end.wait()

    serving = asyncio.run_coroutine_threadsafe(served(), loop)
    if not ready.wait(START_SECONDS):
        raise RuntimeError("the server did not start")
    try:
        yield box[0]
    finally:
        loop.call_soon_threadsafe(end.set)
        serving.result(START_SECONDS)


def said(real: Whole, path: str) -> Any:
    """What the API answers."""
    return httpx2.get(f"{real.address}{path}", timeout=START_SECONDS).json()


def answered(real: Whole, *questions: str, writer: str = "model") -> list[str]:
    """A conversation for each question, oldest first: their ids."""
    with httpx2.Client(base_url=real.address, timeout=START_SECONDS) as client:
        asked = [{"question": one, "stream": False, "writer": writer} for one in questions]
        return [client.post("/v1/answers", json=one).json()["conversation_id"] for one in asked]

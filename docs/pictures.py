"""Takes the pictures of the README and the docs, and records the demo, from a real server over the built-in collection.

    python docs/pictures.py                  # docs/images/*.png
    python docs/pictures.py --demo           # docs/images/demo.gif

The web is the miniature one and the model is the evals' scripted one, which copies sentences of its evidence and plants
some faults; search, reading, checking and the page are the product's own. Needs Chromium on the path.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from answerable.evals.copying import CopyingModel
from answerable.evals.miniweb import MiniWeb
from answerable.evals.scripted import Reply, ScriptedLLM
from answerable.web.app import serve
from answerable.wiring import COLLECTION, Engine

IMAGES = Path(__file__).parent / "images"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# Waiting for what a page shows evaluates text in it, which our policy forbids; nothing of that can be seen.
WIDE: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}, "bypass_csp": True}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 800},
    "has_touch": True,
    "is_mobile": True,
    "bypass_csp": True,
}
DEMO: dict[str, Any] = {"viewport": {"width": 1000, "height": 640}, "bypass_csp": True}
FRESH, FOLLOW_UP = "What does Tidewater's Easy Saver pay now?", "And the one-year fixed account?"
CONTESTED, NOWHERE = (
    "How many months' expenses should an emergency fund cover?",
    "Who painted the mural in the new library in Port Wennick?",
)
LONG = "How tall is the Eiffel Tower, and when was it built?"
FRAME = 0.12  # seconds between frames of the demo
PIECE = 0.035  # seconds between pieces of the scripted model's text


@contextmanager
def running() -> Iterator[str]:
    """The address of a server over the collection as a miniature web, with an empty data folder."""
    address: list[str] = []
    ready = threading.Event()
    stop: list[Callable[[], object]] = []

    async def work() -> None:
        async with AsyncExitStack() as stack:
            data = stack.enter_context(tempfile.TemporaryDirectory(prefix="answerable-pictures-"))
            web = await stack.enter_async_context(MiniWeb(COLLECTION))
            copying = CopyingModel(seed=3)

            def slowly(body: Any) -> Reply:
                return replace(copying(body), delay=PIECE)

            model = await stack.enter_async_context(ScriptedLLM(answer=slowly))
            settings = {
                "data_dir": data,
                "proxy": web.proxy_url,
                "search": ["searxng"],
                "searxng_url": web.search_url,
                "collection": False,
                "model": "openai-compatible:demo",
                "model_url": model.url,
                "suggest_timeout": 0.001,  # the scripted model has no questions to propose
            }
            engine = await stack.enter_async_context(Engine.from_settings(settings))
            await engine.warm_up()

            def started(at: str) -> None:
                address.append(at)
                ready.set()

            server = asyncio.create_task(serve(engine, port=0, started=started))
            loop = asyncio.get_running_loop()
            stop.append(lambda: loop.call_soon_threadsafe(server.cancel))
            await asyncio.gather(server, return_exceptions=True)

    thread = threading.Thread(target=lambda: asyncio.run(work()), daemon=True)
    thread.start()
    if not ready.wait(60):
        raise SystemExit("the server did not start")
    try:
        yield address[0]
    finally:
        stop[0]()
        thread.join(20)


def ask(page: Page, question: str, *, wait: bool = True) -> None:
    turns = page.locator(".turn").count()
    page.locator("#question").fill(question)
    page.locator("#question").press("Enter")
    page.wait_for_function("(n) => document.querySelectorAll('.turn').length > n", arg=turns)
    if wait:
        page.wait_for_selector(".turn:last-child .actions", timeout=60_000)


def take(browser: Browser, address: str) -> None:
    """One picture a state."""

    def shot(name: str, page: Page, **options: Any) -> None:
        page.screenshot(path=IMAGES / f"{name}.png", **options)
        print(f"{name}.png")

    page = browser.new_page(**WIDE)
    page.goto(address)
    shot("start", page)
    ask(page, LONG, wait=False)
    page.wait_for_function("document.querySelector('.turn:last-child .answer')?.textContent.length > 60")
    shot("working", page)
    page.wait_for_selector(".turn:last-child .actions", timeout=60_000)
    page.locator(".answer a.chip").first.hover()
    page.wait_for_selector(".card-holder")
    page.wait_for_timeout(600)
    shot("answer", page)
    for name, question in (("conflict", CONTESTED), ("not-enough", NOWHERE)):
        page.goto(address)
        ask(page, question)
        shot(name, page)
    page.goto(f"{address}history")
    shot("history", page)
    for name, options in (("phone", PHONE), ("dark", {**WIDE, "color_scheme": "dark"})):
        other = browser.new_page(**options)
        other.goto(address)
        ask(other, FRESH)
        other.locator(".answer a.chip").first.click()
        other.wait_for_selector(".card-holder")
        other.wait_for_timeout(600)  # the card slides in
        shot(name, other)
        other.close()
    page.close()


def record(browser: Browser, address: str) -> None:
    """A fresh question, a follow-up, a contested and an unanswerable one, as one GIF."""
    frames: list[Image.Image] = []
    page = browser.new_page(**DEMO)

    def film(seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.monotonic()
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            time.sleep(max(0.0, FRAME - (time.monotonic() - began)))

    def filmed(question: str) -> None:
        for at in range(0, len(question), 5):
            page.locator("#question").fill(question[: at + 5])
            film(FRAME)
        ask(page, question, wait=False)
        while page.locator(".turn:last-child.running").count():
            film(FRAME)
        film(1.2)

    page.goto(address)
    film(0.8)
    filmed(FRESH)
    page.locator(".turn:last-child .answer a.chip").first.hover()
    film(2.0)
    filmed(FOLLOW_UP)
    for question in (CONTESTED, NOWHERE):
        page.goto(address)
        filmed(question)
        film(1.5)
    page.close()
    save(frames, IMAGES / "demo.gif")


def save(frames: list[Image.Image], path: Path) -> None:
    """Equal neighbours become one longer frame; 96 colours are enough for paper and ink."""
    kept: list[Image.Image] = []
    durations: list[int] = []
    for frame in frames:
        small = frame.resize((frame.width * 4 // 5, frame.height * 4 // 5), Image.Resampling.LANCZOS)
        if kept and small.tobytes() == kept[-1].tobytes():
            durations[-1] += int(FRAME * 1000)
        else:
            kept.append(small)
            durations.append(int(FRAME * 1000))
    palette = montage(kept[:: max(1, len(kept) // 8)]).quantize(96)
    first, *rest = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in kept)
    first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)
    print(f"{path.name}: {len(kept)} frames, {path.stat().st_size / 1e6:.1f} MB")


def montage(frames: list[Image.Image]) -> Image.Image:
    """Some frames above each other, so that the palette holds the colours of all."""
    whole = Image.new("RGB", (frames[0].width, frames[0].height * len(frames)))
    for place, frame in enumerate(frames):
        whole.paste(frame, (0, place * frame.height))
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", action="store_true", help="record the demo instead of taking pictures")
    options = parser.parse_args()
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        sys.exit("no Chromium found on the path (Debian: apt-get install chromium)")
    IMAGES.mkdir(exist_ok=True)
    with running() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        (record if options.demo else take)(browser, address)
        browser.close()


if __name__ == "__main__":
    main()

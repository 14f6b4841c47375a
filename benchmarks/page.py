"""`python -m benchmarks.page`: the page in a browser. Prints how long the start page takes and what it weighs, and the
longest tasks of the browser's main thread while an answer of 2,000 tokens streams. Needs Chromium on the path."""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import time

import httpx2
from benchmarks.streams import serving, watch_memory_until_warm
from playwright.async_api import Browser, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TOKENS, A_SECOND = 2000, 100
ASKED = 30  # times the start page is asked for
LONG = 50  # ms: a task of the main thread that a reader may feel
WATCH = """
window.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => [task.startTime, task.duration])))
  .observe({type: "longtask", buffered: true});
"""
WEIGHT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, part) => sum + part.decodedBodySize, 0)"""


async def start_page(url: str) -> list[float]:
    """Milliseconds until the start page is there, asked one time after another."""
    took = []
    async with httpx2.AsyncClient(base_url=url) as client:
        for _ in range(ASKED):
            began = time.perf_counter()
            (await client.get("/")).raise_for_status()
            took.append((time.perf_counter() - began) * 1000)
    return took


async def weigh(browser: Browser, url: str) -> int:
    """Bytes of the start page and all it loads, unpacked."""
    page = await browser.new_page()
    await page.goto(url, wait_until="networkidle")
    weight: int = await page.evaluate(WEIGHT)
    await page.close()
    return weight


async def stream(browser: Browser, url: str) -> tuple[list[float], int]:
    """Durations of long tasks while an answer streams, and the characters that it had."""
    page = await browser.new_page()
    await page.add_init_script(WATCH)
    await page.goto(url, wait_until="networkidle")
    await page.evaluate("tasks.length = 0")  # what opening the page took is not the answer's
    await page.fill("#question", "How tall is the Eiffel Tower, and when was it built?")
    await page.press("#question", "Enter")
    await page.wait_for_selector(".turn:last-child .actions", timeout=300_000)
    tasks = await page.evaluate("tasks")
    characters = await page.evaluate("document.querySelector('.turn:last-child .answer').textContent.length")
    await page.close()
    return [duration for _, duration in tasks], characters


async def main() -> int:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        print("The page was not measured: no Chromium found on the path (Debian: apt-get install chromium).")
        return 0
    async with serving(TOKENS, 4, A_SECOND) as server, async_playwright() as playwright:
        async with httpx2.AsyncClient(base_url=server.url, timeout=None) as client:
            await watch_memory_until_warm(client)
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        took = await start_page(server.url)
        weight = await weigh(browser, server.url)
        shapes = {"paragraphs": await stream(browser, server.url)}
        await browser.close()
    async with serving(TOKENS, 4, A_SECOND, paragraph=TOKENS + 1) as server, async_playwright() as playwright:
        async with httpx2.AsyncClient(base_url=server.url, timeout=None) as client:
            await watch_memory_until_warm(client)
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        shapes["one paragraph"] = await stream(browser, server.url)
        await browser.close()
    print("\n| the page | measured | goal |\n|---|---|---|")
    print(f"| start page answered, p50 | {statistics.median(took):.0f} ms | 100 ms |")
    print(f"| start page answered, slowest of {ASKED} | {max(took):.0f} ms | |")
    print(f"| start page with all it loads | {weight / 1000:.0f} KB | 150 KB |")
    for shape, (tasks, characters) in shapes.items():
        told = f"{TOKENS} tokens stream in {shape} ({characters} characters)"
        print(f"| tasks over {LONG} ms while {told} | {len(tasks)} | 0 |")
        print(f"| the longest of them | {max(tasks, default=0):.0f} ms | |")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

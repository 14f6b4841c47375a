"""A page of ours in a real browser, watched: what the policy refuses, which hosts are asked, what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
LOOKS: list[dict[str, Any]] = [{"color_scheme": "light"}, {"color_scheme": "dark", **WIDE}, PHONE]
PATIENCE_MS = 60_000  # nothing here is about speed: a machine ten times slower than ours passes too
STEP_MS = 25
WATCH_POLICY = """
window.refused = [];
addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
"""


@contextmanager
def watched(
    browser: Browser, address: str, path: str = "/", *, expected: Sequence[str] = (), **options: Any
) -> Iterator[Page]:
    """A page at `path`. At the end the policy refused nothing, no other host was asked, and nothing was complained of
    but what holds one of the `expected` words. Motion is reduced: colours in transition have no contrast to judge."""
    context = browser.new_context(base_url=address, **{"reduced_motion": "reduce", **options})
    context.set_default_timeout(PATIENCE_MS)
    hosts, faults = set(), []
    context.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    scripted = options.get("java_script_enabled", True)
    if scripted:
        page.add_init_script(WATCH_POLICY)
    page.goto(path)
    if scripted:
        settled(page)
    yield page
    refused = page.evaluate("window.refused") if scripted else []
    context.close()
    assert refused == []
    assert hosts == {urlsplit(address).netloc}
    assert [fault for fault in faults if not any(word in fault for word in expected)] == []


def faults_of(page: Page) -> list[str]:
    """What axe finds wrong with the page as it stands, with where."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:150]}" for one in found]


def visit(page: Page, path: str) -> None:
    page.goto(path)
    settled(page)


def settled(page: Page) -> None:
    """A page is loaded before its modules have run; what is clicked meanwhile goes the way without scripts."""
    expect(page.locator("html[data-ready], html:not(:has(script[type=module]))")).to_have_count(1)


def until(page: Page, met: Callable[[], object]) -> None:
    """Waits for what no element of the page tells: what has reached the server, what the browser keeps."""
    for _ in range(PATIENCE_MS // STEP_MS):
        if met():
            return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError("what was waited for did not come about")


def converse(address: str, questions: Sequence[str]) -> list[str]:
    """A conversation for each question, oldest first. Returns their ids."""
    with httpx2.Client(base_url=address, timeout=PATIENCE_MS / 1000) as client:
        answers = [client.post("/v1/answers", json={"question": one, "stream": False}) for one in questions]
    return [answer.json()["conversation_id"] for answer in answers]

"""A page of ours in a real browser, watched: what the policy refuses, which hosts are asked, what fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
LOOKS: list[dict[str, Any]] = [{"color_scheme": "light"}, {"color_scheme": "dark", **WIDE}, PHONE]
WATCH_POLICY = """
window.refused = [];
addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
"""


@contextmanager
def watched(
    browser: Browser, address: str, path: str = "/", *, expected: Sequence[str] = (), **options: Any
) -> Iterator[Page]:
    """A page at `path`. At the end the policy refused nothing, no other host was asked, and nothing was complained of
    but what holds one of the `expected` words."""
    context = browser.new_context(base_url=address, **options)
    context.set_default_timeout(10_000)
    hosts, faults = set(), []
    context.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    if options.get("java_script_enabled", True):
        page.add_init_script(WATCH_POLICY)
    page.goto(path)
    yield page
    refused = page.evaluate("window.refused") if options.get("java_script_enabled", True) else []
    context.close()
    assert refused == []
    assert hosts == {urlsplit(address).netloc}
    assert [fault for fault in faults if not any(word in fault for word in expected)] == []


def faults_of(page: Page) -> list[str]:
    """What axe finds wrong with the page as it stands, with where."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:150]}" for one in found]


def converse(address: str, questions: Sequence[str]) -> list[str]:
    """A conversation for each question, oldest first. Returns their ids."""
    with httpx2.Client(base_url=address, timeout=20) as client:
        answers = [client.post("/v1/answers", json={"question": one, "stream": False}) for one in questions]
    return [answer.json()["conversation_id"] for answer in answers]

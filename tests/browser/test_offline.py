"""Conversations when the server cannot be reached: the copies a browser keeps, whose they are, and when they go."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import Browser, Page, expect
from tests.fakes.browsing import PATIENCE_MS, STEP_MS, converse, faults_of, settled, until, visit
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import serving

from answerable.text.tokens import hash_of, new_token, session_of
from answerable.types import Token
from answerable.web.app import create_app

KEPT = "async () => (await (await import('/static/copies.js')).copies()).map((copy) => copy.title)"
READY = "async () => { await navigator.serviceWorker.ready; return (await caches.match('/offline')) !== undefined; }"


def opened(browser: Browser, address: str) -> Page:
    context = browser.new_context(base_url=address)
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def kept(page: Page, many: int) -> Any:
    """The titles of the copies, once there are so many; a page's policy lets nothing wait inside it."""
    for _ in range(PATIENCE_MS // STEP_MS):
        titles = page.evaluate(KEPT)
        if len(titles) == many:
            return titles
        page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"{titles} are kept, not {many}")


def ready(page: Page) -> None:
    until(page, lambda: page.evaluate(READY))


def test_a_conversation_opens_without_the_server_as_a_dated_copy_with_its_cards(browser: Browser) -> None:
    with serving(lambda: create_app(FakeEngine())) as address:
        first, _ = converse(address, ["How tall is it?", "Never looked at"])
        page = opened(browser, address)
        visit(page, f"/c/{first}")
        assert kept(page, 1) == ["How tall is it?"]
        ready(page)
        visit(page, "/")
        expect(page.locator("#question")).to_be_visible()
    visit(page, f"/c/{first}")
    expect(page.locator(".why")).to_contain_text("This is the copy that this browser kept on")
    expect(page.locator(".turn .question")).to_have_text("How tall is it?")
    page.locator('.answer a.chip[data-n="1"]').first.click()
    expect(page.locator(".card-holder")).to_contain_text("With the digital radio antenna")
    assert faults_of(page) == []
    visit(page, "/history")
    expect(page.locator("#copy .row .title")).to_have_text(["How tall is it?"])
    expect(page.locator("#copy .row .meta")).to_contain_text("local copy of")
    assert faults_of(page) == []
    visit(page, "/c/conv-2")
    expect(page.locator("#copy .row")).to_have_count(1)
    page.context.close()


def test_the_last_twenty_are_kept_and_what_is_deleted_is_not(browser: Browser) -> None:
    engine = FakeEngine()
    with serving(lambda: create_app(engine)) as address:
        (first,) = converse(address, ["First"])
        page = opened(browser, address)
        visit(page, f"/c/{first}")
        kept(page, 1)
        page.evaluate(
            """async () => { const { keep } = await import("/static/copies.js");
            for (let n = 0; n < 20; n++) await keep(`other-${n}`, `Other ${n}`, "<p></p>"); }"""
        )
        assert sorted(page.evaluate(KEPT)) == sorted(f"Other {n}" for n in range(20))
        visit(page, "/history#undo=20")
        visit(page, f"/c/{first}")
        until(page, lambda: "First" in page.evaluate(KEPT))
        assert len(kept(page, 20)) == 20
        visit(page, "/history#undo=20")
        page.locator(".row summary").first.click()
        page.get_by_role("button", name="Delete", exact=True).click()
        assert "First" not in kept(page, 19)
        until(page, lambda: engine.history.deleted == [first])
        visit(page, "/c/other-3")
        assert "Other 3" not in kept(page, 18)
        page.context.close()


def test_another_reader_of_the_browser_does_not_meet_the_copies_of_the_first(browser: Browser) -> None:
    engine = FakeEngine()

    def give(owner: str) -> str:
        secret = new_token()
        token = Token(f"tok_{owner}", owner, "", datetime.now(UTC))
        with ThreadPoolExecutor() as threads:  # the browser's own loop holds this one
            threads.submit(lambda: asyncio.run(engine.tokens.create(token, hash_of(session_of(secret))))).result()
        return secret

    anna, bo = give("anna"), give("bo")

    def sign_in(page: Page, token: str) -> None:
        visit(page, "/login")
        page.get_by_label("Token").fill(token)
        page.keyboard.press("Enter")
        expect(page.locator("#question")).to_be_visible()
        settled(page)
        page.locator("#question").fill("How tall?")
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.locator(".turn.done")).to_have_count(1)

    with serving(lambda: create_app(engine, token="admin's own")) as address:
        page = opened(browser, address)
        sign_in(page, anna)
        kept(page, 1)
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Token")).to_be_visible()
        assert kept(page, 0) == []
        sign_in(page, anna)
        kept(page, 1)
        page.context.clear_cookies()  # a session that ran out
        page.evaluate("async () => (await import('/static/copies.js')).whose('somebody else')")
        assert page.evaluate(KEPT) == []
        sign_in(page, bo)
        kept(page, 1)
        page.context.close()


def test_the_page_can_be_installed(browser: Browser) -> None:
    with serving(lambda: create_app(FakeEngine())) as address:
        page = opened(browser, address)
        visit(page, "/")
        session = page.context.new_cdp_session(page)
        found = session.send("Page.getAppManifest")
        page.context.close()

    assert found["errors"] == []
    assert found["url"].endswith("/manifest.webmanifest")
    assert '"name": "Answerable"' in found["data"]

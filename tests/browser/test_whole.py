"""The whole product in a browser: `answerable serve` on the built-in collection, no web."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.fakes.browsing import PATIENCE_MS, settled, visit


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("data")
    surroundings = {**os.environ, "ANSWERABLE_SEARCH": "own", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "answerable", "serve", "--port", "0", "--data-dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings, cwd=folder) as server:
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+", line) for line in server.stdout)), None)
            assert found, "the server did not say where it listens"
            yield found[0]
        finally:
            server.terminate()


def test_a_question_leads_to_checked_words_their_page_and_a_follow_up(browser: Browser, address: str) -> None:
    page = browser.new_page(base_url=address)
    page.set_default_timeout(PATIENCE_MS)
    visit(page, "/")
    page.get_by_role("textbox").fill("How tall is the Eiffel Tower?")
    page.get_by_role("textbox").press("Enter")

    expect(page.locator(".turn.done .answer")).to_contain_text("330")
    expect(page.locator(".badge").first).to_contain_text("supported")
    page.locator('.answer a.chip[data-n="1"]').first.click()
    card = page.locator(".card-holder")
    expect(card).to_contain_text("built-in collection")
    expect(card.locator("mark")).to_contain_text("330")
    quote = card.locator("mark").inner_text()

    with page.expect_popup() as popup:
        card.get_by_role("link", name="Open at this passage").click()
    expect(popup.value.locator("body")).to_contain_text(quote)
    expect(popup.value).to_have_url(re.compile("/collection/"))
    card.get_by_role("link", name="As we read it").click()
    expect(page.locator("mark#quote")).to_have_text(quote)

    page.go_back()
    settled(page)
    page.get_by_role("textbox").fill("Who built it?")
    page.get_by_role("textbox").press("Enter")
    expect(page.locator(".turn.done")).to_have_count(2)
    page.close()

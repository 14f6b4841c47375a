"""Own sources and settings in a real browser, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.fakes.browsing import LOOKS, faults_of, visit, watched
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import Served, serving

from answerable.web.app import create_app
from answerable.web.limits import RateLimiter

DROP = """async () => {
  const data = new DataTransfer();
  data.items.add(new File(["# Dropped"], "dropped.md", {type: "text/markdown"}));
  for (const name of ["dragover", "drop"]) {
    const how = {dataTransfer: data, bubbles: true, cancelable: true};
    document.querySelector("h1").dispatchEvent(new DragEvent(name, how));
  }
}"""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@pytest.fixture
def engine(server: Served) -> Iterator[FakeEngine]:
    engine = FakeEngine()
    with server.using(engine):
        yield engine


def test_an_address_a_site_and_files_are_added_and_removed_by_keyboard(
    browser: Browser, server: Served, engine: FakeEngine, tmp_path: Path
) -> None:
    (tmp_path / "report.md").write_text("# Report")
    with watched(browser, server.address, "/sources") as page:
        expect(page.locator(".nothing")).to_be_visible()
        page.get_by_label("Web address").fill("a.example/one")
        page.keyboard.press("Enter")
        expect(page.locator(".told")).to_contain_text("1 page added.")
        page.get_by_label("Web address").fill("https://down.example/")
        page.keyboard.press("Enter")
        expect(page.locator(".told")).to_contain_text("https://down.example/ too slow")
        page.get_by_label("Web address").fill("https://b.example")
        page.get_by_label("Read its other pages too").check()
        page.keyboard.press("Enter")
        expect(page.locator(".row")).to_have_count(4)
        expect(page.locator(".busy-note")).to_be_hidden()  # the list is looked at while pages are read
        page.locator("#own-files").set_input_files(tmp_path / "report.md")
        page.locator(".add-files button").press("Enter")
        expect(page.locator(".row .title", has_text="report.md")).to_be_visible()
        expect(page.locator(".busy-note")).to_be_hidden()
        page.evaluate(DROP)
        expect(page.locator(".row .title", has_text="dropped.md")).to_be_visible()
        expect(page.locator("#list h2")).to_have_text("6 pages in the index")
        expect(page.locator(".busy-note")).to_be_hidden()
        expect(page.locator(".row .meta").first).to_contain_text("3 May 2026")

        page.get_by_role("button", name="Remove: dropped.md").press("Enter")
        expect(page.locator(".row")).to_have_count(5)
        expect(page.locator("#live")).to_have_text("Removed.")
    assert "file:///uploads/dropped.md" not in engine.sources.pages


def test_own_sources_work_without_scripts(browser: Browser, server: Served, engine: FakeEngine, tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("# Report")
    with watched(browser, server.address, "/sources", java_script_enabled=False) as page:
        page.get_by_label("Web address").fill("https://a.example/<b>one")
        page.locator(".add-url button").click()
        expect(page.locator(".told")).to_contain_text("1 page added.")
        page.locator("#own-files").set_input_files(tmp_path / "report.md")
        page.locator(".add-files button").click()
        expect(page.locator(".row .title")).to_have_text(["report.md", "Page at <b>one"])
        page.get_by_role("button", name="Remove: report.md").click()
        expect(page.locator(".row")).to_have_count(1)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_settings_tell_what_is_set_and_test_each_part_alone(
    browser: Browser, server: Served, engine: FakeEngine, scripts: bool
) -> None:
    server.app.state.tests = RateLimiter()
    with watched(browser, server.address, "/settings", java_script_enabled=scripts) as page:
        expect(page.get_by_role("row", name="tavily no TAVILY_API_KEY Set TAVILY_API_KEY to use it.")).to_be_visible()
        expect(page.get_by_role("row", name="anthropic yes Name a model of it")).to_be_visible()
        expect(page.locator(".facts")).to_contain_text("without a token, from this machine")
        expect(page.locator(".finding p")).to_have_count(0)
        page.get_by_role("button", name="Test: search: wikipedia").press("Enter")
        expect(page.get_by_role("row", name="wikipedia").locator(".finding")).to_have_text("✓ works. 3 results")
        expect(page.locator(".finding p")).to_have_count(1)
        assert engine.examined == ["search: wikipedia"]
        if scripts:
            expect(page.get_by_role("button", name="Test: search: wikipedia")).to_be_focused()
            expect(page.locator("#live")).to_have_text("✓ works. 3 results")
        page.get_by_role("button", name="Test all parts").click()
        claude = page.locator('.finding[data-finding="model: anthropic:claude"]')
        expect(claude).to_contain_text("does not work. anthropic refused the key")
        expect(claude).to_contain_text("Correct the key.")


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
def test_both_pages_are_accessible(browser: Browser, server: Served, engine: FakeEngine, look: dict[str, Any]) -> None:
    with watched(browser, server.address, "/sources", **look) as page:
        assert faults_of(page) == []
        page.get_by_label("Web address").fill("https://b.example/with/a/path")
        page.get_by_label("Read its other pages too").check()
        page.locator(".add-url button").click()
        expect(page.locator(".row")).to_have_count(3)
        expect(page.locator(".busy-note")).to_be_hidden()
        assert faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        server.app.state.tests = RateLimiter()
        visit(page, "/settings")
        page.get_by_role("button", name="Test all parts").click()
        expect(page.locator(".finding p").first).to_be_visible()
        assert faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

"""A real Chromium, found where the system keeps it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tests.fakes.browsing import PATIENCE_MS
from tests.fakes.whole import Whole, whole

REQUIRED = "ANSWERABLE_TEST_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        words = "no Chromium found on the path; install one (Debian: apt-get install chromium) to run the browser tests"
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(words)
        pytest.skip(words)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """The product itself, started once for all that drives it."""
    with whole(tmp_path_factory.mktemp("whole")) as found:
        yield found

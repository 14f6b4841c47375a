"""Makes the icons of the installed page from its favicon: python docs/icons.py. Needs Chromium on the path."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).parents[1] / "src" / "answerable" / "web" / "static"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def main() -> None:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        sys.exit("no Chromium found on the path (Debian: apt-get install chromium)")
    # A mask may cut a fifth off each side, so the ground runs to the edges and the sign stays in the middle.
    drawing = (STATIC / "favicon.svg").read_text("utf-8").replace('rx="8"', "")
    drawing = drawing.replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for size in (192, 512):
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body{{margin:0;background:#0b5d4b}}svg{{display:block;width:100vw}}</style>{drawing}"
            )
            page.screenshot(path=STATIC / f"icon-{size}.png")
        browser.close()


if __name__ == "__main__":
    main()

"""Looks at every page in every language, in each way that users see it: every_page.py FOLDER [--rows N] [--seed N]

The test EveryPageTests writes the pages to FOLDER, with SWITCHBACK_WRITE_PAGES=FOLDER.
"""

import argparse
import pathlib
import random
import sys
import time

from playwright.sync_api import sync_playwright

from done_page import check_axe, check_large_text, check_layout
from visit import DESK, PATIENCE, PHONE, Wrong, demand

CHROMIUM = "/usr/bin/chromium"
ORIGIN = "http://pages.test"
# The names of the app and the e-ID have no place for a hyphen.
NAMES = "Min Kommune BankID"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
# No script runs: a page must be whole without it, and a script would ask for a state that nobody has.
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'"

WAYS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced colors": {"color_scheme": "dark", "forced_colors": "active"},
    "a desktop": {"viewport": DESK, "reduced_motion": "reduce"},
    "text of 200 %": {},
    "text spacing": {},
    "without images and style": {},
}
# WCAG 2.2, 1.4.12: users may set these distances.
SPACING = """() => {
  const style = document.documentElement.style;
  style.letterSpacing = "0.12em";
  style.wordSpacing = "0.16em";
  style.lineHeight = "1.5";
}"""


class Browser:
    """A context for each way, which serves the folder."""

    def __init__(self, chromium, folder):
        self.folder = folder
        self.pages = {}
        for way, options in WAYS.items():
            context = chromium.new_context(**{"viewport": PHONE, **options})
            context.set_default_timeout(PATIENCE * 1000)
            context.route("**/*", self.serve_bare if way.startswith("without") else self.serve)
            self.pages[way] = context.new_page()

    def serve(self, route):
        file = self.folder / route.request.url.removeprefix(ORIGIN + "/").removeprefix("assets/")
        if not route.request.url.startswith(ORIGIN) or not file.is_file():
            return route.abort()
        route.fulfill(
            body=file.read_bytes(), content_type=TYPES[file.suffix], headers={"Content-Security-Policy": POLICY})

    def serve_bare(self, route):
        self.serve(route) if route.request.resource_type == "document" else route.abort()

    def open(self, name, way):
        page = self.pages[way]
        page.goto(f"{ORIGIN}/{name}")
        for fold in page.locator("summary").all():
            fold.click()
        return page


def check(browser, name, way):
    page = browser.open(name, way)
    if way == "text of 200 %":
        return check_large_text(page, way, name=NAMES)
    if way == "text spacing":
        page.evaluate(SPACING)
        return check_layout(page, way)
    check_axe(page, way)
    if way.startswith("without"):
        return demand(page.locator("h1").is_visible(), f"{way}: there is no title")
    check_layout(page, way)
    demand(has_next_step(page), f"{way}: no sentence and no button says what to do")


def has_next_step(page):
    """A button, a code, or at least a second sentence: what happened is not enough."""
    if page.locator("a.button, .code").count() > 0:
        return True
    text = " ".join(page.locator("#said p, #todo p").all_inner_texts())
    return sum(text.count(end) for end in ".?!") >= 2


def run(folder, rows, seed):
    pages = sorted(file.name for file in folder.glob("*.html"))
    demand(pages, f"there is no page in {folder}")
    table = [(name, way) for name in pages for way in WAYS]
    chosen = table if rows is None else random.Random(seed).sample(table, min(rows, len(table)))
    print(f"{len(chosen)} of {len(table)} rows: {len(pages)} pages, {len(WAYS)} ways (--seed {seed})", flush=True)
    failed = 0
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        browser = Browser(chromium, folder)
        for count, (name, way) in enumerate(chosen, 1):
            if count % 200 == 0:
                print(f"{count} of {len(chosen)} rows, {failed} failed", flush=True)
            try:
                check(browser, name, way)
            except Exception as error:  # noqa: BLE001  One row must not hide the others.
                failed += 1
                print(f"FAIL {name}, {way}: {type(error).__name__}: {error}", flush=True)
        chromium.close()
    return len(chosen), failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rows", type=int, help="how many rows, chosen by the seed (all)")
    arguments.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    chosen = arguments.parse_args()
    started = time.monotonic()
    try:
        count, failed = run(chosen.folder, chosen.rows, chosen.seed)
    except Wrong as error:
        print(f"FAIL {error}")
        return 1
    print(f"{count - failed} passed, {failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

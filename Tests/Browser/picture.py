#!/usr/bin/env python3
"""Makes the picture of the README: the workbench after a login.

    VENV/bin/python picture.py BINARY FILE
"""

import sys

from playwright.sync_api import sync_playwright

from sandbox import Sandbox


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sandbox = Sandbox(sys.argv[1])
    try:
        sandbox.wait_until_ready()
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            context = chromium.new_context(viewport={"width": 1280, "height": 900})
            phone = context.new_page()
            phone.goto(sandbox.public)
            phone.locator("button[value=mitid]").click()
            with context.expect_page() as opened:
                phone.get_by_role("link", name="Open the browser").click()
            tab = opened.value
            tab.get_by_role("button", name="Approve").click()
            tab.get_by_role("link", name="Back to Sandbox app").click()
            phone.get_by_role("heading", name="completed").wait_for()
            # The call that proved that the app is on the same phone.
            phone.get_by_text("/return").first.wait_for(state="attached")
            # The phone is as high as the window at most, and scrolls.
            height = phone.evaluate("document.documentElement.scrollHeight")
            phone.set_viewport_size({"width": 1280, "height": height})
            phone.locator("main").screenshot(path=sys.argv[2])
            chromium.close()
    finally:
        sandbox.end()
    print(f"wrote {sys.argv[2]}")


if __name__ == "__main__":
    main()

"""Looks at the pages of apps with every kind of accent: brands.py BINARY [--screenshots FOLDER]

White, yellow, black, grey and red, light and dark: axe finds nothing, the button has the accent, and stands out.
"""

import argparse
import pathlib
import sys
import time

from playwright.sync_api import sync_playwright

from done_page import check_axe
from first_screen import CHROMIUM, pages, preview
from visit import PHONE, demand

ACCENTS = {
    "usual": None, "white": "#ffffff", "yellow": "#ffd500", "black": "#000000", "grey": "#808080", "red": "#c8102e"}
STATES = ["awaiting_return_ending", "exchanging", "completed", "failed", "expired"]

# The contrast of the button's edge to the card, as WCAG 2.2 computes it.
CONTRAST = """() => {
  const light = (text) => {
    const [red, green, blue] = text.match(/[0-9.]+/g).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const edge = light(getComputedStyle(document.querySelector("a.button")).borderTopColor);
  const card = light(getComputedStyle(document.querySelector("main")).backgroundColor);
  return (Math.max(edge, card) + 0.05) / (Math.min(edge, card) + 0.05);
}"""


def look(accent):
    return f'{{accent: "{accent}", radius: 4, support_url: "https://bank.example/help"}}' if accent else "{}"


def check(page, name, accent, state, scheme):
    where = f"{name}, {state}, {scheme}"
    check_axe(page, where)
    button = page.locator("a.button:not(.quiet)").first
    if state == "exchanging" or button.count() == 0:
        return
    demand(page.evaluate(CONTRAST) >= 3, f"{where}: the button does not stand out")
    if accent:
        red, green, blue = (int(accent[at:at + 2], 16) for at in (1, 3, 5))
        color = button.evaluate("one => getComputedStyle(one).backgroundColor")
        demand(color == f"rgb({red}, {green}, {blue})", f"{where}: the button is {color}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("binary")
    arguments.add_argument("--screenshots", type=pathlib.Path)
    chosen = arguments.parse_args()
    started, count, failed = time.monotonic(), 0, 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page(viewport=PHONE, reduced_motion="reduce")
        for name, accent in ACCENTS.items():
            text = preview(chosen.binary, look(accent))
            for scheme in ("light", "dark"):
                for (state, _), document in pages(text, STATES, scheme, "en").items():
                    count += 1
                    page.set_content(document)
                    if chosen.screenshots:
                        page.screenshot(path=chosen.screenshots / f"{name}-{state}-{scheme}.png")
                    try:
                        check(page, name, accent, state, scheme)
                    except Exception as error:  # noqa: BLE001  One row must not hide the others.
                        failed += 1
                        print(f"FAIL {name}, {state}, {scheme}: {error}", flush=True)
        browser.close()
    demand(count == len(ACCENTS) * len(STATES) * 2, f"there are {count} rows")
    print(f"{count - failed} passed, {failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

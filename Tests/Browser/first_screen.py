"""Measures where the button of "One step left" ends: first_screen.py BINARY [--rows N] [--seed N] [--table]

The pages are those of `pages preview`, for an app with a logo and long names. The button, and on pages without a button
the code, must end on the first screen of a small phone, in every language and with the fonts of phones. --table prints
all rows as a table for the README beside this file. Text of 200 % on a screen of 320 pixels is measured, and nothing is
demanded of it.
"""

import argparse
import html
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from visit import Wrong, demand

CHROMIUM = "/usr/bin/chromium"
# Longer than any name of an app and of an e-ID in the other tests.
APP, PROVIDER = "Nordisk Sparekasse Erhverv", "Signaturgruppen MitID Erhverv"
# Debian: fonts-roboto has Android's font, and fonts-dejavu one that is wider than those of phones.
FONTS = ["Roboto", "DejaVu Sans"]
# Width, height and size of the text in percent. The first is a small iPhone with the bars of its browser.
SCREENS = [(375, 553, 100), (390, 664, 135)]
MEASURED = [(320, 568, 200)]
STATES = ["awaiting_return", "awaiting_return_ending", "code_used_up", "awaiting_return (code)"]

LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 48"><rect width="240" height="48" fill="#005a9c"/></svg>')
CONFIGURATION = f"""
public_url: https://login.example.com
link_url: https://link.example.com
store: memory
server_keys: [server.key]
allow_draft_languages: true
apps:
  bank:
    name: {APP}
    return_prefixes: ["https://link.example.com/r/"]
    look: LOOK
brokers:
  one: {{kind: oidc, issuer: "https://id.example.com", client_id: one, client_secret: a-secret}}
providers:
  mitid: {{broker: one, names: {PROVIDER}, prompt: login}}
"""


def preview(binary, look='{accent: "#005a9c", logo: logo.svg}'):
    """The text of the preview of an app with this look."""
    with tempfile.TemporaryDirectory(prefix="switchback-preview-") as name:
        folder = pathlib.Path(name)
        subprocess.run(
            [binary, "keys", "generate", "server", folder / "server.key"], check=True, stdout=subprocess.DEVNULL)
        (folder / "logo.svg").write_text(LOGO)
        (folder / "c.yaml").write_text(CONFIGURATION.replace("LOOK", look))
        subprocess.run(
            [binary, "pages", "preview", "--config", folder / "c.yaml", "--output", folder / "pages.html"], check=True,
            stdout=subprocess.DEVNULL)
        return (folder / "pages.html").read_text()


def pages(text, states, wanted_scheme="light", wanted_language=None):
    """The documents in the preview, by state and language."""
    found = {}
    for title, document in re.findall(r'<iframe loading="lazy" title="([^"]+)" srcdoc="([^"]+)">', text):
        # "awaiting_return (web): awaiting_return_text, da, light"
        state, key, language, scheme = re.fullmatch(r"(.+): (\w+), ([\w-]+), (\w+)", title).groups()
        if key == "awaiting_code_text":
            state += " (code)"
        # Nothing leads back from the page of a used-up code, if there was nothing but the code.
        if key == "code_used_up_text" or wanted_language not in (None, language):
            continue
        if scheme == wanted_scheme and state in states:
            found[state, language] = html.unescape(document)
    return found


def end_of_the_button(page, document, font, percent):
    page.set_content(document)
    page.add_style_tag(content=f"* {{ font-family: '{font}' !important }} html {{ font-size: {percent}% }}")
    page.evaluate("document.fonts.ready")
    box = page.locator("#back, #todo .code").first.bounding_box()
    return round(box["y"] + box["height"])


def run(browser, documents, rows, seed):
    table = [(screen, font, key) for screen in SCREENS + MEASURED for font in FONTS for key in documents]
    demand(len(documents) == len(STATES) * 11, f"there are {len(documents)} pages")
    chosen = table if rows is None else random.Random(seed).sample(table, rows)
    print(f"{len(chosen)} of {len(table)} rows (--seed {seed})", flush=True)
    ends, failed = {}, 0
    page = browser.new_page(java_script_enabled=True)
    for (width, height, percent), font, key in chosen:
        page.set_viewport_size({"width": width, "height": height})
        end = ends[(width, height, percent), font, key] = end_of_the_button(page, documents[key], font, percent)
        if end > height and (width, height, percent) in SCREENS:
            failed += 1
            print(f"FAIL {key}, {font}, {width}x{height}, text of {percent} %: the button ends at {end}", flush=True)
    return ends, failed


def print_table(ends):
    """One line per language: the lowest end of its pages on each screen, in each font."""
    columns = [(screen, font) for screen in SCREENS + MEASURED for font in FONTS]
    print("| language | " + " | ".join(f"{w}×{h}, {p} %, {font}" for (w, h, p), font in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for language in sorted({key[1] for _, _, key in ends}):
        cells = [
            str(max(end for (at, of, key), end in ends.items() if (at, of, key[1]) == (screen, font, language)))
            for screen, font in columns]
        print(f"| `{language}` | " + " | ".join(cells) + " |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("binary")
    arguments.add_argument("--rows", type=int, help="how many rows, chosen by the seed (all)")
    arguments.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    arguments.add_argument("--table", action="store_true", help="print the table of all rows")
    chosen = arguments.parse_args()
    started = time.monotonic()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
            documents = pages(preview(chosen.binary), STATES)
            ends, failed = run(browser, documents, None if chosen.table else chosen.rows, chosen.seed)
            browser.close()
    except Wrong as error:
        print(f"FAIL {error}")
        return 1
    if chosen.table:
        print_table(ends)
    print(f"{len(ends) - failed} passed, {failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

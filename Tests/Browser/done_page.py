"""Checks for every page at the end of a login."""

import re

from axe_playwright_python.sync_playwright import Axe

from sandbox import PUBLIC
from visit import DESK, PHONE, SMALL, demand, load_again, settles

AXE = Axe()
LEAST_TAP = 44
HEIGHTS = "all => all.map((one) => [one.innerText, one.getBoundingClientRect().height])"
TARGETS = "a:visible, button:visible, select:visible, label.person:visible, summary:visible"


def strings():
    """The one-line texts of the files in `strings`, as a page shows them: language, key, text."""
    texts = {}
    for file in (PUBLIC / "strings").glob("*.yaml"):
        language = texts.setdefault(file.stem, {})
        for line in file.read_text().splitlines():
            if found := re.fullmatch(r"  (\w+): (?!>-)(.+)", line):
                language[found[1]] = found[2].strip('"').replace("|", "\N{SOFT HYPHEN}")
    return texts


def unbroken(text):
    return text.replace("\N{SOFT HYPHEN}", "")


TEXTS = strings()


def check_page(page, kind, language="en"):
    """Waits until the page is right: one that opens during the exchange says so, and changes by itself."""
    settles(page, lambda: check_page_now(page, kind, language))


def check_page_now(page, kind, language="en"):
    """Checks title, language and plain HTML. The title of the tab may also name the app."""
    title = unbroken(TEXTS[language][f"{kind}_title"])
    found = page.locator("title").text_content()
    demand(found == title or found.startswith(f"{title} – "), f"title is {found!r}, not {title!r}")
    demand(unbroken(page.locator("h1").inner_text()) == title, "the heading is not the title")
    demand(page.locator("html").get_attribute("lang") == language, "the wrong lang")
    demand(title in unbroken(page.locator("#said").inner_text()), "the title is not in the status")
    demand(page.locator("style, [style], [onclick]").count() == 0, "something inline")
    demand(page.locator("script").count() <= 1, "more than the one script")


def check_done(page, login, kind, language="en"):
    """Checks the page of this login, without the OAuth code, before and after a reload."""
    for is_reloaded in (False, True):
        if is_reloaded:
            load_again(page)
        check_page(page, kind, language)
        check_reference(page, login, kind)
        app = {"en": "Sandbox kiosk", "da": "Sandkassekiosk"}[language]
        button = page.get_by_role("link", name=TEXTS[language]["back_button"].replace("{app}", app))
        demand(button.get_attribute("href") == login.link, "the button does not lead into the app")
        demand("?" not in page.url and "#" not in page.url, f"parameters in {page.url}")


def check_reference(page, login, kind):
    """Checks the reference, which only failures have."""
    found = page.locator(".reference")
    wanted = [login.reference] if kind in ("failed", "expired", "code_used_up") else []
    settles(page, lambda: demand(found.all_inner_texts() == wanted, f"the references are {found.all_inner_texts()}"))


def check_neutral(page, kind="neutral"):
    """Checks that the page says nothing about a login."""
    check_page(page, kind)
    demand(page.locator("a, .reference").count() == 0, "a neutral page has a link or a reference")


def check_looks(page, name, shots=None):
    """Checks light and dark on a small phone, a phone and a desktop. Ends on a phone in light."""
    backgrounds = set()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        for label, size in (("small", SMALL), ("desk", DESK), ("phone", PHONE)):
            page.set_viewport_size(size)
            check_layout(page, f"{label}, {scheme}")
            if shots and label != "small":
                page.screenshot(path=shots / f"{name}-{label}-{scheme}.png")
        check_axe(page, scheme)
    demand(len(backgrounds) == 2, "light and dark look the same")


# The words that a page breaks where no hyphen, soft or not, allows it.
BROKEN_WORDS = """() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    if (node.parentElement.closest("script, noscript, .spoken")) continue;
    const line = (index) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      // After a soft hyphen there is also the rectangle of the hyphen, on the line before.
      return Math.max(...[...range.getClientRects()].map((one) => one.bottom));
    };
    for (const part of node.data.matchAll(/[^\\s\\u00ad-]+/g)) {
      const lines = [...part[0]].map((_, offset) => line(part.index + offset));
      // Letters of two fonts may differ by some pixels, but lines are much farther apart.
      if (Math.max(...lines) - Math.min(...lines) > 16) broken.push(part[0]);
    }
  }
  return broken;
}"""


def check_large_text(page, where, name=""):
    """Checks text of 200 % on a small phone: everything fits, and no word is broken, except in the app's name."""
    page.set_viewport_size(SMALL)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    check_layout(page, f"{where}, text of 200 %")
    if page.locator("html").get_attribute("dir") == "rtl":
        # There the hyphen's rectangle belongs to another letter, and the language for tests has no real words.
        return
    broken = [word for word in page.evaluate(BROKEN_WORDS) if word.strip(".,:()") not in name]
    demand(not broken, f"{where}, text of 200 %: broken words: {broken}")


def check_layout(page, where):
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    demand(wide <= 0, f"{where}: scrolls horizontally by {wide}")
    # In one look, because the page may change meanwhile.
    for words, height in page.locator(TARGETS).evaluate_all(HEIGHTS):
        demand(height >= LEAST_TAP, f"{where}: {words[:30]!r} is {height:.0f} px high")


def check_axe(page, where):
    violations = AXE.run(page).response["violations"]
    found = [f"{one['id']} at {one['nodes'][0]['target']}" for one in violations]
    demand(not found, f"{where}: axe finds {found}")

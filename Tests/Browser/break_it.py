"""Break it: what a user can do to a login on the workbench, and how the login ends all the same."""

import contextlib
import json
import random
import re
import time
import urllib.request

from playwright.sync_api import Error as BrowserError

from done_page import check_axe, check_layout
from visit import (
    DESK, PATIENCE, PHONE, Visit, Wrong, demand, demand_on, leave, open_in, open_over_reloads, open_tab, send, until)
from workbench import begin

HEADING = "Sandbox eID: "


def press(visit, page, label):
    """Presses a button of “Break it”."""
    button = page.get_by_role("button", name=label, exact=True)
    if visit.script:
        page.get_by_text("Break it", exact=True).click()
        return send(button)
    # The page would load again while we look for the button.
    page.get_by_role("link", name="Break it, without refreshing").wait_for()
    return send(button, lambda: open_over_reloads(page, page.url.split("?")[0] + "?break=it"))


def approve(visit, tab):
    tab.get_by_role("button", name="Approve").click()
    tab.wait_for_url(visit.stage.sandbox.public + "/done/*")


def wait(page, status):
    page.get_by_role("heading", name=HEADING + status).wait_for()


# How the user goes on. `page` is the phone, and `tab` the browser.


def by_the_button(visit, page, tab):
    approve(visit, tab)
    leave(tab)


def by_starting_the_app(visit, page, tab):
    approve(visit, tab)
    wait(page, "the app is not running")
    send(page.get_by_role("button", name="Start the app"))
    wait(page, "awaiting_return")
    leave(tab)


def by_the_browser_again(visit, page, tab):
    open_in(tab, page.get_by_role("link", name="Continue in the browser"))
    by_the_button(visit, page, tab)


def by_the_code_after_a_page(visit, page, tab):
    by_the_button(visit, page, tab)
    tab.wait_for_url(visit.stage.sandbox.public + "/r/*")
    by_the_code(visit, page, tab)


def by_the_code_after_a_second_phone(visit, page, tab):
    by_the_button(visit, page, tab)
    tab.get_by_role("heading", name="A second phone").wait_for()
    by_the_code(visit, page, tab)


def by_the_code(visit, page, tab):
    wait(page, "awaiting_return")
    press(visit, page, "Minimise or close the tab")
    open_in(tab, page.get_by_role("link", name="Show the page again"))
    tab.get_by_text("The button does nothing?").click()
    page.get_by_label("The code on the browser's page").fill(tab.locator(".code").text_content())
    page.get_by_role("button", name="Send the code").click()


def by_waiting(visit, page, tab):
    tab.get_by_role("button", name="Approve").click()


# The button, a part of its advice, how the user goes on, the end, and its proof or reason.
BREAKS = [
    ("Kill the app", "reads the stored poll_secret", by_the_button, "completed", "page_link"),
    ("Kill the app", "polls at once", by_starting_the_app, "completed", "page_link"),
    ("Lose the network for ten seconds", "repeat what got no response", by_the_button, "completed", "page_link"),
    ("Minimise or close the tab", "This is no Cancel", by_the_browser_again, "completed", "page_link"),
    ("Open the link in the browser", "says how to go on", by_the_code_after_a_page, "completed", "page_code"),
    ("Open the link on a second phone", "ignores it", by_the_code_after_a_second_phone, "completed", "page_code"),
    ("Make the broker slow", "exchanging for a while", by_the_button, "completed", "page_link"),
    ("Make the broker fail", "offer the same button again", by_waiting, "failed", "broker_unavailable"),
    ("Set the phone’s clock an hour ahead", "counts expires_in", by_the_button, "completed", "page_link"),
]


def each_ends_as_its_row_says(stage, script):
    for label, advice, go_on, end, why in BREAKS:
        with Visit(stage, script, size=DESK) as visit:
            page, tab = begin(visit)
            press(visit, page, label)
            said = page.locator(".advice p")
            until(page, lambda: advice in said.inner_text(timeout=1000), f"{label}: the advice is not {advice!r}")
            go_on(visit, page, tab)
            # A page without script that waits for the code does not load again by itself.
            shown = page if script else visit.open(page.url.split("?")[0])
            try:
                wait(shown, end)
            except BrowserError as error:
                raise Wrong(f"{label}: {shown.locator('h1').inner_text()}") from error
            demand_on(shown.get_by_text(why), f"{label}: {why} is not on the phone")


def a_cut_off_poll_is_seen(stage, script):
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        page.locator("#calls .held", has_text="GET /v1/logins/").wait_for()
        press(visit, page, "Kill the app")
        page.locator("#calls li", has_text="cut off").wait_for()
        waiting = page.locator("#calls summary", has_text="waiting")
        until(page, lambda: waiting.count() == 0, "a dead app still polls")


def looks_of_break_it(stage, script):
    with Visit(stage, size=DESK) as visit:
        page, _ = begin(visit)
        page.get_by_text("Break it", exact=True).click()
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            check_layout(page, "Break it")
            if stage.shots:
                page.screenshot(path=stage.shots / f"break-it-{size['width']}.png", full_page=True)
        check_axe(page, "Break it")
        page.get_by_role("button", name="Kill the app").click()
        wait(page, "the app is not running")
        check_axe(page, "a killed app")
        if stage.shots:
            page.screenshot(path=stage.shots / "break-it-killed.png", full_page=True)


def by_keyboard_only(stage, script):
    """A whole login that is broken and recovers. No pointer is used."""
    with Visit(stage, size=DESK) as visit:
        page = visit.open(stage.sandbox.links + "/")
        hit(page, page.locator("button[value=sandbox]"))
        wait(page, "pending")
        hit(page, page.get_by_text("Break it", exact=True))
        hit(page, page.get_by_role("button", name="Minimise or close the tab"))
        with visit.context.expect_page() as opened:
            hit(page, page.get_by_role("link", name="Continue in the browser"))
        tab = opened.value
        hit(tab, tab.get_by_role("button", name="Approve"))
        tab.wait_for_url(stage.sandbox.public + "/done/*")
        hit(tab, tab.locator("a.button"))
        wait(page, "completed")


def hit(page, target):
    """Moves on with Tab until the target has the focus, and presses Enter."""
    target.wait_for()
    for _ in range(120):
        page.keyboard.press("Tab")
        if target.evaluate("(one) => one === document.activeElement"):
            return page.keyboard.press("Enter")
    raise Wrong(f"no Tab reaches {target}")


# Faults.


def faults_of(stage):
    with urllib.request.urlopen(stage.sandbox.public + "/sandbox/faults", timeout=PATIENCE) as answer:
        return json.loads(answer.read())["faults"]


# Where a fault is looked for, with the kind of broker: the first one that offers it is taken.
PROVIDERS = {
    "sandbox": "oidc", "sandbox_encrypted": "oidc", "mitid": "signaturgruppen", "vipps": "vipps", "se_bankid": "idura",
    "vipps_remembered": "vipps", "mitid_ciba": "signaturgruppen", "se_bankid_app": "idura",
    "se_bankid_headless": "idura", "digid": "digid"}
FINAL = re.compile(": (completed|failed|cancelled|expired)$")


def faults_end_as_the_list_says(stage, script):
    """A login survives the harmless ones, and no other. `make soak` takes all."""
    faults = faults_of(stage)
    count = len(faults) if stage.all_faults else 10
    seed = stage.seed
    chosen = random.Random(seed).sample(faults, count)
    print(f"faults: {count} of {len(faults)}; seed {seed}", flush=True)
    wrong = []
    # After it the server knows two keys that fit, and another fault needs that there is one.
    last = "oidcc-client-test-kid-absent-multiple-jwks"
    for fault in sorted(chosen, key=lambda one: (one["name"] == last, one["name"])):
        try:
            walk_fault(stage, fault)
        except (Wrong, BrowserError) as error:
            wrong.append(f"{fault['name']}: {error}")
    demand(not wrong, "\n".join(wrong))


def walk_fault(stage, fault):
    with Visit(stage, size=DESK, expected=[r"status of [45]\d\d", r"frame-ancestors"]) as visit:
        for provider in [name for name, kind in PROVIDERS.items() if kind in fault["brokers"]]:
            page = visit.open(stage.sandbox.links + "/")
            if page.locator("select[name=app] option[value=kiosk]").count():
                page.locator("select[name=app]").select_option("kiosk")
            if fault["stays"]:
                if page.locator(f"select[name=fault] option[value='{fault['name']}']").count() == 0:
                    raise Wrong(f"{fault['name']} has no switch")
                page.locator("details", has_text="Simulate a fault").locator("summary").click()
                page.locator("select[name=fault]").select_option(fault["name"])
            with page.expect_navigation():
                page.locator(f"button[value={provider}]").click()
            end = run(visit, page, provider, fault)
            if fault["stays"]:
                switch_off(visit)
            if end is None:
                # A browser has only six connections to a host, and each workbench holds two.
                page.close()
            else:
                good = end == "completed" if fault["harmless"] else end != "completed"
                demand(good, f"{fault['name']} at {provider} ends as {end}")
                said = fault["end"].split(":")[0]
                is_final = end in ("completed", "failed", "cancelled", "expired")
                demand(not is_final or end == said, f"{fault['name']} at {provider} ends as {end}, not {said}")
                advice = page.locator(".advice p")
                demand(advice.count() == 0 or advice.inner_text(), f"{fault['name']}: nothing to do")
                return
        raise Wrong(f"no provider offers {fault['name']}")


def run(visit, page, provider, fault):
    """Returns how the login ends; nil if this provider does not have the fault."""
    heading = page.locator("h1").inner_text()
    if "cannot be processed" in heading:
        return None if page.get_by_text("no_such_fault").count() else "refused"
    tab = open_tab(visit, page.get_by_role("link", name="Open the"))
    tab.wait_for_load_state()
    if not fault["stays"]:
        if tab.locator(f"select[name=fault] option[value='{fault['name']}']").count() == 0:
            tab.close()
            return None
        tab.get_by_text("Simulate a fault").click()
        tab.locator("select[name=fault]").select_option(fault["name"])
    button = tab.get_by_role("button", name="Approve")
    if button.count():
        button.click()
    is_back = False
    # Some faults leave the login open. That they do not complete it later is what the tests of each fault show.
    deadline = time.monotonic() + (PATIENCE if fault["harmless"] else 5)
    while time.monotonic() < deadline:
        found = FINAL.search(page.locator("h1").inner_text())
        if found:
            return found.group(1)
        page.wait_for_timeout(100)
        if fault["harmless"] and not is_back and time.monotonic() > deadline - PATIENCE + 6:
            # Some brokers are only asked when the app is in front again. The login may end before the press.
            with contextlib.suppress(BrowserError):
                bring_to_front(page)
                is_back = True
        # A page that an e-ID's form posts on, and a page of ours that nothing follows.
        # A link back to the phone closes the tab.
        with contextlib.suppress(BrowserError):
            if tab.locator("h1").count() and "one step" in tab.locator("h1").first.inner_text(timeout=1000).lower():
                tab.locator("a.button").click(timeout=5000)
    return page.locator("h1").inner_text().rsplit(": ", 1)[-1]


def bring_to_front(page):
    button = page.get_by_role("button", name="Minimise or close the tab", exact=True)
    if not button.is_visible():
        page.get_by_text("Break it", exact=True).click(timeout=5000)
    button.click(timeout=5000)


def switch_off(visit):
    home = visit.open(visit.stage.sandbox.links + "/")
    for _ in range(home.get_by_role("button", name="Switch it off").count()):
        with home.expect_navigation():
            home.get_by_role("button", name="Switch it off").first.click()
    home.close()


CHECKS = [
    ("break it: each ends as its row says", each_ends_as_its_row_says),
    ("break it: the same without script", lambda stage, script: each_ends_as_its_row_says(stage, False)),
    ("break it: a cut-off poll is seen", a_cut_off_poll_is_seen),
    ("looks and axe: break it", looks_of_break_it),
    ("break it: by keyboard only", by_keyboard_only),
    ("break it: faults end as the list says", faults_end_as_the_list_says),
]

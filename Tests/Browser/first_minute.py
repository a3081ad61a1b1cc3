"""A stranger's first minutes on the workbench: how many presses a login takes, by keyboard alone, and with axe."""

from done_page import check_axe, check_layout
from session_page import Phone
from visit import Visit, Wrong, demand, go_back, log_in_at_the_desk, open_tab, until

NARROW, USUAL, WIDE = {"width": 390, "height": 844}, {"width": 1440, "height": 900}, {"width": 1920, "height": 1080}
MEDIA = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced colors": {"color_scheme": "dark", "forced_colors": "active"}}
MOST_FOR_A_LOGIN, MOST_FOR_A_FAILURE = 5, 8


class Hand:
    """Presses only what is in sight and has a name, and counts."""

    def __init__(self, visit, page):
        self.visit, self.page, self.count = visit, page, 0

    def press(self, name, page=None):
        self.target(name, page).click()

    def target(self, name, page=None):
        page = page or self.page
        target = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first
        target.wait_for()
        demand(name in target.inner_text(), f"{name} is not to be read")
        self.count += 1
        return target

    def open(self, name):
        return open_tab(self.visit, self.target(name))

    def go_back(self, tab):
        demand("Back to" in tab.locator("a.button").inner_text(), "no button leads back")
        self.count += 1
        go_back(tab)


def state(page, status, name="Sandbox eID"):
    page.get_by_role("heading", name=f"{name}: {status}").wait_for()


def a_login_takes_few_presses(stage, script):
    with Visit(stage, size=USUAL) as visit:
        page = visit.open(stage.sandbox.public + "/")
        first = page.locator("button[name=provider]:visible").first
        box = first.bounding_box()
        demand(box["y"] + box["height"] <= USUAL["height"], "the first button is below the first screen")
        said = page.locator("strong", has_text="Press").inner_text()
        demand(first.inner_text() in said, f"the page says {said!r}, and the first button is {first.inner_text()!r}")
        hand = Hand(visit, page)
        hand.press("Sandbox eID")
        tab = hand.open("Open the browser")
        hand.press("Approve", tab)
        state(page, "awaiting_return")
        hand.go_back(tab)
        state(page, "completed")
        page.get_by_text("Freja Lindegaard is logged in").wait_for()
        print(f"   a login takes {hand.count} presses")
        demand(hand.count <= MOST_FOR_A_LOGIN, f"a login takes {hand.count} presses")


def a_failure_and_a_recovery_take_few_presses(stage, script):
    """The failed login says why, and the next one is a press away."""
    with Visit(stage, size=USUAL) as visit:
        page = visit.open(stage.sandbox.public + "/")
        hand = Hand(visit, page)
        hand.press("Sandbox eID")
        tab = hand.open("Open the browser")
        hand.press("Make this login fail", tab)
        state(page, "failed")
        page.locator("#phone .why", has_text="nonce").wait_for()
        page.locator("#calls li.bad", has_text="refused").wait_for()
        hand.go_back(tab)
        hand.press("Try Sandbox eID again")
        state(page, "pending")
        tab = hand.open("Open the browser")
        hand.press("Approve", tab)
        state(page, "awaiting_return")
        hand.go_back(tab)
        state(page, "completed")
        print(f"   a failure and a recovery take {hand.count} presses")
        demand(hand.count <= MOST_FOR_A_FAILURE, f"a failure and a recovery take {hand.count} presses")


def a_wrong_code_says_how_many_tries_are_left(stage, script):
    with Visit(stage, size=USUAL) as visit:
        page, tab, code = log_in_at_the_desk(visit)
        state(page, "awaiting_return")
        wrong = "000000" if code != "000000" else "000001"
        for words in ("2 tries are left", "One try is left"):
            field = page.get_by_label("The code on the browser's page")
            field.fill(wrong)
            page.get_by_role("button", name="Send the code").click()
            said = page.locator("#tries", has_text=words)
            said.wait_for()
            # The answer of a poll does not take it away.
            page.get_by_role("button", name="Check again").click()
            said.wait_for()
            described = page.locator("input[name=code]").get_attribute("aria-describedby")
            demand(described == "tries", "the field does not name it")
            page.locator(".advice", has_text="tries_left").wait_for()
        check_axe(page, "a wrong code")
        page.get_by_label("The code on the browser's page").fill(code)
        page.get_by_role("button", name="Send the code").click()
        state(page, "completed")


FOCUS = "document.activeElement === document.body ? '' : document.activeElement.innerText || 'a field'"


def keeps_the_focus(page, what):
    """The script of a page that has just been loaded sets it."""
    until(page, lambda: page.evaluate(FOCUS), f"the focus is lost after {what}")


def hit(page, target):
    """Moves on with Tab until the target has the focus, and presses Enter."""
    target.wait_for()
    for _ in range(150):
        page.keyboard.press("Tab")
        if target.evaluate("(one) => one === document.activeElement"):
            style = "one => getComputedStyle(one).outlineStyle"
            demand(target.evaluate(style) != "none", f"nobody sees the focus on {target}")
            return page.keyboard.press("Enter")
    raise Wrong(f"no Tab reaches {target}")


def the_walk_by_keyboard(stage, script):
    """A login that fails, the reason, the call, and the next login. The focus is never lost."""
    with Visit(stage, size=USUAL) as visit:
        page = visit.open(stage.sandbox.links + "/")
        page.keyboard.press("Tab")
        demand("Skip" in page.evaluate(FOCUS), f"the first stop is {page.evaluate(FOCUS)!r}")
        page.keyboard.press("Enter")
        until(page, lambda: "#" in page.url, "the link leads nowhere")
        page.keyboard.press("Tab")
        demand(page.evaluate(FOCUS) == "Calls", f"behind the link is {page.evaluate(FOCUS)!r}")
        page = visit.open(stage.sandbox.links + "/")
        hit(page, page.locator("button[value=sandbox]"))
        state(page, "pending")
        keeps_the_focus(page, "a press")
        with visit.context.expect_page() as opened:
            hit(page, page.get_by_role("link", name="Open the browser"))
        tab = opened.value
        hit(tab, tab.get_by_role("button", name="Make this login fail"))
        state(page, "failed")
        page.locator("#told", has_text="failed").wait_for(state="attached")
        hit(page, page.get_by_role("link", name="Go to this call"))
        summary = page.locator("#calls li.bad summary").first
        hit(page, summary)
        page.locator("#calls details[open]").wait_for()
        hit(page, page.locator("#tabs nav a", has_text="ID token"))
        page.locator("#id-token .checks .bad").wait_for()
        hit(page, page.get_by_role("button", name="Try Sandbox eID again"))
        state(page, "pending")
        keeps_the_focus(page, "another login")
        hit(page, page.get_by_text("Break it", exact=True))
        hit(page, page.get_by_role("button", name="Minimise or close the tab"))
        page.get_by_role("link", name="Continue in the browser").wait_for()
        keeps_the_focus(page, "an interruption")


def look_at_everything(page, name, shots=None, tabs=True):
    """Every tab: at three widths, and with axe in light and dark. The first one in forced colors too. Ends in light."""
    links = page.locator("#tabs nav a").all_inner_texts() if tabs else [None]
    for link in links:
        if link:
            page.locator("#tabs nav").get_by_role("link", name=link, exact=True).click()
        for label, media in MEDIA.items():
            if label == "forced colors" and link != links[0]:
                continue
            page.emulate_media(**media)
            where = f"{name}, {link or 'the page'}, {label}"
            for size in (NARROW, WIDE, USUAL):
                page.set_viewport_size(size)
                if label == "light":
                    check_layout(page, f"{where}, {size['width']}")
                if shots:
                    file = f"bench-{where}-{size['width']}.png".replace(", ", "-").replace(" ", "-").lower()
                    page.screenshot(path=shots / file, full_page=True)
            check_axe(page, where)
    page.emulate_media(**MEDIA["light"])


def begin(visit, app="demo"):
    page = visit.open(visit.stage.sandbox.links + "/")
    page.locator("select[name=app]").select_option(app)
    page.locator("button[value=sandbox]").click()
    state(page, "pending")
    return page, open_tab(visit, page.get_by_role("link", name="Open the"))


def looks_at_the_start(stage, script):
    with Visit(stage, size=USUAL) as visit:
        look_at_everything(visit.open(stage.sandbox.links + "/"), "start", stage.shots)


def looks_on_the_way(stage, script):
    with Visit(stage, size=USUAL) as visit:
        page, tab = begin(visit)
        look_at_everything(page, "pending", stage.shots)
        tab.get_by_role("button", name="Approve").click()
        state(page, "awaiting_return")
        look_at_everything(page, "awaiting_return", stage.shots)


def looks_at_the_end(stage, script):
    with Visit(stage, size=USUAL) as visit:
        page, tab = begin(visit)
        visit.decide(tab)
        go_back(tab)
        state(page, "completed")
        look_at_everything(page, "completed", stage.shots)
        page.locator("#tabs nav a").first.click()
        page.locator("#calls summary").first.click()
        look_at_everything(page, "an open call", stage.shots, tabs=False)


def looks_at_a_failure(stage, script):
    with Visit(stage, size=USUAL) as visit:
        page, tab = begin(visit)
        tab.get_by_role("button", name="Make this login fail").click()
        state(page, "failed")
        page.locator("#why p").first.wait_for()
        look_at_everything(page, "failed", stage.shots)


def looks_at_a_session(stage, script):
    # The server's first answer to a proof is its nonce.
    with Visit(stage, size=USUAL, expected=[r"status of 401"]) as visit:
        phone = Phone(stage, visit)
        phone.begin()
        page = phone.page
        page.get_by_role("heading", name="Thieves").wait_for()
        page.locator("#calls li", has_text="/v1/sessions").first.wait_for()
        look_at_everything(page, "session", stage.shots)


CHECKS = [
    ("the first minute: presses of a login", a_login_takes_few_presses),
    ("the first minute: presses of a failure and a recovery", a_failure_and_a_recovery_take_few_presses),
    ("the first minute: a wrong code", a_wrong_code_says_how_many_tries_are_left),
    ("the first minute: by keyboard only", the_walk_by_keyboard),
    ("looks and axe: the workbench at the start", looks_at_the_start),
    ("looks and axe: the workbench on the way", looks_on_the_way),
    ("looks and axe: the workbench at the end", looks_at_the_end),
    ("looks and axe: the workbench of a failure", looks_at_a_failure),
    ("looks and axe: the workbench of a session", looks_at_a_session),
]

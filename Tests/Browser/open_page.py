"""The page at the end of a login, while it is open: its text changes with the login, and the focus stays."""

import re
import time

import app
from done_page import TEXTS, check_axe, check_looks, check_neutral, check_page, check_reference
from visit import PATIENCE, SWALLOWED, Visit, demand, load_again, send, settles, until


class OpenPage:
    """A login whose user has approved and looks at the page."""

    def __init__(self, stage, visit, sandbox, to="demo", **choice):
        self.stage = stage
        self.visit = visit
        self.login = app.Login(sandbox, "sandbox", app=to)
        self.page = visit.open(self.login.url)
        visit.decide(self.page, sandbox=sandbox, **choice)

    def shows(self, kind, name=None):
        """Waits until the page shows this text. Without script it reloads the page, as its Refresh does."""
        if not self.visit.script:
            demand(refresh_of(self.page) in (5, 30), "the page does not reload")
            load_again(self.page)
        title = TEXTS["en"][f"{kind}_title"]
        self.page.get_by_role("heading", name=title, exact=True).wait_for()
        check_page(self.page, kind)
        check_reference(self.page, self.login, kind)
        ticks = self.page.locator("main.good")
        wanted = kind in ("completed", "acknowledged")
        settles(self.page, lambda: demand(ticks.count() == wanted, "a tick too early, or none"))
        if self.visit.script:
            check_axe(self.page, name or kind)

    def says(self, text):
        """Waits for a change that only time brings: the script then asks again every ten seconds."""
        if not self.visit.script:
            load_again(self.page)
        self.page.get_by_text(text).wait_for()

    def is_over(self):
        """Checks that the page has stopped asking."""
        settles(self.page, lambda: demand(refresh_of(self.page) is None or self.visit.script, "the page reloads"))
        asking = self.page.locator("main[data-state]")
        settles(self.page, lambda: demand(asking.count() == 0, "the page still asks"))

    # Actions of the user.

    def focus(self, name):
        """Moves to a button with the keyboard. A page without script may load itself again meanwhile: it tries again."""
        for _ in range(1 if self.visit.script else 3):
            for _ in range(5):
                self.page.keyboard.press("Tab")
                if self.focused() == name:
                    return
            if not self.visit.script:
                load_again(self.page)
        demand(False, f"{name} cannot be reached with the keyboard")

    def focused(self):
        # The page may be between two documents.
        active = "document.activeElement ? document.activeElement.id || document.activeElement.localName : 'nothing'"
        return until(self.page, lambda: self.page.evaluate(active), "nobody knows where the focus is")

    def unfold(self):
        if self.visit.script:
            return self.unfold_now(PATIENCE)
        # The page may load itself again, and fold it.
        until(self.page, lambda: load_again(self.page) and self.unfold_now(SWALLOWED), "the code does not unfold")

    def unfold_now(self, seconds):
        self.focus("fold")
        self.page.keyboard.press("Enter")
        self.page.locator(".code").wait_for(timeout=seconds * 1000)
        return True

    def unfolded(self, check):
        """Unfolds the code, and checks it before the page can fold it again."""
        def both():
            self.unfold()
            check()

        both() if self.visit.script else settles(self.page, both)

    def code(self):
        return self.page.locator(".code").inner_text()

    def type_wrong_codes(self):
        wrong = "000000" if self.page.locator(".code").text_content() != "000000" else "000001"
        for _ in range(3):
            demand(self.login.come_back(code=wrong) == "wrong_code", "a wrong code was accepted")

    def keep(self):
        """Marks the live region: it must be the same one when its text changes, or nothing is announced."""
        if self.visit.script:
            self.page.evaluate("document.getElementById('said').isKept = true")

    def listen(self):
        """Notes what a screen reader is told: what is added to a live region."""
        if not self.visit.script:
            return
        self.page.evaluate("""() => {
          window.heard = [];
          for (const region of document.querySelectorAll("[role=status]"))
            new MutationObserver((changes) => {
              for (const change of changes)
                for (const node of change.addedNodes) if (node.textContent.trim()) window.heard.push(node.textContent);
            }).observe(region, { childList: true, subtree: true, characterData: true });
        }""")

    def heard(self, texts):
        if self.visit.script:
            found = self.page.evaluate("window.heard")
            demand(found == texts, f"a screen reader was told {found}")

    def kept(self, focus):
        if not self.visit.script:
            return
        demand(self.page.evaluate("document.getElementById('said').isKept"), "the live region was replaced")
        demand(self.focused() == focus, f"the focus is at {self.focused()}")


def refresh_of(page):
    """The seconds until a page without script reloads. With script, the element is text."""
    page.wait_for_load_state()
    text = until(page, page.content, "the page cannot be read")
    found = re.search(r'http-equiv="?refresh"? content="([0-9]+)"', text)
    return int(found[1]) if found else None


def from_one_step_left_until_the_app_has_it(stage, script):
    with Visit(stage, script) as visit:
        one = OpenPage(stage, visit, stage.sandbox)
        one.shows("awaiting_return")
        check_shots(one, "awaiting")
        link = one.page.locator("a.button").get_attribute("href")
        one.focus("back")
        one.keep()
        demand(one.login.come_back(url=link) == "completed", "the button's link proves nothing")
        one.shows("completed")
        one.kept("back")
        one.login.delete()
        one.says("Sandbox app knows that you are logged in. You can close this page.")
        check_page(one.page, "acknowledged")
        if script:
            check_axe(one.page, "acknowledged")
        one.kept("back")
        one.is_over()


def the_code_is_behind_a_question(stage, script):
    with Visit(stage, script) as visit:
        one = OpenPage(stage, visit, stage.sandbox)
        one.shows("awaiting_return")
        demand(not one.page.locator(".code").is_visible(), "the code is visible")
        demand(one.page.locator("summary").inner_text() == "The button does nothing?", "the code's heading is wrong")
        one.unfolded(lambda: check_code(one))
        digits = one.page.locator(".code").text_content()
        check_shots(one, "awaiting-unfolded")
        one.keep()
        demand(one.login.come_back(code=f"{digits[:3]} {digits[3:]}") == "completed", "the code is rejected")
        one.shows("completed")
        one.kept("main")


def check_code(one):
    demand(len(one.code().replace(" ", "")) == 6, f"the code is {one.code()!r}")
    halves = [half.bounding_box() for half in one.page.locator(".code span").all()]
    demand(len(halves) == 2 and all(halves), "the code is not visible")
    gap = halves[1]["x"] - halves[0]["x"] - halves[0]["width"]
    demand(gap >= 8, f"the digits are not grouped: {gap} px")
    digits = one.page.locator(".code").text_content()
    demand(one.page.locator(".spoken").text_content() == ", ".join(digits), "the digits are read as a number")
    demand(one.page.get_by_text("Never tell it to anyone, not even us.").is_visible(), "no warning")


def the_code_is_used_up(stage, script):
    with Visit(stage, script) as visit:
        one = OpenPage(stage, visit, stage.sandbox)
        one.shows("awaiting_return")
        one.focus("back")
        one.keep()
        one.listen()
        one.type_wrong_codes()
        one.says("The button still does.")
        one.heard([TEXTS["en"]["code_used_up_hint"]])
        one.shows("awaiting_return", "code used up")
        demand(one.page.locator(".code").count() == 0, "a code that does not work is shown")
        one.kept("back")


def only_the_code_leads_back(stage, script):
    with Visit(stage, script) as visit:
        one = OpenPage(stage, visit, stage.sandbox, to="desk")
        one.shows("awaiting_return")
        one.page.locator(".code").wait_for()
        one.page.get_by_text("Never tell it to anyone, not even us.").wait_for()
        check_shots(one, "code-only")
        one.keep()
        one.type_wrong_codes()
        one.shows("code_used_up")
        one.kept("body")


def time_runs_out(stage, script):
    with Visit(stage, script) as visit:
        one = OpenPage(stage, visit, stage.later)
        # The page counts down with the browser's clock, so this is looked at first.
        one.says("About 5 minutes are left.")
        one.shows("awaiting_return")
        one.unfold()
        one.keep()
        one.listen()
        stage.later.advance(245)
        one.says("Less than a minute is left.")
        one.kept("fold")
        one.heard(["Less than a minute is left."])
        demand(not script or one.page.locator(".code").is_visible(), "the code was hidden again")
        stage.later.advance(65)
        demand(one.login.now()["status"] == "expired", "the login is not over")
        one.shows("expired")
        one.kept("main")
        one.is_over()


def the_user_needs_more_time(stage, script):
    """The button is there in the last minute, once."""
    with Visit(stage, script) as visit:
        one = OpenPage(stage, visit, stage.later)
        one.shows("awaiting_return")
        demand(one.page.locator("#extend").count() == 0, "more time is offered at once")
        before = one.login.now()
        one.unfold()
        one.keep()
        one.listen()
        stage.later.advance(245)
        one.says("Less than a minute is left.")
        check_shots(one, "awaiting-ending")
        more = one.page.get_by_role("button", name="I need more time")
        if script:
            more.press("Enter")
        else:
            send(more)
        one.page.get_by_text("You have more time now.").wait_for()
        one.says("About 6 minutes are left.")
        demand(one.page.locator("#extend").count() == 0, "more time is offered twice")
        demand(not script or one.page.locator(".code").is_visible(), "the code was hidden again")
        one.heard(["Less than a minute is left.", "You have more time now."])
        after = one.login.now()
        demand(after["expires_at"] > before["expires_at"], "the app sees no other end")
        demand(after["version"] == before["version"] + 1, f"the versions are {before['version']}, {after['version']}")
        one.kept("main")
        stage.later.advance(65)
        demand(one.login.now()["status"] == "awaiting_return", "the login is over")
        link = one.page.locator("#back").get_attribute("href")
        demand(one.login.come_back(url=link) == "completed", "the button's link proves nothing")
        one.shows("completed")


def the_server_is_gone(stage, _):
    """The time is counted down all the same."""
    with Visit(stage, expected=[r"Failed to load resource"]) as visit:
        # The time of the browser stands, and passes only here.
        now = int(time.time() * 1000)
        visit.context.clock.install(time=now)
        visit.context.clock.pause_at(now)
        one = OpenPage(stage, visit, stage.sandbox)
        one.page.locator("#time", has_text="5 minutes").wait_for()
        visit.context.route("**/state", lambda route: route.abort())
        for passed, text in ((130, "About 3 minutes are left."), (115, "Less than a minute is left.")):
            visit.context.clock.fast_forward(passed * 1000)
            one.page.locator("#time", has_text=text).wait_for()
        visit.context.clock.fast_forward(60_000)
        one.page.locator("#time").wait_for(state="detached")


def it_goes_on_in_another_window(stage, script):
    """The first window's response belongs to another login's request; the second window has its own."""
    login = app.Login(stage.sandbox, "sandbox", app="demo")
    with Visit(stage, script) as first, Visit(stage, script) as second:
        late = first.open(login.url)
        second.decide(second.open(login.url))
        first.decide(late)
        check_neutral(late, "continued_elsewhere")
        if script:
            check_axe(late, "continued elsewhere")


def check_shots(one, name):
    if one.visit.script:
        check_looks(one.page, name, one.stage.shots)


BOTH_WAYS = [
    ("the open page: one step left, completed, with its app", from_one_step_left_until_the_app_has_it),
    ("the open page: the code is behind a question", the_code_is_behind_a_question),
    ("the open page: the code is used up", the_code_is_used_up),
    ("the open page: only the code leads back", only_the_code_leads_back),
    ("the open page: time runs out", time_runs_out),
    ("the open page: the user needs more time", the_user_needs_more_time),
    ("the open page: it continues in another window", it_goes_on_in_another_window),
]

ONCE = [("the open page: the server is gone", the_server_is_gone)]

"""One user's browser: it walks the provider's pages, and records requests, responses and complaints."""

import contextlib
import itertools
import re
import time
import urllib.parse

from playwright.sync_api import Error as BrowserError

from sandbox import PATIENCE

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
SMALL = {"width": 320, "height": 568}

NOT_FOUND = r"status of 404"
# A press that nothing follows for so long, in seconds, was swallowed by a page that loaded itself again.
SWALLOWED = 8


class Wrong(Exception):
    """The error that a check found."""


def demand(condition, why):
    if not condition:
        raise Wrong(why)


def until(page, look, why):
    """Calls `look` until it returns something true, and returns that. A page that is just loading may raise meanwhile.
    `why` is the sentence of the failure, or a function that returns it."""
    end, error = time.monotonic() + PATIENCE, None
    while True:
        try:
            if found := look():
                return found
        except BrowserError as raised:
            error = raised
        if time.monotonic() > end:
            raise Wrong(why() if callable(why) else why) from error
        with contextlib.suppress(BrowserError):
            page.wait_for_timeout(50)


def settles(page, check):
    """Repeats a check until it finds nothing wrong: the page may still change, or be loading itself again."""
    wrong = Wrong("the page cannot be read")

    def look():
        nonlocal wrong
        try:
            check()
        except Wrong as found:
            wrong = found
            return False
        return True

    until(page, look, lambda: str(wrong))


def demand_on(target, why):
    """Demands that this is on the page. What was pressed before may still be loading, so it waits."""
    try:
        target.first.wait_for(state="attached")
    except BrowserError as error:
        raise Wrong(why) from error


def go_back(tab):
    """Presses the button that leads back to the app. Played on the workbench, the tab then closes itself."""
    with contextlib.suppress(BrowserError):
        tab.locator("a.button").click()
    until(tab, tab.is_closed, lambda: f"the tab of the browser stays open at {tab.url}")


# Pages that load themselves again: without script, the sandbox's phone and the page of an open login do.


def open_over_reloads(page, url):
    """Opens `url` in a tab whose page loads itself again. A reload that falls into it ends it, so it is tried again."""
    return over_reloads(lambda: page.goto(url))


def load_again(page):
    """Loads the page again, as its user does. It may just be doing that by itself."""
    return over_reloads(page.reload)


def over_reloads(load):
    for _ in range(9):
        try:
            return load()
        except BrowserError as error:
            if "ERR_ABORTED" not in error.message and "interrupted by another navigation" not in error.message:
                raise
    return load()


@contextlib.contextmanager
def heard(source, event):
    """The events of this kind until the block ends."""
    found = []

    def note(one):
        found.append(one)

    source.on(event, note)
    try:
        yield found
    finally:
        source.remove_listener(event, note)


def press_over_reloads(button, is_heard, before=None):
    """Presses a button until `is_heard`, as a user does: a reload between its going down and up swallows a press, and
    one that had already begun can still take away the page that `before` has opened.

    A mouse waits until the button stands still, and on a slow machine the page is gone by then, each time. The Enter
    key waits for nothing, so the presses are by mouse and by keyboard in turns."""
    end = time.monotonic() + PATIENCE
    ways = itertools.cycle((button.click, lambda timeout: button.press("Enter", timeout=timeout)))
    for press in ways:
        if before:
            before()
        try:
            press(timeout=SWALLOWED * 1000)
        except BrowserError:
            # What closes the tab also ends the press.
            if is_heard():
                return
            if time.monotonic() > end:
                raise
            continue
        next_press = time.monotonic() + SWALLOWED
        while time.monotonic() < next_press:
            if is_heard():
                return
            with contextlib.suppress(BrowserError):
                button.page.wait_for_timeout(50)
        demand(time.monotonic() < end, f"nothing follows a press of {button}")


def send(button, before=None):
    """Presses a button that sends a form, until the browser sends it."""
    with heard(button.page, "request") as requests:
        press_over_reloads(button, lambda: any(request.method == "POST" for request in requests), before)


def leave(tab):
    """Presses the button that leads back to the app, in a tab that stays open without script."""
    before = tab.url
    press_over_reloads(tab.locator("a.button"), lambda: tab.is_closed() or tab.url != before)


def open_tab(visit, link):
    """Presses a link that opens a tab, and returns the tab."""
    with heard(visit.context, "page") as opened:
        press_over_reloads(link, lambda: opened)
    return opened[0]


def open_in(tab, link):
    """Presses a link that opens in `tab`, which is open already."""
    with heard(tab, "framenavigated") as loaded:
        press_over_reloads(link, lambda: loaded)
    tab.wait_for_load_state()


def log_in_at_the_desk(visit):
    """Logs in with the app that takes six digits. Returns the phone, the browser's tab with the code, and the code."""
    page = visit.open(visit.stage.sandbox.links + "/")
    page.locator("select[name=app]").select_option("desk")
    page.locator("button[value=sandbox]").click()
    tab = open_tab(visit, page.get_by_role("link", name="Open the"))
    tab.get_by_role("button", name="Approve").click()
    return page, tab, tab.locator(".code").text_content()


class Visit:
    """A browser context of its own, without other cookies and storage. Leaving it checks what it recorded."""

    def __init__(self, stage, script=True, language="en-US", scheme="light", size=PHONE, expected=()):
        self.stage = stage
        self.script = script
        self.expected = expected
        self.responses = []
        self.complaints = []
        self.context = stage.browser.new_context(
            java_script_enabled=script, locale=language, color_scheme=scheme, viewport=size)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.on("response", lambda response: self.responses.append(response))
        self.context.on("console", self.hear)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))

    def hear(self, message):
        if message.type in ("error", "warning"):
            where = urllib.parse.urlsplit((message.location or {}).get("url", ""))
            self.complaints.append(f"{message.text} ({where.netloc}{where.path})")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.judge()
        finally:
            self.context.close()

    # Actions of the user.

    def open(self, url):
        page = self.context.new_page()
        page.goto(url)
        return page

    def decide(self, page, decision="Approve", person="freja", fault=None, sandbox=None):
        """From the provider's page to the page at the end."""
        page.locator(f"input[name=person][value={person}]").check()
        if fault:
            page.get_by_text("Simulate a fault").click()
            page.get_by_label("Fault").select_option(fault)
        posts = self.posts(page)
        page.get_by_role("button", name=decision).click()
        if posts and not self.script:
            page.get_by_role("button", name="Continue").click()
        page.wait_for_url((sandbox or self.stage.sandbox).public + "/done/*")

    @staticmethod
    def posts(page):
        """True when the provider's page says that it responds with a form."""
        page.wait_for_load_state()
        return page.get_by_text("form_post", exact=True).count() > 0

    def walk(self, login, **choice):
        page = self.open(login.url)
        self.decide(page, **choice)
        return page

    # What the browser may have sent and received.

    def judge(self):
        unexpected = [text for text in self.complaints if not any(re.search(one, text) for one in self.expected)]
        demand(not unexpected, f"the browser complained: {unexpected}")
        sandboxes = [self.stage.sandbox, self.stage.later]
        ours = [origin for one in sandboxes for origin in (one.public, one.links, *one.brokers)]
        for response in self.responses:
            where = urllib.parse.urlsplit(response.url)
            origin = f"{where.scheme}://{where.netloc}"
            demand(origin in ours, f"a request to a third party: {origin}")
            if where.path.startswith("/callback/"):
                self.remember(response.request, where.query)
            else:
                demand("code=" not in where.query, f"a code in a URL: {where.path}")
            is_page = "html" in response.headers.get("content-type", "")
            if origin in [one.public for one in sandboxes] or is_page:
                self.judge_headers(response.headers, where.path, is_page)

    def judge_headers(self, headers, path, is_page):
        policy = headers.get("content-security-policy", "")
        demand("default-src 'none'" in policy and "frame-ancestors 'none'" in policy, f"policy of {path}: {policy!r}")
        demand("unsafe" not in policy and "*" not in policy, f"policy of {path}: {policy}")
        demand(headers.get("x-content-type-options") == "nosniff", f"{path} may be sniffed")
        demand(headers.get("referrer-policy") == "no-referrer", f"{path} names a referrer")
        if is_page:
            demand(headers.get("cache-control") == "no-store", f"{path} may be stored")

    def remember(self, request, query):
        """Values that no log may contain."""
        fields = urllib.parse.parse_qs(request.post_data if request.method == "POST" else query)
        values = fields.get("code", []) + fields.get("state", [])
        self.stage.sandbox.secrets.update(value for value in values if len(value) > 20)

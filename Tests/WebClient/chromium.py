"""Chromium, by playwright."""

import json
import pathlib
import tempfile

from playwright.sync_api import sync_playwright

from sandbox import PATIENCE

PROGRAM = "/usr/bin/chromium"
# Without the second, playwright leaves out the cache that "back" reads pages from.
ARGUMENTS = {
    "executable_path": PROGRAM, "args": ["--no-sandbox", "--disable-dev-shm-usage"],
    "ignore_default_args": ["--disable-back-forward-cache"]}
BLOCKED = {"profile": {"default_content_setting_values": {"cookies": 2}}}


class Chromium:
    programs = (PROGRAM,)
    refuses_cookies = False
    has_many_people = True

    def __init__(self):
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(**ARGUMENTS)
        self.version = f"Chromium {self.browser.version}"

    def person(self):
        return Person(self.browser.new_context())

    def person_without_storage(self):
        """A user who blocks cookies and storage in the settings of the browser."""
        profile = tempfile.TemporaryDirectory(prefix="switchback-chromium-")
        (pathlib.Path(profile.name) / "Default").mkdir()
        (pathlib.Path(profile.name) / "Default" / "Preferences").write_text(json.dumps(BLOCKED))
        context = self.playwright.chromium.launch_persistent_context(profile.name, **ARGUMENTS)
        return Person(context, profile)

    def end(self):
        self.browser.close()
        self.playwright.stop()


class Person:
    def __init__(self, context, profile=None):
        self.context, self.profile = context, profile
        # Playwright's own limit is half a minute.
        self.context.set_default_timeout(PATIENCE * 1000)

    def open(self, url):
        tab = Tab(self, self.context.new_page())
        tab.go(url)
        return tab

    def end(self):
        self.context.close()
        if self.profile:
            self.profile.cleanup()


class Tab:
    def __init__(self, person, page):
        self.person, self.page = person, page

    def go(self, url):
        self.page.goto(url)

    def url(self):
        return self.page.evaluate("location.href")

    def run(self, expression):
        return self.page.evaluate(f"(async () => ({expression}))()")

    def click(self, selector):
        self.page.locator(selector).click(no_wait_after=True)

    def type(self, selector, text):
        self.page.locator(selector).fill(text)

    def back(self):
        self.page.go_back(wait_until="commit")

    def forward(self):
        self.page.go_forward(wait_until="commit")

    def reload(self):
        self.page.reload()

    def duplicate(self):
        """A second tab with a copy of the session storage, as "Duplicate tab" makes one."""
        with self.person.context.expect_page() as opened:
            self.page.evaluate("void open(location.href)")
        return Tab(self.person, opened.value)

    def close(self):
        self.page.close()

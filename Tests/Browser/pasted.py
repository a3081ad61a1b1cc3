"""The commands of the calls of each e-ID, pasted into a shell. No browser is needed: a visitor follows links and sends
forms, as a browser without script does."""

import html
import http.cookiejar
import re
import time
import urllib.error
import urllib.parse
import urllib.request

import app
from visit import PATIENCE, demand
from workbench import wrong_answer

# The kiosk has e-IDs that the demo has not.
APPS = ("demo", "kiosk")
# What the server asks while the user has not decided yet. These users decide after the first such call.
POLLED = {"se_bankid_app": "/bankid/poll", "se_bankid_headless": "/token", "mitid_ciba": "/token"}
# How a login ends: its last status, the button that is pressed, and whether that is on the phone's page and not the
# broker's.
COMPLETES, USER_CANCELS, APP_CANCELS = (
    ("completed", "Approve", False), ("cancelled", "Cancel", False), ("cancelled", "Cancel", True))


class Visitor:
    """`url` and `text` are the page that it looks at."""

    def __init__(self):
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(jar)
        self.opener.addheaders = [("User-Agent", "Mozilla/5.0 Chrome"), ("Accept", "text/html")]
        self.url = self.text = ""

    def read(self, url, fields=None):
        data = None if fields is None else urllib.parse.urlencode(fields).encode()
        try:
            answer = self.opener.open(url, data, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.geturl(), answer.read().decode()

    def open(self, url, fields=None):
        self.url, self.text = self.read(urllib.parse.urljoin(self.url, url), fields)

    def press(self, label):
        """Sends the form with this button. Returns False if the page has none."""
        for form in re.findall(r"<form.*?</form>", self.text, re.S):
            button = next((found for found in re.finditer(r"<button([^>]*)>(.*?)</button>", form, re.S)
                           if label in found[2]), None)
            if not button:
                continue
            fields = dict(one for one in map(value_of, re.findall(r"<input[^>]*>", form)) if one)
            fields.update([value_of(button[1])] if value_of(button[1]) else [])
            action = re.search(r'<form[^>]*action="([^"]*)"', form)
            self.open(html.unescape(action[1]) if action else self.url, fields)
            return True
        return False

    def link(self, pattern):
        """The address of the first link that the pattern finds; None without one."""
        found = re.search(pattern, self.text, re.S)
        return html.unescape(next(one for one in found.groups() if one)) if found else None


def value_of(tag):
    """The name and the value that an input or a button sends; None for one that sends nothing."""
    name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
    if not name or ('type="radio"' in tag and "checked" not in tag):
        return None
    return html.unescape(name[1]), html.unescape(value[1]) if value else ""


def log_in(sandbox, of, provider, end):
    """A login that ends in this way. Returns its visitor, who looks at the phone, and the phone's page."""
    status, button, is_on_phone = end
    visitor = Visitor()
    visitor.open(f"{sandbox.links}/login", {"app": of, "provider": provider, "jkt": "", "platform": "ios",
                                            "surface": "tab"})
    phone = visitor.url
    visitor.open(visitor.link(r'<a class="button[^"]*"[^>]*href="([^"]*)"[^>]*>Open the'))
    if path := POLLED.get(provider):
        within(lambda: any(path in line_of(row) for row in rows_of(visitor.read(phone)[1])),
               f"{provider}: the server does not ask for {path}")
    if is_on_phone:
        visitor.url, visitor.text = visitor.read(phone)
    demand(visitor.press(button), f"{provider}: there is no {button}")
    visitor.press("Continue")

    def has_ended():
        if "/done/" in visitor.url:
            visitor.open(visitor.url)
            if back := visitor.link(r'<a id="back"[^>]*href="([^"]*)"|<a[^>]*class="button"[^>]*href="([^"]*)"'):
                visitor.read(back)
        page, text = visitor.read(phone)
        if not re.search(rf"<h1[^>]*>[^<]*: {status}", text):
            return False
        visitor.url, visitor.text = page, text
        return True

    within(has_ended, f"{provider}: the login does not end")
    return visitor, phone


def within(look, why):
    end = time.monotonic() + PATIENCE
    while not look():
        demand(time.monotonic() < end, why)
        time.sleep(0.3)


def rows_of(text):
    """The rows of the calls."""
    return re.findall(r'<li[^>]*id="call-\d+".*?</li>', text, re.S)


def line_of(row):
    line = re.search(r"<summary.*?</summary>", row, re.S)[0].replace("<wbr>", "")
    return " ".join(re.sub("<[^>]*>", " ", line).split())


def wrong_commands(sandbox, visitor):
    """Pastes the command of each call, the last first, because a code that is sent again takes the tokens back. Returns
    how many there are, and those that answer otherwise than they say."""
    wrong, count = [], 0
    for row in reversed(rows_of(visitor.text)):
        line = line_of(row)
        link = re.search(r'href="(/sandbox/calls/\d+/curl)"', row)
        if link:
            count += 1
            wrong += [found] if (found := wrong_answer(line, visitor.read(sandbox.links + link[1])[1])) else []
        elif re.search(r" \d{3}(,|$)", line):
            wrong.append(f"{line}: there is no command")
    return count, wrong


def the_calls_of_each_provider(stage, end, is_deleted=False):
    wrong = []
    # The first app that has an e-ID is the one that logs in with it.
    apps = {provider: of for of in reversed(APPS) for provider in app.providers(stage.sandbox, of=of)}
    for provider, of in apps.items():
        # DigiD's app does not say whose login was cancelled, so the login stays open.
        if (provider, end) == ("digid", USER_CANCELS):
            continue
        visitor, phone = log_in(stage.sandbox, of, provider, end)
        if is_deleted:
            demand(visitor.press("Delete the result"), f"{provider}: the result cannot be deleted")
            visitor.url, visitor.text = visitor.read(phone)
        count, found = wrong_commands(stage.sandbox, visitor)
        demand(count >= 5, f"{provider}: only {count} calls have a command")
        wrong += [f"{provider}: {one}" for one in found]
    demand(not wrong, "\n".join(wrong))


AS_COMMANDS = "the workbench: the calls of each login as commands"
CHECKS = [
    (f"{AS_COMMANDS}, completed", lambda stage, script: the_calls_of_each_provider(stage, COMPLETES)),
    (f"{AS_COMMANDS}, deleted", lambda stage, script: the_calls_of_each_provider(stage, COMPLETES, is_deleted=True)),
    (f"{AS_COMMANDS}, cancelled by the user", lambda stage, script: the_calls_of_each_provider(stage, USER_CANCELS)),
    (f"{AS_COMMANDS}, cancelled by the app", lambda stage, script: the_calls_of_each_provider(stage, APP_CANCELS)),
]

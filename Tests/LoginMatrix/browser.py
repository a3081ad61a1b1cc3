"""The browsers of one phone or computer. Each surface keeps its own cookies, so that a login which is resumed in another
surface than it began in gets no further."""

import html
import http.client
import os
import re
import time
import urllib.parse

# A page that says that the login goes on is loaded again for so long, in seconds.
PATIENCE = int(os.environ.get("SWITCHBACK_PATIENCE", "180"))


class BrowserError(Exception):
    """A page is not what the user expects."""


class Window:
    """A browser without scripts: it follows redirects, and stops at a link that opens an app."""

    def __init__(self, cookies, opens_app):
        # By host, as the browsers do it: a port is no part of it.
        self.cookies, self.opens_app = cookies, opens_app
        self.url = self.page = self.link = None
        self.status = 0

    def open(self, url):
        self.send("GET", url)
        return self

    def send(self, method, url, body=None):
        self.link = None
        for _ in range(20):
            target = self.load(method, url, body)
            if target is None:
                return
            method, body, url = "GET", None, target
            if self.opens_app(url):
                self.link = url
                return
        raise BrowserError(f"too many redirects at {short(url)}")

    def load(self, method, url, body):
        """Loads a page, and returns where it redirects to."""
        parts = urllib.parse.urlsplit(url)
        jar = self.cookies.setdefault(parts.hostname, {})
        fields = {"Cookie": "; ".join(f"{name}={value}" for name, value in jar.items())} if jar else {}
        if body is not None:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
        try:
            connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, fields)
            response = connection.getresponse()
            page = response.read().decode()
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie") or []:
            pair, *attributes = (part.strip() for part in cookie.split(";"))
            name, _, value = pair.partition("=")
            if "Max-Age=0" in attributes:
                jar.pop(name, None)
            else:
                jar[name] = value
        self.url, self.page, self.status = url, page, response.status
        location = response.headers["Location"]
        return urllib.parse.urljoin(url, location) if 300 <= response.status < 400 and location else None

    def need(self, found, what):
        if not found:
            words = " ".join(re.sub(r"<style.*?</style>|<[^>]+>", " ", self.page or "", flags=re.S).split())
            raise BrowserError(f"{what} on the page of {short(self.url)} ({self.status}): {words[:300]}")
        return found

    # Forms

    def form(self):
        """The first form that has buttons, or that only carries a response on."""
        forms = re.findall(r"<form\b([^>]*)>(.*?)</form>", self.page or "", re.S)
        asking = [form for form in forms if 'name="decision"' in form[1]]
        carrying = [form for form in forms if 'name="state"' in form[1]]
        return (asking or carrying or [None])[0]

    @property
    def asks(self):
        """Whether the e-ID's page wants a decision."""
        form = self.form()
        return bool(form and 'name="decision"' in form[1])

    def submit(self, **more):
        attributes, content = self.need(self.form(), "no form")
        fields = {}
        for tag in re.findall(r"<input\b([^>]*)>", content):
            values = {name: html.unescape(value) for name, value in re.findall(r'([a-z-]+)="([^"]*)"', tag)}
            if values.get("type") == "hidden" or "checked" in tag.split():
                fields[values["name"]] = values.get("value", "")
        fields.update(more)
        action = html.unescape(re.search(r'action="([^"]*)"', attributes)[1])
        url, query = urllib.parse.urljoin(self.url, action), urllib.parse.urlencode(fields)
        if 'method="post"' in attributes:
            self.send("POST", url, query)
        else:
            self.send("GET", f"{url}?{query}")

    def decide(self, decision):
        """Presses a button of the e-ID's page."""
        self.need(self.asks, "nothing to decide")
        self.submit(decision=decision)
        if self.link is None and self.form() and not self.asks:
            # This page only carries the broker's response on, which a script does in other browsers.
            self.submit()

    # What the user sees

    def first(self, pattern):
        found = re.search(pattern, self.page or "", re.S)
        return html.unescape(found[1]) if found else None

    @property
    def button(self):
        """The link of the done page's button."""
        return self.first(r'class="button" href="([^"]+)"')

    @property
    def code(self):
        """The six digits of the done page."""
        found = self.first(r'<p class="code"[^>]*>(.*?)</p>')
        return "".join(re.findall(r"\d", re.sub(r"<[^>]+>", "", found))) if found else None

    @property
    def switch(self):
        """The link by which the e-ID's app opens ours."""
        return self.first(r'<a href="([^"]+)">Return')

    def wait_for(self, what, read):
        """Reads from the page, which the server shows anew while it may change."""
        end = time.monotonic() + PATIENCE
        while not (found := read(self)):
            if time.monotonic() > end:
                self.need(None, f"no {what}")
            time.sleep(0.05)
            self.open(self.url)
        return found


class Browsers:
    """All surfaces of a phone or computer. `opens_app` says whether a link opens the app."""

    def __init__(self, opens_app):
        self.opens_app = opens_app
        self.jars, self.windows = {}, {}

    def open(self, surface, url, ephemeral=False):
        """Opens a URL in a new window of this surface."""
        # A private session has cookies of its own, which are gone with it.
        cookies = {} if ephemeral else self.jars.setdefault(surface, {})
        window = Window(cookies, self.opens_app)
        self.windows[surface] = window
        return window.open(url)

    def close(self, surface):
        self.windows.pop(surface, None)

    def get(self, surface):
        return self.windows.get(surface)


def short(url):
    return (url or "").split("?")[0]

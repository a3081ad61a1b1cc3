"""A user at the sandbox's plain provider: opens a login's link, decides on the page, and reads the done page."""

import html
import http.cookiejar
import re
import time
import urllib.parse
import urllib.request

# How long the user waits for a page, in seconds. No page needs two on an idle machine.
PATIENCE = 180


class SandboxUser:
    def __init__(self):
        # The cookies of the server are Secure, which browsers allow on loopback, and the cookie jar does not.
        policy = http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https"))
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(policy))
        self.browser = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies)

    def open(self, url):
        """Opens the link, up to the provider's page."""
        self.read(self.browser.open(url, timeout=PATIENCE))
        return self.page

    def decide(self, decision="approve", user="freja"):
        """Presses a button of the provider's page, and returns with the browser to the server's done page."""
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', self.page))
        action = re.search(r'<form method="post" action="([^"]+)"', self.page)
        if not action or "login" not in hidden:
            raise RuntimeError(f"this is not the provider's page:\n{self.page}")
        form = {**{name: html.unescape(value) for name, value in hidden.items()}, "person": user, "decision": decision}
        url = urllib.parse.urljoin(self.url, html.unescape(action[1]))
        self.read(self.browser.open(url, urllib.parse.urlencode(form).encode(), timeout=PATIENCE))
        return self.page

    def settle(self):
        """Loads the done page again while the server still asks the broker, as the page itself does."""
        end = time.monotonic() + PATIENCE
        while 'http-equiv="refresh" content="5"' in self.page and time.monotonic() < end:
            time.sleep(0.1)
            self.open(self.url)
        return self.page

    def read(self, response):
        self.url, self.page = response.geturl(), response.read().decode()

    @property
    def code(self):
        """The six digits of the done page."""
        found = re.search(r'<p class="code"[^>]*>(.*?)</p>', self.settle(), re.S)
        if not found:
            raise RuntimeError(f"the page shows no code:\n{self.page}")
        return "".join(re.findall(r"\d", found[1]))

"""WebKitGTK: its MiniBrowser on an X server without a screen, by the WebDriver protocol."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

from sandbox import PATIENCE

DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
PROGRAM = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
OPTIONS = {"binary": PROGRAM, "args": ["--automation", "--javascript-can-open-windows-automatically=true"]}
# The name that the protocol gives to a reference to an element.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class WebKit:
    programs = (DRIVER, SCREEN, PROGRAM)
    # The driver has one session at a time. This browser keeps no cookie of the server over http, so one is enough.
    refuses_cookies = True
    has_many_people = False

    def __init__(self):
        self.screen = subprocess.Popen(
            [SCREEN, "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        display = f":{self.screen.stdout.readline().strip()}"
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            [DRIVER, f"--port={port}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"})
        for _ in range(1200):
            try:
                self.call("GET", "/status")
                break
            except OSError:
                time.sleep(0.05)
        # The last user's browser ends when the next one's begins.
        self.last = None
        self.version = f"WebKitGTK {self.person().version}"

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.address + path, None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refusal:
            raise RuntimeError(json.load(refusal)["value"].get("message", "refused")) from None

    def person(self):
        if self.last:
            self.last.end()
        self.last = Person(self)
        return self.last

    def end(self):
        self.last.end()
        for one in (self.driver, self.screen):
            one.terminate()
            one.wait(60)


class Person:
    """A browser of its own, whose storage ends with it."""

    def __init__(self, browser):
        self.browser = browser
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": OPTIONS}}}
        session = browser.call("POST", "/session", wanted)
        self.path = f"/session/{session['sessionId']}"
        self.version = session["capabilities"]["browserVersion"]
        self.front = browser.call("GET", self.path + "/window")
        self.is_new = True

    def open(self, url):
        tab = Tab(self, self.front if self.is_new else self.call("POST", "/window/new", {"type": "tab"})["handle"])
        self.is_new = False
        tab.go(url)
        return tab

    def call(self, method, path, body=None):
        return self.browser.call(method, self.path + path, body)

    def handles(self):
        return self.call("GET", "/window/handles")

    def end(self):
        if self.path:
            self.call("DELETE", "")
        self.path = None


class Tab:
    def __init__(self, person, handle):
        self.person, self.handle = person, handle

    def call(self, method, path, body=None):
        if self.person.front != self.handle:
            self.person.call("POST", "/window", {"handle": self.handle})
            self.person.front = self.handle
        return self.person.call(method, path, body)

    def go(self, url):
        self.call("POST", "/url", {"url": url})

    def url(self):
        return self.call("GET", "/url")

    def run(self, expression):
        script = f"const done = arguments[0]; (async () => ({expression}))().then((value) => done([value ?? null]), " \
            "(error) => done([null, String(error)]));"
        value, *errors = self.call("POST", "/execute/async", {"script": script, "args": []})
        if errors:
            raise RuntimeError(errors[0])
        return value

    def element(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", f"/element/{self.element(selector)}/click", {})

    def type(self, selector, text):
        element = self.element(selector)
        self.call("POST", f"/element/{element}/clear", {})
        self.call("POST", f"/element/{element}/value", {"text": text})

    def back(self):
        self.call("POST", "/back", {})

    def forward(self):
        self.call("POST", "/forward", {})

    def reload(self):
        self.call("POST", "/refresh", {})

    def duplicate(self):
        """A second tab with a copy of the session storage, as "Duplicate tab" makes one."""
        before = self.person.handles()
        self.run("void open(location.href)")
        for _ in range(1200):
            if opened := set(self.person.handles()) - set(before):
                return Tab(self.person, opened.pop())
            time.sleep(0.05)
        raise RuntimeError("no tab opens")

    def close(self):
        self.call("DELETE", "/window")
        self.person.front = None

"""Firefox, by WebDriver BiDi, which it speaks itself."""

import json
import pathlib
import re
import subprocess
import tempfile
import time

from sandbox import PATIENCE

PROGRAM = "firefox-esr"
BLOCKED = 'user_pref("network.cookie.cookieBehavior", 2);\n'


class Firefox:
    programs = (PROGRAM,)
    refuses_cookies = False
    has_many_people = True

    def __init__(self, preferences=""):
        # `make check` has no websockets, and plays no Firefox.
        from websockets.sync.client import connect

        self.profile = tempfile.TemporaryDirectory(prefix="switchback-firefox-", ignore_cleanup_errors=True)
        (pathlib.Path(self.profile.name) / "user.js").write_text(preferences)
        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-remote", "--profile", self.profile.name, "--remote-debugging-port", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        address = next(filter(None, (re.search(r"ws://\S+", line) for line in self.process.stderr)))
        self.opened = connect(address.group(0) + "/session", max_size=None)
        self.socket = self.opened.__enter__()
        self.count = 0
        capabilities = self.call("session.new", capabilities={})["capabilities"]
        self.version = f"Firefox {capabilities['browserVersion']}"

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=PATIENCE))
            if answer.get("id") == self.count:
                break
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def person(self):
        return Person(self, self.call("browser.createUserContext")["userContext"])

    def person_without_storage(self):
        """A user who blocks cookies and storage in the settings of the browser."""
        blocked = Firefox(BLOCKED)
        return Person(blocked, "default", and_browser=True)

    def end(self):
        self.opened.__exit__(None, None, None)
        self.process.terminate()
        self.process.wait(60)
        self.process.stderr.close()
        self.profile.cleanup()


class Person:
    """A container of its own, with its own cookies and storage."""

    def __init__(self, browser, name, and_browser=False):
        self.browser, self.name, self.and_browser = browser, name, and_browser

    def open(self, url):
        tab = Tab(self, self.browser.call("browsingContext.create", type="tab", userContext=self.name)["context"])
        tab.go(url)
        return tab

    def contexts(self):
        return [one["context"] for one in self.browser.call("browsingContext.getTree")["contexts"]]

    def end(self):
        if self.and_browser:
            self.browser.end()
        else:
            self.browser.call("browser.removeUserContext", userContext=self.name)


class Tab:
    def __init__(self, person, context):
        self.person, self.context = person, context

    def call(self, method, **parameters):
        return self.person.browser.call(method, context=self.context, **parameters)

    def go(self, url):
        self.call("browsingContext.navigate", url=url, wait="complete")

    def url(self):
        return self.run("location.href")

    def run(self, expression):
        # The value goes through JSON, since the protocol has a form of its own for objects.
        found = self.person.browser.call(
            "script.evaluate", expression=f"(async () => JSON.stringify([({expression}) ?? null]))()",
            target={"context": self.context}, awaitPromise=True, userActivation=True)
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])[0]

    def element(self, selector):
        nodes = self.call("browsingContext.locateNodes", locator={"type": "css", "value": selector})["nodes"]
        if not nodes:
            raise RuntimeError(f"there is no {selector}")
        self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        return {"type": "element", "element": {"sharedId": nodes[0]["sharedId"]}}

    def click(self, selector):
        self.call("browsingContext.activate")
        press = [{"type": "pointerMove", "x": 0, "y": 0, "origin": self.element(selector)},
                 {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.call("input.performActions", actions=[{"type": "pointer", "id": "mouse", "actions": press}])

    def type(self, selector, text):
        self.click(selector)
        self.run(f"document.querySelector({json.dumps(selector)}).select()")
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.call("input.performActions", actions=[{"type": "key", "id": "keyboard", "actions": keys}])

    def back(self):
        self.call("browsingContext.traverseHistory", delta=-1)

    def forward(self):
        self.call("browsingContext.traverseHistory", delta=1)

    def reload(self):
        self.call("browsingContext.reload", wait="complete")

    def duplicate(self):
        """A second tab with a copy of the session storage, as "Duplicate tab" makes one."""
        before = self.person.contexts()
        self.run("void open(location.href)")
        for _ in range(1200):
            if opened := set(self.person.contexts()) - set(before):
                return Tab(self.person, opened.pop())
            time.sleep(0.05)
        raise RuntimeError("no tab opens")

    def close(self):
        self.call("browsingContext.close")

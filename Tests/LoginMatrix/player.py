"""Plays one row: the phone around a program, and the user who holds it."""

import time

from browser import Browsers
from network import Network
from program import PATIENCE, Program, RowError

# Where the e-ID's app is, which opens no page of the app's own browsers.
EID_APP = "e-ID's app"
# Reports that ask for something to be opened.
OPENING = ("open", "open_app")


def need(holds, what):
    if not holds:
        raise RowError(what)


class Player:
    def __init__(self, row, command, server):
        self.row = row
        self.network = Network(server)
        self.browsers = Browsers(self.opens_app)
        self.surface = None
        self.is_away = False
        # What opens the app again, which must not change during a login.
        self.callback = None
        self.network.actions = row.disturbance.actions
        self.program = Program(command, self.network.url)

    def end(self):
        self.program.end()
        self.network.end()

    def opens_app(self, url):
        return any(url.startswith(prefix) for prefix in self.network.prefixes)

    @property
    def window(self):
        window = self.browsers.get(self.surface)
        need(window, "no browser is open")
        return window

    # The app

    def order(self, order, **more):
        self.program.order(order, **more)

    def tap(self):
        """The user taps the login button."""
        row = self.row
        self.order("start", provider=row.provider, platform=row.platform, surface=row.surface,
                   app=row.disturbance.app)

    def start(self):
        """Until the user sees the page of the e-ID."""
        self.tap()
        self.reach()

    def reach(self):
        self.perform(self.program.hear(*OPENING))

    def perform(self, report):
        """Does what the app asks the system for."""
        if report["report"] == "open_app":
            need(report["links"], "there is no link to the e-ID's app")
            self.surface = EID_APP
            self.browsers.open(EID_APP, report["links"][0])
        else:
            self.surface = report["surface"]
            need(self.surface == self.row.surface, f"opened in {self.surface}")
            callback = (report.get("callback"), report.get("callback_scheme"))
            self.callback = self.callback or callback
            need(callback == self.callback, f"the callback was {self.callback}, and is {callback}")
            is_there = report["action"] == "resume_browser" and self.browsers.get(self.surface)
            if not is_there:
                self.browsers.open(self.surface, report["url"], report.get("ephemeral"))
        self.leave_app()

    def leave_app(self):
        """The user looks at something that is not inside the app."""
        if self.row.is_elsewhere and not self.is_away:
            self.is_away = True
            self.order("background")

    def enter_app(self, link=None):
        """The user is in the app again, by a link or without."""
        if self.is_away:
            self.is_away = False
            self.order("foreground")
        if link is not None:
            self.order("link", link=link)

    def kill(self):
        """The system kills the app. On iOS, whatever it shows is gone with it."""
        self.program.kill()
        self.is_away = False
        if not self.row.survives_kill:
            self.browsers.close(self.surface)

    def revive(self):
        """The user taps the app's icon, or a link starts it."""
        self.program.begin()

    # The user

    def approve(self):
        self.decide("approve")

    def decide(self, decision):
        self.leave_app()
        self.window.decide(decision)

    def take_link(self):
        """Returns the link that ends the browser's part, after the approval."""
        window = self.window
        link = window.link or window.wait_for("link or button", lambda page: page.link or page.button)
        # A session ends with its link, and the e-ID's app is left by it.
        if self.surface in ("auth_session", EID_APP):
            self.browsers.close(self.surface)
        return link

    def come_back(self):
        self.enter_app(self.take_link())

    def close_browser(self):
        """The browser is gone, and the app learns that."""
        self.browsers.close(self.surface)
        self.report_closed()

    def report_closed(self):
        if self.is_away:
            self.enter_app()
        else:
            self.order("closed")

    def continue_login(self):
        """The user presses "Continue", or asks for the page again."""
        self.order("open_again")
        self.reach()

    def read_code(self):
        return self.window.wait_for("code", lambda page: page.code)

    # The end

    def happened(self, call, fault):
        """Waits for a fault of the network."""
        need(self.network.wait(lambda net: (call, fault) in net.happened, PATIENCE), f"no {fault} of {call}")

    def finish(self, end, subjects):
        """Waits for the result, judges it, and acknowledges it. `subjects` has who logged in before, by provider."""
        # What has to be opened now was not asked for by the user, unless it stands in for an action that was not named.
        wrong = ("ended", "failure") if self.network.actions else ("ended", "failure", *OPENING)
        result = None
        while not result:
            report = self.program.next()
            need(report and report["report"] not in wrong, f"no result, but {report}")
            result = report if report["report"] == "result" else None
        got = tuple(result.get(name) for name in ("status", "reason", "proof"))
        fits = got[:2] == end[:2] and (got[2] in end.proofs or not end.proofs)
        need(fits, f"ends with {got} instead of {tuple(end)}")
        need(result.get("reference"), "the result has no reference")
        if end.proofs:
            need(result.get("subject") and result.get("assertion"), f"no identity or no assertion: {result}")
            subject = subjects.setdefault(self.row.provider, result["subject"])
            need(subject == result["subject"], "somebody else has logged in")
        created = {answer.get("id") for call, status, answer in self.network.sent if call == "create"}
        need(len(created) == 1, f"{len(created)} logins were created")
        self.forget()
        return result.get("proof") or result["reason"]

    def forget(self):
        """The server has deleted the login, and the program has forgotten it."""
        self.order("acknowledge")
        need(self.network.wait(lambda net: 204 in net.answers("acknowledge"), PATIENCE), "it was not acknowledged")
        self.is_forgotten()

    def be_refused(self, end):
        """The server refuses the create."""
        self.tap()
        failure = self.program.hear("failure")
        need(failure["code"] == end.status and failure.get("problem") == end.reason, f"fails with {failure}")
        self.is_forgotten()
        return end.reason

    def is_forgotten(self):
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            self.order("logins")
            if self.program.hear_logins()["count"] == 0:
                return
            time.sleep(0.02)
        raise RowError("the login stays in the store after its end")

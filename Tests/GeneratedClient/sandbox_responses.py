"""Responses of a running sandbox to the requests of an app, a phone with a session, and an API."""

import base64
import contextlib
import io
import os
import pathlib
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "FirstLogin"), str(TESTS.parent / "Examples" / "phone")]

import phone as example
from document import Response, schema_of
from examples import exchange
from sandbox_user import SandboxUser


class App:
    """Sends requests, and keeps each response that has JSON."""

    def __init__(self, url):
        self.url, self.secret, self.login, self.responses = url, None, None, []

    def send(self, name, method, path, body=None, **headers):
        status, answer = exchange(method, self.url + path, body, headers)
        self.keep(name, method, path, status, answer)
        return answer

    def keep(self, name, method, path, status, answer):
        # Examples/phone has an empty object where there is no body.
        if answer:
            schema = schema_of(method, path.partition("?")[0], status)
            assert schema, f"{name}: {method} {path} has JSON with {status}, which the file does not say"
            self.responses.append(Response(f"{name}, {status}", schema, answer))

    def create(self, name, provider="sandbox", platform="ios", surface="tab", **members):
        self.secret = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
        body = {"provider": provider, "platform": platform, "surface": surface, "poll_secret": self.secret, **members}
        self.login = self.send(name, "POST", "/v1/logins", body)
        return body

    def ask(self, name, method="GET", end="", body=None):
        path = f"/v1/logins/{self.login['id']}{end}"
        return self.send(name, method, path, body, Authorization=f"Bearer {self.secret}")

    def open(self):
        user = SandboxUser()
        user.open(self.login["next"]["url"])
        return user


class Phone(example.Phone):
    """The phone of Examples, whose responses the app keeps."""

    def __init__(self, app):
        super().__init__()
        self.app = app

    def send(self, method, path, *others, **named):
        status, answer = super().send(method, path, *others, **named)
        self.app.keep(f"{method} {path.split('/')[-1]} of the phone", method, path, status, answer)
        return status, answer


def responses(sandbox):
    app = App(sandbox.public)
    files(app)
    refusals(app)
    login_that_completes(app)
    logins_that_end_otherwise(app)
    with tempfile.TemporaryDirectory(prefix="switchback-phone-") as folder, contextlib.redirect_stdout(io.StringIO()):
        example.SERVER, example.FILE = sandbox.public, pathlib.Path(folder) / "phone.json"
        session(app, Phone(app))
    return app.responses


def files(app):
    app.send("the providers", "GET", "/v1/providers")
    app.send("the providers of an app", "GET", "/v1/providers?app=demo")
    app.send("the providers of an unknown app", "GET", "/v1/providers?app=nobody")
    for name in ("jwks.json", "access-jwks.json", "openid-configuration", "oauth-authorization-server"):
        app.send(name, "GET", f"/.well-known/{name}")


def refusals(app):
    app.create("an unknown provider", provider="nobody")
    app.create("a provider that is no text", provider=1)
    app.send("no provider", "POST", "/v1/logins", {})
    app.send("a strict create", "POST", "/v1/logins", {"provider": "sandbox", "haptics": 1}, Prefer="handling=strict")
    app.send("sessions without a token", "GET", "/v1/sessions")
    app.send("a search without a key", "POST", "/v1/sessions/search", {"subject": "s"})
    app.send("a token without a form", "POST", "/oauth/token", {})


def login_that_completes(app):
    body = app.create("a create")
    app.send("the same create", "POST", "/v1/logins", body)
    app.send("another create with its secret", "POST", "/v1/logins", {**body, "locale": "da"})
    app.ask("a poll")
    app.ask("a return without a link", "POST", "/return", {"url": None})
    app.ask("a delete that is too early", "DELETE")
    user = app.open()
    user.decide()
    app.ask("a login that waits for the return")
    app.ask("a link of another", "POST", "/return", {"url": "https://other.example/"})
    app.ask("a wrong code", "POST", "/return", {"code": f"{(int(user.code) + 1) % 1_000_000:06}"})
    app.ask("the code", "POST", "/return", {"code": user.code})
    app.ask("a completed login")
    app.ask("its delete", "DELETE")
    app.ask("a login that is gone")


def logins_that_end_otherwise(app):
    app.create("a create with an unknown member", haptics="strong")
    app.open().decide("cancel")
    app.ask("a login that the user refused")
    app.create("a create for the web", platform="web", surface="system")
    app.ask("a cancel", "POST", "/cancel", {})
    app.create("a create for an auth session", surface="auth_session")
    app.open().decide()
    app.ask("a login whose link waits for the app")
    app.create("a create for the e-ID's app", provider="digid", platform="android")
    app.ask("a return from the e-ID's app", "POST", "/return", {"url": None})
    app.send("a create without a secret", "POST", "/v1/logins", {"provider": "sandbox"})


def session(app, phone):
    phone.login()
    user = SandboxUser()
    user.open(next(one.body["next"]["url"] for one in reversed(app.responses) if "next" in one.body))
    user.decide()
    phone.code(user.code)
    phone.sessions()
    phone.pin("135790")
    phone.renew()
    phone.renew("000000")
    phone.renew("135790")
    phone.sessions()
    phone.send("POST", "/oauth/revoke", form={"token": phone.kept["refresh"]})
    phone.renew()

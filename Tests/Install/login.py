"""Whole logins: an app, and a user with a browser, at a server on loopback."""

import json
import pathlib
import re
import secrets
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "Tests" / "FirstLogin"))

from machine import InstallError
from sandbox_user import SandboxUser

SERVER = "http://127.0.0.1:8080"
SECRET = "a client secret for a test, longer than 32 bytes"
CLIENT = "shop-1"
# What `switchback init` calls a broker of the kind oidc.
BROKER = "broker"


class Provider:
    """idpyoidc, an OpenID provider by other authors, with this server as its client."""

    def __init__(self, folder):
        clients = folder / "clients.json"
        clients.write_text(json.dumps([{
            "client_id": CLIENT, "client_secret": SECRET, "token_endpoint_auth_method": "client_secret_post",
            "redirect_uris": [f"{SERVER}/callback/{BROKER}"]}]))
        self.log = open(folder / "provider", "wb")
        self.process = subprocess.Popen(
            [TOP / "Tests/ForeignProviders/run", TOP / ".venv", "idpyoidc", "0", clients], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("ready "):
            raise InstallError("the provider does not start: " + (folder / "provider").read_text(errors="replace"))
        self.issuer = line.split()[1]

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class ProviderUser(SandboxUser):
    """A user of idpyoidc."""

    def decide(self):
        token = re.search(r'name="token" value="([^"]+)"', self.page)
        if not token:
            raise InstallError(f"{self.url} is not the provider's page:\n{self.page[:2000]}")
        form = {"token": token[1], "username": "erika", "password": "correct horse"}
        url = urllib.parse.urljoin(self.url, "/verify")
        self.read(self.browser.open(url, urllib.parse.urlencode(form).encode(), timeout=20))


class Login:
    """A login of an app that shows no links: its user types the six digits of the done page."""

    def __init__(self, provider, user, app=None):
        self.secret, self.user = secrets.token_urlsafe(32), user
        body = {"provider": provider, "poll_secret": self.secret} | ({"app": app} if app else {})
        login = self.ask("POST", "/v1/logins", 201, body, {})
        self.path = f"/v1/logins/{login['id']}"
        self.user.open(login["next"]["url"])

    def ask(self, method, path, expected, body=None, credentials=None):
        if credentials is None:
            credentials = {"Authorization": f"Bearer {self.secret}"}
        request = urllib.request.Request(
            SERVER + path, method=method, data=json.dumps(body).encode() if body else None,
            headers={"Content-Type": "application/json"} | credentials)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        if status != expected:
            raise InstallError(f"{method} {path} is answered with {status}, and not {expected}: {text.decode()[:1000]}")
        return json.loads(text) if text else None

    def approve(self):
        """The user logs in at the provider, and types the code into the app."""
        self.user.decide()
        result = self.ask("POST", f"{self.path}/return", 200, {"code": self.user.code})
        if result["status"] != "completed":
            raise InstallError(f"the login is {result['status']}: {result}")
        self.assertion = result["assertion"]

    def has_its_result(self):
        result = self.ask("GET", self.path, 200)
        if result["status"] != "completed" or result["identity"]["subject"] is None:
            raise InstallError(f"the result is lost: {result}")

    def acknowledge(self):
        self.ask("DELETE", self.path, 204)


def whole(provider, user, app=None):
    """From the create to the acknowledgement."""
    login = Login(provider, user, app)
    login.approve()
    login.has_its_result()
    login.acknowledge()


def at_sandbox():
    whole("sandbox", SandboxUser())


def at_provider():
    whole("eid", ProviderUser(), "shop")

"""The app's side of a login, as an app calls the API."""

import base64
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request

from sandbox import PATIENCE


class Login:
    """A login with its own poll secret. `url` is the one that the app opens in a browser."""

    def __init__(self, sandbox, provider="sandbox", **wishes):
        self.api = sandbox.public + "/v1/logins"
        self.secret = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
        sandbox.secrets.add(self.secret)
        # This app requires no proof, so its logins are over when the user is done.
        body = {"provider": provider, "app": "kiosk", "poll_secret": self.secret, **wishes}
        answer = self.call("POST", self.api, body)
        self.id = answer["id"]
        self.reference = answer["reference"]
        self.link = answer["return_prefixes"][0]
        self.url = answer["next"]["url"]

    def result(self):
        """Returns the login once it is final. A slow machine may need several requests."""
        end = time.monotonic() + PATIENCE
        while not (login := self.now(wait=8))["final"] and time.monotonic() < end:
            pass
        return login

    def now(self, wait=0):
        """Returns the login as it is, or within `wait` seconds once it has changed."""
        return self.call("GET", f"{self.api}/{self.id}", wait=wait)

    def cancel(self):
        return self.call("POST", f"{self.api}/{self.id}/cancel")

    def delete(self):
        self.call("DELETE", f"{self.api}/{self.id}")

    def come_back(self, **link):
        """Hands in `url` or `code`. Returns the login's status, or the code of the problem."""
        try:
            return self.call("POST", f"{self.api}/{self.id}/return", link)["status"]
        except urllib.error.HTTPError as refusal:
            return json.load(refusal)["code"]

    def call(self, method, url, body=None, wait=0):
        headers = {} if url == self.api else {"Authorization": "Bearer " + self.secret}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if wait:
            headers["Prefer"] = f"wait={wait}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=wait + PATIENCE) as answer:
            text = answer.read()
            return json.loads(text) if text else None


class API:
    """Examples/python-api, on the address that the sandbox's phone calls, until the block ends."""

    def __init__(self, sandbox):
        self.program = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "python-api" / "api.py"
        self.settings = {
            "ISSUER": sandbox.public, "AUDIENCE": "sandbox-api", "PORT": sandbox.api.rsplit(":", 1)[1],
            "ACR_VALUES": "urn:sandbox:acr:substantial", "PYTHONDONTWRITEBYTECODE": "1"}

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, self.program], env={**os.environ, **self.settings}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if not self.process.stdout.readline().startswith("listening"):
            raise OSError("the API does not start")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)


def providers(sandbox, of=None):
    """Returns the ids of the default app's providers, or of another app's, with their names."""
    query = f"?app={of}" if of else ""
    with urllib.request.urlopen(f"{sandbox.public}/v1/providers{query}", timeout=PATIENCE) as answer:
        return {one["id"]: one["name"] for one in json.load(answer)["providers"]}

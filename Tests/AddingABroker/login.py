"""Checks the made-up broker's example configuration, and logs in at the broker that the sandbox plays: login.py BINARY"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "Tests" / "Browser"))
sys.path.append(str(TOP / "Tests" / "FirstLogin"))

from sandbox import free_block
from sandbox_user import SandboxUser

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def demand(truth, message):
    if not truth:
        sys.exit(message)


def check_configuration(binary):
    """The example is right, and without its branch the rule says so."""
    with tempfile.TemporaryDirectory(prefix="switchback-broker-") as folder:
        folder = pathlib.Path(folder)
        for use, file in (("server", "server.key"), ("assertion", "assertion.pem")):
            subprocess.run([binary, "keys", "generate", use, folder / file], check=True, stdout=subprocess.DEVNULL)
        example = (TOP / "Config" / "examplebank.yaml").read_text()
        example = example.replace("/etc/switchback/", f"{folder}/") + f"sqlite: {{path: {folder}/data/switchback.db}}\n"
        environment = {**os.environ, "SWITCHBACK_BROKERS__BANK__CLIENT_SECRET": "a-secret-of-a-bank"}

        def check(text):
            (folder / "switchback.yaml").write_text(text)
            ran = subprocess.run(
                [binary, "check", "--config", folder / "switchback.yaml"],
                env=environment, capture_output=True, text=True)
            return ran.returncode, ran.stdout + ran.stderr

        status, text = check(example)
        demand(status == 0 and "/callback/bank" in text, f"check refuses the example:\n{text}")
        status, text = check(example.replace('    branch: "0815"\n', ""))
        demand(status == 1 and "branch: is required for kind examplebank" in text, f"no rule for branch:\n{text}")


class Login:
    def __init__(self, server):
        self.server = server
        body = {"provider": "examplebank", "app": "kiosk", "platform": "ios"}
        self.login = self.send("POST", "/v1/logins", body)
        self.secret = self.login["poll_secret"]

    def send(self, method, path, body=None):
        fields = {"Content-Type": "application/json"} if body else {"Authorization": f"Bearer {self.secret}"}
        request = urllib.request.Request(self.server + path, body and json.dumps(body).encode(), fields, method=method)
        with OPENER.open(request, timeout=60) as response:
            return json.load(response)

    def decide(self, decision):
        user = SandboxUser()
        user.open(self.login["next"]["url"])
        user.decide(decision)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            login = self.send("GET", f"/v1/logins/{self.login['id']}")
            if login["final"]:
                return login
            time.sleep(0.5)
        sys.exit(f"the login does not end: {login}")


def check_logins(binary):
    port = free_block(9)
    server = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile() as log:
        sandbox = subprocess.Popen(
            [binary, "sandbox", "--listen", f"127.0.0.1:{port}"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            wait_until_ready(f"http://127.0.0.1:{port + 2}/readyz")
            approved = Login(server).decide("approve")
            demand(approved["status"] == "completed", f"{approved}")
            # The played broker has refused a request without a branch, and said the name in its own claim.
            demand(approved["identity"]["name"] == "Freja Lindegaard", f"{approved}")
            cancelled = Login(server).decide("cancel")
            demand(cancelled["reason"]["code"] == "user_cancelled", f"{cancelled}")
        finally:
            sandbox.terminate()
            sandbox.wait(30)


def wait_until_ready(url):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            OPENER.open(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit("the sandbox is not ready")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check_configuration(sys.argv[1])
    check_logins(sys.argv[1])
    print("ok: a configuration with the new kind is checked, and its user logs in and cancels")

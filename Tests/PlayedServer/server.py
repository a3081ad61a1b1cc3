"""`switchback serve` as a process of its own, on free ports of loopback, with a file of settings in a folder of its own."""

import contextlib
import pathlib
import random
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

import provider as providers
from phone import PREFIX
from wire import PATIENCE

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
# The ports that this program has been given. Nobody may listen on them yet.
GIVEN = set()


def free_port():
    """Below the ports of outgoing connections, which take any that is free until the server listens on it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError):
            if port not in GIVEN:
                socket.create_server(("127.0.0.1", port)).close()
                GIVEN.add(port)
                return port


class Server:
    """`store` is the lines of a store's settings, `more` further lines of YAML. Its folder goes with it."""

    def __init__(self, program, provider, store="store: memory", more="", log="warning"):
        self.program, self.folder = str(program), tempfile.TemporaryDirectory(prefix="switchback-play-")
        self.path = pathlib.Path(self.folder.name)
        self.port, self.operations, self.process = free_port(), free_port(), None
        for use, file in (("server", "server.key"), ("access", "access.key"), ("session", "session.key"),
                          ("assertion", "assertion.key")):
            subprocess.run([self.program, "keys", "generate", use, self.path / file], check=True, capture_output=True)
        self.write(f"""\
public_url: {self.url}
listen: 127.0.0.1:{self.port}
operations_listen: 127.0.0.1:{self.operations}
server_keys: [{self.path}/server.key]
{store.replace("FOLDER", str(self.path))}
keys:
  assertion: [{{file: {self.path}/assertion.key}}]
  access: [{{file: {self.path}/access.key}}]
  session: [{{file: {self.path}/session.key}}]
log: {{level: {log}, format: json}}
apps:
  demo: {{name: Demo, return_prefixes: ["{PREFIX}"]}}
  bank: {{name: Bank, return_prefixes: ["{PREFIX}"], session: unlock, session_audience: "https://api.example"}}
brokers:
  main:
    kind: oidc
    issuer: "{provider.issuer}"
    client_id: {providers.CLIENT}
    client_secret: {providers.SECRET}
    client_authentication: client_secret_post
    allow_insecure_loopback: true
    id_token_algorithms: [ES256]
providers:
  play: {{broker: main, names: {{en: Play}}, scope: [openid], userinfo: false, prompt: login, session: unlock}}
{more}""")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def audit(self, file, more=""):
        """Before the start: it writes an audit to this file. `more` is further members of `audit`."""
        key = self.path / "audit.key"
        subprocess.run([self.program, "keys", "generate", "audit", key], check=True, capture_output=True)
        text = self.text().replace("\nkeys:\n", f"\nkeys:\n  audit: [{{file: {key}}}]\n")
        self.write(f"{text}audit: {{file: {file}{more}}}\n")

    def write(self, text):
        (self.path / "switchback.yaml").write_text(text)

    def text(self):
        return (self.path / "switchback.yaml").read_text()

    def start(self, pause=0.05):
        """Returns when it is ready. It is asked again after `pause` seconds each time."""
        with open(self.path / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--config", self.path / "switchback.yaml"], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            if self.is_ready():
                return self
            time.sleep(pause)
        raise RuntimeError(f"the server is not ready:\n{self.log()}")

    def is_ready(self):
        try:
            with OPENER.open(f"http://127.0.0.1:{self.operations}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def log(self):
        return (self.path / "log").read_text(errors="replace")[-4000:]

    def metrics(self):
        with OPENER.open(f"http://127.0.0.1:{self.operations}/metrics", timeout=PATIENCE) as answer:
            return answer.read().decode()

    def stop(self):
        """Leaves the folder, so that what is in it can be measured."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def remove(self):
        self.stop()
        self.folder.cleanup()

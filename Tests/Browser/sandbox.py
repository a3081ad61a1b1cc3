"""A running `switchback sandbox` on nine free ports, ended by its process id."""

import os
import pathlib
import random
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# The source of the pages that are built in.
PUBLIC = pathlib.Path(__file__).resolve().parents[2] / "Public"
FAKETIME = "/usr/$LIB/faketime/libfaketimeMT.so.1"


class Sandbox:
    """With `clock`, the checks can move its time ahead."""

    def __init__(self, binary, origins=(), clock=False):
        port = free_block(9)
        self.clock = tempfile.NamedTemporaryFile("w", prefix="switchback-clock-") if clock else None
        self.ahead = 0
        self.public = f"http://127.0.0.1:{port}"
        self.provider = f"http://localhost:{port + 1}"
        self.brokers = [f"http://localhost:{port + offset}" for offset in (1, 4, 5, 6, 7)]
        self.operations = f"http://127.0.0.1:{port + 2}"
        self.links = f"http://localhost:{port + 3}"
        # Where a check starts the example's API.
        self.api = f"http://127.0.0.1:{port + 8}"
        # Codes, states and poll secrets of this run.
        self.secrets = set()
        self.log = tempfile.NamedTemporaryFile(prefix="switchback-browser-", suffix=".log")
        self.process = subprocess.Popen(
            # libfaketime adds a variable. The Swift program that loads it first then loses its arguments.
            ["/usr/bin/env", binary, "sandbox", "--listen", f"127.0.0.1:{port}", "--api", self.api]
            + [word for origin in origins for word in ("--origin", origin)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, env=self.environment())

    def environment(self):
        if not self.clock:
            return None
        self.advance(0)
        # Deadlines use the monotonic clock, which stays real.
        return {
            **os.environ, "LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": self.clock.name, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def advance(self, seconds):
        self.ahead += seconds
        self.clock.seek(0)
        self.clock.write(f"+{self.ahead}\n")
        self.clock.truncate()
        self.clock.flush()

    def wait_until_ready(self, seconds=15):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(self.operations + "/readyz", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the sandbox does not get ready:\n" + self.output())

    def output(self):
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def end(self):
        """Ends it and returns its exit code; -9 when it had to be killed."""
        self.process.terminate()
        try:
            return self.process.wait(8)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(5)


def free_block(count=8):
    """Returns the first of `count` consecutive free ports."""
    for _ in range(100):
        first = random.randrange(20_000, 32_000)
        taken = []
        try:
            for port in range(first, first + count):
                taken.append(socket.create_server(("127.0.0.1", port)))
            return first
        except OSError:
            continue
        finally:
            for one in taken:
                one.close()
    raise RuntimeError("no free ports")

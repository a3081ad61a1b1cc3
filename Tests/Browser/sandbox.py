"""A running `switchback sandbox` on nine free ports, ended by its process id."""

import os
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# The source of the pages that are built in.
HERE = pathlib.Path(__file__).resolve().parent
PUBLIC = HERE.parents[1] / "Public"
# How long a check waits for what must come, in seconds. No check needs two on an idle machine, and on one where others
# build, a login took fifty. Only a failure takes so long.
PATIENCE = 180
# What the program says of a port.
TAKEN = "is in use by another program"


class Sandbox:
    """With `clock`, its time stands, and passes only when a check says so."""

    def __init__(self, binary, origins=(), clock=False):
        self.binary, self.origins, self.clock = binary, origins, Clock() if clock else None
        self.start()

    def start(self):
        port = free_block(9)
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
            [self.binary, "sandbox", "--listen", f"127.0.0.1:{port}", "--api", self.api]
            + [word for origin in self.origins for word in ("--origin", origin)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
            env=self.clock and self.clock.environment())

    def advance(self, seconds):
        self.clock.advance(seconds)

    def wait_until_ready(self, seconds=3 * PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                if TAKEN not in self.output():
                    break
                # Another program has taken a port since it was found free.
                self.log.close()
                self.start()
            try:
                with urllib.request.urlopen(self.operations + "/readyz", timeout=5) as answer:
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
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Clock:
    """A clock that stands, so that a login has the same time left on a slow machine as on a fast one. Deadlines use the
    monotonic clock, which stays real."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="switchback-clock-")
        self.library, self.file = pathlib.Path(self.folder.name, "clock.so"), pathlib.Path(self.folder.name, "now")
        # Swift brings the first one.
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", self.library, HERE / "clock.c"], check=True)
        self.now = int(time.time())
        self.advance(0)

    def advance(self, seconds):
        self.now += seconds
        # The program sees the file as memory, so the bytes are written where they are.
        with open(self.file, "r+b" if self.file.exists() else "wb") as file:
            file.write(struct.pack("=q", self.now))

    def environment(self):
        return {**os.environ, "LD_PRELOAD": str(self.library), "CLOCK_FILE": str(self.file)}


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

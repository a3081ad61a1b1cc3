"""Follows README.md and the tutorials that need only the sandbox, as a reader does: run.py BINARY [PAGE…] [--print]

Every command is run as it stands, and must print what the page says. `make run` is replaced by BINARY, the program
that it would build; without BINARY it is run too (in a clean clone, say). The ports are free ones, and the marked browser
steps are done by a small browser. With --print the real output is printed and nothing is compared.

Markers, each on a line of its own above what it marks:

  <!-- test: first login -->          a block of commands; all blocks of a page are one shell
  <!-- test: first login python -->   the reader makes a venv and installs packages. Here it is the venv that runs this
                                      program, so that no run needs a network; it must have these packages
  <!-- test: first login approve -->  here the reader approves in a browser what the last `url` leads to (or: cancel)
  <!-- test: output -->               what the block above prints; … stands for anything
"""

import contextlib
import importlib.metadata
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "Tests" / "Browser"))
sys.path.append(str(pathlib.Path(__file__).resolve().parent))

from sandbox import free_block
from sandbox_user import SandboxUser

PAGES = ["README.md", "docs/tutorial/first-login.md", "docs/tutorial/first-unlock.md"]
STEP = re.compile(r"^<!-- test: (?P<what>first login(?: \w+)?|output) -->\n(?:```\w*\n(?P<text>.*?)^```$)?", re.M | re.S)
# What is another one in each run.
CHANGING = [
    (re.compile(r"[A-Za-z0-9_-]{20,}"), "‹random›"),
    (re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b"), "‹reference›"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "‹time›"),
    (re.compile(r'("(?:expires_in|iat|exp|auth_time)": ?)\d+'), r"\1‹number›"),
]
# Ids of logins have 22 characters, secrets more, names of events fewer.
IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{22,}")
# How long a command may take, in seconds. None needs five on an idle machine.
PATIENCE = 180
# How long `make run` may take, which builds first.
BUILDING = 3600
# The most lines that a sandbox prints when it starts.
SCREEN = 12
# 000000 is the pages' wrong code.
DIGITS = re.compile(r"\b(?!000000)\d{6}\b")


class PageError(Exception):
    pass


@contextlib.contextmanager
def ended_after(seconds, process):
    """Ends the process and all that it has started if this takes longer, so that its output ends too."""
    watch = threading.Timer(seconds, os.killpg, (process.pid, signal.SIGKILL))
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


class Reader:
    """Reads one page from its top."""

    def __init__(self, page, binary, prints):
        self.page, self.binary, self.prints = page, binary, prints
        self.port = free_block()
        self.sandbox = self.shell = self.code = None
        self.output = ""

    def read(self):
        steps = list(STEP.finditer((TOP / self.page).read_text()))
        try:
            for step in steps:
                self.take(step["what"], step["text"])
        finally:
            self.end()
        return len(steps)

    def take(self, what, text):
        if what == "first login" and not self.sandbox:
            self.start(text)
        elif what == "first login python":
            self.use_python(text)
        elif what == "first login":
            self.output = self.run(self.here(text))
            if self.prints:
                print(f"$ {text}{self.output}", flush=True)
        elif what == "output":
            if not self.prints:
                self.compare(text)
        else:
            self.browse(what.split()[-1])

    def here(self, text):
        """The same with our port, and with the code that our page shows."""
        text = re.sub(r"\b808([0-7])\b", lambda found: str(self.port + int(found[1])), text)
        return DIGITS.sub(self.code, text) if self.code else text

    def start(self, text):
        command = [self.binary, "sandbox", "--listen", f"127.0.0.1:{self.port}"]
        if text.strip() != "make run":
            raise PageError(f"{self.page}: the first block is not make run: {text}")
        if not self.binary:
            command = ["make", "run", f"PORT={self.port}"]
        self.sandbox = subprocess.Popen(
            command, cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True)
        self.output = ""
        limit = PATIENCE if self.binary else BUILDING
        with ended_after(limit, self.sandbox):
            for line in self.sandbox.stdout:
                self.output += line
                if "Ctrl-C" in line:
                    break
            else:
                raise PageError(f"{self.page}: the sandbox does not start in {limit} seconds:\n{self.output}")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port + 2}/readyz", timeout=2).close()
                return self.paste()
            except OSError:
                time.sleep(0.05)
        raise PageError(f"{self.page}: the sandbox is not ready")

    def paste(self):
        """The first screen is short, and its command begins a login that can be completed."""
        screen = [line for line in self.output.split("\n")[:-1] if not line.startswith("==>")]
        commands = [line for line in screen if line.lstrip().startswith("curl ")]
        if self.binary and len(screen) > SCREEN or len(commands) != 1:
            raise PageError(f"the first screen has {len(screen)} lines and {len(commands)} commands:\n{self.output}")
        # The second time it shows the same login.
        first, login = (json.loads(self.run_alone(commands[0])) for _ in range(2))
        user = SandboxUser()
        user.open(login["next"]["url"])
        user.decide()
        secret = re.search(r'"poll_secret": "([^"]+)"', commands[0])[1]
        result = json.loads(self.run_alone(
            f"curl -s http://127.0.0.1:{self.port}/v1/logins/{login['id']}/return -H 'Authorization: Bearer {secret}' "
            f"-H 'Content-Type: application/json' -d '{{\"code\": \"{user.code}\"}}'"))
        if first["id"] != login["id"] or result.get("status") != "completed":
            raise PageError(f"the command of the first screen does not lead to a result: {login} {result}")
        if self.binary:
            self.start_second()

    def start_second(self):
        """A second sandbox says which port is taken, and which one to try."""
        address = f"127.0.0.1:{self.port}"
        second = subprocess.run(
            [self.binary, "sandbox", "--listen", address], capture_output=True, text=True, timeout=PATIENCE)
        said = re.fullmatch(r"error: (\S+) is in use by another program\. .* Try `PORT=\d+ make run`.*\n", second.stderr)
        if second.returncode != 1 or second.stdout or not said or said[1] != address:
            raise PageError(f"a second sandbox on {address} says:\n{second.stdout}{second.stderr}")

    @staticmethod
    def run_alone(command):
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE).stdout

    def use_python(self, text):
        installed = re.search(r"^pip install (.+)$", text, re.M)
        for name in re.findall(r"[\w-]+(?=\[|[\"' ]|$)", installed[1]) if installed else []:
            importlib.metadata.version(name)
        if not installed or "/bin/activate" not in text:
            raise PageError(f"{self.page}: this makes no venv with packages:\n{text}")
        self.run(f"PATH={pathlib.Path(sys.executable).parent}:$PATH")

    def run(self, script):
        """In the page's one shell, up to a line that the shell prints when all is done."""
        if not self.shell:
            self.shell = subprocess.Popen(
                ["bash", "--noprofile", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, start_new_session=True,
                # Examples/phone has the usual address as its default.
                env=os.environ | {"SERVER": f"http://127.0.0.1:{self.port}"})
        mark = "---- the end of the block"
        self.shell.stdin.write(f"{script}\necho; echo '{mark}'\n")
        self.shell.stdin.flush()
        lines = []
        with ended_after(PATIENCE, self.shell):
            for line in self.shell.stdout:
                if line.strip() == mark:
                    return "".join(lines).removesuffix("\n")
                lines.append(line)
        raise PageError(f"{self.page}: the shell has ended, or had no end in {PATIENCE} seconds:\n{''.join(lines)}")

    def browse(self, decision):
        url = self.run("jq -r .next.url <<<\"$login\"").strip()
        user = SandboxUser()
        user.open(url)
        user.decide(decision)
        # What the page shows then, the app sees too.
        user.settle()
        self.code = user.code if decision == "approve" else self.code

    def compare(self, expected):
        expected, actual = self.stable(self.here(expected)), self.stable(self.output)
        pattern = "".join(
            "(?:.*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", ".*") + "\n"
            for line in expected.strip("\n").split("\n")
            # The lines of make itself.
            if not (self.binary and line.startswith("==>")))
        if not re.fullmatch(pattern, actual.strip("\n") + "\n"):
            raise PageError(f"{self.page} says:\n{expected}\nand it is:\n{actual}")

    @staticmethod
    def stable(text):
        for pattern, replacement in CHANGING:
            text = pattern.sub(replacement, text)
        return text

    def end(self):
        for process in (self.shell, self.sandbox):
            if process and process.poll() is None:
                # Started in a session of its own: make has children.
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(PATIENCE)


def watch_demo(binary):
    """A login that fails, one that recovers, and no secret on the screen."""
    ran = subprocess.run(
        [binary, "demo", "--listen", f"127.0.0.1:{free_block()}"], cwd=TOP, capture_output=True, text=True,
        timeout=2 * PATIENCE)
    events = ["failed: invalid_token", "POST /v1/logins → 200", "return → 422", "return → 200", "completed: sandbox-dk-"]
    places = [ran.stdout.find(event) for event in events]
    if ran.returncode or ran.stderr or -1 in places or places != sorted(places) or IDENTIFIER.search(ran.stdout):
        raise PageError(f"switchback demo ends with {ran.returncode}:\n{ran.stdout}{ran.stderr}")


def main():
    words = [word for word in sys.argv[1:] if word != "--print"]
    pages = [word for word in words if word in PAGES]
    words = [word for word in words if word not in PAGES]
    if len(words) > 1:
        sys.exit(__doc__)
    binary = str(pathlib.Path(words[0]).resolve()) if words else None
    for page in pages or PAGES:
        steps = Reader(page, binary, "--print" in sys.argv).read()
        if steps < 6:
            raise PageError(f"{page} has {steps} marked steps: the markers have changed")
        print(f"ok {page}: {steps} steps", flush=True)
    if binary:
        watch_demo(binary)
        print("ok switchback demo", flush=True)


if __name__ == "__main__":
    try:
        main()
    except PageError as error:
        sys.exit(f"{error}")

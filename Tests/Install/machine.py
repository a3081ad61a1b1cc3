"""A Debian to install into: a layer over the kept root, so that no test changes that one.

It is not booted. Its commands are run in it as root or as the user of the service, in the network of the test.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

# What a service of systemd has at least. Variables of whoever runs the test mean nothing in it.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
READY = "http://127.0.0.1:8082/readyz"
# How long this waits for what must come, on a machine that is busy.
PATIENCE = 120


class InstallError(Exception):
    pass


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


class Machine:
    """`report` gets each command that is worth showing, and its seconds."""

    def __init__(self, kept_root, libraries, report):
        self.report = report
        self.layers = pathlib.Path(tempfile.mkdtemp(prefix="switchback-install-"))
        # Beside the layers: nothing below a mount is ever removed.
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="switchback-machine-"))
        for name in ("upper", "work"):
            (self.layers / name).mkdir()
        mount("-t", "overlay", "-o", f"lowerdir={kept_root},upperdir={self.layers}/upper,workdir={self.layers}/work",
              "overlay", self.root)
        self.root.chmod(0o755)
        self.bind("/proc")
        for device in ("null", "urandom", "random"):
            self.bind(f"/dev/{device}")
        for folder in libraries:
            self.bind(folder)

    def bind(self, source, target=None):
        place = self.root / str(target or source).lstrip("/")
        if pathlib.Path(source).is_dir():
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.touch()
        mount("--rbind", source, place)

    def command(self, text, user, variables):
        words = ["chroot", str(self.root)]
        if user != "root":
            words += ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        words += ["env", "-i", f"PATH={PATH}", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive",
                  *[f"{name}={value}" for name, value in (variables or {}).items()]]
        # `exec` makes the shell the program, which then gets the signals.
        return [*words, "sh", "-c", text]

    def run(self, text, user="root", variables=None, shown=True, status=0):
        """Runs a command, and returns all that it says. Its standard input is empty: it can ask nothing."""
        started = time.monotonic()
        done = subprocess.run(self.command(text, user, variables), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=600, check=False)
        if done.returncode != status:
            raise InstallError(f"{text}: exit status {done.returncode}, and not {status}\n{done.stdout[-4000:]}")
        if shown:
            self.report(text, time.monotonic() - started)
        return done.stdout

    def start(self, text, user="switchback", variables=None):
        return Server(self.command(f"exec {text}", user, variables), self.layers / "log", text, self.report)

    def file(self, path):
        return self.root / path.lstrip("/")

    def listing(self):
        """Path → (owner, group, mode) of everything in the machine that is no mount."""
        done = subprocess.run(
            ["find", ".", "-xdev", "-mindepth", "1", "(", "-path", "./proc", "-o", "-path", "./dev", ")", "-prune", "-o",
             "-printf", "%P\t%U %G %m\n"], cwd=self.root, capture_output=True, text=True, check=True)
        return dict(line.split("\t") for line in done.stdout.splitlines())

    def remove(self):
        subprocess.run(["umount", "--recursive", self.root], check=True)
        self.root.rmdir()
        shutil.rmtree(self.layers)


class Server:
    """A program that runs until it is told to end, with its log."""

    def __init__(self, command, log, text, report):
        self.log, self.text = log, text
        started = time.monotonic()
        with open(log, "ab") as file:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
        while not is_ready():
            if self.process.poll() is not None or time.monotonic() - started > PATIENCE:
                self.kill()
                raise InstallError(f"{text}: does not become ready\n{self.log.read_text(errors='replace')[-4000:]}")
            time.sleep(0.05)
        report(text, time.monotonic() - started)

    def end(self):
        """SIGTERM, and it must end well."""
        self.terminate()
        status = self.process.wait(PATIENCE)
        if status:
            raise InstallError(f"{self.text}: SIGTERM ends it with {status}\n"
                               f"{self.log.read_text(errors='replace')[-4000:]}")

    def terminate(self):
        self.process.terminate()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def is_ready():
    try:
        with urllib.request.urlopen(READY, timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


def enter_namespaces():
    """Starts this program again, in namespaces that end with it: its mounts, processes and loopback are nobody else's."""
    if os.environ.get("SWITCHBACK_INSTALL_INSIDE"):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        mount("--make-rprivate", "/")
        return
    environment = os.environ | {"SWITCHBACK_INSTALL_INSIDE": "yes"}
    os.execvpe("unshare", ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc",
                           sys.executable, *sys.argv], environment)

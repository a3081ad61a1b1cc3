"""The package under systemd: the kept Debian boots, and does what booted.sh says. Logins come from outside."""

import pathlib
import shutil
import tempfile
import threading
import time

import follow
import login
from login import Provider
from machine import InstallError

HERE = pathlib.Path(__file__).resolve().parent
# `booted.sh` asks for a login by a file of this name, and waits for the other.
ASKED, ANSWERED = "login-asked", "login-answered"


def play(kept, libraries, report, old, new, folder):
    inside, outside = folder / "in", folder / "out"
    for one in (inside, outside):
        one.mkdir()
    provider = Provider(outside.parent)
    try:
        for package, name in ((old[0], "old.deb"), (new[0], "new.deb")):
            shutil.copy(package, inside / name)
        (inside / "secret").write_text(login.SECRET + "\n")
        (inside / "secret").chmod(0o600)
        (inside / "issuer").write_text(provider.issuer)
        (inside / "source").mkdir()
        helpers = (follow.HERE / "helpers.sh").read_text()
        (inside / "follow.sh").write_text(f"{helpers}\nbroker=idpyoidc\n{(HERE / 'booted.sh').read_text()}")
        machine = threading.Thread(target=follow.boot, args=(kept, inside, outside, libraries),
                                   kwargs={"network": "--network-namespace-path=/proc/self/ns/net"})
        started = time.monotonic()
        machine.start()
        answer_logins(machine, outside)
        for line in read(outside / "log").splitlines():
            if line.startswith("ok "):
                report.held(f"booted: {line[3:]}")
        if read(outside / "code").strip() != "0":
            raise InstallError("booted:\n" + "\n".join(read(outside / name)[-4000:] for name in ("log", "journal", "console")))
        report.command("the Debian boots, does all this, and ends", time.monotonic() - started)
    finally:
        provider.end()


def answer_logins(machine, outside):
    while machine.is_alive():
        machine.join(0.1)
        if (outside / ASKED).exists():
            (outside / ASKED).unlink()
            try:
                login.at_provider()
                said = ""
            except (InstallError, OSError) as error:
                said = str(error)
            with tempfile.NamedTemporaryFile("w", dir=outside, delete=False) as file:
                file.write(said)
            pathlib.Path(file.name).rename(outside / ANSWERED)


def read(file):
    return file.read_text(errors="replace") if file.exists() else ""

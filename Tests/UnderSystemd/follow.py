"""Follows docs/how-to/under-systemd.md word by word, in an empty Debian that boots: follow.py BINARY [BROKER…]

The commands are the page's own: the blocks after `<!-- test: systemd -->`. Only the answers to the questions of `init`
are added, as options. What `init` prints is followed too, as it stands. It runs once for each kind of broker, without a
network, and needs root, debootstrap and systemd-nspawn. The empty Debian is made once and kept in .build; no run
changes it.

Where no container can boot, it says so, and starts the unit's own command in that Debian, with the unit's user,
variables and credentials.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.append(str(TOP / "Tests" / "DocumentedCommands"))

from run import blocks

PAGE = TOP / "docs" / "how-to" / "under-systemd.md"
SUITE = "bookworm"
# The second line are the packages of the page, because the machine has no network.
PACKAGES = ["systemd", "systemd-sysv", "dbus", "util-linux"]
FOLLOWER = """[Unit]
Description=Follows the page
After=multi-user.target
[Service]
ExecStart=/bin/bash /in/follow.sh
StandardOutput=file:/out/log
StandardError=inherit
"""

COMMON = "--public-url https://login.example.com --link-url https://link.example.com --app shop --client-id shop-1"
# (the options of init, whether init gets the secret or the operator writes it later)
BROKERS = {
    "signaturgruppen": ("", True),
    "idura": ("--issuer https://shop.idura.broker", False),
    "vipps": ("", False),
    "digid": ("--issuer https://id.example.com --resolver https://id.example.com/oauth/custom-registration/digid", True),
    "oidc": ("--issuer https://id.example.com --eid-name Example", None),
}


def page_parts():
    """(mark, code) of the page's blocks, in their order."""
    parts = [(mark, code) for mark, code in blocks(PAGE.read_text()) if mark.startswith("systemd")]
    if [mark for mark, _ in parts].count("systemd init") != 1:
        sys.exit(f"{PAGE} has not one block `systemd init`")
    return parts


def page_packages():
    found = re.search(r"apt-get install (.*)", "".join(code for _, code in page_parts()))
    return found.group(1).split()


def script(broker):
    """What the machine runs: the page, and between its blocks what must hold."""
    options, has_file = BROKERS[broker]
    secret = "" if not has_file else " --client-secret-file /in/secret"
    init = f"--broker {broker} {COMMON} {options}{secret}"
    lines = [(HERE / "helpers.sh").read_text(), f"broker={broker}"]
    for mark, code in page_parts():
        if mark == "systemd init":
            code = code.replace("switchback init /etc/switchback", f"switchback init /etc/switchback {init} >/out/init")
            lines += [code, "follow_what_init_says"]
        elif mark == "systemd":
            lines.append(code)
        elif mark == "systemd at the end":
            lines += ["it_serves", "it_reloads", "it_names_a_missing_secret", "its_journal_is_clean", code, "it_is_gone"]
        else:
            sys.exit(f"{PAGE} has a block of an unknown kind: {mark}")
    return "\n".join(lines) + "\n"


def debian(folder):
    """Makes the empty Debian, or takes the one that was made before."""
    packages = sorted(set(PACKAGES + page_packages()))
    name = hashlib.sha256(f"{SUITE} {packages} {FOLLOWER}".encode()).hexdigest()[:12]
    root = folder / f"debian-{name}"
    if root.exists():
        return root
    folder.mkdir(parents=True, exist_ok=True)
    print(f"==> debootstrap {SUITE} with {' '.join(packages)}", flush=True)
    made = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "root"
    result = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", SUITE, str(made)]
        + ([os.environ["MIRROR"]] if "MIRROR" in os.environ else []), capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"debootstrap fails:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    units = made / "etc/systemd/system"
    (units / "follow.service").write_text(FOLLOWER)
    (units / "multi-user.target.wants").mkdir(exist_ok=True)
    (units / "multi-user.target.wants/follow.service").symlink_to("/etc/systemd/system/follow.service")
    made.rename(root)
    made.parent.rmdir()
    return root


def foreign_libraries(binary, root):
    """The folders of libraries that the machine lacks: those of Swift, if the binary is not linked statically."""
    found = re.findall(r"=> (/\S+)", subprocess.run(["ldd", binary], capture_output=True, text=True).stdout)
    return sorted({os.path.dirname(path) for path in found if not (root / path.lstrip("/")).exists()})


def boot(root, inside, outside, libraries, network="--private-network"):
    """Returns whether the machine has booted and ended by itself. `network` is an option of systemd-nspawn."""
    command = ["systemd-nspawn", "--quiet", "--boot", f"--directory={root}", "--volatile=overlay", network,
               "--register=no", "--console=pipe", "--link-journal=no", f"--machine=switchback-{os.getpid()}",
               f"--bind-ro={inside}:/in", f"--bind={outside}:/out"]
    command += [f"--bind-ro={folder}" for folder in libraries]
    if not os.path.exists("/run/systemd/system"):
        # There is no service manager to ask for a scope.
        command.append("--keep-unit")
    try:
        with open(outside / "console", "w") as console:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=console, stderr=console, timeout=180)
    except subprocess.TimeoutExpired:
        pass
    return (outside / "code").exists()


def emulate(root, inside, outside, libraries, folder):
    """Follows the page without systemd as process 1: helpers.sh has a `systemctl` that starts the unit's command."""
    copy = folder / "root"
    subprocess.run(["cp", "-a", str(root), str(copy)], check=True)
    mounts = [("/proc", "proc"), ("/dev", "dev"), (str(inside), "in"), (str(outside), "out")]
    mounts += [(path, path.lstrip("/")) for path in libraries]
    text = "".join(f"mkdir -p '{copy}/{to}' && mount --bind '{what}' '{copy}/{to}' && " for what, to in mounts)
    text += f"exec chroot '{copy}' /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin EMULATED=1 bash /in/follow.sh"
    with open(outside / "log", "w") as log:
        subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--net", "bash", "-c",
                        f"mount -t proc proc /proc && ip link set lo up 2>/dev/null; {text}"],
                       stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=180, check=False)


def play(broker, binary, root):
    """Returns how it ran, and what went wrong; None when nothing did."""
    with tempfile.TemporaryDirectory(prefix="switchback-systemd-") as folder:
        folder = pathlib.Path(folder)
        (inside := folder / "in").mkdir()
        (outside := folder / "out").mkdir()
        (inside / "source").mkdir()
        shutil.copytree(TOP / "Config", inside / "source" / "Config")
        shutil.copy(binary, inside / "source" / "switchback")
        (inside / "secret").write_text("a client secret for a test, longer than 32 bytes\n")
        (inside / "secret").chmod(0o600)
        (inside / "follow.sh").write_text(script(broker))
        libraries = foreign_libraries(binary, root)
        how = "booted"
        if os.environ.get("EMULATE") or not boot(root, inside, outside, libraries):
            how = "NOT booted: no container boots here, so the unit's command was started without systemd"
            emulate(root, inside, outside, libraries, folder)
        code = (outside / "code").read_text().strip() if (outside / "code").exists() else "none"
        if code == "0":
            return how, None
        said = [(outside / name).read_text()[-3000:] for name in ("log", "journal", "console") if (outside / name).exists()]
        return how, f"exit status {code}\n" + "\n".join(said)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    if os.geteuid() != 0:
        sys.exit("this needs root, for debootstrap and systemd-nspawn")
    for tool, package in [("debootstrap", "debootstrap"), ("systemd-nspawn", "systemd-container")]:
        if not shutil.which(tool):
            sys.exit(f"Please install {tool}: apt-get install {package}")
    started, failed = time.monotonic(), 0
    root = debian(TOP / ".build" / "under-systemd")
    for broker in sys.argv[2:] or BROKERS:
        begun = time.monotonic()
        how, problem = play(broker, binary, root)
        failed += problem is not None
        word = "ok" if problem is None else "FAIL"
        print(f"{word} {broker} ({how}, {time.monotonic() - begun:.0f} s){'' if problem is None else ': ' + problem}", flush=True)
    print(f"{failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

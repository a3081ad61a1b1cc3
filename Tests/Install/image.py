"""The image, read and run by others than those who made it: skopeo and umoci read it, and its root runs as in an engine."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "Deploy" / "image"))

import dockerfile

from machine import InstallError, Server

IMAGE = dockerfile.configuration(TOP / "Dockerfile", {"CREATED": "", "SOURCE": ""})
USER = int(IMAGE["User"].split(":")[0])
# In bytes: all files of the image, and the archive. They hold for a program that links Swift statically.
MOST_FILES, MOST_ARCHIVE = 125_000_000, 50_000_000
# Where a file of the image may be, beside the program and the libraries.
KNOWN = ("etc/ssl/certs/ca-certificates.crt", "etc/passwd", "etc/group", "etc/nsswitch.conf", "usr/share/zoneinfo/",
         "usr/share/doc/", "usr/share/common-licenses/", "var/lib/dpkg/status.d/")


def output(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise InstallError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout


def dynamic(file):
    """What an ELF file names, and where it looks beside Debian's folders."""
    text = output("readelf", "--dynamic", file)
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", text)), re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.+)\]", text)


class Container(Server):
    """A server that is the first process of its container."""

    def pid(self):
        task = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(task.read_text().split()[0])

    def terminate(self):
        # `unshare`, which waits for it, passes no signal on.
        os.kill(self.pid(), signal.SIGTERM)


class Image:
    def __init__(self, program, folder, is_static):
        """`is_static`: the program needs no library of Swift, as in a release."""
        self.folder, self.is_static = folder, is_static
        first, second = folder / "first", folder / "second"
        output(TOP / "Deploy/image/build", program, first)
        output(TOP / "Deploy/image/build", program, second)
        (self.archive,) = first.glob("*-image.tar")
        (again,) = second.glob("*-image.tar")
        if self.archive.read_bytes() != again.read_bytes():
            raise InstallError("the same program gives two images")
        shutil.rmtree(second)
        self.version = output(program, "--version").strip()
        output("umoci", "unpack", "--image", f"{first / 'oci'}:{self.version}", folder / "unpacked")
        self.root = folder / "unpacked" / "rootfs"

    def files(self):
        return [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]

    def its_archive_is_read_by_others(self):
        index = json.loads((self.archive.parent / "oci/index.json").read_text())
        seen = json.loads(output("skopeo", "inspect", f"oci-archive:{self.archive}"))
        digest = index["manifests"][0]["digest"]
        if seen["Digest"] != digest:
            raise InstallError(f"skopeo sees {seen['Digest']}, and not {digest}")
        one, other = [json.loads(output("skopeo", "inspect", "--config", f"{kind}:{self.archive}"))
                      for kind in ("oci-archive", "docker-archive")]
        if one["rootfs"] != other["rootfs"] or one["config"] != other["config"]:
            raise InstallError("`docker load` would see another image than OCI's tools")
        labels = seen["Labels"]
        for name in ("created", "licenses", "revision", "title", "version"):
            if not labels.get(f"org.opencontainers.image.{name}"):
                raise InstallError(f"the image has no label {name}: {labels}")
        if one["config"]["User"] != IMAGE["User"] or list(one["config"]["Volumes"]) != ["/var/lib/switchback"]:
            raise InstallError(f"the image runs in another way than the Dockerfile says: {one['config']}")

    def it_has_nothing_else(self):
        """No shell and no apt: the program, libraries that something needs, and what `KNOWN` lists."""
        elf, other = {}, []
        for file in self.files():
            with open(file, "rb") as opened:
                if opened.read(4) == b"\x7fELF":
                    elf[file] = dynamic(file)
                elif not str(file.relative_to(self.root)).startswith(KNOWN):
                    other.append(file)
        programs = [file for file in elf if ".so" not in file.name]
        if other or programs != [self.root / "usr/bin/switchback"]:
            raise InstallError(f"these files do not belong into the image: {other} {programs}")
        needed = set().union(*(names for names, _ in elf.values()))
        present = {path.name for folder in {file.parent for file in elf} for path in folder.iterdir()}
        if missing := needed - present:
            raise InstallError(f"the image lacks {missing}")
        if unused := {file.name for file in elf if file not in programs and not
                      {path.name for path in file.parent.iterdir() if path.resolve() == file.resolve()} & needed}:
            raise InstallError(f"nothing needs {unused}")
        return f"{len(elf) - 1} libraries"

    def its_size(self):
        size, packed = sum(file.stat().st_size for file in self.files()), self.archive.stat().st_size
        text = f"{size / 1e6:.1f} MB of files, {packed / 1e6:.1f} MB as an archive"
        if self.is_static and (size > MOST_FILES or packed > MOST_ARCHIVE):
            raise InstallError(f"the image is too large: {text}")
        return text

    def container(self, folder, arguments, mounts=(), variables=None):
        """The command of a container: nobody, a read-only root, no capabilities, and no other writable file."""
        folder.mkdir()
        (folder / "root").mkdir()
        (folder / "pod.json").write_text(json.dumps({
            "root": str(folder / "root"), "image": str(self.root), "arguments": arguments, "user": USER, "group": USER,
            "groups": [], "mounts": [{"from": str(source), "to": to, "readOnly": read_only}
                                     for source, to, read_only in mounts],
            "environment": dict(pair.split("=", 1) for pair in IMAGE["Env"]) | (variables or {})}))
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", sys.executable,
                TOP / "Deploy/parts/container.py", folder / "pod.json"]

    def it_says_its_version(self):
        said = output(*self.container(self.folder / "version", ["--version"])).strip()
        if said != self.version:
            raise InstallError(f"--version says {said}, and not {self.version}")
        return f"switchback --version: {said}"

    def start(self, name, arguments, mounts=(), variables=None, report=None):
        folder = self.folder / name
        return Container(self.container(folder, arguments, mounts, variables), folder / "log",
                         f"the image's switchback {' '.join(arguments)}", report)

    @staticmethod
    def may_read(folder):
        """As the page for containers says: the group of the image reads the configuration, and nobody else does."""
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 0, USER)
            path.chmod(0o750 if path.is_dir() else 0o640)

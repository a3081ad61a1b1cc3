"""The files of the image: two layers, because the program changes more often than the libraries.

Each file of Debian is as its package has it: its checksum is that of the package. The licences of those packages are
in the image, and their records, by which scanners find what has a known vulnerability.
"""

import dataclasses
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DPKG = pathlib.Path("/var/lib/dpkg/info")
CACHE = pathlib.Path(__file__).resolve().parents[2] / ".build" / "image"
CERTIFICATES = "usr/share/ca-certificates/mozilla/"
ZONES = "usr/share/zoneinfo/"
# Copies of all zones, with and without leap seconds, which no program asks for by default.
OTHER_ZONES = (ZONES + "posix/", ZONES + "right/")
BUNDLE = "etc/ssl/certs/ca-certificates.crt"
NOBODY = 65534

TEXTS = {
    "etc/passwd": "root:x:0:0:root:/root:/usr/sbin/nologin\n"
                  f"nobody:x:{NOBODY}:{NOBODY}:nobody:/nonexistent:/usr/sbin/nologin\n",
    "etc/group": f"root:x:0:\nnogroup:x:{NOBODY}:\n",
    # The C library reads names from files and from DNS without any module of its own.
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
LINKS = {
    # Debian has its libraries below /usr, and programs name /lib and /lib64.
    "lib": "usr/lib", "lib64": "usr/lib64",
    "etc/localtime": "/usr/share/zoneinfo/Etc/UTC",
    # Where OpenSSL looks.
    "usr/lib/ssl/cert.pem": f"/{BUNDLE}",
}
# Mount points, with their modes. The store's folder, which is the volume, is nobody's.
FOLDERS = {"dev": 0o755, "etc/switchback": 0o755, "proc": 0o755, "run": 0o755, "sys": 0o755, "tmp": 0o1777}
STORE = "var/lib/switchback"


@dataclasses.dataclass(frozen=True)
class Entry:
    """A file with its content or its source, a link with its target, or a folder."""
    mode: int = 0o644
    content: bytes = None
    source: pathlib.Path = None
    target: str = None
    owner: int = 0

    @property
    def is_folder(self):
        return self.content is None and self.source is None and self.target is None

    def read(self):
        return self.content if self.content is not None else self.source.read_bytes()


class Packages:
    """What Debian's packages say about the files of this machine."""

    def __init__(self):
        self.named = set()

    def files(self, package, prefix):
        return [path for path in self.sums(package) if path.startswith(prefix)]

    @functools.cache
    def sums(self, package):
        """Path without its first slash → checksum."""
        file = next((file for name in (package, package.split(":")[0])
                     if (file := DPKG / f"{name}.md5sums").exists()), None)
        if not file:
            sys.exit(f"Debian's package {package} is not installed: apt-get install {package}")
        return {path: found for found, path in (line.split("  ", 1) for line in file.read_text().splitlines())}

    @staticmethod
    def owners(paths):
        """For each file the package that has it, and the path there: some packages have /lib and some /usr/lib."""
        names = {name: path for path in paths
                 for name in (path, "/" + path.removeprefix("/usr/"), "/usr" + path)}
        # It fails for what it does not find, which most of these names are.
        done = subprocess.run(["dpkg-query", "--search", *names], capture_output=True, text=True, check=False)
        found = dict(reversed(line.split(": ", 1)) for line in done.stdout.splitlines())
        return {names[name]: (package, name.lstrip("/")) for name, package in found.items() if name in names}

    def entry(self, package, path, mode=0o644):
        self.named.add(package)
        file = pathlib.Path("/", path)
        if not self.is_right(package, path, file):
            file = self.unpacked(package) / path
        if not self.is_right(package, path, file):
            sys.exit(f"/{path} is not as Debian's package {package} has it: apt-get install --reinstall {package}")
        return Entry(mode, source=file)

    def is_right(self, package, path, file):
        return file.is_file() and hashlib.md5(
            file.read_bytes(), usedforsecurity=False).hexdigest() == self.sums(package)[path]

    @functools.cache
    def unpacked(self, package):
        """The folder of a package whose files were changed or removed on this machine: as Debian has it."""
        version = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True,
                                 text=True, check=True).stdout
        folder = CACHE / f"{package.replace(':', '_')}_{version}"
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent) as work:
                # apt gives the files to a user of its own.
                done = subprocess.run(["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root",
                                       f"{package}={version}"], cwd=work, capture_output=True, text=True, check=False)
                if done.returncode:
                    sys.exit(f"A file of Debian's package {package} was changed on this machine, and apt-get does not "
                             f"get the package: {done.stderr}")
                print(f"Some files of {package} were changed on this machine: its package is taken", file=sys.stderr)
                subprocess.run(["dpkg-deb", "-x", next(pathlib.Path(work).glob("*.deb")), f"{work}/files"], check=True)
                pathlib.Path(work, "files").rename(folder)
        return folder

    def records(self):
        """A record and the licences of each package that has a file in the image."""
        found = {}
        for package in sorted(self.named):
            name = package.split(":")[0]
            record = subprocess.run(["dpkg-query", "--status", package], capture_output=True, text=True, check=True)
            # Conffiles have checksums of files that are not in the image.
            text = re.sub(r"^Conffiles:\n( .*\n)+", "", record.stdout, flags=re.M)
            found[f"var/lib/dpkg/status.d/{name}"] = Entry(content=text.encode())
            licence = pathlib.Path(f"/usr/share/doc/{name}/copyright").resolve()
            found[f"usr/share/doc/{name}/copyright"] = Entry(source=licence)
            # Most of these texts lead to the whole licences, which belong to base-files.
            for common in re.findall(r"/usr/share/common-licenses/[\w.+-]*\w", licence.read_text(errors="replace")):
                if (text := pathlib.Path(common)).is_file():
                    found[common.lstrip("/")] = Entry(source=text.resolve())
        return found


def libraries(program):
    """(path by which the loader finds it, file) for each library of the program, and of its libraries."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LD_")}
    done = subprocess.run(["ldd", program], capture_output=True, text=True, check=False, env=environment)
    if done.returncode or "not found" in done.stdout:
        sys.exit(f"ldd {program}: {done.stdout}{done.stderr}")
    for line in done.stdout.splitlines():
        if found := re.search(r"(/\S+) \(0x", line):
            yield found[1], pathlib.Path(found[1]).resolve()


def below_usr(path):
    """/lib is a link to /usr/lib."""
    return "usr" + path if path.startswith(("/lib/", "/lib64/")) else path.lstrip("/")


def system(program):
    packages = Packages()
    found = {path: Entry(content=text.encode()) for path, text in TEXTS.items()}
    found |= {path: Entry(0o777, target=target) for path, target in LINKS.items()}
    found |= {path: Entry(mode) for path, mode in FOLDERS.items()}
    needed = list(libraries(program))
    owners = packages.owners({str(file) for _, file in needed})
    for name, file in needed:
        package, path = owners.get(str(file), (None, None))
        # Without `--static-swift-stdlib` a program names Swift's libraries, which no package has.
        entry = packages.entry(package, path, 0o755) if package else Entry(0o755, source=file)
        found[below_usr(str(file))] = entry
        if below_usr(name) != below_usr(str(file)):
            found[below_usr(name)] = Entry(0o777, target=os.path.relpath(
                "/" + below_usr(str(file)), "/" + os.path.dirname(below_usr(name))))
    for path in packages.files("tzdata", ZONES):
        if not path.startswith(OTHER_ZONES):
            found[path] = packages.entry("tzdata", path)
    # As update-ca-certificates does, and without what a machine's administrator has added.
    bundle = [packages.entry("ca-certificates", path).read().rstrip(b"\n") + b"\n"
              for path in sorted(packages.files("ca-certificates", CERTIFICATES))]
    found[BUNDLE] = Entry(content=b"".join(bundle))
    return found | packages.records()


def own(staged):
    """The program and its licences. Its other files are for machines with a shell, a reader of manuals, or systemd."""
    found = {"usr/bin/switchback": Entry(0o755, source=staged / "usr/bin/switchback"), STORE: Entry(0o700, owner=NOBODY)}
    documents = staged / "usr/share/doc/switchback"
    for file in [documents / "copyright", *sorted((documents / "licences").iterdir())]:
        found[str(file.relative_to(staged))] = Entry(source=file)
    return found


def layers(program, staged):
    """Two maps from paths to entries, the lower first, with the folders above each path."""
    return [with_folders(system(program)), with_folders(own(staged))]


def with_folders(found):
    above = {str(folder) for path in found for folder in pathlib.PurePath(path).parents if str(folder) != "."}
    return dict(sorted(({path: Entry(0o755) for path in above} | found).items()))


def write(layers_, folder, seconds):
    """Writes the files themselves. Needs root for the owner of the store's folder."""
    everything = {path: entry for layer in layers_ for path, entry in layer.items()}
    for path, entry in everything.items():
        place = folder / path
        if entry.is_folder:
            place.mkdir(parents=True)
        elif entry.target:
            place.symlink_to(entry.target)
        else:
            place.write_bytes(entry.read())
        if not entry.target:
            place.chmod(entry.mode)
        if entry.owner:
            os.chown(place, entry.owner, entry.owner)
    for path in reversed(everything):
        os.utime(folder / path, (seconds, seconds), follow_symlinks=False)

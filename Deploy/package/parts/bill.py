"""What is in the program, and what it needs from Debian, as SPDX 2.3 and as CycloneDX 1.6.

The rows come from the build itself. Its list of objects says which modules are in the program, its description where
their sources are, and its state which version each package has. A package that is resolved and not linked has no row.
Debian's rows are those of debsbom, for the packages that the .deb depends on.
"""

import collections
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

OWN = "switchback"
SWIFT = "Apache-2.0 WITH Swift-exception"

# `identity` is in the SPDXID, and as `bom-ref` in CycloneDX. A bundled row has no version of its own.
Row = collections.namedtuple("Row", "identity name version licence purl location")


def licence_of(text, name):
    """The SPDX identifier of a licence's text."""
    if "Apache License" in text:
        return SWIFT if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text and "UNICODE" not in text:
        return "MIT"
    if text.startswith("UNICODE LICENSE V3"):
        return "Unicode-3.0"
    sys.exit(f"The licence of {name} is none that LICENSE names: add it there and to {pathlib.Path(__file__).name}")


class Build:
    """A build of SwiftPM, found by the program that it made."""

    def __init__(self, program):
        self.folder = program.parent
        self.scratch = next((one for one in program.parents if (one / "checkouts").is_dir()), None)
        objects = self.folder / f"{OWN}.product" / "Objects.LinkFileList"
        if self.scratch is None or not objects.exists():
            sys.exit(f"{program} is not where it was built, so nothing says what it links")
        self.objects = [line.strip("'\"") for line in objects.read_text(encoding="utf-8").split("\n") if line]
        self.description = json.loads((self.folder / "description.json").read_text(encoding="utf-8"))
        state = json.loads((self.scratch / "workspace-state.json").read_text(encoding="utf-8"))
        self.resolved = {one["subpath"]: one for one in state["object"]["dependencies"]
                         if one["state"]["name"] == "sourceControlCheckout"}

    def package_of(self, sources):
        """The folder of the package that a path of a source is in, or None for our own."""
        found = re.search(r"/checkouts/([^/]+)/", sources)
        return found[1] if found else None

    def modules(self):
        """The package of each module in the program."""
        swift = {command["moduleName"]: command["sources"][0]
                 for command in self.description["swiftCommands"].values() if command["sources"]}
        found = {}
        for one in self.objects:
            name = re.search(r"/([^/]+)\.build/", one)[1]
            if name in found:
                continue
            if name not in swift:
                # A module in C: the compiler has written what the object was made of.
                swift[name] = pathlib.Path(one).with_suffix(".d").read_text(encoding="utf-8")
            found[name] = self.package_of(swift[name])
        return found

    def packages(self):
        """A row for each Swift package of which a module is in the program."""
        rows = {}
        for folder in sorted({one for one in self.modules().values() if one}):
            one = self.resolved[folder]
            state = one["state"]["checkoutState"]
            (licence,) = sorted((self.scratch / "checkouts" / folder).glob("LICENSE*"))
            location = one["packageRef"]["location"]
            place = re.sub(r"^https://|\.git$", "", location)
            rows[folder] = Row(one["packageRef"]["identity"], one["packageRef"]["identity"], state["version"],
                               licence_of(licence.read_text(encoding="utf-8"), folder),
                               f"pkg:swift/{place}@{state['version']}", f"git+{location}@{state['revision']}")
        return rows

    def uses(self):
        """Pairs of identities: the first package imports a module of the second."""
        modules, rows = self.modules(), self.packages()
        identity = {folder: row.identity for folder, row in rows.items()} | {None: OWN}
        pairs = set()
        for module, others in self.description["targetDependencyMap"].items():
            if module in modules:
                pairs |= {(identity[modules[module]], identity[modules[other]]) for other in others if other in modules}
        return {pair for pair in pairs if pair[0] != pair[1]}

    def bundled(self):
        """What comes with the toolchain, and the sources of others in a package, with who has it."""
        toolchain = pathlib.Path(shutil.which("swift")).resolve().parent.parent
        version = re.search(r"Swift version (\S+)", subprocess.run(
            ["swiftc", "--version"], capture_output=True, text=True, check=True).stdout)[1]
        header = (toolchain / "lib/swift_static/_foundation_unicode/uvernum.h").read_text(encoding="utf-8")
        icu = re.search(r'#define U_ICU_VERSION "(.+?)"', header)[1]
        rows = [(OWN, Row("swift-runtime", "swift", version, SWIFT,
                          f"pkg:github/swiftlang/swift@swift-{version}-RELEASE",
                          f"git+https://github.com/swiftlang/swift.git@swift-{version}-RELEASE")),
                ("swift-runtime", Row("icu", "icu", icu, "Unicode-3.0",
                                      f"pkg:github/unicode-org/icu@release-{icu.replace('.', '-')}", None))]
        if self.modules().get("CYaml"):
            rows.append(("yams", Row("libyaml", "libyaml", None, "MIT", "pkg:github/yaml/libyaml", None)))
        return rows


def of_debian(needed, architecture, namespace, serial, at):
    """What debsbom says about these packages, as SPDX and as CycloneDX."""
    stanzas = pathlib.Path("/var/lib/dpkg/status").read_text(encoding="utf-8").split("\n\n")
    named = [(re.match(r"Package: (\S+)", one), one) for one in stanzas]
    kept = [one for name, one in named if name and name[1] in needed]
    if missing := set(needed) - {name[1] for name, _ in named if name}:
        sys.exit(f"These packages are not installed: {', '.join(sorted(missing))}")
    with tempfile.TemporaryDirectory(prefix="switchback-debsbom-") as folder:
        root = pathlib.Path(folder) / "root"
        (root / "var/lib/dpkg").mkdir(parents=True)
        (root / "var/lib/dpkg/status").write_text("\n\n".join(kept) + "\n\n", encoding="utf-8")
        for name in needed:
            text = pathlib.Path("/usr/share/doc", name, "copyright")
            if text.exists():
                (root / text.parent.relative_to("/")).mkdir(parents=True)
                shutil.copy(text, root / text.relative_to("/"))
        done = subprocess.run(
            [pathlib.Path(sys.executable).with_name("debsbom"), "generate", "--root", root,
             "--distro-arch", architecture,
             "--distro-name", OWN, "--no-recommends-deps", "--with-licenses", "--timestamp", stamp(at),
             "--spdx-namespace", namespace, "--cdx-serialnumber", serial, "--cdx-schema-version", "1.6",
             "--out", pathlib.Path(folder) / "debian"], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"debsbom failed: {done.stderr.strip()}")
        return [json.loads((pathlib.Path(folder) / f"debian.{kind}.json").read_text(encoding="utf-8"))
                for kind in ("spdx", "cdx")]


def stamp(at):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def spdx(own, rows, uses, debian, needed, namespace, at):
    def package(row, purpose):
        one = {"SPDXID": f"SPDXRef-{row.identity}", "name": row.name, "downloadLocation": row.location or "NOASSERTION",
               "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": row.licence,
               "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose}
        if row.version:
            one["versionInfo"] = row.version
        if row.purl:
            one["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                    "referenceLocator": row.purl}]
        return one

    def related(one, kind, other):
        return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}

    # debsbom's own row for the system, and what is said of it, is left out.
    system = f"SPDXRef-{OWN}"
    packages = [one for one in debian["packages"] if one["SPDXID"] != system]
    relations = [one for one in debian["relationships"]
                 if not {system, "SPDXRef-DOCUMENT"} & {one["spdxElementId"], one["relatedSpdxElement"]}]
    names = {one["name"]: one["SPDXID"] for one in packages if not one["SPDXID"].endswith("-srcpkg")}
    first = package(own, "APPLICATION")
    first["checksums"] = [{"algorithm": "SHA256", "checksumValue": own.location}]
    first["downloadLocation"] = "NOASSERTION"
    relations += [related(f"SPDXRef-{one}", "STATIC_LINK", f"SPDXRef-{other}") for one, other in uses]
    relations += [related(system, "DEPENDS_ON", names[one]) for one in needed]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{OWN}-{own.version}", "documentNamespace": namespace,
        "creationInfo": {"created": stamp(at), "creators": sorted(
            [*debian["creationInfo"]["creators"], "Tool: switchback-Deploy-package-build"])},
        "packages": [first] + sorted([package(row, "LIBRARY") for row in rows] + packages,
                                     key=lambda one: one["SPDXID"]),
        "relationships": [related("SPDXRef-DOCUMENT", "DESCRIBES", system)]
        + sorted(relations, key=lambda one: json.dumps(one, sort_keys=True)),
    }


def cyclonedx(own, rows, uses, debian, needed, serial, at):
    def component(row, kind):
        one = {"type": kind, "bom-ref": row.identity, "name": row.name,
               # An identifier of SPDX, or an expression of two.
               "licenses": [{"expression": row.licence} if " " in row.licence else {"license": {"id": row.licence}}]}
        if row.version:
            one["version"] = row.version
        if row.purl:
            one["purl"] = row.purl
        return one

    components = debian["components"]
    names = {one["name"]: one["bom-ref"] for one in components if not one["purl"].endswith("arch=source")}
    system = debian["metadata"]["component"]["bom-ref"]
    depends = {one["ref"]: sorted(one.get("dependsOn", [])) for one in debian["dependencies"] if one["ref"] != system}
    for row in [own, *rows]:
        depends[row.identity] = sorted(other for one, other in uses if one == row.identity)
    depends[OWN] = sorted(depends[OWN] + [names[one] for one in needed])
    first = component(own, "application")
    first["hashes"] = [{"alg": "SHA-256", "content": own.location}]
    libraries = []
    for row in rows:
        one = component(row, "library")
        if row.location:
            one["externalReferences"] = [{"type": "vcs", "url": row.location}]
        libraries.append(one)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}", "version": 1,
        "metadata": {"timestamp": stamp(at), "tools": debian["metadata"]["tools"], "component": first},
        "components": sorted(libraries + components, key=lambda one: one["bom-ref"]),
        "dependencies": [{"ref": ref, "dependsOn": others} for ref, others in sorted(depends.items())],
    }


def write(build, program, needed, stem, version, architecture, at):
    """Writes both files for a program as it is installed, and returns their paths."""
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    bundled = build.bundled()
    rows = [*build.packages().values(), *(row for _, row in bundled)]
    uses = build.uses() | {(one, row.identity) for one, row in bundled}
    own = Row(OWN, OWN, version, "Apache-2.0", None, digest)
    serial = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{OWN}/{version}/{architecture}/{digest}/{rows}/{sorted(needed)}"))
    namespace = f"https://spdx.org/spdxdocs/{OWN}-{version}-{architecture}-{serial}"
    debian = of_debian(needed, architecture, namespace, serial, at)
    written = []
    for kind, text in (("spdx", spdx(own, rows, uses, debian[0], needed, namespace, at)),
                       ("cdx", cyclonedx(own, rows, uses, debian[1], needed, serial, at))):
        path = stem.with_name(f"{stem.name}.{kind}.json")
        path.write_text(json.dumps(text, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(path)
    return written

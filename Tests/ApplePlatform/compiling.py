"""Compiles the client library and an app's code as on Apple's platforms, against the stand-ins."""

import json
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
STAND_INS = HERE / "StandIns"
LIBRARY = TOP / "Clients" / "Swift" / "Sources" / "SwitchbackClient"
SCREENS = LIBRARY.parent / "SwitchbackUI"
TESTING = LIBRARY.parent / "SwitchbackTesting"
WORK = TOP / ".build" / "apple-platform"
MODULES = WORK / "modules"
SOURCES = WORK / "sources"
GRAPHS = WORK / "graphs"
FLAGS = ["-package-name", "switchback-client", "-I", str(MODULES), "-module-cache-path", str(WORK / "cache")]
# A module is built after those that it imports.
IMPORT = re.compile(r"^(?:@_exported )?import (\w+)$", re.M)
MODULE_NAMES = sorted(path.stem for path in STAND_INS.glob("*.swiftinterface"))


def shell(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def must(result, what):
    if result.returncode != 0:
        # A syntax tree is in the other output, and says nothing about the error.
        raise SystemExit(f"{what}:\n{shown(result.stderr)}")
    return result


def shown(text):
    """The compiler's output, with the files that were copied under their own names."""
    return text.replace(f"{SOURCES}/", "").replace(f"{TOP}/", "").replace("AppleFoundation", "Foundation")[-20_000:]


def in_order():
    """The stand-ins, each after those that it imports."""
    imports = {name: IMPORT.findall((STAND_INS / f"{name}.swiftinterface").read_text()) for name in MODULE_NAMES}
    order = []

    def add(name):
        if name in imports and name not in order:
            for other in imports[name]:
                add(other)
            order.append(name)

    for name in MODULE_NAMES:
        add(name)
    return order


def build_stand_ins():
    shutil.rmtree(WORK, ignore_errors=True)
    MODULES.mkdir(parents=True)
    SOURCES.mkdir()
    for name in in_order():
        must(shell("swiftc", "-frontend", "-compile-module-from-interface", "-module-name", name, *FLAGS,
                   "-o", MODULES / f"{name}.swiftmodule", STAND_INS / f"{name}.swiftinterface"),
             f"The stand-in for {name} is no module")


def as_on_apple(text):
    """The text with Apple's Foundation: Linux has a module of that name, so the stand-in has another one."""
    return re.sub(r"^((?:@preconcurrency )?import )Foundation$", r"\1AppleFoundation", text, flags=re.M)


def copies_of(module):
    """A module's files, below SOURCES under the names that they have in the repository."""
    copies = []
    for file in sorted(module.rglob("*.swift")):
        copy = SOURCES / file.relative_to(TOP)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(as_on_apple(file.read_text()))
        copies.append(copy)
    return copies


def compile_module(name, files, version="6"):
    """Compiles files to a module. That includes the checks after the type-checker, such as those of regions. GRAPHS gets
    its public symbols."""
    GRAPHS.mkdir(exist_ok=True)
    return shell("swiftc", "-wmo", "-emit-module", "-emit-module-path", MODULES / f"{name}.swiftmodule",
                 "-emit-symbol-graph", "-emit-symbol-graph-dir", GRAPHS,
                 "-module-name", name, "-swift-version", version, "-warnings-as-errors", *FLAGS, *files)


def public_symbols(name):
    """The public symbols of a module that was compiled, with what it adds to types of others."""
    graphs = [json.loads(file.read_text()) for file in GRAPHS.glob("*.symbols.json")
              if file.name.split(".")[0].split("@")[0] == name]
    if not graphs:
        raise SystemExit(f"{name} has no symbol graph")
    return {key: [one for graph in graphs for one in graph[key]] for key in ("symbols", "relationships")}


def compile_one(file, others, name="SwitchbackClient"):
    """Compiles one file of a module."""
    return shell("swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", "-primary-file", file, *others,
                 "-module-name", name, "-swift-version", "6", "-warnings-as-errors", *FLAGS)


def syntax_trees(name, files):
    """The checked syntax tree of each file, as the compiler writes it in JSON."""
    result = must(shell("swiftc", "-j", "1", "-enable-batch-mode", "-driver-batch-count", "1", "-dump-ast",
                        "-dump-ast-format", "json", "-module-name", name, "-swift-version", "6", *FLAGS, *files),
                  f"No syntax tree of {name}")
    decoder, text, at, trees = json.JSONDecoder(), result.stdout.strip(), 0, []
    while at < len(text):
        tree, at = decoder.raw_decode(text, at)
        trees.append(tree)
        while at < len(text) and text[at].isspace():
            at += 1
    if len(trees) != len(files):
        raise SystemExit(f"{len(trees)} syntax trees of {len(files)} files of {name}")
    return trees


def symbol_graphs(modules):
    """The symbols of modules, with the versions of the systems that have them."""
    folder = WORK / "symbols"
    folder.mkdir(exist_ok=True)
    target = json.loads(must(shell("swiftc", "-print-target-info"), "swiftc").stdout)
    triple, paths = target["target"]["triple"], target["paths"]
    runtime = paths["runtimeLibraryImportPaths"]
    for module in modules:
        must(shell("swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-output-dir", folder,
                   "-skip-synthesized-members", "-minimum-access-level", "public", "-I", MODULES,
                   *[word for path in runtime for word in ("-I", path)]), f"No symbols of {module}")
    return [(file.name.split(".")[0], json.loads(file.read_text())) for file in sorted(folder.glob("*.json"))]

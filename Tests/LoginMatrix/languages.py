"""The programs: how each is built, and started."""

import collections
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]

Language = collections.namedtuple("Language", "build")


def build_swift():
    command = ["swift", "build", "--package-path", HERE / "SwiftProgram",
               "--scratch-path", TOP / ".build" / "login-matrix", "-Xswiftc", "-warnings-as-errors"]
    run([*command, "--quiet"])
    return [pathlib.Path(run([*command, "--show-bin-path"]).strip()) / "Program"]


def build_kotlin():
    """By the library's own build, beside its jar."""
    kotlin = load(TOP / "Clients" / "Kotlin" / "build")
    tools = kotlin.Tools()
    core = kotlin.Module("core", tools)
    core.build()
    classes = kotlin.OUT / "login-matrix" / "classes"
    sources = sorted((HERE / "KotlinProgram").rglob("*.kt"))
    tools.compile(sources, classes, core.classpath, "-module-name", "login-matrix")
    return ["java", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp",
            os.pathsep.join(map(str, [classes, *core.classpath])), "ProgramKt"]


def load(file):
    """A module from a script without an ending."""
    loader = importlib.machinery.SourceFileLoader("kotlin_build", str(file))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def run(command):
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"The program does not compile:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def build_javascript():
    """Nothing is built: the program imports the library's source."""
    return ["node", HERE / "JavaScriptProgram" / "program.mjs"]


LANGUAGES = {
    "swift": Language(build_swift), "kotlin": Language(build_kotlin), "javascript": Language(build_javascript),
}

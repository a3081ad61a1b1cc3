"""The programs: how each is built, and started."""

import collections
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


def run(command):
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"The program does not compile:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def build_javascript():
    """Nothing is built: the program imports the library's source."""
    return ["node", HERE / "JavaScriptProgram" / "program.mjs"]


LANGUAGES = {"swift": Language(build_swift), "javascript": Language(build_javascript)}

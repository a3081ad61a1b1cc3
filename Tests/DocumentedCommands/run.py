"""Runs the commands of the documentation as they stand: run.py BINARY [PAGE…]

A fenced block is run when the line before it is `<!-- test: run -->`. The blocks of one page are one script, in a folder of
its own, with `switchback` on the PATH. `<!-- test: file NAME -->` writes a block to a file there. What stands after
`<!-- test: output -->` must be among the lines that the run block before it prints, in that order; … is anything.
recorder.py beside this file compares the samples of docs/how-to/why-did-a-login-fail.md.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "Tests" / "Browser"))

import recorder
from sandbox import Sandbox

FOLDERS = ("docs", "Clients", "Examples")
# No page needs ten seconds on an idle machine.
PATIENCE = 900
# A stream (-N) does not end by itself, so it is given some seconds.
PRELUDE = """set -euo pipefail
curl() {
    case " $* " in
        *" -N "*) command curl --max-time 20 --fail-with-body "$@" || [ $? = 28 ] ;;
        *) command curl --fail-with-body "$@" ;;
    esac
}
"""


def pages():
    yield TOP / "README.md"
    for folder in FOLDERS:
        yield from sorted(path for path in (TOP / folder).rglob("*.md") if ".build" not in path.parts)


def blocks(text):
    """(mark, code) of each block after a comment that begins with `test: `."""
    mark, end, code = "", None, []
    for line in text.split("\n"):
        stripped = line.strip()
        if end:
            if stripped != end:
                code.append(line)
                continue
            if mark:
                yield mark, "\n".join(code) + "\n"
            mark, end, code = "", None, []
        elif stripped.startswith("```"):
            end = re.match("`+", stripped).group()
        elif comment := re.fullmatch(r"<!-- test: (.*?) -->", stripped):
            mark = comment.group(1)
        elif stripped:
            mark = ""


class Script:
    """What one page runs, and what it must print."""

    def __init__(self, page):
        self.name = str(page.relative_to(TOP))
        self.parts, self.outputs, self.count = [], [], 0
        follows_run = False
        for mark, code in blocks(page.read_text()):
            if mark == "run":
                self.count += 1
                self.parts.append(f"{code}echo '@@ {self.count}'\n")
            elif mark.startswith("file "):
                name = mark.removeprefix("file ")
                self.parts.append(f"mkdir -p \"$(dirname '{name}')\"\ncat > '{name}' <<'@@ END'\n{code}@@ END\n")
            elif mark == "output" and follows_run:
                self.outputs.append((self.count, code))
            follows_run = mark == "run"

    def text(self, replaced):
        text = "".join(self.parts)
        for old, new in replaced.items():
            text = text.replace(old, new)
        return PRELUDE + text

    def problem(self, printed):
        """What is missing of the expected output; None when nothing is."""
        parts = re.split(r"@@ \d+\n", printed)
        for number, expected in self.outputs:
            lines = iter(parts[number - 1].split("\n"))
            for line in filter(None, expected.split("\n")):
                pattern = ".*".join(re.escape(part) for part in line.rstrip().split("…"))
                if not any(re.fullmatch(pattern, found.rstrip()) for found in lines):
                    return f"block {number} does not print \"{line}\" but:\n{parts[number - 1][-2000:]}"
        return None


def run(script, binary, sandbox):
    with tempfile.TemporaryDirectory(prefix="switchback-docs-") as folder:
        for name in ("bin", "work", "etc/switchback", "var/lib/switchback"):
            os.makedirs(f"{folder}/{name}")
        os.symlink(binary, f"{folder}/bin/switchback")
        replaced = {"/etc/switchback": f"{folder}/etc/switchback", "/var/lib/switchback": f"{folder}/var/lib/switchback"}
        if sandbox:
            replaced["http://127.0.0.1:8080"] = sandbox.public
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SWITCHBACK_")}
        environment["PATH"] = f"{folder}/bin:{environment['PATH']}"
        process = subprocess.Popen(
            ["bash", "-c", script.text(replaced)], cwd=f"{folder}/work", env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            printed, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"it does not end within {PATIENCE} seconds"
        finally:
            try:
                # What a block has left in the background.
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        if process.returncode != 0:
            return f"exit status {process.returncode}\n{printed[-1000:]}\n{errors[-1000:]}"
        return script.problem(printed)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    started, failed = time.monotonic(), 0
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    wanted = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or list(pages())
    scripts = [script for script in map(Script, wanted) if script.count]
    sandbox = None
    try:
        if any("http://127.0.0.1:8080" in script.text({}) for script in scripts):
            sandbox = Sandbox(binary)
            sandbox.wait_until_ready()
        rows = [(script.name, lambda script=script: run(script, binary, sandbox)) for script in scripts]
        if recorder.PAGE in wanted:
            rows.append((f"the samples of {recorder.PAGE.name}", lambda: recorder.problem(binary)))
        for name, row in rows:
            problem = row()
            failed += problem is not None
            print(f"ok {name}" if problem is None else f"FAIL {name}: {problem}", flush=True)
    finally:
        if sandbox:
            sandbox.end()
    print(f"{len(rows) - failed} passed, {failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

"""Generates a client from openapi-app.yaml and lets it read responses of this and later versions: run.py BINARY"""

import itertools
import pathlib
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

import examples
import future
import generate
import server
from sandbox import Sandbox


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="switchback-generated-") as folder:
        generate.generate(folder)
        sandbox = Sandbox(sys.argv[1])
        try:
            sandbox.wait_until_ready()
            checks = itertools.chain(
                future.check(), future.check_actions(), server.check(sandbox.public), examples.check(sandbox))
            for name, problem in checks:
                passed += problem is None
                failed += problem is not None
                print(f"ok {name}" if problem is None else f"FAIL {name}: {problem}", flush=True)
        finally:
            sandbox.end()
    print(f"{passed} passed, {failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Generates clients from openapi-app.yaml and lets them read responses of this and later versions: run.py BINARY"""

import itertools
import pathlib
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

import examples
import generate
import generators
import sandbox_responses
import server
import table
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
            for name, problem in itertools.chain(server.check(sandbox.public), examples.check(sandbox)):
                passed += problem is None
                failed += problem is not None
                print(f"ok {name}" if problem is None else f"FAIL {name}: {problem}", flush=True)
            recorded = sandbox_responses.responses(sandbox)
        finally:
            sandbox.end()
        generators.generate(folder)
        found = []
        for row in table.rows(folder, recorded):
            found.append(row)
            for problem in row.problems:
                print(f"FAIL {row.generator.name}: {problem}", flush=True)
    print()
    right, wrong = table.show(found)
    for problem in table.missing_from_page(found):
        wrong += 1
        print(f"FAIL {problem}")
    passed, failed = passed + right, failed + wrong
    print(f"\n{passed} passed, {failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Sends requests, made by schemathesis from Public/openapi.yaml, to a running sandbox: run.py BINARY [SEED]"""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.request

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Browser"))

from sandbox import Sandbox

# Requests for each operation and phase; about 1,500 in all.
EXAMPLES = 25
# Seconds. A busy machine takes three times as long as an idle one.
LIMIT = 240
EXAMPLES_OF_PREFER = {
    "Prefer": "wait=1", "WaitOrHandling": "wait=1, handling=lenient", "Handling": "handling=lenient"}


def file_for_requests(folder):
    """Returns the file without the parts that only readers and later versions need."""
    document = yaml.safe_load((HERE.parents[1] / "Public" / "openapi.yaml").read_text())
    # A sandbox has its workbench there.
    del document["paths"]["/"]
    for path in document["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict):
                # Any status would match the description. The statuses of this version are there by number.
                operation.get("responses", {}).pop("default", None)
    # Without these, one test would wait 25 seconds, and others would request errors for values that the schema allows.
    for name, example in EXAMPLES_OF_PREFER.items():
        document["components"]["parameters"][name]["example"] = example
    file = pathlib.Path(folder) / "openapi.json"
    file.write_text(json.dumps(document))
    return file


def start_login(url):
    """Returns the id and the poll secret of a login for the requests."""
    secret = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
    body = json.dumps({"provider": "mitid", "poll_secret": secret}).encode()
    request = urllib.request.Request(url + "/v1/logins", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["id"], secret


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    seed = int(sys.argv[2]) if len(sys.argv) == 3 else random.SystemRandom().randrange(1 << 31)
    started = time.monotonic()
    failed = True
    sandbox = Sandbox(sys.argv[1])
    try:
        sandbox.wait_until_ready()
        login, secret = start_login(sandbox.public)
        with tempfile.TemporaryDirectory(prefix="switchback-requests-") as folder:
            file = file_for_requests(folder)
            settings = (HERE / "schemathesis.toml").read_text().replace("LOGIN_ID", login).replace("POLL_SECRET", secret)
            (pathlib.Path(folder) / "schemathesis.toml").write_text(settings)
            tool = pathlib.Path(sys.executable).parent / "schemathesis"
            print(f"seed {seed}", flush=True)
            # One worker: with more, Python 3.11 sometimes crashes in a deep recursion.
            ran = subprocess.run(
                [tool, "--config-file", pathlib.Path(folder) / "schemathesis.toml", "run", file,
                 "--url", sandbox.public, "--checks", "all", "--seed", str(seed), "--max-examples", str(EXAMPLES),
                 "--workers", "1", "--request-timeout", "20", "--continue-on-failure", "--no-color",
                 "--generation-database", "none"],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=LIMIT)
            failed = ran.returncode != 0
            print(ran.stdout if failed else ran.stdout[ran.stdout.find("Test Phases:"):], flush=True)
    finally:
        code = sandbox.end()
        if code != 0:
            print(f"the sandbox ended with {code}:\n{sandbox.output()[-2000:]}")
    print(f"{'failed' if failed or code else 'passed'} with seed {seed} ({time.monotonic() - started:.0f} s)")
    return 1 if failed or code else 0


if __name__ == "__main__":
    sys.exit(main())

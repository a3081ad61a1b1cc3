"""Logs in with a real browser against `switchback sandbox`: run.py BINARY --help"""

import argparse
import os
import pathlib
import random
import sys
import threading
import time

from playwright.sync_api import sync_playwright

import app
import checks
from sandbox import Sandbox
from visit import Visit
from web_page import Origin

CHROMIUM = "/usr/bin/chromium"
# A run that hangs ends after so many seconds. A slow machine needs many.
LIMIT, LIMIT_OF_ALL_FAULTS = 3600, 7200


class Stage:
    """The parts that all checks share."""

    def __init__(self, sandbox, later, browser, shots, listed, unlisted, seed=0, all_faults=False):
        self.sandbox = sandbox
        # A second sandbox, whose clock the checks move.
        self.later = later
        self.listed = listed
        self.unlisted = unlisted
        self.browser = browser
        self.shots = shots
        # Which faults are tried.
        self.seed = seed
        self.all_faults = all_faults
        self.by_query = "sandbox"
        self.by_form_post = next((one for one in app.providers(sandbox) if self.posts(one)), None)

    def posts(self, provider):
        """True when the provider's page says that it responds with a form."""
        with Visit(self) as visit:
            return visit.posts(visit.open(app.Login(self.sandbox, provider).url))


def run(stage, only, count):
    passed = failed = 0
    rows = [row for row in checks.table(stage) if not only or only in row[0]]
    chosen = rows if count is None else checks.sample(rows, count, stage.seed)
    print(f"{len(chosen)} of {len(rows)} checks (--seed {stage.seed})", flush=True)
    for name, _, check in chosen:
        started = time.monotonic()
        try:
            check()
        except Exception as error:  # One broken check must not hide the others.
            failed += 1
            print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)
        else:
            passed += 1
            print(f"ok {name} ({time.monotonic() - started:.0f} s)", flush=True)
    return passed, failed


def give_up(sandboxes, limit):
    print(f"FAIL the whole run: longer than {limit} s", flush=True)
    for sandbox in sandboxes:
        sandbox.process.kill()
        sandbox.log.close()
    os._exit(1)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("binary")
    arguments.add_argument("--screenshots", type=pathlib.Path)
    arguments.add_argument("--only", help="run the checks with this in their name")
    arguments.add_argument("--seed", type=int, default=random.randrange(2**32), help="chooses the samples")
    arguments.add_argument("--count", type=int, help="how many checks, chosen by the seed (all)")
    arguments.add_argument("--all-faults", action="store_true", help="try every fault, not a sample")
    chosen = arguments.parse_args()
    if chosen.screenshots:
        chosen.screenshots.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    listed, unlisted = Origin(), Origin()
    sandbox = Sandbox(chosen.binary, [listed.url])
    later = Sandbox(chosen.binary, clock=True)
    limit = LIMIT_OF_ALL_FAULTS if chosen.all_faults else LIMIT
    watchdog = threading.Timer(limit, give_up, [[sandbox, later], limit])
    watchdog.daemon = True
    watchdog.start()
    try:
        for one in (sandbox, later):
            one.wait_until_ready()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
            stage = Stage(
                sandbox, later, browser, chosen.screenshots, listed, unlisted, chosen.seed, chosen.all_faults)
            passed, failed = run(stage, chosen.only, chosen.count)
            browser.close()
    finally:
        codes = [one.end() for one in (sandbox, later)]
        watchdog.cancel()
    if any(codes):
        failed += 1
        print(f"FAIL the sandbox ends on SIGTERM: exit codes {codes}")
    if failed:
        print(sandbox.output()[-3000:], file=sys.stderr)
    print(f"{passed} passed, {failed} failed ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

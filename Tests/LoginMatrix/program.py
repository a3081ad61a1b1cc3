"""A program of a client library, in a process of its own, whose folder outlives a kill. `Program` speaks the protocol of
README.md; Tests/ClientVersions has another one on top of `Process`."""

import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

# How long a row waits for a report, in seconds. No row takes that long on an idle machine.
PATIENCE = int(os.environ.get("SWITCHBACK_PATIENCE", "180"))


class RowError(Exception):
    """A row did not go as it should."""


class Process:
    """Orders go to its input and reports come from its output, each a line of JSON."""

    def __init__(self, command, server):
        self.command, self.server = command, server
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="switchback-program-"))
        # What the program stores.
        self.files = self.folder / "files"
        self.heard = []
        self.complaints = tempfile.TemporaryFile()
        self.process = self.reports = None
        self.begin()

    def begin(self):
        self.reports = queue.Queue()
        self.process = subprocess.Popen(
            [*self.command, self.server, self.files], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.complaints, text=True)
        # A process that was killed must not be heard as the next one.
        threading.Thread(target=self.read, args=(self.process, self.reports), daemon=True).start()

    def read(self, process, reports):
        for text in process.stdout:
            self.take(process, reports, json.loads(text))
        self.take(process, reports, self.ended)

    def take(self, process, reports, line):
        """Takes a line of the program."""
        reports.put(line)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.heard.append("(killed)")

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def order(self, order, **more):
        self.heard.append(f"<{order}>")
        if not self.write(self.process, {"order": order, **more}):
            raise RowError(f"the program has ended, with {self.process.poll()}")

    @staticmethod
    def write(process, line):
        """Returns false if the process has ended."""
        try:
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return False
        return True

    def complained(self):
        self.complaints.seek(0)
        return self.complaints.read().decode(errors="replace")


class Program(Process):
    ended = {"report": "ended"}

    def begin(self):
        super().begin()
        self.hear("ready")

    def next(self, patience=PATIENCE):
        """Returns the next report; None if there is none in this time."""
        try:
            report = self.reports.get(timeout=max(patience, 0.001))
        except queue.Empty:
            return None
        self.heard.append(" ".join(report[key] for key in ("report", "action", "state", "status", "code")
                                   if report.get(key)))
        return report

    def hear(self, *names):
        """Returns the first report that has one of these names: that of a report or of a state."""
        end = time.monotonic() + PATIENCE
        while report := self.next(end - time.monotonic()):
            if {report["report"], report.get("state")} & set(names):
                return report
            if report["report"] in ("ended", "failure", "result"):
                break
        raise RowError(f"no {' or '.join(names)}, but {report}")

    def hear_logins(self):
        """Returns the answer to the order `logins`. The final state may be repeated before it."""
        while report := self.next():
            if report["report"] in ("logins", "ended"):
                break
        if not report or report["report"] != "logins":
            raise RowError(f"no logins, but {report}")
        return report

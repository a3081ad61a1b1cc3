"""A sample, served as its README says: by Node, on the one origin that the sandbox sends browsers back to."""

import pathlib
import queue
import re
import subprocess
import tempfile
import threading
import time

from sandbox import PATIENCE

TOP = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = TOP / "Clients" / "JavaScript" / "samples"
GUIDE = TOP / "docs" / "how-to" / "web.md"
# The start page of each, and its login button.
PAGES = {
    "page": ("/", "#mitid"), "app": ("/account", "#log-in"), "backend": ("/", "#log-in"), "guide": ("/", "#log-in")}
BLOCK = re.compile(r"<!-- test: web (\S+) -->\n(?:<!--[^\n]*-->\n)?\n?```\w+\n(.*?)```", re.S)
USER = "Welcome, Freja Lindegaard"


class Origin:
    def __init__(self, sample, port, server, node):
        self.sample, self.url = sample, f"http://localhost:{port}"
        self.start, self.button = PAGES[sample]
        self.folder = None
        self.lines, self.heard = queue.Queue(), []
        program = SAMPLES / "backend" / "backend.js" if sample == "backend" else SAMPLES / "serve.js"
        folder = [] if sample == "backend" else [self.folder_of_the_guide() if sample == "guide" else SAMPLES / sample]
        self.process = subprocess.Popen(
            [node, program, *folder, str(port), server], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        if not self.lines.get(timeout=PATIENCE).startswith("listening"):
            raise RuntimeError(f"{sample} does not start")

    def folder_of_the_guide(self):
        """The files of docs/how-to/web.md, as they stand: each block after `<!-- test: web NAME -->`."""
        self.folder = tempfile.TemporaryDirectory(prefix="switchback-guide-")
        files = BLOCK.findall(GUIDE.read_text())
        if not files:
            raise RuntimeError(f"{GUIDE} has no files")
        for name, text in files:
            (pathlib.Path(self.folder.name) / name).write_text(text)
        return self.folder.name

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def reports(self, seconds=0.0):
        """What browsers have reported about the policy, and what the server has complained of, since the last call."""
        found, end = [], time.monotonic() + seconds
        while True:
            try:
                found.append(self.lines.get(timeout=max(0, end - time.monotonic())).strip())
            except queue.Empty:
                return found
            end = min(end, time.monotonic())

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        if self.folder:
            self.folder.cleanup()

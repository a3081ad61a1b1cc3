"""The phone around the library: its process, its network and the chip that keeps its keys."""

import base64
import http.client
import os
import queue
import subprocess
import threading
import time
import urllib.parse

from network import name
from program import Process, RowError

# How long a row waits for a state. No row takes that long on an idle machine.
PATIENCE = 40
# The parts of r and s in a signature of P-256.
HALF = 32


class Phone(Process):
    """The program Phone. Its keys outlive a kill, too."""

    ended = {"kind": "ended"}

    def __init__(self, program, server):
        # The calls whose next response the phone does not get.
        self.losing = []
        # What was sent: call, status, seconds that the response took, seconds that the server was asked to wait.
        self.sent = []
        self.polling_since = None
        super().__init__([program], server)

    # Reports

    def take(self, process, reports, line):
        if "question" in line:
            threading.Thread(target=self.answer, args=(process, line), daemon=True).start()
        else:
            reports.put(line)

    def hear(self, fits, what):
        """Returns the first report that fits."""
        heard = []
        end = time.monotonic() + PATIENCE
        while (left := end - time.monotonic()) > 0:
            try:
                report = self.reports.get(timeout=left)
            except queue.Empty:
                break
            if fits(report):
                return report
            heard.append(report)
            if report["kind"] in ("failed", "ended", "error"):
                break
        raise RowError(f"the app does not hear of {what}, but of {heard[-3:]}")

    def hear_action(self, *actions):
        return self.hear(lambda report: report.get("action") in actions, " or ".join(actions))

    def hear_status(self, status):
        return self.hear(lambda report: report.get("status") == status, f"the status {status}")

    def hear_kind(self, kind):
        return self.hear(lambda report: report["kind"] == kind, kind)

    # Questions

    def answer(self, process, question):
        answer = getattr(self, question["question"])(question)
        self.write(process, {"number": question["number"], **answer})

    def send(self, question):
        """Sends a request, once."""
        url = urllib.parse.urlsplit(question["url"])
        call = name(question["method"], url.path)
        fields = question.get("fields", {})
        wait = int(fields.get("Prefer", "wait=0").partition("wait=")[2].partition(",")[0] or 0)
        connection = http.client.HTTPConnection(url.netloc, timeout=question["timeout"])
        started = time.monotonic()
        if wait:
            self.polling_since = started
        try:
            body = base64.b64decode(question["data"]) if "data" in question else None
            target = url.path + (f"?{url.query}" if url.query else "")
            connection.request(question["method"], target, body, fields)
            response = connection.getresponse()
            data = response.read()
        except OSError:
            return {}
        finally:
            connection.close()
        self.sent.append((call, response.status, time.monotonic() - started, wait))
        if call in self.losing:
            self.losing.remove(call)
            return {}
        return {"status": response.status, "fields": dict(response.getheaders()), "data": encode(data)}

    def key_file(self, question):
        # The library names its keys by UUIDs.
        return self.folder / f"{question['key'].replace('/', '')}.pem"

    def make_key(self, question):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key_file(question))
        return self.key(question)

    def key(self, question):
        file = self.key_file(question)
        if not file.exists():
            return {}
        # The point stands at the end of the DER of the public key.
        return {"data": encode(openssl("ec", "-in", file, "-pubout", "-outform", "DER")[-1 - 2 * HALF:])}

    def remove_key(self, question):
        self.key_file(question).unlink(missing_ok=True)
        return {}

    def sign(self, question):
        message = base64.b64decode(question["data"])
        signature = openssl("dgst", "-sha256", "-sign", self.key_file(question), message=message)
        return {"data": encode(raw(signature))}


def encode(data):
    return base64.b64encode(data).decode()


def openssl(*words, message=None):
    ran = subprocess.run(
        ["openssl", *map(os.fspath, words)], input=message, capture_output=True, timeout=20, check=False)
    if ran.returncode != 0:
        raise RowError(f"openssl {words[0]}: {ran.stderr.decode()}")
    return ran.stdout


def raw(signature):
    """r and s, as they are in the DER of a signature: 30 length 02 length r 02 length s."""
    numbers, at = b"", 2
    for _ in range(2):
        length = signature[at + 1]
        number = signature[at + 2:at + 2 + length].lstrip(b"\0")
        numbers += number.rjust(HALF, b"\0")
        at += 2 + length
    return numbers

"""The backend of an app: waits until a login is final, and wakes the app with a push notification.

    SERVER=https://login.example.com API_KEY=… STORE=logins.db PORT=9100 python push.py

After the create the app sends {"id": "…", "poll_secret": "…", "device": "…"} to POST /logins. This program answers 202
when it has stored that, and holds a poll of the login. When the login is final, it calls push(). After a restart it
continues with what is stored. SERVER is the server's public_url, and API_KEY is apps.*.api_key; without it this program
sees what the phone may see. A poll secret is as good as the login's result, so nobody else may read STORE.
"""

import http.client
import http.server
import json
import os
import random
import re
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.request

WAIT = 25  # seconds that the server holds a poll
LIFETIME = 26 * 3600  # seconds; the server keeps no login and no result for longer
LIMIT = 500  # logins at once: each has a thread here. For more, hold the polls in an event loop
FORMS = {"id": r"[\w-]{22}", "poll_secret": r"[\w-]{43}", "device": r"[!-~]{1,4096}"}


def push(device: str, login: str) -> None:
    """Replace this with a request to your push service, and raise OSError if it does not respond.

    Send the id and nothing else: the push service reads what it carries. The app polls when it gets it. It may get it
    twice.
    """
    print(json.dumps({"push": device, "login": login}), flush=True)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the secrets to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


class Store:
    """The logins that are waited for. Rows are by secret, so that nobody can take the place of a login with its id."""

    def __init__(self, path: str) -> None:
        os.umask(0o077)
        self.lock = threading.Lock()
        self.database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS login (poll_secret TEXT PRIMARY KEY, id TEXT, device TEXT, until REAL)")

    def all(self) -> list[dict]:
        return [dict(zip(("poll_secret", "id", "device", "until"), row)) for row in self.run("SELECT * FROM login")]

    def add(self, login: dict) -> bool:
        """Returns false if it is there already: the app has repeated its request."""
        values = (login["poll_secret"], login["id"], login["device"], login["until"])
        return bool(self.run("INSERT OR IGNORE INTO login VALUES (?, ?, ?, ?) RETURNING id", *values))

    def remove(self, login: dict) -> None:
        self.run("DELETE FROM login WHERE poll_secret = ?", login["poll_secret"])

    def run(self, statement: str, *values: object) -> list[tuple]:
        with self.lock:
            return self.database.execute(statement, values).fetchall()


class Watcher:
    """Holds a poll for each login, and calls push() once the login is final."""

    def __init__(self, server: str, api_key: str | None, store: Store) -> None:
        self.server, self.store = server.rstrip("/"), store
        self.fields = {"Prefer": f"wait={WAIT}", "Accept": "application/json"}
        if api_key:
            self.fields["Api-Key"] = api_key
        self.opener = urllib.request.build_opener(NoRedirect)
        for login in store.all():
            self.start(login)

    def take(self, login: dict) -> None:
        login["until"] = time.time() + LIFETIME
        if self.store.add(login):
            self.start(login)

    def start(self, login: dict) -> None:
        threading.Thread(target=self.watch, args=(login,), daemon=True).start()

    def watch(self, login: dict) -> None:
        failures = 0
        while time.time() < login["until"]:
            began = time.monotonic()
            try:
                status, retry_after, answer = self.poll(login)
                if status == 200 and answer["final"]:
                    push(login["device"], login["id"])
                # 404 and 410: the app has the result already and has deleted it, or the secret is not this login's.
                if status in (404, 410) or status == 200 and answer["final"]:
                    break
            except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
                status, retry_after = f"{type(error).__name__}: {error}", None
            if status in (200, 304):
                # Not final yet. An answer that comes sooner than it should is no reason to poll again at once.
                failures, pause = 0, began + 2 - time.monotonic()
            else:
                failures += 1
                pause = retry_after or min(60, 2 ** min(failures, 6)) * random.uniform(0.5, 1)
                print(f"{login['id']}: {status}, again in {pause:.1f} s", file=sys.stderr)
            time.sleep(max(0, pause))
        self.store.remove(login)

    def poll(self, login: dict) -> tuple[int, float | None, dict]:
        """Without If-None-Match the server holds a poll until the login is final, and not until its next change."""
        request = urllib.request.Request(
            f"{self.server}/v1/logins/{login['id']}",
            headers={**self.fields, "Authorization": f"Bearer {login['poll_secret']}"})
        try:
            with self.opener.open(request, timeout=WAIT + 15) as answer:
                return answer.status, None, json.load(answer)
        except urllib.error.HTTPError as answer:
            with answer:
                seconds = answer.headers.get("Retry-After", "")
                # A little later than it says, so that not all come at once.
                retry_after = min(int(seconds), 300) + random.random() if seconds.isdecimal() else None
                return self.trusted(answer), retry_after, {}

    @staticmethod
    def trusted(answer: urllib.error.HTTPError) -> int:
        """Returns the status. A 404 of a proxy says nothing about the login: those of the server name their problem."""
        if answer.code not in (404, 410) or answer.headers.get_content_type() == "application/problem+json":
            return answer.code
        return 502


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 10  # seconds for a request to arrive

    def do_POST(self) -> None:
        # Your backend knows here which user or phone asks (its own session), and takes `device` from there.
        length = self.headers.get("Content-Length", "")
        if self.path != "/logins" or not length.isdecimal() or int(length) > 10_000:
            return self.answer(400)
        try:
            body = json.loads(self.rfile.read(int(length)))
            login = {name: body[name] for name in FORMS}
            if not all(re.fullmatch(form, login[name], re.ASCII) for name, form in FORMS.items()):
                return self.answer(400)
        except (ValueError, KeyError, TypeError):
            return self.answer(400)
        if threading.active_count() > LIMIT:
            return self.answer(503)
        self.server.watcher.take(login)
        self.answer(202)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    if not os.environ.get("SERVER"):
        sys.exit(f"Set SERVER.\n{__doc__}")
    api = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
    # The first line of the output: the watches of an earlier run continue at once, and may print.
    print(f"listening on http://127.0.0.1:{api.server_port}", flush=True)
    store = Store(os.environ.get("STORE", "logins.db"))
    api.watcher = Watcher(os.environ["SERVER"], os.environ.get("API_KEY"), store)
    try:
        api.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()

"""The network between a program and the server: a proxy that loses requests and responses, or answers in the server's
place."""

import http.client
import http.server
import json
import select
import socket
import threading
import time
import urllib.parse

HOTEL = b"<!doctype html><title>Welcome</title><h1>Welcome to the Grand Hotel</h1><p>Sign in to use the network."
# A server holds polls for less than that.
DEADLINE = 70


class Network:
    """`fault` sets what happens to the next request of a kind; `sent` is what the server has answered."""

    def __init__(self, server):
        self.server = urllib.parse.urlsplit(server).netloc
        self.changed = threading.Condition()
        self.faults = {}
        # The faults that took effect, in order: (call, fault).
        self.happened = []
        # What was answered by the server: (call, status, answer).
        self.sent = []
        self.login = self.secret = None
        self.prefixes = []
        # What a create names instead of the library's own actions.
        self.actions = None
        self.is_open = True
        self.front = Front(("127.0.0.1", 0), Handler)
        self.front.network = self
        self.url = f"http://127.0.0.1:{self.front.server_address[1]}"
        threading.Thread(target=self.front.serve_forever, args=(0.05,), daemon=True).start()

    def fault(self, call, fault, times=1):
        with self.changed:
            self.faults.setdefault(call, []).extend([fault] * times)

    def take_fault(self, call):
        with self.changed:
            faults = self.faults.get(call)
            return faults.pop(0) if faults else None

    def note_fault(self, call, fault):
        with self.changed:
            self.happened.append((call, fault))
            self.changed.notify_all()

    def note(self, call, status, data):
        with self.changed:
            try:
                answer = json.loads(data) if data else {}
            except ValueError:
                answer = {}
            if call == "create" and status in (200, 201):
                self.login, self.secret = answer["id"], answer.get("poll_secret", self.secret)
            if status in (200, 201):
                self.prefixes = answer.get("return_prefixes", self.prefixes)
            self.sent.append((call, status, answer))
            self.changed.notify_all()

    def wait(self, holds, patience):
        """Waits until this holds for the network, and returns whether it does."""
        with self.changed:
            return self.changed.wait_for(lambda: holds(self), patience)

    def answers(self, call):
        """The statuses that the server answered this call with."""
        return [status for name, status, _ in self.sent if name == call]

    def end(self):
        with self.changed:
            self.is_open = False
            self.changed.notify_all()
        self.front.shutdown()
        self.front.server_close()


class Front(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 32

    def handle_error(self, request, client_address):
        """A program that is killed breaks its connections."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = DEADLINE

    def log_message(self, *_):
        pass

    def pass_on(self):
        network = self.server.network
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
        call = name(self.command, self.path)
        if call == "create" and network.actions is not None:
            body = json.dumps({**json.loads(body), "actions": network.actions}).encode()
        fault = network.take_fault(call)
        if fault == "lost_request":
            network.note_fault(call, fault)
            self.close_connection = True
        elif fault == "hotel":
            self.reply(200, {"Content-Type": "text/html"}, HOTEL)
            network.note_fault(call, fault)
        elif fault == "bad_gateway":
            self.reply(502, {"Content-Type": "text/html"}, b"<h1>502 Bad Gateway</h1>")
            network.note_fault(call, fault)
        else:
            self.forward(network, call, body, fault)

    do_GET = do_POST = do_DELETE = pass_on

    def forward(self, network, call, body, fault):
        connection = http.client.HTTPConnection(network.server, timeout=DEADLINE)
        try:
            fields = {name: value for name, value in self.headers.items()
                      if name.lower() not in ("host", "content-length")}
            connection.request(self.command, self.path, body, {**fields, "Connection": "close"})
            if not self.waits_for(connection.sock):
                self.close_connection = True
                return
            response = connection.getresponse()
            data = response.read()
        except OSError:
            self.close_connection = True
            return
        finally:
            connection.close()
        network.note(call, response.status, data)
        if fault == "held":
            network.note_fault(call, fault)
            # Until the program is gone.
            self.waits_for(None)
            self.close_connection = True
        elif fault == "lost_response":
            network.note_fault(call, fault)
            self.close_connection = True
        else:
            fields = {name: value for name, value in response.getheaders()
                      if name.lower() not in ("connection", "content-length", "transfer-encoding")}
            self.reply(response.status, fields, data)

    def waits_for(self, upstream):
        """Waits for the server, and returns false if the program has closed its connection meanwhile."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end and self.server.network.is_open:
            ready, _, _ = select.select([one for one in (upstream, self.connection) if one], [], [], 1)
            if upstream in ready:
                return True
            if ready and not self.connection.recv(1, socket.MSG_PEEK):
                return False
        return False

    def reply(self, status, fields, data):
        try:
            self.send_response_only(status)
            for name, value in fields.items():
                self.send_header(name, value)
            if status not in (204, 304):
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if status not in (204, 304):
                self.wfile.write(data)
        except OSError:
            self.close_connection = True


def name(method, path):
    """The name of a request of a library."""
    last = urllib.parse.urlsplit(path).path.rpartition("/")[2]
    if method == "DELETE":
        return "acknowledge"
    if method == "GET":
        return "poll"
    return {"logins": "create", "sessions": "begin"}.get(last, last)

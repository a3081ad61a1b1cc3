"""A proxy in front of glewlwyd, which adds the session of the code's browser to each token request.

glewlwyd looks for auth_time in the session of the token request. The client has none, so it would be 0.
"""

import http.client
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

HOPS = {"connection", "content-length", "host", "transfer-encoding"}


class Relay(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port):
        super().__init__(("127.0.0.1", port), Exchange)
        self.target = None
        # The redirect URIs of the clients that get this, and the cookies of each client's last browser.
        self.clients = {}
        self.cookies = {}

    def cookie(self, path, cookie, body):
        """Returns the cookie for the request."""
        url = urlsplit(path)
        if url.path.endswith("/auth") and cookie:
            for client in parse_qs(url.query).get("client_id", []):
                self.cookies[client] = cookie
        elif url.path.endswith("/token"):
            for uri in parse_qs(body.decode("ascii", "replace")).get("redirect_uri", []):
                return self.cookies.get(self.clients.get(uri))
        return cookie


class Exchange(BaseHTTPRequestHandler):
    def relay(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fields = {name: value for name, value in self.headers.items() if name.lower() not in HOPS | {"cookie"}}
        cookie = self.server.cookie(self.path, self.headers.get("Cookie"), body)
        if cookie:
            fields["Cookie"] = cookie
        there = http.client.HTTPConnection("127.0.0.1", self.server.target)
        there.request(self.command, self.path, body or None, fields)
        answer = there.getresponse()
        said = answer.read()
        self.log_request(answer.status)
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOPS:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
        there.close()

    do_GET = do_POST = do_PUT = relay

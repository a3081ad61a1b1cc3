"""An OpenID provider in this process, which makes the mistakes that a play asks for. It has no pages: the played browser
takes its code from `code` and returns with it.
"""

import asyncio
import base64
import json
import secrets
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

CLIENT, SECRET = "us", "a-secret-of-the-play"


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Provider:
    """`delay` is how many seconds it takes for a token. `refuses` makes it answer 401 invalid_client, `breaks` 503,
    and `skew` moves its clock by so many seconds."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.codes, self.delay, self.refuses, self.breaks, self.skew = {}, 0.0, False, False, 0
        self.server = self.port = None
        self.writers = set()

    async def start(self, port=0):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", port, backlog=1024)
        self.port = self.server.sockets[0].getsockname()[1]

    async def stop(self):
        """Nobody listens on its port then."""
        self.server.close()
        for writer in list(self.writers):
            writer.close()
        await asyncio.sleep(0)

    @property
    def issuer(self):
        return f"http://127.0.0.1:{self.port}"

    def code(self, location):
        """The user approves the request in this URL. Returns the URL of the callback."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        code = secrets.token_urlsafe(24)
        self.codes[code] = query["nonce"]
        return f"{query['redirect_uri']}?{urllib.parse.urlencode({'code': code, 'state': query['state']})}"

    @staticmethod
    def error(location, error):
        """The provider ends the request in this URL with an error. Returns the URL of the callback."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        return f"{query['redirect_uri']}?{urllib.parse.urlencode({'error': error, 'state': query['state']})}"

    async def serve(self, reader, writer):
        self.writers.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
                body = await reader.readexactly(int(fields.get("content-length", 0)))
                status, answer = await self.answer(head[0].split(" ")[1].split("?")[0], body.decode())
                text = json.dumps(answer).encode()
                date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + self.skew))
                writer.write(f"HTTP/1.1 {status} Answer\r\nContent-Type: application/json\r\nDate: {date}\r\n"
                             f"Content-Length: {len(text)}\r\n\r\n".encode() + text)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            # Its client has gone, or the play is over.
            pass
        finally:
            self.writers.discard(writer)
            writer.close()

    async def answer(self, path, body):
        if self.breaks:
            return 503, {"error": "temporarily_unavailable"}
        if path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/jwks",
                "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"], "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["client_secret_post"]}
        if path == "/jwks":
            point = self.key.public_key().public_numbers()
            return 200, {"keys": [{
                "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "1",
                "x": base64url(point.x.to_bytes(32, "big")), "y": base64url(point.y.to_bytes(32, "big"))}]}
        if path != "/token":
            return 404, {"error": "not_found"}
        if self.delay:
            await asyncio.sleep(self.delay)
        form = dict(urllib.parse.parse_qsl(body))
        if self.refuses or form.get("client_secret") != SECRET:
            return 401, {"error": "invalid_client"}
        nonce = self.codes.pop(form.get("code"), None)
        if nonce is None:
            return 400, {"error": "invalid_grant"}
        now = int(time.time() + self.skew)
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": secrets.token_hex(8), "nonce": nonce, "iat": now,
                  "auth_time": now, "exp": now + 300}
        return 200, {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer", "id_token": self.signed(claims)}

    def signed(self, claims):
        return sign(self.key, {"alg": "ES256", "kid": "1"}, claims)


def sign(key, header, claims):
    """A JWT signed with ES256 (RFC 7518 §3.4)."""
    text = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
    r, s = utils.decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{text}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"

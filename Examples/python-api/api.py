"""A small API that accepts Switchback's access tokens, and demands a fresh e-ID login for one of its routes.

    pip install "pyjwt[crypto]"
    ISSUER=https://login.example.com AUDIENCE=bank-api ORIGIN=https://api.example.com PORT=9000 python api.py

ISSUER is the server's public_url, and AUDIENCE is apps.*.session_audience. GET /account wants any access token of
these two. POST /payments wants more: the user has authenticated with one of ACR_VALUES (those of your e-ID) in the last
MAX_AGE seconds (RFC 9470). A PIN is not enough, because its acr is urn:switchback:unlock. ORIGIN is how phones call this
API, and PORT where it listens; without ORIGIN it is http://127.0.0.1:PORT.
"""

import http.server
import json
import os
import sys
import time
import urllib.parse

from access import Proofs, Refused, Tokens

LIMIT = 10_000  # bytes of a request's body


class StepUp(Exception):
    """The token is right, and its authentication is too weak or too old for this route."""


class API(http.server.ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
        self.tokens = Tokens(os.environ["ISSUER"], os.environ["AUDIENCE"])
        self.proofs = Proofs()
        self.origin = os.environ.get("ORIGIN", f"http://127.0.0.1:{self.server_port}")
        self.acr_values = os.environ.get("ACR_VALUES", "substantial high").split()
        self.max_age = int(os.environ.get("MAX_AGE", "300"))
        self.routes = {("GET", "/account"): self.account, ("POST", "/payments"): self.pay}

    def account(self, claims: dict, _: dict) -> dict:
        return {"account": claims["sub"], "acr": claims.get("acr"), "session": claims["sid"]}

    def pay(self, claims: dict, body: dict) -> dict:
        self.demand_fresh_login(claims)
        return {"paid": body.get("amount"), "by": claims["sub"], "acr": claims.get("acr")}

    def demand_fresh_login(self, claims: dict) -> None:
        age = time.time() - claims.get("auth_time", 0)
        if claims.get("acr") not in self.acr_values or age > self.max_age:
            raise StepUp(f"acr {claims.get('acr')}, {age:.0f} s old")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self) -> None:
        path = urllib.parse.urlsplit(self.path).path
        lengths = self.headers.get_all("Content-Length") or ["0"]
        length = int(lengths[0]) if len(lengths) == 1 and lengths[0].isdecimal() else LIMIT + 1
        if length > LIMIT or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            return self.answer(413, {"error": "too_large"})
        body = self.rfile.read(length)
        route = self.server.routes.get((self.command, path))
        if route is None:
            return self.answer(404, {"error": "not_found"})
        try:
            claims = self.verify(path)
            self.answer(200, route(claims, json.loads(body or b"{}")))
        except StepUp as reason:
            self.log_error("step-up: %s", reason)
            self.challenge(
                "insufficient_user_authentication", acr_values=" ".join(self.server.acr_values),
                max_age=self.server.max_age)
        except Refused as reason:
            self.log_error("refused: %s", reason)
            self.challenge(reason.code)
        except ConnectionError as reason:
            self.log_error("%s", reason)
            self.answer(503, {"error": "temporarily_unavailable"}, {"Retry-After": "5"})
        except (ValueError, AttributeError):
            self.answer(400, {"error": "invalid_request"})

    do_GET = do_POST = handle_any

    def verify(self, path: str) -> dict:
        """Returns the claims of the access token. Only its owner's key can have made this request."""
        sent = self.headers.get_all("Authorization") or []
        scheme, _, token = sent[0].partition(" ") if len(sent) == 1 else ("", "", "")
        # RFC 9449 §7.2: a bound token is not accepted as a bearer token.
        if scheme.lower() != "dpop":
            raise Refused(None, "no access token with the scheme DPoP")
        claims = self.server.tokens.verify(token.strip())
        self.server.proofs.verify(
            self.headers.get_all("DPoP") or [], self.command, self.server.origin + path, token.strip(),
            claims["cnf"]["jkt"])
        return claims

    def challenge(self, code: str | None, **parameters: object) -> None:
        """RFC 9449 §7.1 and §9, RFC 9470 §3."""
        found = {"error": code, **parameters, "algs": "ES256"} if code else {"algs": "ES256"}
        text = ", ".join(f'{name}="{value}"' for name, value in found.items())
        self.answer(401, {"error": code or "unauthorized"}, {"WWW-Authenticate": f"DPoP {text}"})

    def answer(self, status: int, members: dict, fields: dict[str, str] | None = None) -> None:
        body = json.dumps(members).encode()
        self.send_response(status)
        # The next proof needs it.
        fields = {**(fields or {}), "DPoP-Nonce": self.server.proofs.nonce(), "Cache-Control": "no-store"}
        for name, value in {**fields, "Content-Type": "application/json", "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    if missing := [name for name in ("ISSUER", "AUDIENCE") if not os.environ.get(name)]:
        sys.exit(f"Set {' and '.join(missing)}.\n{__doc__}")
    try:
        api = API()
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"It cannot start: {error}. Is ISSUER the public_url of a running server whose app has sessions?")
    print(f"listening on {api.origin}", flush=True)
    try:
        api.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()

"""A phone and an API in Python: joserfc makes the DPoP proofs, PyJWT verifies the access tokens.

    ISSUER=https://login.example.com CLIENT_ID=shop AUDIENCE=https://api.example KEY=key.pem POLL_SECRET=… session.py

KEY is the P-256 key whose thumbprint was dpop_jkt of a completed login, and POLL_SECRET is that login's. It prints a
line for each check, `ok …` or `FAIL …: why`, and then `done`.
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request

import jwt
from joserfc import jws
from joserfc.jwk import ECKey

ISSUER, CLIENT, AUDIENCE = (os.environ[name] for name in ("ISSUER", "CLIENT_ID", "AUDIENCE"))


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Phone:
    """Makes a proof for each request, with the nonce of the last response (RFC 9449 §8.2)."""

    def __init__(self, key):
        self.key = key
        self.nonce = None

    def proof(self, method, url, token=None, pin=None):
        claims = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": url, "iat": int(time.time())}
        if self.nonce:
            claims["nonce"] = self.nonce
        if token:
            claims["ath"] = b64(hashlib.sha256(token.encode()).digest())
        if pin:
            secret, session = pin
            said = f"switchback/unlock/1{session}{self.nonce}{claims['jti']}".encode()
            claims["pin_proof"] = b64(hmac.digest(secret, said, "sha256"))
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}
        header["jwk"] = {name: header["jwk"][name] for name in ("kty", "crv", "x", "y")}
        return jws.serialize_compact(header, json.dumps(claims).encode(), self.key)

    def send(self, method, url, headers=None, form=None, body=None, token=None, pin=None, proof=True):
        """Sends a request, and a second one if the server wants a fresh nonce."""
        for _ in range(2):
            fields = dict(headers or {})
            if proof:
                fields["DPoP"] = self.proof(method, url, token, pin)
            if token:
                fields["Authorization"] = f"DPoP {token}"
            data = None
            if form is not None:
                data = urllib.parse.urlencode(form).encode()
            if body is not None:
                data, fields["Content-Type"] = json.dumps(body).encode(), "application/json"
            status, answer, nonce = fetch(urllib.request.Request(url, data, fields, method=method))
            self.nonce = nonce or self.nonce
            if answer.get("error", answer.get("code")) not in ("use_dpop_nonce", "dpop_nonce_required"):
                break
        return status, answer


def fetch(request):
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else {}, answer.headers.get("DPoP-Nonce")
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text) if text else {}, error.headers.get("DPoP-Nonce")


class API:
    """An API of the app: verifies an access token as RFC 9068 §4 says, and the proof that comes with it."""

    def __init__(self, metadata):
        self.issuer = metadata["issuer"]
        self.keys = jwt.PyJWKClient(metadata["jwks_uri"])

    def verify(self, token):
        decoded = jwt.decode_complete(
            token, self.keys.get_signing_key_from_jwt(token), ["ES256"], audience=AUDIENCE, issuer=self.issuer,
            options={"require": ["iss", "aud", "exp", "iat", "sub", "jti", "client_id"]})
        if decoded["header"].get("typ") != "at+jwt":
            raise ValueError("typ")
        return decoded["payload"]

    def accept(self, token, proof, method, url):
        """Returns the claims, or raises: RFC 9449 §4.3 and §7.1."""
        header = jwt.get_unverified_header(proof)
        if header.get("typ") != "dpop+jwt" or header.get("alg") != "ES256":
            raise ValueError("proof type")
        key = ECKey.import_key(header["jwk"])
        said = jwt.decode(proof, jwt.PyJWK(header["jwk"], algorithm="ES256"), ["ES256"], options={"verify_aud": False})
        claims = self.verify(token)
        if claims["cnf"]["jkt"] != key.thumbprint():
            raise ValueError("cnf")
        if said["ath"] != b64(hashlib.sha256(token.encode()).digest()):
            raise ValueError("ath")
        if (said["htm"], said["htu"]) != (method, url):
            raise ValueError("htm or htu")
        return claims


def raises(work):
    try:
        work()
    except (ValueError, KeyError, jwt.PyJWTError) as error:
        return type(error).__name__
    return None


def check():
    with open(os.environ["KEY"], "rb") as file:
        phone = Phone(ECKey.import_key(file.read()))
    stranger = Phone(ECKey.generate_key("P-256"))
    _, metadata, _ = fetch(urllib.request.Request(ISSUER + "/.well-known/oauth-authorization-server"))
    yield "the metadata", metadata.get("issuer") == ISSUER, metadata
    api, endpoint = API(metadata), metadata["token_endpoint"]

    bearer = {"Authorization": "Bearer " + os.environ["POLL_SECRET"]}
    status, begun = phone.send("POST", ISSUER + "/v1/sessions", bearer)
    yield "a session begins", status == 200 and begun["token_type"] == "DPoP" and begun["pin"] is False, begun
    status, refused = stranger.send("POST", ISSUER + "/v1/sessions", bearer)
    yield "another key begins none", (status, refused["code"]) == (401, "dpop_proof_invalid"), refused

    token, session = begun["access_token"], begun["session_id"]
    claims = api.verify(token)
    yield "cnf is the phone's key", claims["cnf"]["jkt"] == phone.key.thumbprint(), claims
    yield "the token names its session", claims["sid"] == session and claims["client_id"] == CLIENT, claims
    place = AUDIENCE + "/orders"
    proof = phone.proof("GET", place, token)
    yield "an API accepts token and proof", api.accept(token, proof, "GET", place)["sub"] == claims["sub"], None
    wrong = [
        ("without ath", phone.proof("GET", place)), ("of another key", stranger.proof("GET", place, token)),
        ("for another token", phone.proof("GET", place, token + "x")),
        ("for another method", phone.proof("POST", place, token)),
        ("for another URL", phone.proof("GET", place + "/1", token)),
    ]
    for name, other in wrong:
        yield f"a proof {name} is refused", raises(lambda: api.accept(token, other, "GET", place)) is not None, None
    head, body, signature = token.split(".")
    forged = json.loads(base64.urlsafe_b64decode(body + "=="))
    forged = ".".join([head, b64(json.dumps({**forged, "sub": "x"}).encode()), signature])
    yield "a changed token is refused", raises(lambda: api.verify(forged)) == "InvalidSignatureError", None

    secret = secrets.token_bytes(32)
    place = f"{ISSUER}/v1/sessions/{session}/pin"
    status, answer = phone.send("PUT", place, body={"pin_secret": b64(secret)}, token=token)
    yield "a PIN is set", status == 204, answer
    status, answer = phone.send("GET", ISSUER + "/v1/sessions", token=token)
    yield "the session is listed", status == 200 and answer["sessions"][0]["pin"] is True, answer

    form = {"grant_type": "refresh_token", "client_id": CLIENT, "refresh_token": begun["refresh_token"]}
    status, answer = phone.send("POST", endpoint, form=form)
    yield "it is renewed", status == 200 and answer["refresh_token"] == begun["refresh_token"], answer
    status, answer = stranger.send("POST", endpoint, form=form)
    yield "a stolen refresh token is worth nothing", (status, answer["error"]) == (400, "invalid_grant"), answer
    status, answer = phone.send("POST", endpoint, form=form, pin=(secret, session))
    unlocked = api.verify(answer["access_token"])
    yield "the PIN unlocks it", unlocked["acr"] == "urn:switchback:unlock", unlocked
    yield "the e-ID stays in login", unlocked["login"] == claims["login"], unlocked
    yield "the person is the same", unlocked["sub"] == claims["sub"], unlocked
    phone.nonce = None
    status, answer = phone.send("POST", endpoint, form=form)
    yield "a proof without nonce gets one", status == 200, answer
    status, answer = phone.send("POST", endpoint, form=form, pin=(secrets.token_bytes(32), session))
    yield "a wrong PIN is told", (status, answer["error"], answer.get("tries_left")) == (400, "wrong_pin", 4), answer

    status, answer = phone.send("POST", metadata["revocation_endpoint"], form={"token": form["refresh_token"]}, proof=False)
    yield "it is revoked", status == 200, answer
    status, answer = phone.send("POST", endpoint, form=form)
    yield "and is over", (status, answer["error"]) == (400, "invalid_grant"), answer


if __name__ == "__main__":
    for title, isFine, answer in check():
        print(f"ok {title}" if isFine else f"FAIL {title}: {answer}", flush=True)
    print("done", flush=True)

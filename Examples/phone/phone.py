"""A phone with one session, kept in a file: what an app does after a login, step by step.

    pip install "pyjwt[crypto]"
    python phone.py login           makes a key, creates a login, prints the link to open
    python phone.py code DIGITS     hands in the six digits of the page, and begins the session
    python phone.py pin PIN [OLD]   sets a PIN; 15 minutes after the login it needs the old one
    python phone.py renew           gets a new access token
    python phone.py unlock PIN      gets a new access token with the PIN
    python phone.py sessions        lists the user's sessions
    python phone.py call URL [JSON] calls an API with the access token: a GET, or a POST of this JSON
    python phone.py sign-out        ends the session

SERVER is the server (http://127.0.0.1:8080), APP the app (bank), PROVIDER the provider (sandbox), and PHONE the file
(phone.json). A real phone keeps the key in its secure hardware, where nobody can copy it. This file is for trying
things out.
"""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

try:
    import jwt
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
except ImportError as error:
    sys.exit(f'{error}. Install it, in a venv: pip install "pyjwt[crypto]"')

SERVER = os.environ.get("SERVER", "http://127.0.0.1:8080").rstrip("/")
APP = os.environ.get("APP", "bank")
PROVIDER = os.environ.get("PROVIDER", "sandbox")
FILE = pathlib.Path(os.environ.get("PHONE", "phone.json"))
ROUNDS = 600_000  # of PBKDF2
NEW_NONCE = {"use_dpop_nonce", "dpop_nonce_required"}


class Problem(Exception):
    """Something that the user of this program can put right. The text says how."""


class Phone:
    def __init__(self) -> None:
        self.kept: dict = json.loads(FILE.read_text()) if FILE.exists() else {}

    def keep(self, **values: object) -> None:
        """Stores values at once: an app can be killed at any time."""
        self.kept |= values
        FILE.touch(mode=0o600)
        FILE.write_text(json.dumps(self.kept, indent=1))

    def need(self, name: str, otherwise: str) -> str:
        if not self.kept.get(name):
            raise Problem(otherwise)
        return self.kept[name]

    # The steps

    def login(self) -> None:
        # A later login with the same key renews the session (step-up).
        if "key" not in self.kept:
            self.make_key()
        # Stored first: with it the app gets the result, also after it was killed.
        self.keep(poll_secret=encode(secrets.token_bytes(32)))
        status, answer = self.send("POST", "/v1/logins", {
            "app": APP, "provider": PROVIDER, "platform": "ios", "poll_secret": self.kept["poll_secret"],
            "dpop_jkt": self.thumbprint})
        self.keep(login=answer.get("id"))
        show(status, answer, "next")

    def code(self, digits: str) -> None:
        login = f"/v1/logins/{self.need('login', 'There is no login: run phone.py login first.')}"
        bearer = {"Authorization": f"Bearer {self.kept['poll_secret']}"}
        status, answer = self.send("POST", login + "/return", {"code": digits}, fields=bearer)
        if answer.get("status") != "completed":
            return show(status, answer, "status", "code", "tries_left")
        status, answer = self.send("POST", "/v1/sessions", fields=bearer, proves=True)
        if status == 200:
            self.keep(session=answer["session_id"], token=answer["access_token"], refresh=answer.get("refresh_token"))
            # Only now, when the tokens are safe: no session can begin without the login.
            self.send("DELETE", login, fields=bearer)
        show(status, answer, "session_id", "token_type", "expires_in", "pin", "code")

    def pin(self, digits: str, old: str | None = None) -> None:
        if not (digits.isascii() and digits.isdecimal() and len(digits) >= 6):
            raise Problem("A PIN has six digits or more.")
        session, token = self.need_session()
        # A new PIN has a new secret and a new salt: two masks of one secret would betray both PINs.
        secret, salt = secrets.token_bytes(32), secrets.token_bytes(16)
        new = {"masked": encode(mask(digits, secret, salt)), "salt": encode(salt)}
        # Stored first, beside the old one: if the response is lost, the server says later which one it has.
        self.keep(new=new)
        # The salt is random and no secret, so it can be the PIN's name.
        body = {"pin_secret": encode(secret), "pin_id": new["salt"]}
        status, answer = self.send("PUT", f"/v1/sessions/{session}/pin", body, token=token, pin=old)
        self.settle_pin(new["salt"] if status == 204 else None)
        show(status, answer, "code", "tries_left")

    def settle_pin(self, name: str | None) -> None:
        """Takes the new PIN for the right one if the server has it."""
        if name and name == self.kept.get("new", {}).get("salt"):
            self.keep(**self.kept.pop("new"))

    def renew(self, pin: str | None = None) -> None:
        self.need_session()
        refresh = self.need("refresh", "This session has no refresh token: run phone.py login for a new access token.")
        form = {"grant_type": "refresh_token", "client_id": APP, "refresh_token": refresh}
        status, answer = self.send("POST", "/oauth/token", form=form, proves=True, pin=pin)
        self.settle_pin(answer.get("pin_id"))
        if status == 200:
            self.keep(token=answer["access_token"])
            # For us to see. An app does not look into its access token.
            answer |= jwt.decode(answer["access_token"], options={"verify_signature": False})
        show(status, answer, "token_type", "expires_in", "acr", "amr", "error", "tries_left")

    def sessions(self) -> None:
        _, token = self.need_session()
        status, answer = self.send("GET", "/v1/sessions", token=token)
        print(status, json.dumps(answer, indent=1))

    def call(self, url: str, body: str | None = None) -> None:
        _, token = self.need_session()
        status, answer = self.send("POST" if body else "GET", url, json.loads(body) if body else None, token=token)
        print(status, json.dumps(answer))

    def sign_out(self) -> None:
        """Needs no key (RFC 7009), so that a phone that lost its key can do it too."""
        self.need_session()
        refresh = self.need("refresh", "This session is one access token, which ends by itself.")
        status, answer = self.send("POST", "/oauth/revoke", form={"token": refresh})
        show(status, answer, "error")
        if status == 200:
            FILE.unlink()

    def need_session(self) -> tuple[str, str]:
        session = self.need("session", "There is no session: run phone.py login, open its link, then phone.py code.")
        return session, self.kept["token"]

    # The key

    def make_key(self) -> None:
        pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.keep(key=pem.decode())

    @property
    def key(self) -> ec.EllipticCurvePrivateKey:
        return serialization.load_pem_private_key(self.kept["key"].encode(), None)

    @property
    def jwk(self) -> dict[str, str]:
        numbers = self.key.public_key().public_numbers()
        return {"crv": "P-256", "kty": "EC", "x": encode(numbers.x.to_bytes(32, "big")),
                "y": encode(numbers.y.to_bytes(32, "big"))}

    @property
    def thumbprint(self) -> str:
        """RFC 7638 §3. The members of `jwk` are in its order."""
        return encode(hashlib.sha256(json.dumps(self.jwk, separators=(",", ":")).encode()).digest())

    def proof(self, method: str, url: str, token: str | None, pin: str | None) -> str:
        """A DPoP proof (RFC 9449 §4.2). With a PIN it is also the unlock."""
        claims: dict[str, object] = {
            "jti": encode(secrets.token_bytes(16)), "htm": method, "htu": url.split("?")[0], "iat": int(time.time())}
        nonce = self.kept.get("nonces", {}).get(origin(url))
        if nonce:
            claims["nonce"] = nonce
        if token:
            claims["ath"] = encode(hashlib.sha256(token.encode()).digest())
        # The server asks for its nonce before it looks at a PIN.
        if pin and nonce:
            message = f"switchback/unlock/1{self.kept['session']}{nonce}{claims['jti']}"
            claims["pin_proof"] = encode(hmac.digest(self.unmask(pin), message.encode(), "sha256"))
            claims["pin_id"] = self.kept["salt"]
        return jwt.encode(claims, self.key, "ES256", headers={"typ": "dpop+jwt", "jwk": self.jwk})

    def unmask(self, pin: str) -> bytes:
        """Returns 32 bytes for every PIN. Only the server knows whether they are the right ones."""
        masked = self.need("masked", "There is no PIN: run phone.py pin first.")
        return mask(pin, decode(masked), decode(self.kept["salt"]))

    # Requests

    def send(
        self, method: str, path: str, body: object = None, *, form: dict[str, str] | None = None,
        fields: dict[str, str] | None = None, token: str | None = None, proves: bool = False, pin: str | None = None,
    ) -> tuple[int, dict]:
        """Sends a request, and once more if the server wants a newer nonce in the proof."""
        url = path if "://" in path else SERVER + path
        request = urllib.request.Request(url, method=method, headers=fields or {})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        elif form is not None:
            # urllib sets the Content-Type of a form.
            request.data = urllib.parse.urlencode(form).encode()
        if token:
            request.add_header("Authorization", f"DPoP {token}")
        for _ in range(2):
            if token or proves:
                request.add_header("DPoP", self.proof(method, url, token, pin))
            status, headers, answer = exchange(request)
            if nonce := headers.get("DPoP-Nonce"):
                self.keep(nonces=self.kept.get("nonces", {}) | {origin(url): nonce})
            if answer.get("error", answer.get("code")) not in NEW_NONCE:
                break
        return status, answer


def mask(pin: str, secret: bytes, salt: bytes) -> bytes:
    """XOR has no check value, so nothing on the phone says whether a PIN is right. The same call unmasks."""
    stretched = hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, ROUNDS)
    return bytes(one ^ other for one, other in zip(secret, stretched))


def exchange(request: urllib.request.Request) -> tuple[int, dict[str, str], dict]:
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            status, headers, content = response.status, response.headers, response.read()
    except urllib.error.HTTPError as refusal:
        status, headers, content = refusal.code, refusal.headers, refusal.read()
    except (OSError, ValueError) as error:
        raise Problem(f"No response from {request.full_url} ({error}). Does it run there? SERVER is {SERVER}.")
    try:
        return status, headers, json.loads(content or b"{}")
    except ValueError:
        raise Problem(f"{request.full_url} responded {status}, and not with JSON. Is this the right server?")


def show(status: int, answer: dict, *names: str) -> None:
    print(status, json.dumps({name: answer[name] for name in names if name in answer}))
    # Each refusal says what to do.
    if text := answer.get("detail", answer.get("error_description")):
        print(text)


def origin(url: str) -> str:
    return "/".join(url.split("/")[:3])


def encode(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def main() -> None:
    phone = Phone()
    # Each with how many words may follow.
    steps = {
        "login": (phone.login, [0]), "code": (phone.code, [1]), "pin": (phone.pin, [1, 2]), "renew": (phone.renew, [0]),
        "unlock": (phone.renew, [1]), "sessions": (phone.sessions, [0]), "call": (phone.call, [1, 2]),
        "sign-out": (phone.sign_out, [0])}
    name, *words = sys.argv[1:] or [""]
    step, counts = steps.get(name, (None, []))
    if step is None or len(words) not in counts:
        sys.exit(__doc__)
    try:
        step(*words)
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()

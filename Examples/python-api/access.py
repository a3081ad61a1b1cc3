"""Verifies an access token of Switchback (RFC 9068) and the DPoP proof beside it (RFC 9449).

A JWT library verifies the signatures. What it cannot know is here: that the token belongs to the key of the proof
(`cnf`), and that the proof is for this request (`htm`, `htu`, `ath`), for now (`nonce`) and used once (`jti`).
"""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
import urllib.parse
import urllib.request

import jwt

# What this API accepts, whatever a token or a document says.
ALGORITHMS = ["ES256", "ES384", "ES512", "PS256", "RS256", "EdDSA"]
TYPES = {"at+jwt", "application/at+jwt"}
# "none" is left out: it does not show on whose phone the user logged in.
PROOFS = {"callback_link", "switch_link", "page_link", "page_code"}
CLAIMS = ["iss", "aud", "exp", "iat", "sub", "client_id", "jti", "sid", "cnf", "login"]
LEEWAY = 30  # seconds that our clock may differ from the issuer's


class Refused(Exception):
    """The request was refused with this error code; None if it has no access token. The text is for the log."""

    def __init__(self, code: str | None, text: str) -> None:
        super().__init__(text)
        self.code = code


class Tokens:
    """The access tokens of one issuer for one audience."""

    def __init__(self, issuer: str, audience: str) -> None:
        with urllib.request.urlopen(f"{issuer}/.well-known/oauth-authorization-server", timeout=5) as answer:
            document = json.load(answer)
        if document["issuer"] != issuer:
            raise ValueError(f"the issuer calls itself {document['issuer']}")
        # Not the keys of /.well-known/jwks.json: those sign assertions.
        self.keys = jwt.PyJWKClient(document["jwks_uri"], lifespan=300)
        self.issuer, self.audience = issuer, audience

    def verify(self, token: str) -> dict:
        """Returns the claims of an access token. They say nothing yet about the one who sent it."""
        try:
            found = jwt.decode_complete(
                token, self.keys.get_signing_key_from_jwt(token), ALGORITHMS,
                audience=self.audience, issuer=self.issuer, leeway=LEEWAY, options={"require": CLAIMS})
        except jwt.PyJWKClientConnectionError as error:
            raise ConnectionError("the issuer's keys cannot be fetched") from error
        except jwt.PyJWTError as error:
            raise Refused("invalid_token", type(error).__name__) from error
        claims = found["payload"]
        # RFC 9068 §4. An assertion has another type, and so has a proof.
        if str(found["header"].get("typ")).lower() not in TYPES:
            raise Refused("invalid_token", "typ")
        if not isinstance(claims["cnf"], dict) or not isinstance(claims["cnf"].get("jkt"), str):
            raise Refused("invalid_token", "cnf")
        if not isinstance(claims["login"], dict) or claims["login"].get("proof") not in PROOFS:
            raise Refused("invalid_token", "proof of the login")
        return claims


class Proofs:
    """The DPoP proofs of all requests. Time comes from our own nonces, because the clocks of phones are wrong."""

    def __init__(self, lifetime: int = 120) -> None:
        self.lifetime = lifetime
        # With several servers, share this key.
        self.key = secrets.token_bytes(32)
        # With several servers, use a table with a unique column.
        self.seen: dict[tuple[str, str], float] = {}
        self.lock = threading.Lock()

    def nonce(self, at: int | None = None) -> str:
        """Returns a nonce that carries its time and a code for it, so that nobody has to remember it."""
        made = (int(time.time()) if at is None else at).to_bytes(8, "big")
        return encode(made + hmac.digest(self.key, made, "sha256")[:16])

    def verify(self, headers: list[str], method: str, url: str, token: str, thumbprint: str) -> None:
        """Checks the rules of RFC 9449 §4.3 in their order. `headers` are all values of the field DPoP."""
        if len(headers) != 1:
            raise Refused("invalid_dpop_proof", "no proof, or several")
        key, claims = self.signed(headers[0])
        if claims["htm"] != method:
            raise Refused("invalid_dpop_proof", "htm")
        if normal(claims["htu"]) != normal(url):
            raise Refused("invalid_dpop_proof", "htu")
        end = self.end_of(claims.get("nonce"))
        if not same(claims.get("ath"), encode(hashlib.sha256(token.encode()).digest())):
            raise Refused("invalid_dpop_proof", "ath")
        if not same(thumbprint, thumbprint_of(key)):
            raise Refused("invalid_token", "the token belongs to another key")
        self.take((thumbprint, claims["jti"]), end)

    def signed(self, proof: str) -> tuple[dict, dict]:
        """Returns the public key in the proof and the claims that it signed."""
        try:
            header = jwt.get_unverified_header(proof)
            key = header.get("jwk")
            if header.get("typ") != "dpop+jwt" or header.get("alg") != "ES256":
                raise Refused("invalid_dpop_proof", "typ or alg")
            if not isinstance(key, dict) or "d" in key or (key.get("kty"), key.get("crv")) != ("EC", "P-256"):
                raise Refused("invalid_dpop_proof", "jwk")
            # Without verify_iat: the nonce says when the proof was made.
            claims = jwt.decode(
                proof, jwt.PyJWK(key, "ES256"), ["ES256"],
                options={"require": ["jti", "htm", "htu", "iat"], "verify_iat": False})
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Refused("invalid_dpop_proof", type(error).__name__) from error
        if not isinstance(claims["jti"], str) or not 0 < len(claims["jti"]) <= 128:
            raise Refused("invalid_dpop_proof", "jti")
        return key, claims

    def end_of(self, nonce: object) -> float:
        """Returns when a nonce of ours ends."""
        made = decode(nonce)
        if len(made) != 24:
            raise Refused("use_dpop_nonce", "no nonce of ours")
        at = int.from_bytes(made[:8], "big")
        if not same(nonce, self.nonce(at)) or not 0 <= time.time() - at < self.lifetime:
            raise Refused("use_dpop_nonce", "the nonce is too old, or not ours")
        return at + self.lifetime

    def take(self, name: tuple[str, str], end: float) -> None:
        """Remembers a proof until its nonce ends, and refuses it the second time."""
        now = time.time()
        with self.lock:
            # The oldest come first, and all are kept for about as long. So a request drops only what is over, and does
            # not look at the rest.
            while self.seen and self.seen[oldest := next(iter(self.seen))] <= now:
                del self.seen[oldest]
            if name in self.seen:
                raise Refused("invalid_dpop_proof", "jti")
            self.seen[name] = end


def thumbprint_of(key: dict) -> str:
    """RFC 7638 §3, for a P-256 key."""
    members = {"crv": key["crv"], "kty": key["kty"], "x": key["x"], "y": key["y"]}
    return encode(hashlib.sha256(json.dumps(members, separators=(",", ":")).encode()).digest())


def normal(url: object) -> tuple | None:
    """Returns what must be equal of two URLs: query and fragment do not count (RFC 9449 §4.3 rule 9)."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
        return parts.scheme, parts.hostname, port, parts.path or "/"
    except (AttributeError, TypeError, ValueError):
        return None


def same(one: object, other: str) -> bool:
    return isinstance(one, str) and hmac.compare_digest(one.encode(), other.encode())


def encode(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def decode(text: object) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (TypeError, ValueError):
        return b""

"""The backend of an app: takes an assertion from the app, and says whose account it is.

    pip install "pyjwt[crypto]" joserfc
    ISSUER=https://login.example.com AUDIENCE=shop PROVIDERS=mitid python verify.py

It reads lines such as {"assertion": "eyJ…", "nonce": "the one that this backend gave the app"} and answers each with a
line, {"account": "…"} or {"refused": "why"}. TYP is the app's assertion_typ, login+jwt by default. KEY is a PEM file
with the private key of apps.*.assertion_key; with it, only encrypted assertions are accepted.
"""

import hmac
import json
import os
import sys
import time
import urllib.request

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

# What this backend accepts, whatever a token or a document says.
ALGORITHMS = {"ES256", "ES384", "ES512", "PS256", "RS256", "EdDSA"}
ENCRYPTION = ["RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW", "A256GCM"]
# "none" is left out: it does not show on whose phone the user logged in.
PROOFS = {"callback_link", "switch_link", "page_link", "page_code"}
LEEWAY = 30  # seconds that our clock may differ from the issuer's


class Refused(Exception):
    """The assertion was refused. The text is for the log."""


class Assertions:
    def __init__(self, issuer, audience, providers, typ, key=None):
        with urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration", timeout=5) as answer:
            document = json.load(answer)
        if document["issuer"] != issuer:
            raise ValueError("the document is another issuer's")
        self.algorithms = [name for name in document["id_token_signing_alg_values_supported"] if name in ALGORITHMS]
        self.keys = jwt.PyJWKClient(document["jwks_uri"], lifespan=300)
        self.issuer, self.audience, self.providers, self.typ, self.key = issuer, audience, providers, typ, key
        # With several servers, use a table with a unique column.
        self.seen = {}

    def verify(self, assertion, nonce):
        """Returns the claims of an assertion that was not seen before."""
        token = self.verified(self.decrypted(assertion) if self.key else assertion)
        login = token["payload"]
        if token["header"].get("typ") != self.typ:
            raise Refused("typ")
        if not hmac.compare_digest(str(login["nonce"]).encode(), nonce.encode()):
            raise Refused("nonce")
        if login["provider"] not in self.providers:
            raise Refused("provider")
        if login["proof"] not in PROOFS:
            raise Refused("proof")
        self.take(login["jti"], login["exp"])
        return login

    def decrypted(self, assertion):
        """Returns the signed token inside (RFC 7519 §5.2). Anyone could encrypt it: the key is public."""
        try:
            token = jwe.decrypt_compact(assertion, self.key, algorithms=ENCRYPTION)
        except (JoseError, ValueError) as error:
            raise Refused(f"encryption: {type(error).__name__}") from error
        if token.headers().get("cty") != "JWT":
            raise Refused("cty")
        return token.plaintext.decode()

    def verified(self, signed):
        try:
            return jwt.decode_complete(
                signed, self.keys.get_signing_key_from_jwt(signed), self.algorithms,
                audience=self.audience, issuer=self.issuer, leeway=LEEWAY,
                options={"require": ["exp", "iat", "sub", "jti", "nonce", "provider", "proof"]})
        except jwt.PyJWTError as error:
            raise Refused(type(error).__name__) from error

    def take(self, jti, expires):
        now = time.time()
        # The oldest come first, and all are kept for about as long. So a request drops only what is over, and does not
        # look at the rest.
        while self.seen and self.seen[oldest := next(iter(self.seen))] <= now:
            del self.seen[oldest]
        if jti in self.seen:
            raise Refused("jti")
        self.seen[jti] = expires + LEEWAY


def main():
    key = None
    if "KEY" in os.environ:
        with open(os.environ["KEY"], "rb") as file:
            pem = file.read()
        kind = RSAKey if isinstance(load_pem_private_key(pem, None), RSAPrivateKey) else ECKey
        key = kind.import_key(pem)
    assertions = Assertions(
        os.environ["ISSUER"], os.environ["AUDIENCE"], set(os.environ["PROVIDERS"].split(",")),
        os.environ.get("TYP", "login+jwt"), key)
    for line in sys.stdin:
        login = json.loads(line)
        try:
            claims = assertions.verify(login["assertion"], login["nonce"])
            answer = {"account": claims["sub"], "name": claims.get("name"), "national_id": claims.get("national_id")}
        except Refused as reason:
            answer = {"refused": str(reason)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

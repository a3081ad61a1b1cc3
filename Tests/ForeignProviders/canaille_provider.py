"""Runs canaille (PyPI, on authlib) as an OpenID provider on loopback: canaille_provider.py PORT CLIENTS.json"""

import json
import sys
import tempfile

from joserfc.jwk import ECKey, RSAKey
from werkzeug.serving import make_server

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend

from lifetime import end_when_told, log_requests


def configuration(port, folder):
    keys = [
        # One key for RS256 and PS256: with two, canaille would use one with the other's algorithm.
        RSAKey.generate_key(2048, {"use": "sig"}, auto_kid=True),
        ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"}, auto_kid=True),
    ]
    return {
        "SECRET_KEY": "only for tests",
        "SERVER_NAME": f"127.0.0.1:{port}",
        "PREFERRED_URL_SCHEME": "http",
        "CANAILLE": {"DATABASE": "sql", "JAVASCRIPT": False, "HTMX": False, "SMTP": None, "CAPTCHA_ENABLED": False},
        # The memory store is not used: it searches codes with "or" instead of "and", so one login gets another login's
        # code.
        "CANAILLE_SQL": {
            "DATABASE_URI": f"sqlite:///{folder}/canaille.sqlite",
            "PASSWORD_SCHEMES": "pbkdf2_sha512",
            "PASSWORD_HASH_PARAMS": {"pbkdf2_sha512__default_rounds": 1000},
        },
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True) for key in keys]},
    }


def add_user():
    user = models.User(
        user_name="erika",
        password="correct horse",
        formatted_name="Erika Mustermann",
        given_name="Erika",
        family_name="Mustermann",
        emails=["erika@example.org"],
    )
    Backend.instance.save(user)


def add_client(entry):
    client = models.Client(
        client_id=entry["client_id"],
        client_name=entry["client_id"],
        client_secret=entry.get("client_secret"),
        jwks=json.dumps(entry["jwks"]) if "jwks" in entry else None,
        redirect_uris=entry["redirect_uris"],
        grant_types=["authorization_code"],
        response_types=entry.get("response_types", ["code"]),
        scope=["openid", "profile", "email"],
        token_endpoint_auth_method=entry.get("token_endpoint_auth_method", "client_secret_basic"),
        id_token_signed_response_alg=entry.get("id_token_signed_response_alg", "RS256"),
        userinfo_signed_response_alg=entry.get("userinfo_signed_response_alg"),
        request_object_signing_alg=entry.get("request_object_signing_alg"),
        require_signed_request_object="request_object_signing_alg" in entry,
    )
    Backend.instance.save(client)
    client.audience = [client]
    Backend.instance.save(client)


def main(port, clients):
    log_requests()
    end_when_told()
    with tempfile.TemporaryDirectory() as folder:
        server = make_server("127.0.0.1", int(port), None, threaded=True)
        server.app = app = create_app(config=configuration(server.port, folder))
        with app.app_context(), Backend.instance.session():
            add_user()
            with open(clients) as file:
                for entry in json.load(file):
                    add_client(entry)
        print(f"ready http://127.0.0.1:{server.port}", flush=True)
        server.serve_forever()


main(*sys.argv[1:])

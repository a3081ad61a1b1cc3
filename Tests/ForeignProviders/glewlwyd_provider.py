"""Runs glewlwyd (Debian; in C, on rhonabwy) as an OpenID provider on loopback: glewlwyd_provider.py PORT CLIENTS.json"""

import ctypes
import http.cookiejar
import json
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from joserfc.jwk import ECKey, RSAKey

from glewlwyd_relay import Relay
from lifetime import end_when_told

# The copy in glewlwyd's documentation is not used, because container images leave it out.
TABLES = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
CONFIGURATION = """
port={port}
bind_address="127.0.0.1"
external_url="{url}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="WARNING"
cookie_domain="127.0.0.1"
cookie_secure=0
hash_algorithm="SHA512"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="/usr/lib/glewlwyd/user_middleware"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
database={{ type="sqlite3"; path="{folder}/glewlwyd.sqlite" }}
"""
SCOPES = ["openid", "profile", "email"]
# glewlwyd's names, by those of the registration.
PROPERTIES = {
    "client_secret": "client_secret",
    "id_token_encrypted_response_alg": "id_token_encryption_alg",
    "id_token_encrypted_response_enc": "id_token_encryption_enc",
    # The kid of one of our keys. glewlwyd then uses its algorithm for everything that it signs for the client.
    "id_token_signed_response_alg": "sign_kid",
    "jwks": "jwks",
    "request_object_signing_alg": "request_object_signing_alg",
    "response_mode": "response_mode",
    "token_endpoint_auth_method": "token_endpoint_auth_method",
    "token_endpoint_auth_signing_alg": "token_endpoint_signing_alg",
    "userinfo_encrypted_response_alg": "userinfo_encryption_alg",
    "userinfo_encrypted_response_enc": "userinfo_encryption_enc",
}
OWN_PROPERTIES = ["alg_kid", "encrypt_id_token", "encrypt_userinfo"]


def keys():
    made = [
        RSAKey.generate_key(2048, {"alg": "RS256", "kid": "RS256"}),
        RSAKey.generate_key(2048, {"alg": "PS256", "kid": "PS256"}),
        ECKey.generate_key("P-256", {"alg": "ES256", "kid": "ES256"}),
    ]
    return json.dumps({"keys": [key.as_dict(private=True) for key in made]})


def plugin(issuer):
    return {
        "module": "oidc",
        "name": "oidc",
        "display_name": "oidc",
        "parameters": {
            "iss": issuer,
            "jwks-private": keys(),
            "jwks-show": True,
            "access-token-duration": 600,
            "refresh-token-duration": 600,
            "code-duration": 60,
            "auth-type-code-enabled": True,
            "auth-type-code-revoke-replayed": True,
            "allow-non-oidc": False,
            "pkce-allowed": True,
            "pkce-required": True,
            "oauth-as-iss-id": True,
            "oauth-fapi-allow-jarm": True,
            "oauth-par-allowed": True,
            "oauth-par-duration": 60,
            "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
            "request-parameter-allow": True,
            "request-parameter-ietf-strict": True,
            "request-maximum-exp": 600,
            "encrypt-out-token-allow": True,
            "client-jwks-parameter": "jwks",
            "client-sign_kid-parameter": "sign_kid",
            "client-alg_kid-parameter": "alg_kid",
            "client-encrypt_id_token-parameter": "encrypt_id_token",
            "client-encrypt_userinfo-parameter": "encrypt_userinfo",
            "name-claim": "on-demand",
            "name-claim-scope": ["profile"],
            "email-claim": "on-demand",
            "email-claim-scope": ["email"],
            "claims": [
                {
                    "name": "given_name",
                    "user-property": "given_name",
                    "type": "string",
                    "on-demand": True,
                    "scope": ["profile"],
                }
            ],
        },
    }


def client(entry):
    made = {
        "client_id": entry["client_id"],
        "name": entry["client_id"],
        "enabled": True,
        "confidential": True,
        "redirect_uri": entry["redirect_uris"],
        "authorization_type": ["code"],
        "scope": [],
    }
    for name, property in PROPERTIES.items():
        if name in entry:
            made[property] = entry[name]
    made["token_endpoint_auth_method"] = [entry.get("token_endpoint_auth_method", "client_secret_basic")]
    if "request_object_signing_alg" in entry:
        # glewlwyd takes a pushed request object as the client's authentication, and ignores the rest.
        method = "client_secret_jwt" if entry["request_object_signing_alg"].startswith("HS") else "private_key_jwt"
        made["token_endpoint_auth_method"].append(method)
    made["encrypt_id_token"] = "1" if "id_token_encrypted_response_alg" in entry else "0"
    made["encrypt_userinfo"] = "1" if "userinfo_encrypted_response_alg" in entry else "0"
    for key in entry.get("jwks", {"keys": []})["keys"]:
        if key.get("use") == "enc":
            made["alg_kid"] = key["kid"]
    return made


def make_database(path):
    with open(TABLES) as tables, sqlite3.connect(path) as database:
        database.executescript(tables.read())
        (parameters,) = database.execute("SELECT gcmi_parameters FROM g_client_module_instance").fetchone()
        # glewlwyd silently drops properties that are not named here.
        parameters = json.loads(parameters)
        for name in [*PROPERTIES.values(), *OWN_PROPERTIES]:
            parameters["data-format"].setdefault(name, {"multiple": False, "read": True, "write": True})
        database.execute("UPDATE g_client_module_instance SET gcmi_parameters = ?", [json.dumps(parameters)])
        (parameters,) = database.execute("SELECT gumi_parameters FROM g_user_module_instance").fetchone()
        parameters = json.loads(parameters)
        parameters["data-format"]["given_name"] = {"multiple": False, "read": True, "write": True}
        database.execute("UPDATE g_user_module_instance SET gumi_parameters = ?", [json.dumps(parameters)])


class Administrator:
    """Sets up glewlwyd by its REST API."""

    def __init__(self, url):
        self.url = url
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(cookies)

    def send(self, method, path, body):
        fields = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api/{path}", json.dumps(body).encode(), fields, method=method)
        try:
            self.opener.open(request).close()
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")

    def set_up(self, issuer, entries):
        self.send("POST", "auth/", {"username": "admin", "password": "password"})
        for scope in SCOPES:
            # The scope openid exists already.
            method, path = ("PUT", "scope/openid") if scope == "openid" else ("POST", "scope/")
            self.send(method, path, {"name": scope, "password_required": True})
        self.send("POST", "mod/plugin/", plugin(issuer))
        self.send("POST", "user/", {
            "username": "erika",
            "password": "correct horse",
            "name": "Erika Mustermann",
            "given_name": "Erika",
            "email": "erika@example.org",
            "scope": SCOPES,
            "enabled": True,
        })
        for entry in entries:
            self.send("POST", "client/", client(entry))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def start(folder, url):
    """Returns its process and port. It takes no open socket, so another program may get the port first."""
    for _ in range(5):
        port = free_port()
        with open(f"{folder}/glewlwyd.conf", "w") as file:
            file.write(CONFIGURATION.format(port=port, url=url, folder=folder))
        words = ["glewlwyd", f"--config-file={folder}/glewlwyd.conf"]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=sys.stderr, preexec_fn=end_with_parent)
        for _ in range(6000):
            if process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return process, port
            except ConnectionRefusedError:
                time.sleep(0.01)
        process.kill()
        process.wait()
    sys.exit("glewlwyd does not start")


def main(port, clients):
    relay = Relay(int(port))
    url = f"http://127.0.0.1:{relay.server_port}"
    with open(clients) as file:
        entries = json.load(file)
    for entry in entries:
        if not entry.get("unaided"):
            relay.clients.update(dict.fromkeys(entry["redirect_uris"], entry["client_id"]))
    with tempfile.TemporaryDirectory() as folder:
        make_database(f"{folder}/glewlwyd.sqlite")
        end_when_told()
        process, relay.target = start(folder, url)
        try:
            Administrator(f"http://127.0.0.1:{relay.target}").set_up(f"{url}/api/oidc", entries)
            print(f"ready {url}/api/oidc", flush=True)
            relay.serve_forever()
        finally:
            process.terminate()
            process.wait()


main(*sys.argv[1:])

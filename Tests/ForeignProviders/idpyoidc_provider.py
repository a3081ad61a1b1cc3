"""Runs the provider half of idpyoidc (PyPI) on loopback: idpyoidc_provider.py PORT CLIENTS.json"""

import html
import json
import os
import sys
import tempfile

from flask import Flask, make_response, redirect, request
from werkzeug.serving import make_server

from cryptojwt.exception import BadSignature
from cryptojwt.jws.exception import NoSuitableSigningKeys
from idpyoidc.exception import MissingSigningKey
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.exception import UnAuthorizedClient
from idpyoidc.server.token.id_token import IDToken

from lifetime import end_when_told, log_requests

KEYS = [{"type": "RSA", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}]
ALGORITHMS = ["RS256", "PS256", "ES256"]
CLIENT_AUTHENTICATIONS = ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"]
# More properties of a client, by their names in the registration.
REGISTERED = [
    "id_token_encrypted_response_alg",
    "id_token_encrypted_response_enc",
    "request_object_signing_alg",
    "userinfo_encrypted_response_alg",
    "userinfo_encrypted_response_enc",
    "userinfo_signed_response_alg",
]
OIDC = "idpyoidc.server.oidc"
USER = "erika"
LOGIN_PAGE = """<!doctype html><title>Log in</title><form method="post" action="/verify">
<input type="hidden" name="token" value="{}"><input name="username"><input name="password" type="password">
<button>Log in</button></form>"""


class Page:
    """Replaces the template engine that idpyoidc expects."""

    def render(self, template, action, token, **_):
        return LOGIN_PAGE.format(html.escape(token))


class EncryptableIDToken(IDToken):
    """Encrypts for the clients that are registered with encryption, which idpyoidc itself never does."""

    def __call__(self, session_id="", **arguments):
        context = self.upstream_get("context")
        _, client, _ = context.session_manager.decrypt_session_id(session_id)
        encrypt = "id_token_encrypted_response_alg" in context.cdb[client]
        return super().__call__(session_id, encrypt=encrypt, **arguments)


def endpoint(path, name, package=OIDC, **arguments):
    return {"path": path, "class": f"{package}.{name}", "kwargs": arguments}


def configuration(issuer):
    cookie_keys = {"key_defs": [{"type": "OCT", "use": [use], "kid": use} for use in ("enc", "sig")]}
    session_keys = {"key_defs": [{"type": "OCT", "use": ["enc"], "kid": kid} for kid in ("password", "salt")]}
    return {
        "issuer": issuer,
        "httpc_params": {"verify": False, "timeout": 4},
        "key_conf": {"key_defs": KEYS, "uri_path": "jwks"},
        "preference": {
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ALGORITHMS,
            "request_object_signing_alg_values_supported": [*ALGORITHMS, "HS256"],
        },
        "cookie_handler": {
            "class": "idpyoidc.server.cookie_handler.CookieHandler",
            "kwargs": {"keys": cookie_keys, "name": {"session": "op", "register": "rp", "session_management": "sman"}},
        },
        "session_params": {
            "encrypter": {"kwargs": {"keys": session_keys}},
            "sub_func": {"public": {"class": "idpyoidc.server.session.manager.PublicID", "kwargs": {"salt": "salt"}}},
        },
        "token_handler_args": {
            "jwks_def": {"key_defs": [{"type": "oct", "bytes": "24", "use": ["enc"], "kid": "code"}]},
            "code": {"kwargs": {"lifetime": 60}},
            "token": {"class": "idpyoidc.server.token.jwt_token.JWTToken", "kwargs": {"lifetime": 600}},
            "id_token": {"class": "__main__.EncryptableIDToken", "kwargs": {"lifetime": 600}},
        },
        "endpoint": {
            "provider_info": endpoint(
                ".well-known/openid-configuration", "provider_config.ProviderConfiguration", client_authn_method=None
            ),
            "authorization": endpoint(
                "authorize",
                "authorization.Authorization",
                client_authn_method=None,
                request_parameter_supported=True,
                response_types_supported=["code"],
                response_modes_supported=["query", "form_post"],
            ),
            "pushed_authorization": endpoint(
                "par",
                "pushed_authorization.PushedAuthorization",
                package="idpyoidc.server.oauth2",
                client_authn_method=CLIENT_AUTHENTICATIONS,
                ttl=60,
            ),
            "token": endpoint("token", "token.Token", client_authn_method=CLIENT_AUTHENTICATIONS),
            "userinfo": endpoint("userinfo", "userinfo.UserInfo", claim_types_supported=["normal"]),
        },
        "add_on": {
            "pkce": {
                "function": "idpyoidc.server.oauth2.add_on.pkce.add_support",
                "kwargs": {"essential": True, "code_challenge_method": "S256"},
            }
        },
        "authentication": {
            "password": {
                "acr": "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
                "class": "idpyoidc.server.user_authn.user.UserPassJinja2",
                "kwargs": {
                    "template_handler": Page(),
                    "db": {"class": "builtins.dict", "kwargs": {USER: "correct horse"}},
                    "verify_endpoint": "verify",
                },
            }
        },
        "userinfo": {
            "class": "idpyoidc.server.user_info.UserInfo",
            "kwargs": {
                "db": {
                    USER: {
                        "name": "Erika Mustermann",
                        "given_name": "Erika",
                        "family_name": "Mustermann",
                        "email": "erika@example.org",
                        "email_verified": True,
                    }
                }
            },
        },
    }


def add_client(server, entry):
    name = entry["client_id"]
    method = entry.get("token_endpoint_auth_method", "client_secret_basic")
    server.context.cdb[name] = {
        "client_id": name,
        "client_secret": entry.get("client_secret", ""),
        "client_secret_expires_at": 0,
        "client_salt": "salt",
        "redirect_uris": [(uri, {}) for uri in entry["redirect_uris"]],
        "response_types_supported": entry.get("response_types", ["code"]),
        "grant_types_supported": ["authorization_code"],
        "token_endpoint_auth_method": method,
        # Without this, idpyoidc would accept every method. The authorize request has none.
        "client_authn_method": [method, "public", "request_param", "bearer_header"],
        "id_token_signed_response_alg": entry.get("id_token_signed_response_alg", "RS256"),
        "allowed_scopes": ["openid", "profile", "email"],
        **{property: entry[property] for property in REGISTERED if property in entry},
    }
    if "client_secret" in entry:
        server.keyjar.add_symmetric(name, entry["client_secret"])
    if "jwks" in entry:
        server.keyjar.import_jwks(entry["jwks"], name)


class Web:
    """HTTP, which idpyoidc leaves to its caller."""

    def __init__(self, server):
        self.server = server
        self.app = Flask(__name__)
        route = self.app.add_url_rule
        route("/.well-known/openid-configuration", "metadata", lambda: self.run("provider_config"))
        route("/jwks", "jwks", lambda: self.server.keyjar.export_jwks())
        route("/authorize", "authorize", lambda: self.run("authorization"), methods=["GET", "POST"])
        route("/verify", "verify", self.verify, methods=["POST"])
        route("/par", "par", lambda: self.run("pushed_authorization"), methods=["POST"])
        route("/token", "token", lambda: self.run("token"), methods=["POST"])
        route("/userinfo", "userinfo", lambda: self.run("userinfo"), methods=["GET", "POST"])

    def run(self, name):
        endpoint = self.server.get_endpoint(name)
        info = {
            "headers": {field.lower(): value for field, value in request.headers.items()},
            "method": request.method,
            "url": request.url,
            "cookie": [{"name": name, "value": value} for name, value in request.cookies.items()],
        }
        parameters = request.values.to_dict()
        if "request_uri" in parameters:
            # Its parser requires them, and then uses only what was pushed (RFC 9126 §4 lets the client omit them).
            parameters = {"response_type": "code", "scope": "openid", "redirect_uri": "pushed"} | parameters
        try:
            asked = endpoint.parse_request(parameters, http_info=info)
        except UnAuthorizedClient:
            return {"error": "invalid_client"}, 401
        except (BadSignature, MissingSigningKey, NoSuitableSigningKeys):
            return {"error": "invalid_request_object"}, 400
        if "error" in asked:
            return asked.to_dict(), 400
        if "request_uri" in parameters:
            # It stores pushed parameters as those of OAuth, which has no `claims` and would write them as Python does.
            asked = endpoint.request_cls(**asked.to_dict())
        answer = endpoint.process_request(asked, http_info=info)
        if "http_response" in answer:
            # RFC 9126 §2.2: idpyoidc leaves this status to its caller.
            return answer["http_response"], 201 if name == "pushed_authorization" else 200
        return self.respond(endpoint, asked, answer)

    def verify(self):
        method = self.server.context.authn_broker.get_method_by_id("password")
        try:
            user = method.verify(**request.form.to_dict())
        except Exception:
            return "wrong name or password", 401
        token = method.unpack_token(request.form["token"])
        endpoint = self.server.get_endpoint("authorization")
        asked = endpoint.request_cls().from_urlencoded(token["query"])
        session = endpoint.create_session(asked, user, token["authn_class_ref"], token["iat"], method)
        return self.respond(endpoint, asked, endpoint.authz_part2(request=asked, session_id=session))

    def respond(self, endpoint, asked, answer):
        if answer.get("error"):
            return {key: answer[key] for key in ("error", "error_description") if key in answer}, 400
        info = endpoint.do_response(request=asked, **answer)
        if (info.get("response_placement") or endpoint.response_placement) == "url":
            response = redirect(info["response"], code=303)
        else:
            response = make_response(info["response"], info.get("response_code", 200))
            response.headers.update(dict(info["http_headers"]))
        for cookie in info.get("cookie", []):
            response.set_cookie(cookie["name"], cookie["value"], httponly=True)
        return response


def main(port, clients):
    log_requests()
    listener = make_server("127.0.0.1", int(port), None, threaded=True)
    issuer = f"http://127.0.0.1:{listener.port}"
    with open(clients) as file:
        entries = json.load(file)
    # idpyoidc writes the keys of its tokens into the folder where it was started.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        server = Server(OPConfiguration(configuration(issuer)))
        for entry in entries:
            add_client(server, entry)
        listener.app = Web(server).app
        end_when_told()
        print(f"ready {issuer}", flush=True)
        listener.serve_forever()


main(*sys.argv[1:])

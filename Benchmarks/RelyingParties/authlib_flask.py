"""A relying party as Authlib's documentation writes it: code flow with PKCE and nonce, and userinfo."""

import os
import secrets

from authlib.integrations.flask_client import OAuth
from flask import Flask, abort, redirect, session

ORIGIN = os.environ["ORIGIN"]

app = Flask(__name__)
app.secret_key = os.environ.setdefault("SECRET_KEY", secrets.token_hex())
oauth = OAuth(app)
oauth.register(
    "provider",
    client_id="them",
    client_secret="secret",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},
)


@app.get("/")
def index():
    return "logged in" if "sub" in session else "logged out"


@app.get("/login")
def login():
    return oauth.provider.authorize_redirect(ORIGIN + "/callback")


@app.get("/callback")
def callback():
    # Validates state, signature, nonce and claims, and throws.
    token = oauth.provider.authorize_access_token()
    userinfo = oauth.provider.userinfo(token=token)
    # OpenID Connect Core §5.3.2.
    if userinfo["sub"] != token["userinfo"]["sub"]:
        abort(401)
    session.clear()
    session["sub"] = userinfo["sub"]
    return redirect("/")

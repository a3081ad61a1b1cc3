"""A phone: its app, its browser and its user, who approves. `log_in` runs a whole login, from create to delete."""

import asyncio
import hashlib
import html
import json
import re
import secrets

from cryptography.hazmat.primitives.asymmetric import ec

from provider import base64url, sign
from wire import PATIENCE

PREFIX = "https://app.example/r/"


class Failed(Exception):
    pass


def expect(answer, *statuses):
    if answer.status not in statuses:
        raise Failed(f"{answer} instead of {statuses}")
    return answer


class Login:
    """One login of a phone. `phone` is None or the `Phone` whose session it begins."""

    def __init__(self, client, provider, name="play", app="demo", phone=None):
        self.client, self.provider, self.name, self.app, self.phone = client, provider, name, app, phone
        self.secret = secrets.token_urlsafe(32)

    async def send(self, method, path, body=None, fields=(), wait=PATIENCE):
        own = [("Authorization", f"Bearer {self.secret}"), *fields]
        if body is not None:
            own.append(("Content-Type", "application/json"))
        text = b"" if body is None else json.dumps(body).encode()
        return await self.client.send(method, path, own, text, wait)

    async def create(self):
        body = {"provider": self.name, "app": self.app, "platform": "ios", "surface": "tab", "poll_secret": self.secret}
        if self.phone:
            body["dpop_jkt"] = self.phone.thumbprint
        answer = expect(await self.client.send(
            "POST", "/v1/logins", [("Content-Type", "application/json")], json.dumps(body).encode()), 200, 201)
        self.login = json.loads(answer.body)
        self.path = f"/v1/logins/{self.login['id']}"

    async def open(self):
        """The browser opens the link. Keeps its cookie, and where the provider is."""
        url = self.login["next"]["url"]
        answer = expect(await self.client.send("GET", self.local(url)), 303)
        self.cookie = [("Cookie", answer.fields["set-cookie"].split(";")[0])]
        self.location = answer.fields["location"]

    async def come_back(self, callback):
        """The browser is sent back. Keeps the address of the done page."""
        answer = expect(await self.client.send("GET", self.local(callback), self.cookie), 303)
        self.done = answer.fields["location"]

    async def link(self):
        """The link of the done page. The code may still be on its way to the provider."""
        for _ in range(600):
            page = expect(await self.client.send("GET", self.local(self.done), self.cookie), 200).body.decode()
            if found := re.search(f'href="({re.escape(PREFIX)}[^"]+)"', page):
                return html.unescape(found[1])
            await asyncio.sleep(0.02)
        raise Failed("the done page has no link")

    async def hand_in(self, link):
        expect(await self.send("POST", f"{self.path}/return", {"url": link}), 200)

    async def result(self):
        """Polls until the login is final."""
        while True:
            answer = await self.send("GET", self.path, None, [("Prefer", "wait=25")])
            login = json.loads(expect(answer, 200).body)
            if login["final"]:
                return login

    async def delete(self):
        expect(await self.send("DELETE", self.path), 204)

    def local(self, url):
        return re.sub(r"^https?://[^/]+", "", url)


async def log_in(client, provider, **more):
    """A login that completes. Returns it."""
    login = Login(client, provider, **more)
    await login.create()
    await login.open()
    await login.come_back(provider.code(login.location))
    await login.hand_in(await login.link())
    result = await login.result()
    if result["status"] != "completed":
        raise Failed(f"the login is {result['status']}: {result.get('reason')}")
    if not login.phone:
        await login.delete()
    return login


class Phone:
    """A phone with the key of a session."""

    def __init__(self, client, provider, issuer):
        self.client, self.provider, self.issuer = client, provider, issuer
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_numbers()
        self.jwk = {"crv": "P-256", "kty": "EC", "x": base64url(point.x.to_bytes(32, "big")),
                    "y": base64url(point.y.to_bytes(32, "big"))}
        # RFC 7638: the members in the order of their names, without blanks.
        text = json.dumps(self.jwk, separators=(",", ":"))
        self.thumbprint = base64url(hashlib.sha256(text.encode()).digest())
        self.nonce = None

    def proof(self, method, path):
        claims = {"htm": method, "htu": f"{self.issuer}{path}", "jti": secrets.token_urlsafe(16), "iat": 0}
        if self.nonce:
            claims["nonce"] = self.nonce
        return ("DPoP", sign(self.key, {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk}, claims))

    async def post(self, path, fields, body, *statuses):
        """Makes the proof again if its nonce is too old."""
        for _ in range(3):
            answer = await self.client.send("POST", path, [self.proof("POST", path), *fields], body)
            self.nonce = answer.fields.get("dpop-nonce", self.nonce)
            if answer.status in statuses:
                return json.loads(answer.body)
            if b"nonce" not in answer.body:
                break
        raise Failed(f"{path}: {answer}")

    async def begin(self):
        """A login that becomes a session."""
        login = await log_in(self.client, self.provider, app="bank", phone=self)
        session = await self.post(
            "/v1/sessions", [("Authorization", f"Bearer {login.secret}"), ("Content-Type", "application/json")], b"{}",
            200, 201)
        self.token = session["refresh_token"]
        await login.delete()

    async def renew(self):
        form = f"grant_type=refresh_token&client_id=bank&refresh_token={self.token}".encode()
        await self.post("/oauth/token", [("Content-Type", "application/x-www-form-urlencoded")], form, 200)

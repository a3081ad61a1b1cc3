"""Notes what is secret in the messages between apps, browsers, phones, the provider and the servers."""

import base64
import json
import re
import urllib.parse

# Members, parameters and fields whose values an operator may see. Everything else of at least `SHORTEST` characters is
# secret.
PUBLIC = {
    # What a login, a session and its key are called.
    "id", "login", "reference", "request_id", "session", "session_id", "sid", "dpop_jkt", "jkt", "kid", "client_id",
    # What the configuration says.
    "provider", "app", "platform", "surface", "names", "logo", "issuer", "iss", "aud", "redirect_uri",
    "return_prefixes", "scope", "eid", "assurance", "country", "link_url", "token_type", "response_type",
    "response_mode", "code_challenge_method", "prompt", "request_style", "audience",
    # What happened.
    "status", "reason", "final", "version", "action", "error", "error_description", "message", "title", "detail",
    "type", "code_name", "problem", "expires_at", "created_at", "text", "hint", "instance", "documentation",
}
# A shorter text could be in a stream by chance.
SHORTEST = 12


class Secrets:
    """`kinds` has each secret, and what it is."""

    def __init__(self):
        self.kinds, self.references = {}, set()

    def add(self, kind, text):
        # `user_cancelled` is a word of the protocol, which any text may contain.
        if isinstance(text, str) and len(text) >= SHORTEST and not re.fullmatch(r"[a-z]+(_[a-z]+)+", text):
            self.kinds.setdefault(text, kind)

    def everywhere(self, kind, text):
        """A secret that lasts, also as it looks in a URL and in base64, wherever it begins there."""
        self.add(kind, text)
        self.add(kind, urllib.parse.quote(text, safe=""))
        for skipped in range(3):
            encoded = base64.b64encode(b"x" * skipped + text.encode()).decode()
            # The first characters and the last depend on what stands beside it.
            self.add(kind, encoded[4 if skipped else 0:-4].rstrip("="))

    def file(self, kind, path):
        for line in path.read_text().splitlines():
            if not line.startswith("-----") and len(line) >= 30:
                self.everywhere(kind, line)

    def value(self, value, name=""):
        """Notes the texts of a JSON value."""
        if isinstance(value, dict):
            for key, part in value.items():
                if key == "reference":
                    self.references.add(part)
                self.value(part, key)
        elif isinstance(value, list):
            for part in value:
                self.value(part, name)
        elif isinstance(value, str) and name not in PUBLIC:
            self.text(name, value)

    def text(self, name, text):
        """A URL is no secret, but what it contains is."""
        if text.startswith(("http://", "https://")):
            return self.url(text)
        self.add(name, text)
        # The parts of a JWT: its payload says who the user is.
        if text.count(".") == 2 and text.startswith("ey"):
            for part in text.split(".")[1:]:
                self.add(name, part)

    def url(self, url):
        parts = urllib.parse.urlsplit(url)
        # `/go/…` and `/done/…` end with a token, and the paths of the API with the name of a login or a session.
        if not parts.path.startswith("/v1/"):
            self.add("a token in a path", parts.path.rsplit("/", 1)[-1])
        self.form(parts.query)
        self.form(parts.fragment)

    def form(self, text):
        for name, value in urllib.parse.parse_qsl(text):
            if name not in PUBLIC:
                self.text(name, value)

    def request(self, target, fields, body):
        self.url(f"http://x{target}")
        for name, value in fields:
            if name in ("Authorization", "DPoP"):
                self.text(name, value.rsplit(" ", 1)[-1])
            elif name == "Cookie":
                self.cookie(value)
        self.body(body)

    def response(self, answer):
        self.url(answer.fields.get("location", ""))
        self.cookie(answer.fields.get("set-cookie", "").split(";")[0])
        self.add("a nonce", answer.fields.get("dpop-nonce", ""))
        self.body(answer.body)
        if answer.fields.get("content-type", "").startswith("text/html"):
            for link in re.findall(rb'(?:href|action|value)="([^"]+)"', answer.body):
                self.page_value(link.decode())

    def page_value(self, text):
        if "/assets/" not in text:
            self.url(text) if "/" in text else self.add("a value of a form", text)

    def cookie(self, text):
        self.add("a cookie", text.partition("=")[2])

    def body(self, body):
        text = body.decode(errors="replace")
        try:
            self.value(json.loads(text))
        except ValueError:
            if re.fullmatch(r"[a-z_]+=\S*", text):
                self.form(text)

"""Responses of later versions, and those of today that a sandbox does not show. A client must read each of them."""

import copy

from document import Response, schema_called

BROWSER = {"action": "open_browser", "url": "https://login.example.com/go/x", "expires_in": 600, "surfaces": ["tab"],
           "callback": None, "callback_scheme": None, "ephemeral": False, "android_packages": []}
APP = {"action": "open_app", "universal_link": "https://x.example/", "custom_scheme": None, "android_package": None,
       "store_url": None, "fallback": None, "expires_in": 1}
PENDING = {"id": "q83vEjRWeJASNFZ4kBI0Vg", "status": "pending", "final": False, "version": 1, "app": "shop",
           "provider": "mitid", "reference": "K7QX-2M4P", "expires_at": "2026-03-01T12:10:00Z", "expires_in": 600,
           "return_prefixes": [], "poll": {"wait": 25, "interval": 2, "after_ms": 0}, "next": BROWSER}
ENDED = {name: PENDING[name] for name in PENDING if name not in ("poll", "next")} | {
    "status": "failed", "final": True, "reason": {"code": "broker_error", "retryable": True}}
IDENTITY = {"subject": "s", "provider": "mitid", "eid": "mitid", "country": "DK", "assurance": "high", "acr": None,
            "authenticated_at": None, "name": None, "given_name": None, "family_name": None, "birth_date": None,
            "claims": {}}
COMPLETED = {name: ENDED[name] for name in ENDED if name != "reason"} | {
    "status": "completed", "identity": IDENTITY, "proof": "page_link"}
OVER = ("failed", "cancelled", "expired")
PROVIDER = {"id": "x", "kind": "oidc", "name": "X", "names": {"da": "X"}, "countries": [], "logo": None,
            "enabled": True, "notices": {}, "platforms": ["ios"], "web_os": None, "surfaces": ["tab"], "eid": "x",
            "eid_app": {"android_packages": [], "android_queries": [], "android_store_url": None,
                        "ios_probe_links": [], "ios_query_schemes": [], "ios_store_url": None}}
TOKENS = {"session_id": "AAAAAAAAAAAAAAAAAAAAAA", "token_type": "DPoP", "access_token": "a.b.c", "expires_in": 300}
SESSION = {"id": "AAAAAAAAAAAAAAAAAAAAAA", "platform": None, "provider": "x", "created_at": "2026-03-01T12:10:00Z",
           "used_at": None, "ends_at": "2026-03-01T12:10:00Z", "ends_in": 1, "pin": False, "current": True}
PROBLEM = {"type": "https://login.example.com/problems/x", "title": "x", "status": 429,
           "code": "too_many_logins", "detail": "x", "request_id": "r"}


def changed(answer, **changes):
    """Returns a copy with members set: `next__action` is the member `action` of the member `next`."""
    answer = copy.deepcopy(answer)
    for path, value in changes.items():
        *outer, name = path.split("__")
        inner = answer
        for one in outer:
            inner = inner[one]
        inner[name] = value
    return answer


# Name, schema and body.
LATER = [
    ("a status", "Login", changed(PENDING, status="parked")),
    ("a final status", "Login", changed(ENDED, status="revoked")),
    ("an action with members", "Login", changed(PENDING, next={"action": "scan_code", "image": "x", "size": [1, 2]})),
    ("an action without members", "Login", changed(PENDING, next={"action": "rest"})),
    ("an action with some members of today", "Login", changed(PENDING, next={"action": "print", "url": "x"})),
    ("more members of an action", "Login", changed(PENDING, next__haptics=True, next__colour={"red": 1})),
    ("another surface", "Login", changed(PENDING, next__surfaces=["hologram", "tab"])),
    ("a reason", "Login", changed(ENDED, reason={"code": "moon_phase", "retryable": False, "until": 5})),
    ("a hint", "Login", changed(PENDING, hint="user_sleeps")),
    ("a proof", "Login", changed(COMPLETED, proof="heartbeat")),
    ("a level", "Login", changed(COMPLETED, identity__assurance="very_high")),
    ("members everywhere", "Login",
     changed(COMPLETED, more={"a": 1}, identity__age=7, identity__claims={"a": [1, {"b": None}]},
             ignored_members=["x"])),
    ("members of poll", "Login", changed(PENDING, poll__jitter_ms=5)),
    ("a code of a problem", "Problem", changed(PROBLEM, code="too_sunny")),
    ("members of a problem", "Problem", changed(PROBLEM, instance="/x", hints=[1])),
    ("a status of a problem", "Problem", changed(PROBLEM, status=418, code="teapot")),
    ("a reason of a problem", "Problem", changed(PROBLEM, code="attestation_invalid", reason="phone_too_old")),
    ("a kind of provider", "Providers", {"providers": [changed(PROVIDER, kind="wallet", colour="blue")], "more": 1}),
    ("a platform and a surface of a provider", "Providers",
     {"providers": [changed(PROVIDER, platforms=["ios", "watch"], web_os=["harmony"], surfaces=["hologram"])]}),
    ("a type of token", "SessionTokens", changed(TOKENS, token_type="HTTPSig", more=[1])),
    ("an error of OAuth", "OAuthError", {"error": "too_sunny", "error_description": "x", "error_uri": "x"}),
    ("a platform of a session", "Sessions",
     {"sessions": [changed(SESSION, platform="watch", colour="blue")], "more": 1}),
    ("members of ended sessions", "EndedSessions", {"ended": 2, "more": [1]}),
    ("a type of key", "KeySet", {"keys": [{"kty": "LATER", "x": "y"}], "more": 1}),
]

# The members of each action: the browser's, the app's, or none.
ACTIONS = {"open_app": APP, "wait": {}}


def later():
    return [Response(name, schema, body) for name, schema, body in LATER]


def today():
    """Returns a login of each status and each action that openapi-app.yaml has, as a sandbox sends them or not."""
    for status in schema_called("Status")["x-extensible-enum"]:
        login = {"completed": COMPLETED}.get(status, ENDED if status in OVER else PENDING)
        yield Response(f"the status {status}", "Login", changed(login, status=status))
    for action in schema_called("Next")["properties"]["action"]["x-extensible-enum"]:
        yield Response(f"the action {action}", "Login",
                       changed(PENDING, next={**ACTIONS.get(action, BROWSER), "action": action}))

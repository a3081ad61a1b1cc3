"""Responses of later versions. A client generated today must read each of them."""

import copy
import json

import httpx

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
PROBLEM = {"type": "https://login.example.com/problems/x", "title": "x", "status": 429, "code": "too_many_logins", "detail": "x", "request_id": "r"}


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


# Name, HTTP status, body, and what the client must read in it.
ANSWERS = [
    ("today's pending login", 200, PENDING, lambda it: (it.status, it.next_.action) == ("pending", "open_browser")),
    ("today's completed login", 200, COMPLETED, lambda it: it.identity.assurance == "high"),
    ("today's failed login", 200, ENDED, lambda it: it.reason.retryable),
    ("a status", 200, changed(PENDING, status="parked"), lambda it: (it.status, it.final) == ("parked", False)),
    ("a final status", 200, changed(ENDED, status="revoked"), lambda it: (it.status, it.final) == ("revoked", True)),
    ("an action with members", 200, changed(PENDING, next={"action": "scan_code", "image": "x", "size": [1, 2]}),
     lambda it: it.next_.action == "scan_code" and it.next_["size"] == [1, 2]),
    ("an action without members", 200, changed(PENDING, next={"action": "rest"}), lambda it: it.next_.action == "rest"),
    ("more members of an action", 200, changed(PENDING, next__haptics=True),
     lambda it: it.next_.url == BROWSER["url"] and it.next_["haptics"] is True),
    ("another surface", 200, changed(PENDING, next__surfaces=["hologram", "tab"]),
     lambda it: it.next_.surfaces == ["hologram", "tab"]),
    ("a reason", 200, changed(ENDED, reason={"code": "moon_phase", "retryable": False, "until": 5}),
     lambda it: (it.reason.code, it.reason.retryable) == ("moon_phase", False)),
    ("a hint", 200, changed(PENDING, hint="user_sleeps"), lambda it: it.hint == "user_sleeps"),
    ("a proof", 200, changed(COMPLETED, proof="heartbeat"), lambda it: it.proof == "heartbeat"),
    ("a level", 200, changed(COMPLETED, identity__assurance="very_high"),
     lambda it: it.identity.assurance == "very_high"),
    ("members everywhere", 200,
     changed(COMPLETED, more={"a": 1}, identity__age=7, ignored_members=["x"]), lambda it: it["more"] == {"a": 1}),
    ("members of poll", 200, changed(PENDING, poll__jitter_ms=5), lambda it: it.poll.interval == 2),
    ("a code of a problem", 429, changed(PROBLEM, code="too_sunny"), lambda it: it.code == "too_sunny"),
    ("members of a problem", 429, changed(PROBLEM, instance="/x", hints=[1]), lambda it: it.status == 429),
]


def check():
    """Yields each case with its error or None."""
    from generated import AuthenticatedClient
    from generated.api.app import poll_login

    for name, status, body, is_read in ANSWERS:
        def answer(request, status=status, body=body):
            kind = "application/json" if status < 400 else "application/problem+json"
            return httpx.Response(status, headers={"Content-Type": kind}, content=json.dumps(body))

        client = AuthenticatedClient(
            base_url="http://127.0.0.1:1", token="x", raise_on_unexpected_status=True,
            httpx_args={"transport": httpx.MockTransport(answer)})
        try:
            read = poll_login.sync(PENDING["id"], client=client)
            problem = None if is_read(read) else f"reads {read}"
        except Exception as error:  # A generated client may throw anything at an app.
            problem = f"{type(error).__name__}: {error}"
        yield f"from the future: {name}", problem


def check_actions():
    """Checks that every member of every action is read, and that no other one is there."""
    from generated import models
    from generated.types import UNSET

    browser_actions = ["open_browser", "resume_browser", "show_browser", "enter_code"]
    rows = [*({**BROWSER, "action": action} for action in browser_actions), APP, {"action": "wait"}]
    for sent in rows:
        read = models.Login.from_dict(changed(PENDING, next=sent)).next_
        names = [name for name in {**BROWSER, **APP} if getattr(read, name) is not UNSET]
        found = {name: getattr(read, name) for name in names}
        yield f"next: {sent['action']}", None if found == sent else f"is {found}"

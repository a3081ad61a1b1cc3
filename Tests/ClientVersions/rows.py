"""Ten logins, as an app and its user play them. Each is a function of a phone and a sandbox, and raises RowError."""

import html
import re
import time

from phone import PATIENCE
from program import RowError
from sandbox_user import SandboxUser

PROVIDER = "sandbox"
PERSON = "freja"
WRONG_CODE = "000000"
# The statuses that the library must be able to live with.
ANSWERED = {200, 201, 204, 304}
SEEN = ("show_browser", "enter_code")


def need(holds, what):
    if not holds:
        raise RowError(what)


def begin(phone, app="demo"):
    """Starts a login, and opens what the app has to open."""
    phone.order("start", provider=PROVIDER, app=app)
    user = SandboxUser()
    user.open(phone.hear_action("open_browser")["url"])
    return user


def button(user, sandbox):
    """The link of the done page's button, which opens the app."""
    links = re.findall(r'href="([^"]+)"', user.page)
    found = [link for link in map(html.unescape, links) if link.startswith(sandbox.links)]
    need(found, f"the done page has no link to the app:\n{user.page}")
    return found[0]


def finish(phone, user, sandbox):
    """Approves, and returns to the app with the button's link. The app gets the result, and acknowledges it."""
    user.decide()
    phone.order("link", text=button(user, sandbox))
    return take_result(phone)


def take_result(phone):
    result = phone.hear_status("completed")
    need(result["kind"] == "finished" and result["isFinal"], f"completed is no end: {result}")
    need(result["hasAssertion"] and result.get("subject"), f"the result has no identity or no assertion: {result}")
    phone.order("acknowledge")
    forgotten(phone)
    return result


def forgotten(phone):
    """The server has deleted the login, and the phone has forgotten it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        files = [file for file in (phone.files / "logins").glob("*") if file.is_file()]
        if not files and any(call == "acknowledge" for call, *_ in phone.sent):
            return
        time.sleep(0.05)
    raise RowError("the login stays on the phone after it was acknowledged")


def answered(phone, *others):
    """The server has refused nothing, except what the row names."""
    refused = {(call, status) for call, status, *_ in phone.sent if status not in ANSWERED} - set(others)
    need(not refused, f"the server refused {refused}")


def by_link(phone, sandbox):
    user = begin(phone)
    finish(phone, user, sandbox)
    answered(phone)


def by_code(phone, sandbox):
    user = begin(phone)
    user.decide()
    phone.hear_action(*SEEN)
    phone.order("code", text=user.code)
    take_result(phone)
    answered(phone)


def wrong_code(phone, sandbox):
    user = begin(phone)
    user.decide()
    phone.hear_action(*SEEN)
    phone.order("code", text=WRONG_CODE)
    wrong = phone.hear_kind("wrong_code")
    need(wrong.get("triesLeft", 0) > 0, f"no try is left after one wrong code: {wrong}")
    phone.order("code", text=user.code)
    take_result(phone)
    need([status for call, status, *_ in phone.sent if call == "return"][-1] == 200, "the right code was refused")


def cancelled_by_app(phone, sandbox):
    begin(phone)
    phone.order("cancel")
    result = phone.hear_status("cancelled")
    need(result.get("reason") == "app_cancelled", f"not cancelled by the app: {result}")
    phone.order("acknowledge")
    forgotten(phone)
    answered(phone)


def refused_by_user(phone, sandbox):
    user = begin(phone)
    user.decide("cancel")
    result = phone.hear_status("cancelled")
    need(result.get("reason") == "user_cancelled", f"not refused by the user: {result}")
    phone.order("acknowledge")
    forgotten(phone)
    answered(phone)


def killed(phone, sandbox):
    user = begin(phone)
    phone.kill()
    phone.begin()
    user.decide()
    phone.order("resume")
    phone.hear_action(*SEEN)
    phone.order("link", text=button(user, sandbox))
    take_result(phone)
    need(sum(call == "create" for call, *_ in phone.sent) == 1, "the app created another login after the kill")
    answered(phone)


def lost_response(phone, sandbox):
    phone.losing.append("create")
    user = begin(phone)
    need(not phone.losing, "no response was lost")
    phone.losing.append("return")
    finish(phone, user, sandbox)
    calls = [call for call, *_ in phone.sent]
    need(calls.count("create") == 2, f"the create was not repeated: {calls}")
    answered(phone)


def unknown_provider(phone, sandbox):
    phone.order("start", provider="nobody", app="demo")
    failed = phone.hear_kind("failed")
    need(failed["isFinal"] and "unknown_provider" in failed.get("error", ""), f"not refused as unknown: {failed}")
    answered(phone, ("create", 422), ("create", 400), ("create", 404))


def session(phone, sandbox):
    user = begin(phone, app="bank")
    user.decide()
    phone.order("link", text=button(user, sandbox))
    phone.hear_status("completed")
    phone.order("begin")
    forgotten(phone)
    phone.order("token")
    token = phone.hear_kind("token")["token"]
    need(token.count(".") == 2, "the access token is no JWT")
    # The next process has the session and its key.
    phone.kill()
    phone.begin()
    phone.order("token")
    phone.hear_kind("token")
    renewed = [status for call, status, *_ in phone.sent if call == "token"]
    # A new process has no nonce of the server, and gets one with the first refusal (RFC 9449 §8).
    need(renewed in ([200], [400, 200]), f"no access token was renewed: {renewed}")
    answered(phone, ("token", 400))


def held_poll(phone, sandbox):
    user = begin(phone)
    end = time.monotonic() + PATIENCE
    # The phone's own first polls may still be short.
    while time.monotonic() < end and not (phone.polling_since and time.monotonic() - phone.polling_since > 1.5):
        time.sleep(0.05)
    user.decide()
    phone.hear_action(*SEEN)
    held = [took for call, status, took, wait in phone.sent if call == "poll" and wait and status == 200]
    need(held and max(held) > 1, f"no poll was held until the login changed: {phone.sent}")
    phone.order("link", text=button(user, sandbox))
    take_result(phone)
    answered(phone)


ROWS = {
    "a login completes with the link of the page": by_link,
    "a login completes with the code of the page": by_code,
    "a wrong code costs a try, and the right one completes": wrong_code,
    "the app cancels": cancelled_by_app,
    "the user refuses": refused_by_user,
    "a killed app resumes its login": killed,
    "lost responses cost nothing": lost_response,
    "an unknown provider is refused": unknown_provider,
    "a login becomes a session with access tokens": session,
    "a poll is held until the login changes": held_poll,
}

"""The kinds of logins, of their mistakes, and of sessions. Each raises an error if something else happens than it says."""

import json
import re
import secrets
import urllib.parse

import phone as phones
from phone import Failed, Login, expect

TRACE = ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")


async def completes(stage):
    await phones.log_in(stage.client, stage.provider)


async def completes_with_a_code(stage):
    """A wrong code comes first."""
    login = await begun(stage)
    await login.come_back(stage.provider.code(login.location))
    await login.link()
    page = expect(await stage.client.send("GET", login.local(login.done), login.cookie), 200).body.decode()
    code = "".join(re.search(r'<p class="code"[^>]*><span>(\d{3})</span><wbr><span>(\d{3})</span>', page).groups())
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    if (await login.send("POST", f"{login.path}/return", {"code": wrong})).status == 200:
        raise Failed("a wrong code is taken")
    expect(await login.send("POST", f"{login.path}/return", {"code": code}), 200)
    await ends(login, "completed")


async def is_cancelled(stage):
    login = await begun(stage)
    expect(await login.send("POST", f"{login.path}/cancel", {}, [TRACE]), 200)
    await ends(login, "cancelled")


async def is_refused_by_the_broker(stage):
    login = await begun(stage)
    await login.come_back(stage.provider.error(login.location, "access_denied"))
    await ends(login, "cancelled", "failed")


async def has_a_code_that_the_broker_does_not_know(stage):
    login = await begun(stage)
    callback = stage.provider.code(login.location)
    # Its own only: the other logins go on beside it.
    del stage.provider.codes[code_in(callback)]
    await login.come_back(callback)
    await ends(login, "failed")


async def has_another_nonce(stage):
    login = await begun(stage)
    callback = stage.provider.code(login.location)
    stage.provider.codes[code_in(callback)] = secrets.token_urlsafe(16)
    await login.come_back(callback)
    await ends(login, "failed")


async def comes_back_with_a_wrong_state(stage):
    login = await begun(stage)
    state = secrets.token_urlsafe(32)
    callback = f"/callback/main?code={secrets.token_urlsafe(24)}&state={state}"
    await refused(stage, callback, login.cookie)
    await completes_now(login)


async def is_guessed(stage):
    """Somebody else asks for it, and hands in links."""
    login = await begun(stage)
    thief = [("Authorization", f"Bearer {secrets.token_urlsafe(32)}"), ("Content-Type", "application/json")]
    expect(await stage.client.send("GET", login.path, thief), 401, 404)
    link = json.dumps({"url": f"{phones.PREFIX}?proof={secrets.token_urlsafe(32)}"}).encode()
    expect(await stage.client.send("POST", f"{login.path}/return", thief, link), 401, 404)
    await login.send("POST", f"{login.path}/return", {"url": f"{phones.PREFIX}#proof={secrets.token_urlsafe(32)}"})
    await completes_now(login)


async def sends_what_is_no_request(stage):
    """The secret is where it does not belong."""
    secret = secrets.token_urlsafe(32)
    content = ("Content-Type", "application/json")
    for body in (f'{{"provider": "play", "poll_secret": "{secret}"', f'{{"provider": "{secret}", "poll_secret": 1}}',
                 f'"{secret}"', f'{{"provider": "play", "poll_secret": "{secret}", "app": "nobody"}}'):
        stage.seen.add("poll_secret", secret)
        expect(await stage.client.send("POST", "/v1/logins", [content], body.encode()), 400, 404, 415, 422)
    for target in (f"/callback/main?state={secret}&error={secrets.token_urlsafe(24)}", f"/go/{secret}", f"/done/{secret}",
                   f"/nowhere/{secret}", f"/v1/providers?poll_secret={secret}"):
        await refused(stage, target)
    form = f"grant_type=refresh_token&client_id=bank&refresh_token={secret}".encode()
    expect(await stage.client.send("POST", "/oauth/token", [("Content-Type", "application/x-www-form-urlencoded")], form),
           400, 401)


async def begins_a_session(stage):
    phone = phones.Phone(stage.client, stage.provider, stage.issuer)
    await phone.begin()
    await phone.renew()


def code_in(callback):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(callback).query)["code"][0]


async def refused(stage, target, fields=()):
    """A browser gets a page that says no, perhaps at another address."""
    answer = await stage.client.send("GET", target, fields)
    if answer.status == 303:
        answer = await stage.client.send("GET", re.sub(r"^https?://[^/]+", "", answer.fields["location"]), fields)
    expect(answer, 200, 400, 403, 404, 410)


async def begun(stage):
    login = Login(stage.client, stage.provider)
    await login.create()
    await login.open()
    return login


async def completes_now(login):
    await login.come_back(login.provider.code(login.location))
    await login.hand_in(await login.link())
    await ends(login, "completed")


async def ends(login, *statuses):
    result = await login.result()
    if result["status"] not in statuses:
        raise Failed(f"the login is {result['status']}: {result.get('reason')}")
    await login.delete()


KINDS = [completes, is_cancelled, has_another_nonce, begins_a_session, is_guessed, is_refused_by_the_broker,
         completes_with_a_code, comes_back_with_a_wrong_state, has_a_code_that_the_broker_does_not_know,
         sends_what_is_no_request]

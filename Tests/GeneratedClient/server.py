"""The generated client and a running sandbox: the calls of an app, in their order."""

import base64
import os


def check(url):
    from generated import AuthenticatedClient, Client
    from generated.api.app import cancel_login, create_login, delete_login, list_providers, poll_login, return_to_app
    from generated.models import Login, NewLogin, Next, Platform, Problem, Return
    from generated.types import UNSET

    open_client = Client(base_url=url, raise_on_unexpected_status=True)
    listed = list_providers.sync(client=open_client, app="demo")
    yield "the providers of an app", None if "sandbox" in [one.id for one in listed.providers] else f"{listed}"

    secret = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
    body = NewLogin(provider="sandbox", app="demo", platform=Platform.IOS, poll_secret=secret)
    body["haptics"] = "strong"
    login = create_login.sync(client=open_client, body=body)
    read = isinstance(login, Login) and isinstance(login.next_, Next) and login.poll_secret is UNSET
    yield "a create", None if read and login.ignored_members == ["haptics"] else f"{login}"

    strict = create_login.sync(client=open_client, body=body, prefer="handling=strict")
    refused = isinstance(strict, Problem) and (strict.code, strict.member) == ("unknown_member", "haptics")
    yield "a strict create", None if refused else f"{strict}"

    client = AuthenticatedClient(base_url=url, token=secret, raise_on_unexpected_status=True)
    polled = poll_login.sync(login.id, client=client)
    yield "a poll", None if polled.status == "pending" and not polled.final else f"{polled}"
    same = poll_login.sync_detailed(login.id, client=client, if_none_match=f'W/"{polled.version}"')
    yield "a poll with a validator", None if same.status_code == 304 else f"{same}"
    back = return_to_app.sync(login.id, client=client, body=Return(url=None))
    yield "a return without a link", None if back.next_.action == "open_browser" else f"{back}"
    early = delete_login.sync(login.id, client=client)
    yield "a delete that is too early", None if early.code == "not_final" else f"{early}"
    ended = cancel_login.sync(login.id, client=client)
    is_over = ended.final and ended.status == "cancelled" and ended.reason.code == "app_cancelled"
    yield "a cancel", None if is_over and ended.next_ is UNSET else f"{ended}"
    deleted = delete_login.sync_detailed(login.id, client=client)
    yield "a delete", None if deleted.status_code == 204 else f"{deleted}"
    gone = poll_login.sync(login.id, client=client)
    yield "a login that is gone", None if gone.code == "gone" else f"{gone}"
    other = AuthenticatedClient(base_url=url, token="A" * 43, raise_on_unexpected_status=True)
    unknown = poll_login.sync(login.id, client=other)
    yield "another's login", None if unknown.code == "unknown_login" else f"{unknown}"

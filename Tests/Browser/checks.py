"""The checks, in the order in which they run: a name, and what a user does and sees."""

import random
import re

from playwright.sync_api import Error as BrowserError

import app
from break_it import CHECKS as BREAKS
from done_page import (
    TEXTS, check_axe, check_done, check_large_text, check_looks, check_neutral, check_page, check_page_now)
from first_minute import CHECKS as FIRST_MINUTE
from open_page import BOTH_WAYS as OPEN_PAGES
from open_page import ONCE as OPEN_PAGE_ONCE
from open_page import refresh_of
from pasted import CHECKS as PASTED
from session_page import CHECKS as SESSIONS
from visit import (
    NOT_FOUND, Visit, Wrong, demand, demand_on, go_back, leave, load_again, log_in_at_the_desk, open_over_reloads,
    open_tab, until)
from workbench import CHECKS as WORKBENCH
from web_page import (
    a_listed_page_gets_its_user_back, a_listed_page_runs_a_login, another_page_reads_nothing,
    nothing_but_the_api_is_read)

BAD_NONCE = "oidcc-client-test-nonce-invalid"


def expect(login, status, reason=None, name=None):
    result = login.result()
    found = (result["status"], result.get("reason", {}).get("code"), (result.get("identity") or {}).get("name"))
    demand(found[0] == status, f"the app gets {found}")
    demand(reason is None or found[1] == reason, f"the app gets {found}")
    demand(name is None or found[2] == name, f"the app gets {found}")


# Each way to the end, always with and without script.


def completes(stage, script, provider, person="soren", name="Søren Ærøskov"):
    login = app.Login(stage.sandbox, provider)
    with Visit(stage, script) as visit:
        page = visit.walk(login, person=person)
        check_done(page, login, "completed")
        expect(login, "completed", name=name)


def completes_by_query(stage, script):
    completes(stage, script, stage.by_query)


# Sources: K11.
def completes_by_form_post(stage, script):
    completes(stage, script, stage.by_form_post, "aino", "Aino Järvenpolku")


def completes_in_danish_of_the_browser(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script, language="da-DK") as visit:
        check_done(visit.walk(login), login, "completed", "da")


def completes_in_danish_of_the_app(stage, script):
    login = app.Login(stage.sandbox, stage.by_query, locale="da")
    with Visit(stage, script, language="fr-FR") as visit:
        page = visit.open(login.url)
        demand(page.locator("dd", has_text="da").count() > 0, "the provider was not asked for Danish")
        visit.decide(page)
        check_done(page, login, "completed", "da")


def is_cancelled_by_the_person(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        check_done(visit.walk(login, decision="Cancel"), login, "cancelled")
        expect(login, "cancelled", "user_cancelled")


def is_cancelled_by_the_app(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        page = visit.open(login.url)
        login.cancel()
        visit.decide(page)
        check_done(page, login, "cancelled")
        expect(login, "cancelled", "app_cancelled")


def fails(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        check_done(visit.walk(login, fault=BAD_NONCE), login, "failed")
        expect(login, "failed", "invalid_token")


def goes_back_to_the_app(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        page = visit.walk(login)
        leave(page)
        page.wait_for_url(login.link + "*")
        demand_on(page.get_by_text(login.link[len(stage.sandbox.links):]), "another link was opened")
        demand(page.evaluate("document.referrer") == "", "the app's link got a referrer")


# Pages without a login.


def unknown_pages_are_neutral(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script, expected=[NOT_FOUND]) as visit:
        token = visit.walk(login).url.rsplit("/", 1)[1]
        forged = token[:30] + ("A" if token[30] != "A" else "B") + token[31:]
        start = login.url.rsplit("/", 1)[1]
        for path in ("/done/unknown", f"/done/{forged}", f"/done/{start}", "/go/unknown", f"/go/{token}"):
            check_neutral(visit.open(stage.sandbox.public + path))


def a_callback_from_nowhere_is_neutral(stage, script):
    with Visit(stage, script, expected=[NOT_FOUND]) as visit:
        page = visit.open(f"{stage.sandbox.public}/callback/{stage.by_query}?code=x&state=y")
        check_neutral(page)
        demand("?" not in page.url, "the code stays in the URL")


def an_ended_login_opens_its_end(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        visit.walk(login)
        expect(login, "completed")
        check_done(visit.open(login.url), login, "completed")


def a_deleted_login_is_with_its_app(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        page = visit.walk(login)
        expect(login, "completed")
        login.delete()
        for again in (load_again, lambda one: open_over_reloads(one, login.url)):
            again(page)
            check_done(page, login, "acknowledged")
            says = "Sandbox kiosk knows that you are logged in."
            demand(says in page.content(), "it does not say who knows of the login")


# Several windows, tabs or copies.


def two_tabs_of_one_login(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        first, second = visit.open(login.url), visit.open(login.url)
        visit.decide(first, person="elin")
        visit.decide(second, person="hakon")
        check_done(first, login, "completed")
        check_neutral(second, "continued_elsewhere")
        expect(login, "completed", name="Elin Nordstråle")


def two_logins_in_one_browser(stage, script):
    one, other = app.Login(stage.sandbox, stage.by_query), app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        first, second = visit.open(one.url), visit.open(other.url)
        visit.decide(second, person="hakon")
        visit.decide(first, person="elin")
        check_done(first, one, "completed")
        check_done(second, other, "completed")
        expect(one, "completed", name="Elin Nordstråle")
        expect(other, "completed", name="Håkon Bjørnefjell")


def back_and_again(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script) as visit:
        page = visit.walk(login, person="elin")
        page.go_back()
        visit.decide(page, person="hakon")
        check_neutral(page, "continued_elsewhere")
        expect(login, "completed", name="Elin Nordstråle")


def the_same_answer_twice(stage, script):
    """The first copy goes to a frame, where our pages refuse to be shown."""
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script, expected=[r"frame-ancestors"]) as visit:
        check_done(visit.walk(login, fault="answered-twice"), login, "completed")
        expect(login, "completed")


# The look of the page, and how it refreshes.


def a_busy_page_tries_again(stage, script):
    """A login that is opened over and over gets the page that says how long to wait. The user presses nothing."""
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, script, expected=[r"status of 429"]) as visit:
        # The page goes on when somebody has looked at it.
        held = None
        visit.context.route(login.url, lambda route: route.continue_() if held is None else held.append(route))
        page = visit.open(login.url)
        for _ in range(200):
            answer = open_over_reloads(page, login.url)
            if answer.status == 429:
                break
        held = []
        demand(answer.status == 429, "no budget of the login is used up")
        check_page(page, "busy")
        seconds = int(answer.headers.get("refresh", 0))
        demand(seconds >= int(answer.headers["retry-after"]), f"it tries again after {seconds} s, which is too early")
        demand_on(page.get_by_text(f"by itself in about {seconds} seconds"), "the page does not say when")
        questions, held = held, None
        for route in questions:
            route.continue_()
        page.get_by_role("button", name="Approve").wait_for()
        visit.decide(page)
        check_done(page, login, "completed")


# Sources: D36.
def changes_by_itself(stage, script):
    """The user's browser runs no script. A second browser opens the same page meanwhile."""
    for _ in range(5):
        login = app.Login(stage.sandbox, stage.by_query)
        if change_by_itself(stage, login):
            return
    demand(False, "the exchange is over before anyone can look at the page")


def change_by_itself(stage, login):
    """Returns false if this machine was too busy: the server waits ten seconds for the broker, and not for us."""
    with Visit(stage, script=False) as visit, Visit(stage) as looker:
        # The second page is told of the change when somebody has looked at it.
        held = []
        looker.context.route("**/state", lambda route: held.append(route) if held is not None else route.continue_())
        page = visit.walk(login, fault="token-slow")
        try:
            check_page_now(page, "completing")
            demand(refresh_of(page) == 5, "a page that may change does not reload")
            watched = looker.open(page.url)
            check_page_now(watched, "completing")
        except (Wrong, BrowserError):
            # The page may also have been loading itself again.
            if login.result()["final"]:
                return False
            raise
        check_looks(watched, "completing", stage.shots)
        check_page(watched, "completing")
        questions, held = held, None
        for route in questions:
            route.continue_()
        page.locator("main.bad").wait_for()
        check_done(page, login, "failed")
        demand(refresh_of(page) is None, "a page that will not change reloads")
        watched.locator("main.bad").wait_for()
        check_page(watched, "failed")
        expect(login, "failed", "broker_unavailable")
        return True


def looks(kind, **choice):
    def check(stage, script):
        login = app.Login(stage.sandbox, stage.by_query)
        with Visit(stage) as visit:
            page = visit.walk(login, **choice)
            check_page(page, kind)
            check_looks(page, kind, stage.shots)

    return check


def looks_in_danish(stage, script):
    login = app.Login(stage.sandbox, stage.by_query, locale="da")
    with Visit(stage) as visit:
        page = visit.walk(login, fault=BAD_NONCE)
        check_page(page, "failed", "da")
        check_looks(page, "failed-da", stage.shots)


def looks_neutral(stage, script):
    with Visit(stage, expected=[NOT_FOUND]) as visit:
        check_looks(visit.open(stage.sandbox.public + "/done/unknown"), "neutral", stage.shots)


def fits_in_every_language(stage, script):
    """The pages of no login in every language, and two of a login in those with the longest words."""
    for language in sorted(TEXTS):
        with Visit(stage, language=language, expected=[NOT_FOUND, "status of 409"]) as visit:
            for path in ("done/unknown", "done/elsewhere", "done/continued", "r/x"):
                page = visit.open(f"{stage.sandbox.public}/{path}")
                demand(page.locator("html").get_attribute("lang") == language, f"{path} is not in {language}")
                check_large_text(page, f"{language}, {path}", name="Sandkasseapp")
    for language in ("da", "de", "fi", "kl"):
        for kind, choice in (("awaiting_return", {}), ("failed", {"fault": BAD_NONCE})):
            login = app.Login(stage.sandbox, stage.by_query, app="demo", locale=language)
            with Visit(stage) as visit:
                page = visit.walk(login, **choice)
                page.locator("main.step, main.bad").wait_for()
                check_page(page, kind, language)
                for fold in page.locator("summary").all():
                    fold.click()
                check_large_text(page, f"{language}, {kind}", name="Sandkasseapp")
                if stage.shots:
                    page.screenshot(path=stage.shots / f"large-{kind}-{language}.png", full_page=True)


def looks_of_a_return_link(stage, script):
    """A link to the app, opened in a browser: the page is always the same."""
    with Visit(stage) as visit:
        page = visit.open(stage.sandbox.public + "/r/x?login=brought&proof=brought")
        title = TEXTS["en"]["link_title"].replace("{app}", "Sandbox app")
        demand(page.locator("h1").inner_text() == title, "the heading differs from the title")
        demand("brought" not in page.content(), "the page shows the link's parameters")
        check_looks(page, "return-link", stage.shots)


def looks_of_the_sandbox(stage, script):
    login = app.Login(stage.sandbox, stage.by_query)
    with Visit(stage, expected=[r"status of 400"]) as visit:
        page = visit.open(login.url)
        check_looks(page, "sandbox", stage.shots)
        for fold in page.locator("summary").all():
            fold.click()
        check_looks(page, "sandbox-unfolded", stage.shots)
        check_looks(visit.open(stage.sandbox.provider + "/authorize"), "sandbox-refused", stage.shots)
        check_looks(visit.open(login.link + "?x=1"), "sandbox-link", stage.shots)


# The sandbox's phone, by pressing buttons only.


# Who logs in by pressing Approve. DigiD returns a number and no name.
PERSONS = {
    "se_bankid": "Elin Nordstråle", "se_bankid_app": "Elin Nordstråle", "se_bankid_headless": "Elin Nordstråle",
    "vipps": "Håkon Bjørnefjell", "vipps_app": "Håkon Bjørnefjell", "vipps_remembered": "Håkon Bjørnefjell",
    "digid": "sandbox-nl-sanne"}


def every_button_of_the_phone(stage, _):
    """Each provider to the end, without script."""
    usual = app.providers(stage.sandbox)
    for provider, name in app.providers(stage.sandbox, of="kiosk").items():
        with Visit(stage, script=False) as visit:
            page = visit.open(stage.sandbox.links + "/")
            page.locator("select[name=app]").select_option("demo" if provider in usual else "kiosk")
            page.locator(f"button[value={provider}]").click()
            tab = open_tab(visit, page.get_by_role("link", name="Open the"))
            load_again(tab)
            posts = visit.posts(tab)
            tab.get_by_role("button", name="Approve").click()
            if posts:
                tab.get_by_role("button", name="Continue").click()
            tab.wait_for_url(re.compile("/(done|login|bankid)/"))
            if "/done/" in tab.url:
                tab.get_by_role("heading", name="One step left").wait_for()
                leave(tab)
            page.get_by_role("heading", name=f"{name}: completed").wait_for()
            person = PERSONS.get(provider, "Freja Lindegaard")
            demand_on(page.get_by_text(person), f"{provider}: {person} is not logged in")


def looks_of_the_e_ids(stage, script):
    """Each e-ID has a look and users of its own."""
    looks = set()
    for provider in ("sandbox", "mitid", "se_bankid", "vipps", "digid"):
        with Visit(stage) as visit:
            page = visit.open(stage.sandbox.links + "/")
            page.locator(f"button[value={provider}]").click()
            tab = open_tab(visit, page.get_by_role("link", name="Open the"))
            tab.get_by_role("button", name="Approve").wait_for()
            check_looks(tab, f"e-id-{provider}", stage.shots)
            style = "getComputedStyle(document.querySelector('%s')).%s"
            looks.add(tuple(tab.evaluate(style % one) for one in (
                (".sign", "backgroundColor"), (".sign", "borderRadius"), (".sign", "clipPath"), (".sign", "width"))))
    demand(len(looks) == 5, "two e-IDs look the same")


def the_code_of_the_page_is_typed(stage, script):
    """The app of the desk asks for six digits only."""
    with Visit(stage, script) as visit:
        page, _, code = log_in_at_the_desk(visit)
        page.get_by_label("The code on the browser's page").fill(code)
        page.get_by_role("button", name="Send the code").click()
        page.get_by_role("heading", name="Sandbox eID: completed").wait_for()
        demand_on(page.get_by_text("page_code"), "the proof is another one")


def faults_before_the_page(stage, script):
    """A fault whose switch is on the phone: for one login, or for everyone until it is switched off."""
    for fault, standing in (("par-status-500", False), ("jwks-empty", True)):
        with Visit(stage, script, expected=[r"status of 50\d"]) as visit:
            page = visit.open(stage.sandbox.links + "/")
            page.get_by_text("Simulate a fault").click()
            page.get_by_label("Fault").select_option(fault)
            page.locator("button[value=mitid]").click()
            tab = open_tab(visit, page.get_by_role("link", name="Open the"))
            if standing:
                tab.get_by_role("button", name="Approve").click()
                page.get_by_role("heading", name="MitID: failed").wait_for()
            else:
                until(tab, tab.title, f"{fault}: the page has no title")
                demand(tab.title() != "Log in with MitID", f"{fault}: the login goes on")
            home = visit.open(stage.sandbox.links + "/")
            off = home.get_by_role("button", name="Switch it off")
            demand(off.count() == standing, f"{fault}: the switch is wrong")
            if standing:
                check_axe(home, "a fault of everyone")
                with home.expect_navigation():
                    off.click()
                demand(home.get_by_role("button", name="Switch it off").count() == 0, f"{fault} stays")


def two_visitors(stage, script):
    """A link opens the app on its own phone only, and nobody sees the login of another."""
    with Visit(stage) as one, Visit(stage, expected=[r"status of 400"]) as other:
        page = one.open(stage.sandbox.links + "/")
        page.locator("button[value=sandbox]").click()
        tab = open_tab(one, page.get_by_role("link", name="Open the"))
        one.decide(tab)
        link = tab.locator("a.button").get_attribute("href")
        foreign = other.open(link)
        foreign.get_by_role("heading", name="Your app would open here").wait_for()
        demand("unknown_login" in other.open(page.url).content(), "the login of another is visible")
        go_back(tab)
        page.get_by_role("heading", name="Sandbox eID: completed").wait_for()


def looks_of_the_phone(stage, script):
    with Visit(stage) as visit:
        page = visit.open(stage.sandbox.links + "/")
        check_looks(page, "phone", stage.shots)
        page.locator("button[value=sandbox]").click()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("heading", name="cancelled").wait_for()
        check_looks(page, "phone-cancelled", stage.shots)
        page.get_by_role("button", name="Delete the result").click()
        demand_on(page.get_by_text("deleted"), "the app did not acknowledge")


def nothing_secret_in_the_log(stage, script):
    # Whatever ran before this check, these logins have values that no log may contain.
    for _ in range(4):
        completes_by_query(stage, script)
    log = stage.sandbox.output()
    secrets = stage.sandbox.secrets
    demand(len(secrets) > 10, "no secrets were seen")
    demand(not [secret for secret in secrets if secret in log], "a secret, a code or a state is in the log")


# It finds what the checks before it have put into the log.
AT_THE_END = "nothing secret in the log"
# Each command of the workbench is pasted in every run.
ALWAYS = {AT_THE_END, "the workbench: each call as a command"}

BOTH_WAYS = [
    ("a login completes, by query", completes_by_query),
    ("a login completes, by form_post", completes_by_form_post),
    ("a login completes, Danish by Accept-Language", completes_in_danish_of_the_browser),
    ("a login completes, Danish by locale", completes_in_danish_of_the_app),
    ("the user cancels", is_cancelled_by_the_person),
    ("the app cancels while the user decides", is_cancelled_by_the_app),
    ("a login fails", fails),
    ("the button leads back to the app", goes_back_to_the_app),
    ("unknown and forged page tokens", unknown_pages_are_neutral),
    ("a callback without an attempt", a_callback_from_nowhere_is_neutral),
    ("/go after the end", an_ended_login_opens_its_end),
    ("the page after the app has deleted the login", a_deleted_login_is_with_its_app),
    ("two tabs of one login", two_tabs_of_one_login),
    ("two logins in one browser", two_logins_in_one_browser),
    ("back, and approved again", back_and_again),
    ("a busy page tries again by itself", a_busy_page_tries_again),
    *OPEN_PAGES,
]

ONCE = [
    ("the same response twice", the_same_answer_twice),
    ("the completing page changes by itself, without script", changes_by_itself),
    ("looks and axe: completed", looks("completed")),
    ("looks and axe: failed", looks("failed", fault=BAD_NONCE)),
    ("looks and axe: failed, in Danish", looks_in_danish),
    ("looks and axe: cancelled", looks("cancelled", decision="Cancel")),
    ("looks and axe: neutral", looks_neutral),
    ("text of 200 % fits in every language", fits_in_every_language),
    ("looks and axe: a return link in a browser", looks_of_a_return_link),
    ("looks and axe: the sandbox's own pages", looks_of_the_sandbox),
    ("every button of the sandbox's phone, without script", every_button_of_the_phone),
    ("looks and axe: the pages of the e-IDs", looks_of_the_e_ids),
    ("the six digits of the page, typed on the sandbox's phone", the_code_of_the_page_is_typed),
    ("faults before the page, by the sandbox's phone", faults_before_the_page),
    ("two visitors of the sandbox's phone", two_visitors),
    ("looks and axe: the sandbox's phone", looks_of_the_phone),
    *OPEN_PAGE_ONCE,
    *FIRST_MINUTE,
    *WORKBENCH,
    *PASTED,
    *BREAKS,
    *SESSIONS,
    ("a page of a listed origin runs a login and reads its events", a_listed_page_runs_a_login),
    ("a page of a listed origin gets its user back without a tap", a_listed_page_gets_its_user_back),
    ("a page of another origin reads nothing", another_page_reads_nothing),
    ("a page of a listed origin reads nothing but the API", nothing_but_the_api_is_read),
    (AT_THE_END, nothing_secret_in_the_log),
]


def table(stage):
    """Returns every check as a name, the file that has it, and a function."""
    for name, check in BOTH_WAYS:
        if check is completes_by_form_post and stage.by_form_post is None:
            continue
        for script in (True, False):
            title = f"{name} ({'with' if script else 'without'} script)"
            yield title, check.__module__, lambda c=check, s=script: c(stage, s)
    for name, check in ONCE:
        yield name, check.__module__, lambda c=check: c(stage, True)


def sample(table, count, seed):
    """Returns at least `count` checks: those of every run, and by the seed one of each file and some more."""
    dice = random.Random(seed)
    mixed = dice.sample(table, len(table))
    firsts = {file: name for name, file, _ in reversed(mixed)}.values()
    chosen = {*firsts, *ALWAYS}
    for name, _, _ in mixed:
        if len(chosen) < count:
            chosen.add(name)
    return [row for row in table if row[0] in chosen]

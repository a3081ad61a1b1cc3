"""The workbench: a phone, and a timeline that shows each call of its logins as it happens."""

import http.cookiejar
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from done_page import TEXTS, check_axe, check_looks, check_layout
from visit import (
    DESK, PATIENCE, PHONE, Visit, demand, demand_on, go_back, heard, leave, load_again, open_tab, settles, until)

LARGEST_PAGE = 60 * 1024
CALLS = [
    "App \N{RIGHTWARDS ARROW} Switchback POST /v1/logins 201", "Browser \N{RIGHTWARDS ARROW} Switchback GET /go/",
    "Browser \N{RIGHTWARDS ARROW} Broker GET /authorize 200", "Browser \N{RIGHTWARDS ARROW} Broker POST /decision 303",
    "Browser \N{RIGHTWARDS ARROW} Switchback GET /callback/sandbox 303",
    "Switchback \N{RIGHTWARDS ARROW} Broker POST /token 200", "Browser \N{RIGHTWARDS ARROW} App GET /r/",
    "App \N{RIGHTWARDS ARROW} Switchback POST /v1/logins/"]


def lines(page):
    return [" ".join(line.split()) for line in page.locator("#calls summary").all_inner_texts()]


def begin(visit, app="demo", **choices):
    """Opens the workbench, presses a button of the phone, and returns it with the browser's tab."""
    page = visit.open(visit.stage.sandbox.public + "/")
    demand(page.url == visit.stage.sandbox.links + "/", "the first page is not the workbench")
    page.locator("select[name=app]").select_option(app)
    if choices:
        page.get_by_text("Change the phone").click()
    for name, value in choices.items():
        page.locator(f"select[name={name}]").select_option(value)
    page.locator("button[value=sandbox]").click()
    page.get_by_role("heading", name="Sandbox eID: pending").wait_for()
    return page, open_tab(visit, page.get_by_role("link", name="Open the"))


def missing(page):
    """The first of CALLS that is not in its place."""
    rest = iter(lines(page))
    return next((wanted for wanted in CALLS if not any(line.startswith(wanted) for line in rest)), None)


def is_complete(page):
    """Waits until the timeline has every call of a whole login, and each has its response."""
    until(page, lambda: missing(page) is None, lambda: f"{missing(page)} is not in its place: {lines(page)}")
    # The browser's last request is held until the login ends or its tab closes.
    held = page.locator("#calls .held")
    until(page, lambda: held.count() == 0, lambda: f"there is no response of {held.all_inner_texts()}")


def the_timeline_is_live(stage, script):
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        # The poll is held, and seen while it waits. The page is never loaded again.
        page.locator("#calls .held", has_text="GET /v1/logins/").wait_for()
        page.evaluate("window.isKept = true")
        visit.decide(tab)
        page.get_by_role("heading", name="Sandbox eID: awaiting_return").wait_for()
        marked = page.locator(".states [aria-current]")
        until(page, lambda: marked.inner_text().startswith("awaiting_return"),
              lambda: f"the wrong state is marked: {marked.all_inner_texts()}")
        go_back(tab)
        page.get_by_role("heading", name="Sandbox eID: completed").wait_for()
        is_complete(page)
        demand(page.evaluate("window.isKept"), "the page was loaded again")
        check_looks(page, "workbench", stage.shots)


REMOVE_A_HELD_POLL = """() => {
  const row = [...document.querySelectorAll("#calls > .held")].find((one) => one.innerText.includes("GET /v1/logins/"));
  row?.remove();
  return row?.id;
}"""


def a_late_call_is_in_its_place(stage, script):
    """A call whose login becomes known late comes after calls that began later."""
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        # In one step, because the server may answer the poll meanwhile.
        row = until(page, lambda: page.evaluate(REMOVE_A_HELD_POLL), "no poll is held")
        page.locator("#calls li", has_text="GET /go/").wait_for()
        visit.decide(tab)
        page.locator(f"#{row}").wait_for()

        def check():
            rows = page.locator("#calls > li").evaluate_all("(rows) => rows.map((one) => one.id)")
            wanted = sorted(rows, key=lambda one: int(one.removeprefix("call-")))
            demand(rows == wanted and rows[-1] != row, f"{row} is not in its place: {rows}")

        # Calls that are later than this one may still come.
        settles(page, check)


def a_closed_tab_is_seen(stage, script):
    """The page asks how the login goes on until its tab is closed, and then nobody hears the response."""
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        visit.decide(tab)
        asked = page.locator("#calls li", has_text="/state")
        asked.filter(has_text="waiting").wait_for()
        tab.close()
        asked.filter(has_text="cut off by the browser").wait_for()
        demand(page.locator("#calls .held", has_text="/state").count() == 0, "a closed tab still waits")


def a_call_opens_by_keyboard(stage, script):
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        row = page.locator("#calls li", has_text="POST /v1/logins").first
        row.locator("summary").focus()
        page.keyboard.press("Enter")
        row.get_by_text("Rule 1: the app stores its poll_secret").wait_for()
        text = row.inner_text()
        demand("curl -i -X POST 'http://127.0.0.1:" in text, f"no curl: {text}")
        demand('"poll_secret":"' in text and not [one for one in stage.sandbox.secrets if one in text], "a secret")
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            check_layout(page, "an open call")
            if stage.shots:
                page.screenshot(path=stage.shots / f"workbench-call-{size['width']}.png", full_page=True)
        check_axe(page, "an open call")


def the_timeline_without_script(stage, script):
    with Visit(stage, script=False) as visit:
        page, tab = begin(visit)
        tab.get_by_role("button", name="Approve").click()
        tab.wait_for_url(stage.sandbox.public + "/done/*")
        page.get_by_role("heading", name="Sandbox eID: awaiting_return").wait_for()
        until(page, lambda: any("POST /token 200" in line for line in lines(page)),
              lambda: f"the exchange is not in {lines(page)}")


def finish(visit, page, tab):
    """Approves, and goes back to the app."""
    visit.decide(tab)
    page.get_by_role("heading", name="Sandbox eID: awaiting_return").wait_for()
    if visit.script:
        go_back(tab)
    else:
        leave(tab)
    page.get_by_role("heading", name="Sandbox eID: completed").wait_for()


def show(page, tab):
    """Follows the link of a tab, and returns the part of the page that it shows."""
    page.locator("#tabs nav").get_by_role("link", name=tab).click()
    panel = page.locator("#tabs > section:visible")
    until(page, lambda: panel.count() == 1, lambda: f"{tab}: {panel.count()} tabs are shown")
    panel.get_by_role("heading", name="What happens" if tab == "Calls" else tab).wait_for()
    return panel


TABS = {
    "ID token": ["RS256", '"iss": ', '"nonce": '], "Assertion": ["login+jwt", "page_link", "jwt.decode_complete"],
    "Session": ["Sandbox bank"], "Log": ["debug login_created", "info login_ended", "status=completed"],
    "Metrics": ['switchback_logins_created_total{app="demo",provider="sandbox"}', "All metrics"]}


def the_tabs_tell_of_the_login(stage, script):
    """With script they are filled while the page is open."""
    with Visit(stage, script, size=DESK) as visit:
        page, tab = begin(visit)
        if script:
            show(page, "ID token").get_by_text("There is none yet").first.wait_for()
            show(page, "Calls")
        finish(visit, page, tab)
        for name, texts in TABS.items():
            panel = show(page, name)
            for text in texts:
                said = panel.get_by_text(text)
                # Without script the tabs are as of the page's loading.
                until(page, lambda: said.count() or (not script and load_again(page) and said.count()),
                      f"{name}: there is no {text}")
                said.first.wait_for()
            marked = page.locator("#tabs [aria-current]")
            if script:
                # The browser shows the tab before the script is told of it.
                marked.filter(has_text=name).wait_for()
            demand(marked.all_inner_texts() == ([name] if script else []), f"{marked.all_inner_texts()} is marked")
            for size in (DESK, {"width": 390, "height": 844}):
                page.set_viewport_size(size)
                check_layout(page, name)
                if stage.shots and script:
                    file = f"workbench-{name.lower().replace(' ', '-')}-{size['width']}.png"
                    page.screenshot(path=stage.shots / file, full_page=True)
            if script:
                check_axe(page, name)


def the_code_of_a_tab_verifies(stage, script):
    """The copied code runs, and the tokens have no signatures."""
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        finish(visit, page, tab)
        panel = show(page, "ID token")
        demand(not re.search(r"[\w-]{20,}\.[\w-]{20,}", panel.inner_text()), "a whole ID token")
        panel = show(page, "Assertion")
        code = panel.locator(".code").inner_text()
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
        demand(ran.returncode == 0, f"the code fails: {ran.stderr[-300:]}")
        sub = f'"sub": "{ran.stdout.strip()}"'
        until(page, lambda: sub in panel.inner_text(), "the code prints another account")


def a_session_has_its_tab(stage, script):
    # The server's first answer to a proof is its nonce.
    with Visit(stage, size=DESK, expected=[r"status of 401"]) as visit:
        page, tab = begin(visit, "bank")
        finish(visit, page, tab)
        page.get_by_role("button", name="Go to the session").click()
        page.get_by_role("button", name="Begin the session").click()
        page.get_by_text("The session has begun").wait_for()
        page.goto(stage.sandbox.links + "/")
        panel = show(page, "Session")
        until(page, lambda: '"typ": "at+jwt"' in panel.inner_text() and '"jkt": ' in panel.inner_text(),
              lambda: f"no access token: {panel.inner_text()}")


def the_tabs_by_keyboard(stage, script):
    with Visit(stage, size=DESK) as visit:
        page, _ = begin(visit)
        page.locator("#tabs nav a").first.focus()
        for _ in range(4):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Log", exact=True).wait_for()


# How light the page is: 0 to 255.
BACKGROUND = "Number(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0])"


def the_choices_of_the_phone(stage, script):
    """Each does what it says."""
    with Visit(stage, script) as visit:
        page = visit.open(stage.sandbox.links + "/")
        offered = page.locator("select[name=locale] option").evaluate_all("all => all.map((one) => one.value)")
        demand(sorted(offered) == sorted(["", *TEXTS]), f"the languages are {offered}")
        page, tab = begin(visit, locale="fi")
        demand_on(tab.get_by_text("fi", exact=True), "the provider was not asked for Finnish")
        visit.decide(tab)
        demand(tab.locator("html").get_attribute("lang") == "fi", "the page is not in Finnish")
    with Visit(stage, script) as visit:
        page, tab = begin(visit, surface="auth_session")
        tab.get_by_role("button", name="Approve").click()
        page.get_by_role("heading", name="Sandbox eID: completed").wait_for()
    with Visit(stage, script) as visit:
        page, tab = begin(visit, surface="system")
        open_tab(visit, page.get_by_role("link", name="Open the"))
        # Or four, if the press was repeated.
        demand(len(visit.context.pages) >= 3, "the system's browser is the app's tab")
    with Visit(stage, script) as visit:
        for choice, dark in (("dark", True), ("", False), ("light", False)):
            page, tab = begin(visit, colors=choice)
            # With its style sheet.
            tab.wait_for_load_state()
            found = [tab.evaluate(BACKGROUND)]
            visit.decide(tab)
            tab.wait_for_load_state()
            found.append(tab.evaluate(BACKGROUND))
            fits = all(0 < color < 128 if dark else color > 128 for color in found)
            demand(fits, f"{choice!r} has the backgrounds {found}")
            if stage.shots and dark:
                tab.screenshot(path=stage.shots / "workbench-dark-tab.png")
    with Visit(stage, script, scheme="dark") as visit:
        page, tab = begin(visit, colors="light")
        visit.decide(tab)
        demand(tab.evaluate(BACKGROUND) > 128, "a light tab is dark")
    with Visit(stage, script) as visit:
        page, tab = begin(visit, app="kiosk")
        tab.get_by_role("button", name="Approve").click()
        page.get_by_role("heading", name="Sandbox eID: completed").wait_for()


def each_app_has_its_look(stage, script):
    looks = set()
    for app in ("demo", "bank", "kiosk", "desk"):
        with Visit(stage) as visit:
            page, tab = begin(visit, app)
            visit.decide(tab)
            logo = tab.locator("header img")
            demand(logo.evaluate("(one) => one.naturalWidth") > 0, f"{app} shows no logo")
            colors = []
            for scheme in ("light", "dark"):
                tab.emulate_media(color_scheme=scheme)
                colors.append(tab.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--button')"))
                check_axe(tab, f"{app}, {scheme}")
                if stage.shots:
                    tab.set_viewport_size({"width": 390, "height": 844})
                    tab.screenshot(path=stage.shots / f"look-{app}-{scheme}.png")
            looks.add((logo.get_attribute("src"), *colors))
    demand(len({look[0] for look in looks}) == 4 and len({look[1] for look in looks}) == 4, f"the looks are {looks}")


def a_new_visitor_sees_nothing_of_others(stage, script):
    """Neither their calls, nor the broker's documents that were loaded for them."""
    with Visit(stage) as visit:
        page, tab = begin(visit)
        finish(visit, page, tab)
    jar = http.cookiejar.CookieJar()
    other = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    other.open(stage.sandbox.links + "/", timeout=PATIENCE).read()
    request = urllib.request.Request(stage.sandbox.links + "/sandbox/calls", headers={"Accept": "text/event-stream"})
    with other.open(request, timeout=PATIENCE) as events:
        form = urllib.parse.urlencode({"app": "demo", "provider": "mitid", "jkt": ""}).encode()
        other.open(stage.sandbox.links + "/login", form, timeout=PATIENCE).read()
        data = next(line for line in events if line.startswith(b"data: "))
        call = json.loads(data.removeprefix(b"data: "))
        demand(call["path"] == "/v1/logins", f"the first event is {call['path']}")


def a_page_is_small(stage, script):
    """With its stylesheet and its scripts: before there is a call, and alone after three logins."""
    with Visit(stage) as visit:
        for count in range(3):
            page, tab = begin(visit)
            finish(visit, page, tab)
            # A browser has only six connections to a host, and each workbench holds two.
            tab.close()
            if count < 2:
                page.close()
        size = len(visit.context.request.get(page.url).body())
        demand(size <= LARGEST_PAGE, f"a page of {size} bytes")
        load_again(page)
        page.get_by_role("link", name="the list of all calls").wait_for()
    with Visit(stage) as visit:
        page = visit.open(stage.sandbox.public + "/")
        urls = [page.url] + page.evaluate(
            "[...document.querySelectorAll('link, script')].map((one) => one.href || one.src)")
        sizes = {url: len(visit.context.request.get(url).body()) for url in urls}
        demand(len(sizes) > 2 and sum(sizes.values()) <= LARGEST_PAGE, f"too large: {sizes}")


def paste(command):
    """Pastes a command into a shell, and returns its output."""
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
    demand(ran.returncode == 0, f"{command.split()[:4]} ends with {ran.returncode}: {ran.stderr[-300:]}")
    return ran.stdout


def answer_of(command):
    """Returns the status. A reader pastes slower than this check, so it waits as long as the server asks for."""
    answer = paste(command)
    while answer.split()[1] == "429":
        time.sleep(int(re.search(r"(?i)^retry-after: (\d+)", answer, re.M)[1]))
        answer = paste(command)
    return answer.split()[1]


def wrong_answer(line, command):
    """Runs the command of this line's call. Returns what is wrong: a status other than the announced one or, without a
    comment, other than the call's own. Returns None if nothing is wrong, and for a call that was cut off."""
    said = re.search(r"answers (\d{3})", command.split("curl -i")[0]) or re.search(r" (\d{3})(,|$)", line)
    if not said:
        return None
    status = answer_of(command)
    return None if status == said[1] else f"{line}: {status}, not {said[1]}"


def each_call_runs_as_pasted(stage, script):
    """The copy has the values whole, answers as before, or says in a comment what it answers."""
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        finish(visit, page, tab)
        is_complete(page)
        rows = page.locator("#calls > li")
        wrong, count = [], 0
        # A code that is sent again takes the tokens back, so the later calls come first.
        for row in reversed(rows.all()):
            line = " ".join(row.locator("summary").text_content().split())
            link = row.get_by_role("link", name="The command as text", include_hidden=True)
            if link.count() == 0:
                continue
            count += 1
            text = visit.context.request.get(stage.sandbox.links + link.get_attribute("href")).text()
            demand("\N{HORIZONTAL ELLIPSIS}" not in text, f"{line}: a value is cut")
            if found := wrong_answer(line, text):
                wrong.append(found)
        demand(count >= 8, f"only {count} calls have a command")
        demand(not wrong, "\n".join(wrong))
        other = urllib.request.Request(stage.sandbox.links + link.get_attribute("href"))
        try:
            urllib.request.urlopen(other, timeout=PATIENCE)
            demand(False, "another visitor reads a command")
        except urllib.error.HTTPError as error:
            demand(error.code == 404, f"another visitor gets {error.code}")


def a_login_is_a_script(stage, script):
    for end in ("completed", "cancelled", "failed"):
        with Visit(stage, size=DESK) as visit:
            page, tab = begin(visit)
            if end == "completed":
                finish(visit, page, tab)
            elif end == "cancelled":
                page.get_by_role("button", name="Cancel").click()
            else:
                visit.decide(tab, fault="oidcc-client-test-nonce-invalid")
            page.get_by_role("heading", name=f"Sandbox eID: {end}").wait_for()
            link = page.get_by_role("link", name="The script as text").get_attribute("href")
            text = visit.context.request.get(stage.sandbox.links + link).text()
            demand(paste(text).strip() == end, f"the script of a {end} login ends otherwise")


def a_failed_login_says_why(stage, script):
    with Visit(stage, size=DESK) as visit:
        page, tab = begin(visit)
        visit.decide(tab, fault="oidcc-client-test-nonce-invalid")
        page.get_by_role("heading", name="Sandbox eID: failed").wait_for()
        words = "nonce is not ours: the token belongs to another login."
        page.locator("#phone .why", has_text=words).wait_for()
        page.locator("#why", has_text=words).wait_for()
        page.locator("#calls li.bad", has_text="POST /token").wait_for()
        page.locator("#told", has_text=words).wait_for(state="attached")
        check_axe(page, "a failed login")
        show(page, "ID token").locator(".checks .bad", has_text="nonce").wait_for()
        for size in (DESK, {"width": 390, "height": 844}):
            page.set_viewport_size(size)
            check_layout(page, "a failed login")
            if stage.shots:
                page.screenshot(path=stage.shots / f"workbench-failed-{size['width']}.png", full_page=True)


def an_app_has_its_own_buttons(stage, script):
    with Visit(stage, size=DESK) as visit:
        page = visit.open(stage.sandbox.links + "/")
        demand(page.locator("button[name=provider]:visible small:visible").count() == 0, "a note on a button")
        counts = {}
        for app in ("demo", "kiosk"):
            page.locator("select[name=app]").select_option(app)
            counts[app] = page.locator("button[name=provider]:visible").evaluate_all("all => all.map(one => one.value)")
        demand(counts["demo"] != counts["kiosk"], f"each app has {counts}")


# Making a key waits until the check says so. An empty page can make none.
SLOW_KEY = """(() => {
  if (!crypto.subtle) return;
  const make = crypto.subtle.generateKey.bind(crypto.subtle);
  const turn = new Promise((done) => { window.goOn = done; });
  crypto.subtle.generateKey = async (...how) => { await turn; return make(...how); };
})()"""


def a_press_before_the_key_waits_for_it(stage, script):
    """Only an app with sessions needs the phone's key, and whoever presses early is not refused."""
    with Visit(stage) as visit:
        visit.context.add_init_script(SLOW_KEY)
        begin(visit, "demo")
        page = visit.open(stage.sandbox.links + "/")
        page.locator("select[name=app]").select_option("bank")
        with heard(page, "request") as requests:
            # Who is impatient presses again.
            page.evaluate("for (let i = 0; i < 2; i += 1) document.querySelector('button[value=sandbox]').click()")
            demand(not requests, f"the form is sent without the key: {[one.url for one in requests]}")
            page.evaluate("goOn()")
            page.get_by_role("heading", name="Sandbox eID: pending").wait_for()
            creates = [one for one in requests if one.method == "POST"]
        demand(len(creates) == 1 and "jkt=&" not in creates[0].post_data, f"{len(creates)} forms are sent")


def a_silent_sandbox_is_named(stage, script):
    """A page that nobody answers says so, and one of a login that the sandbox no longer has leads to the phone."""
    with Visit(stage, expected=["ERR_INTERNET_DISCONNECTED", r"status of 400"]) as visit:
        page, tab = begin(visit)
        tab.close()
        visit.context.set_offline(True)
        said = page.locator("#silence", has_text="does not answer")
        said.wait_for()
        check_axe(page, "a silent sandbox")
        visit.context.set_offline(False)
        said.wait_for(state="detached")
        visit.context.clear_cookies()
        page.get_by_text("The app does not know this login.").wait_for()
        page.get_by_role("link", name="To the phone").click()
        page.get_by_role("heading", name="Try a login").wait_for()


CHECKS = [
    ("the workbench: each call as a command", each_call_runs_as_pasted),
    ("the workbench: a login as a script", a_login_is_a_script),
    ("the workbench: a failed login says why", a_failed_login_says_why),
    ("the workbench: the buttons of an app", an_app_has_its_own_buttons),
    ("the workbench: a press before the key", a_press_before_the_key_waits_for_it),
    ("the workbench: a silent sandbox", a_silent_sandbox_is_named),
    ("the workbench: a login, live", the_timeline_is_live),
    ("the workbench: a late call", a_late_call_is_in_its_place),
    ("the workbench: a closed tab", a_closed_tab_is_seen),
    ("the workbench: a call, by keyboard", a_call_opens_by_keyboard),
    ("the workbench: a login without script", the_timeline_without_script),
    ("the workbench: its tabs", the_tabs_tell_of_the_login),
    ("the workbench: its tabs without script", lambda stage, script: the_tabs_tell_of_the_login(stage, False)),
    ("the workbench: the code of a tab", the_code_of_a_tab_verifies),
    ("the workbench: the tab of a session", a_session_has_its_tab),
    ("the workbench: its tabs by keyboard", the_tabs_by_keyboard),
    ("the workbench: the choices of the phone", the_choices_of_the_phone),
    ("the workbench: the looks of the apps", each_app_has_its_look),
    ("the workbench: a new visitor", a_new_visitor_sees_nothing_of_others),
    ("the workbench: small pages", a_page_is_small),
]

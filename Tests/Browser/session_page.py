"""Sessions on the sandbox's phone: every button, what it says, and what a thief gets."""

import contextlib
import json
import re

from playwright.sync_api import Error as BrowserError

import app
from done_page import check_looks
from visit import Visit, demand, go_back, open_tab, until

PIN, OTHER_PIN, WRONG_PIN = "271828", "314159", "000001"
# The server refuses what these checks do wrong, and the browser writes each refusal to its console.
REFUSALS = [r"status of 40[0139]", r"status of 410"]


class Phone:
    """A phone with the app that has sessions. Its keys are in the storage of the visit's context."""

    def __init__(self, stage, visit, sandbox=None):
        self.stage, self.visit = stage, visit
        self.sandbox = sandbox or stage.sandbox
        self.page = visit.open(self.sandbox.links + "/")
        self.page.on("response", self.remember)

    def remember(self, response):
        """Tokens and secrets must be in no log."""
        if response.status == 200 and response.url.endswith(("/oauth/token", "/session")) and "json" in (
                response.headers.get("content-type", "")):
            tokens = response.json()
            self.sandbox.secrets.update(tokens[name] for name in ("access_token", "refresh_token") if name in tokens)
        if response.url.endswith("/pin"):
            self.sandbox.secrets.add(json.loads(response.request.post_data)["pin_secret"])

    def log_in(self, provider="sandbox", person="freja"):
        """From the first page to a completed login."""
        self.page.goto(self.sandbox.links + "/")
        self.page.locator("input[name=jkt]:not([value=''])").wait_for(state="attached")
        self.page.locator("select[name=app]").select_option("bank")
        self.page.locator(f"button[value={provider}]").click()
        self.approve(person)

    def approve(self, person="freja"):
        tab = open_tab(self.visit, self.page.get_by_role("link", name="Open the"))
        tab.locator(f"input[name=person][value={person}]").check()
        tab.get_by_role("button", name="Approve").click()
        # The app of DigiD leads back to the phone, and the tab closes.
        with contextlib.suppress(BrowserError):
            tab.wait_for_url(re.compile("/(done|login|bankid)/"))
        if "/done/" in tab.url:
            go_back(tab)
        self.page.get_by_role("heading", name="completed").wait_for()
        tab.close()

    def begin(self, **choice):
        self.log_in(**choice)
        self.begin_after_login()

    def go_to_the_session(self):
        self.page.get_by_role("button", name="Go to the session").click()
        # The page is there before its script is.
        self.page.get_by_role("button", name="Begin the session").wait_for()

    def begin_after_login(self):
        self.go_to_the_session()
        self.press("Begin the session")

    def press_again(self):
        """Logs in with the e-ID again, for the same session."""
        self.page.get_by_role("button", name="Log in with the e-ID again").click()
        self.approve()
        self.begin_after_login()

    def press(self, name):
        # A press while the page is busy with another one counts for nothing.
        self.wait()
        self.unfold(name)
        self.page.get_by_role("button", name=name, exact=True).click()
        self.wait()

    def unfold(self, name):
        """Opens the parts of the page until the button shows, as a user would."""
        button = self.page.get_by_role("button", name=name, exact=True)
        folded = self.page.locator("#phone details:not([open]) > summary:visible")

        def look():
            if button.is_visible():
                return True
            if folded.count():
                folded.first.click()
            return False

        until(self.page, look, f"there is no button {name!r}")

    def unfold_all(self):
        folded = self.page.locator("#phone details:not([open]) > summary:visible")
        while folded.count():
            folded.first.click()

    def wait(self):
        # A PIN takes its time on a busy machine.
        self.page.locator("main:not([aria-busy])").wait_for()

    def type_pin(self, pin, label="PIN", button="Unlock"):
        self.wait()
        self.unfold(button)
        self.page.get_by_label(label, exact=True).fill(pin)
        self.page.get_by_role("button", name=button, exact=True).click()
        self.wait()

    def set_pin(self, pin, old=None):
        self.unfold("Set the PIN")
        if old:
            self.page.get_by_label("Old PIN").fill(old)
        self.type_pin(pin, "New PIN, six digits or more", "Set the PIN")

    def says(self, words):
        status = self.page.locator("#phone").get_by_role("status")
        until(self.page, lambda: words in status.inner_text(),
              lambda: f"the page says {status.inner_text()!r}, not {words!r}")

    def has_fact(self, name, is_right, why):
        """Waits for what the page says: it may be busy until then."""
        until(self.page, lambda: is_right(self.fact(name)), lambda: f"{why}: {name} is {self.fact(name)!r}")

    def fact(self, name):
        return self.page.locator(f"#facts dt:text-is('{name}') + dd").inner_text()

    def shows(self, **parts):
        for name, is_shown in parts.items():
            part = self.page.locator("#" + name.replace("_", "-"))
            until(self.page, lambda: part.is_visible() == is_shown, f"{name} is {'not ' if is_shown else ''}visible")

    def looks(self, name):
        check_looks(self.page, "session-" + name, self.stage.shots)


def on_a_phone(check):
    def run(stage, _):
        with Visit(stage, expected=REFUSALS) as visit:
            check(Phone(stage, visit))

    return run


@on_a_phone
def begins_and_renews(phone):
    phone.log_in()
    phone.go_to_the_session()
    phone.looks("start")
    phone.press("Begin the session")
    phone.says("Set a PIN now")
    demand(phone.fact("Level") == "unlock", "the level is another")
    demand(phone.fact("acr") == "urn:sandbox:acr:substantial", "the acr is not the e-ID's")
    demand("with the e-ID" in phone.fact("Authenticated"), "it is not the e-ID that authenticated")
    session = phone.fact("Session")
    phone.looks("open")
    phone.press("Renew the access token")
    phone.says("new access token")
    demand(phone.fact("acr") == "urn:sandbox:acr:substantial", "a renewal changed the acr")
    phone.unfold_all()
    phone.looks("unfolded")
    # The app is killed: the token is gone, the session is not.
    phone.page.reload()
    phone.wait()
    phone.has_fact("Access token", lambda found: "none" in found, "a token outlives the page")
    phone.press("Renew the access token")
    phone.has_fact("Session", lambda found: found == session, "another session")
    phone.page.goto(phone.sandbox.links + "/")
    phone.page.get_by_role("link", name="The session on this phone").wait_for()
    phone.looks("known")


@on_a_phone
def keeps_keys_that_nobody_reads(phone):
    phone.begin()
    phone.set_pin(PIN)
    phone.says("The PIN is set")
    found = phone.page.evaluate("""async () => {
      const phone = await loadPhone();
      const refused = await crypto.subtle.exportKey("jwk", phone.key.signing).then(() => "exported", (e) => e.name);
      const { salt, iv, wrapped } = phone.pin;
      return [phone.key.signing.extractable, phone.wrapping.extractable, refused, salt.length, wrapped.byteLength];
    }""")
    # 32 bytes and the tag of AES-GCM: no length of the PIN, and no sign of a right one.
    demand(found == [False, False, "InvalidAccessError", 16, 48], f"the phone keeps {found}")


@on_a_phone
def locks_and_unlocks(phone):
    phone.begin()
    phone.set_pin(PIN)
    phone.press("Lock the app")
    phone.shows(locked=True, open=False, thieves=False, phones=False)
    phone.looks("locked")
    phone.type_pin(WRONG_PIN)
    phone.says("Wrong PIN. 4 tries left.")
    phone.looks("wrong-pin")
    phone.type_pin(PIN)
    phone.says("Unlocked with the PIN")
    demand(phone.fact("acr") == "urn:switchback:unlock", "the acr of an unlock is another")
    demand("with the PIN" in phone.fact("Authenticated"), "it is not the PIN that authenticated")
    phone.looks("unlocked")
    phone.press("Lock the app")
    phone.type_pin(WRONG_PIN)
    phone.says("Wrong PIN. 4 tries left.")
    phone.page.reload()
    phone.wait()
    phone.shows(locked=True)
    phone.type_pin(PIN)
    phone.says("Unlocked with the PIN")


@on_a_phone
def changes_the_pin(phone):
    phone.begin()
    phone.set_pin(PIN)
    phone.set_pin(OTHER_PIN, old=PIN)
    phone.says("The PIN is changed: a new secret, and a new salt")
    phone.press("Lock the app")
    phone.type_pin(PIN)
    phone.says("Wrong PIN")
    phone.type_pin(OTHER_PIN)
    phone.says("Unlocked with the PIN")


@on_a_phone
def a_thief_gets_nothing(phone):
    with app.API(phone.sandbox):
        phone.begin()
        phone.press("Steal the access token")
        phone.says("worth nothing without this phone's key: 401")
        phone.says(", 401 invalid_token")
    phone.set_pin(PIN)
    phone.press("Steal the refresh token")
    phone.says("worth nothing without this phone's key: 400 invalid_grant")
    phone.press("Copy the phone's storage, and try PINs")
    phone.says("Every PIN finds 32 bytes")
    found = phone.page.locator("#loot dd").all_inner_texts()
    demand(len(set(found)) == 3 and all(len(one) == 43 for one in found), f"the loot is {found}")
    phone.looks("thieves")
    phone.press("Steal the phone, and guess the PIN")
    phone.says("The thief has used up the tries")
    phone.shows(again=True, open=False, locked=False)
    phone.looks("locked-out")
    # The user gets the session back with the e-ID, and sets a new PIN.
    phone.press_again()
    phone.says("Set a PIN now")
    phone.set_pin(OTHER_PIN)
    phone.says("The PIN is set")


@on_a_phone
def wrong_pins_lock(phone):
    phone.begin()
    phone.set_pin(PIN)
    phone.press("Lock the app")
    for words in ("4 tries left", "3 tries left", "2 tries left", "1 try left"):
        phone.type_pin(WRONG_PIN)
        phone.says(words)
    phone.type_pin(WRONG_PIN)
    phone.says("Log in with the e-ID again")
    phone.shows(again=True, locked=False)


@on_a_phone
def two_phones_of_one_person(phone):
    # No other check has sessions of this person.
    phone.begin(person="hakon")
    first = phone.fact("Session")
    phone.press("Become a new phone, with a new key")
    phone.says("The server still has the old phone's session")
    phone.shows(none=True, open=False)
    phone.looks("new-phone")
    phone.begin(person="hakon")
    demand(phone.fact("Session") != first, "a new key has the session of the old one")
    phone.press("Show my phones")
    phone.says("2 phones have a session")
    mine, all_phones = phone.page.locator("#list li", has_text="this phone"), phone.page.locator("#list li")
    until(phone.page, lambda: mine.count() == 1, "this phone is not in the list")
    phone.looks("phones")
    phone.press("End it")
    phone.says("That phone is signed out")
    until(phone.page, lambda: all_phones.count() == 1, "the ended session is in the list")
    phone.press("Sign out everywhere")
    phone.says("All phones of this person are signed out")
    phone.shows(none=True)


@on_a_phone
def signs_out(phone):
    phone.begin()
    phone.press("Sign out")
    phone.says("This phone is signed out")
    phone.shows(none=True, open=False)
    # A new login begins a new session with the same key.
    phone.begin()
    phone.says("Set a PIN now")


@on_a_phone
def a_session_that_was_ended_elsewhere(phone):
    phone.begin()
    # The phone forgets what it was told, as a copy of it would.
    phone.page.evaluate("window.old = { ...phone }")
    phone.press("Sign out")
    phone.page.evaluate("(async () => { phone = window.old; token = null; await keep(phone); show(); })()")
    phone.press("Renew the access token")
    phone.says("It has ended")
    phone.shows(none=True)


@on_a_phone
def another_person_with_the_same_key(phone):
    phone.begin()
    phone.begin(person="elin")
    phone.says("belongs to another person")
    phone.press("Become a new phone, with a new key")
    phone.begin(person="elin")
    phone.says("Set a PIN now")


@on_a_phone
def digid_gets_one_token(phone):
    phone.begin(provider="digid", person="sanne")
    phone.says("One access token, and no session")
    demand(phone.fact("Level") == "access", "DigiD gave more than an access token")
    phone.shows(pin_part=False, renewing=False, locking=False, phones=False)
    phone.looks("access")


def the_idle_time_passes(stage, _):
    with Visit(stage, expected=REFUSALS) as visit:
        phone = Phone(stage, visit, stage.later)
        phone.begin()
        phone.set_pin(PIN)
        phone.press("Renew the access token")
        stage.later.advance(61)
        phone.press("Renew the access token")
        phone.says("The idle time has passed")
        phone.shows(locked=True)
        phone.type_pin(PIN)
        phone.says("Unlocked with the PIN")
        # Past 15 minutes the e-ID login is too old to change the PIN without the old one.
        stage.later.advance(901)
        phone.press("Lock the app")
        phone.type_pin(PIN)
        phone.set_pin(OTHER_PIN)
        phone.says("wants the old PIN")
        phone.set_pin(OTHER_PIN, old=WRONG_PIN)
        phone.says("Wrong PIN. 4 tries left.")
        phone.set_pin(OTHER_PIN, old=PIN)
        phone.says("The PIN is changed")


def the_api_wants_a_step_up(stage, _):
    """The API of Examples/python-api, as it is."""
    with Visit(stage, expected=REFUSALS) as visit, app.API(stage.sandbox):
        phone = Phone(stage, visit)
        phone.begin()
        phone.set_pin(PIN)
        phone.press("Show my account")
        phone.says("The API knows you")
        phone.press("Pay, which needs a fresh e-ID login")
        phone.says("The API has paid 12.50")
        phone.press("Lock the app")
        phone.type_pin(PIN)
        phone.press("Show my account")
        phone.says("The API knows you")
        phone.press("Pay, which needs a fresh e-ID login")
        phone.says("The API wants urn:sandbox:acr:substantial from the last 300 seconds")
        phone.looks("step-up")
        phone.press_again()
        phone.says("The session goes on, with its PIN")
        phone.press("Pay, which needs a fresh e-ID login")
        phone.says("The API has paid 12.50")


def an_app_with_sessions_needs_script(stage, _):
    with Visit(stage, script=False, expected=REFUSALS) as visit:
        page = visit.open(stage.sandbox.links + "/")
        demand(page.get_by_text("An app with sessions needs JavaScript").is_visible(), "the page does not say so")
        page.locator("select[name=app]").select_option("bank")
        page.locator("button[value=sandbox]").click()
        until(page, lambda: "status 422" in page.content(), "a login without a key has begun")
        page = visit.open(stage.sandbox.links + "/session")
        demand(page.get_by_text("This page needs JavaScript").is_visible(), "the page does not say so")


CHECKS = [
    ("a session begins, is renewed, and outlives the page", begins_and_renews),
    ("a session's keys cannot be read", keeps_keys_that_nobody_reads),
    ("a session locks, and the PIN unlocks it", locks_and_unlocks),
    ("a session's PIN changes", changes_the_pin),
    ("five wrong PINs", wrong_pins_lock),
    ("thieves of a session", a_thief_gets_nothing),
    ("two phones of one person, and signing out everywhere", two_phones_of_one_person),
    ("signing out of a session", signs_out),
    ("a session that was ended elsewhere", a_session_that_was_ended_elsewhere),
    ("another person with the same key", another_person_with_the_same_key),
    ("DigiD gets one access token", digid_gets_one_token),
    ("the idle time of a session passes", the_idle_time_passes),
    ("the example's API takes the tokens, and wants a step-up", the_api_wants_a_step_up),
    ("an app with sessions, without script", an_app_with_sessions_needs_script),
]

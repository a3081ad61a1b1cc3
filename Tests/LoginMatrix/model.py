"""What must come out of a login: the rules in a few lines, without any library. docs/explanation/same-device-proof.md
has the proofs, docs/how-to/write-a-client.md the rules."""

import collections

# `switches`: where the e-ID's app opens ours by a link of its own; `resumes`: the browser is then opened anew by
# `resume_browser`; `switch_proves`: whether that link is a proof; `ends_in_app`: the broker's response comes by a link.
Provider = collections.namedtuple(
    "Provider", "switches resumes switch_proves ends_in_app opens_app", defaults=((), False, True, False, False))
PHONES = ("ios", "android")

PROVIDERS = {
    "sandbox": Provider(),
    "sandbox_signed": Provider(),
    "sandbox_encrypted": Provider(),
    "mitid": Provider(switches=PHONES),
    "mitid_idura": Provider(switches=PHONES),
    "se_bankid": Provider(switches=("ios",)),
    "vipps": Provider(switches=PHONES, resumes=True),
    "vipps_remembered": Provider(switches=PHONES, resumes=True),
    "vipps_app": Provider(ends_in_app=True),
    "mitid_ciba": Provider(switches=PHONES, switch_proves=False),
    "digid": Provider(ends_in_app=True, opens_app=True),
}

# The places where an app runs. A core for one platform can play all of them.
PLACES = [("ios", "auth_session"), ("ios", "tab"), ("android", "auth_session"), ("android", "tab"), ("web", "system")]


# What happens to a login. `play` is a function of a player. `needs` is "page", "switch" or "resume", if only such
# logins have it. `ends` says who or what ends the login: "proof" (that of the place), "code", "switch", "user" or "app". `app` is the
# sandbox's app, and `actions` are those that the create names, if they are not the library's own.
Disturbance = collections.namedtuple(
    "Disturbance", "name play ends needs app actions", defaults=("proof", None, "demo", None))


class Row(collections.namedtuple("Row", "provider platform surface disturbance")):
    """One login of the matrix."""

    @property
    def place(self):
        return f"{self.platform} {self.surface}"

    @property
    def name(self):
        return f"{self.provider} {self.place}: {self.disturbance.name}"

    @property
    def facts(self):
        return PROVIDERS[self.provider]

    @property
    def has_page(self):
        """Whether the user ends on a page with a button and six digits."""
        return not self.facts.ends_in_app and self.surface != "auth_session"

    @property
    def has_switch(self):
        return self.platform in self.facts.switches

    @property
    def is_elsewhere(self):
        """Whether the app is in the background while the user logs in."""
        return self.surface == "system" or self.facts.opens_app

    @property
    def survives_kill(self):
        """Whether the browser is still there when the app was killed."""
        return self.platform != "ios" or self.facts.opens_app

    @property
    def applies(self):
        if self.provider == "digid" and self.platform == "web":
            # Its app hands its response to an app, and never to a page.
            return False
        if self.disturbance.app == "desk" and (self.provider != "sandbox" or self.surface != "tab"):
            # It has no other provider, and takes the digits only.
            return False
        has = {"page": self.has_page, "switch": self.has_switch, "resume": self.has_switch and self.facts.resumes}
        return has.get(self.disturbance.needs, True)


# How a login ends. `proofs` are those that the server may name; there are none if it does not complete.
End = collections.namedtuple("End", "status reason proofs", defaults=(None, ()))


REFUSED = End("refused", "action_required")


def is_stranded(row):
    """Whether no page can stand in for an action that the create does not name (R35 of the rules)."""
    named = row.disturbance.actions
    return named is not None and (
        "open_browser" not in named or (row.facts.opens_app and "open_app" not in named)
        or (row.disturbance.app == "desk" and "enter_code" not in named))


def expected(row):
    facts, ends = row.facts, row.disturbance.ends
    if is_stranded(row):
        return REFUSED
    # DigiD's errors name no login, so they end none. The user then gives up in the app.
    if ends == "app" or (ends == "user" and row.provider == "digid"):
        return End("cancelled", "app_cancelled")
    if ends == "user":
        return End("cancelled", "user_cancelled")
    if facts.ends_in_app:
        return End("completed", proofs=("callback_link",))
    if ends == "switch" and facts.switch_proves:
        # A session goes on to the page's link, which may arrive before the code is exchanged.
        return End("completed", proofs=("switch_link", "page_link")[:2 if row.surface == "auth_session" else 1])
    return End("completed", proofs=("page_code" if ends == "code" else "page_link",))


def rows(disturbances):
    """All rows, in the order in which they read well."""
    made = [Row(provider, platform, surface, disturbance)
            for provider in PROVIDERS for platform, surface in PLACES for disturbance in disturbances]
    return [row for row in made if row.applies]

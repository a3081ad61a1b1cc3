"""What the user of a sample does and sees, with any browser."""

import json
import urllib.parse

from browsers import until
from origin import USER


class User:
    def __init__(self, browser, origin, server, person=None):
        self.browser, self.origin, self.server = browser, origin, server
        self.person = person or browser.person()
        # What the run says beside the row.
        self.notes = []

    def another_person(self):
        """Somebody whose browser has not opened our link, as far as the server can see."""
        return self.browser.person() if self.browser.has_many_people else self.person

    def open(self, path=None):
        return self.person.open(self.origin.url + (path or self.origin.start))

    def end(self):
        self.person.end()

    # The page.

    def sees(self, tab, *texts):
        """Waits for one of these texts on the page, and returns it."""
        def look():
            said = tab.run("document.getElementById('says').textContent")
            found = [text for text in texts if text in said]
            return found or Unseen(said)
        return until(look, f"the page must say {' or '.join(texts)}")[0]

    def has(self, tab, selector):
        """Waits until there is such an element that the user can see."""
        name = json.dumps(selector)
        until(lambda: tab.run(f"!!document.querySelector({name})?.checkVisibility()"), f"there must be {selector}")

    def press(self, tab, selector):
        self.has(tab, selector)
        tab.click(selector)

    def is_clean(self, tab):
        """Nothing of the link is in the address bar."""
        def look():
            where = urllib.parse.urlsplit(tab.url())
            return not (where.query or where.fragment.count("proof")) or Unseen(tab.url())
        until(look, "the link must leave the address bar")

    def has_forgotten(self, tab):
        """No script of the page finds a secret any more. The backend's page never had one, and reads no cookie."""
        look = "[document.cookie, ...Object.keys(sessionStorage), ...Object.keys(localStorage)].join('')"
        until(lambda: not tab.run(look) or Unseen(tab.run(look)), "nothing must be left in the page")

    # The e-ID.

    def begin(self, tab):
        """Presses the login button, and returns the address of the e-ID's page."""
        self.press(tab, self.origin.button)
        return self.is_at_the_e_id(tab)

    def is_at_the_e_id(self, tab):
        self.has(tab, "input[name=person]")
        return tab.url()

    def decide(self, tab, decision="approve"):
        """Approves or cancels, and is back on the site. Some browsers need the button of the server's last page."""
        self.has(tab, "input[name=person]")
        tab.click("input[name=person][value=freja]")
        tab.click(f"button[name=decision][value={decision}]")
        where = self.comes_to(tab, self.origin.url, self.server + "/done/")
        if where != self.origin.url:
            self.notes.append("by the button of the last page")
            self.press(tab, "#back")
            self.comes_to(tab, self.origin.url)

    def comes_to(self, tab, *places):
        def look():
            url = tab.url()
            return [place for place in places if url.startswith(place)] or Unseen(url)
        return until(look, f"the browser must come to {' or '.join(places)}")[0]

    def is_in(self, tab):
        self.sees(tab, USER)
        self.is_clean(tab)
        self.has_forgotten(tab)


class Unseen:
    """What is there instead. It counts as nothing, and is printed as what it is."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return False

    def __repr__(self):
        return repr(self.value)

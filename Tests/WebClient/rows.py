"""The rows of the run: what a user does, on which samples, and how it must end."""

from browsers import Wrong, until
from origin import USER
from user import Unseen, User

PAGES = ("page", "app", "guide")
EVERY = (*PAGES, "backend")
STRANGER = "login=AAAAAAAAAAAAAAAAAAAAAA&proof=AAAAAAAAAAAAAAAAAAAAAA"
# The page has no login, and the user began in another window: a window that has it took the link, or none did.
HANDED_OVER = "Continue in the window where you began."
ELSEWHERE = "If you began no login, close this page."
OPEN = "Your login is not finished."
OUT = "You are not logged in"


def logs_in(user):
    tab = user.open()
    user.begin(tab)
    user.decide(tab)
    user.is_in(tab)


def cancels_at_the_e_id(user):
    tab = user.open()
    user.begin(tab)
    user.decide(tab, "cancel")
    user.sees(tab, "cancelled", "did not end well")
    user.has(tab, user.origin.button)
    user.is_clean(tab)
    user.has_forgotten(tab)


def comes_back_without_a_link(user):
    """Rule 5, on a page that the browser has kept or loads anew: nothing ends, and forward goes on."""
    tab = user.open()
    tab.run("void (window.isKept = true)")
    user.begin(tab)
    tab.back()
    user.sees(tab, OPEN)
    user.notes.append("kept by the browser" if tab.run("window.isKept === true") else "loaded anew")
    tab.forward()
    user.is_at_the_e_id(tab)
    tab.back()
    user.sees(tab, OPEN)
    user.press(tab, "#continue")
    user.decide(tab)
    user.is_in(tab)


def goes_back_after_the_login(user):
    """The e-ID's page is of no use any more. The page after it is as it was, or has nobody's login."""
    tab = user.open()
    user.begin(tab)
    user.decide(tab)
    user.is_in(tab)
    tab.run("void (location.href = '/nothing')")
    user.comes_to(tab, user.origin.url + "/nothing")
    tab.back()
    user.sees(tab, USER, OUT)
    user.has_forgotten(tab)


def gives_up_on_the_page(user):
    tab = user.open()
    user.begin(tab)
    tab.back()
    # "Give up" moves when "Continue" appears beside it, so the user waits for that.
    user.sees(tab, OPEN)
    user.press(tab, "#give-up")
    user.sees(tab, "cancelled", "did not end well", OUT)
    user.has(tab, user.origin.button)
    user.has_forgotten(tab)


def loads_the_page_again(user):
    tab = user.open()
    user.begin(tab)
    tab.go(user.origin.url + user.origin.start)
    user.sees(tab, OPEN)
    tab.reload()
    user.sees(tab, OPEN)
    user.press(tab, "#continue")
    user.decide(tab)
    user.is_in(tab)


def duplicates_the_tab(user):
    """Both tabs have the secret, and one of them plays the login: the other takes over when it is gone."""
    tab = user.open()
    user.begin(tab)
    tab.back()
    user.sees(tab, OPEN)
    copy = tab.duplicate()
    user.sees(copy, "This login continues in another window.")
    tab.close()
    user.sees(copy, OPEN)
    user.press(copy, "#continue")
    user.decide(copy)
    user.is_in(copy)


def gives_up_beside_a_duplicate(user):
    """The copy waits for the first tab, and hears that the login is over."""
    tab = user.open()
    user.begin(tab)
    tab.back()
    user.sees(tab, OPEN)
    copy = tab.duplicate()
    user.sees(copy, "This login continues in another window.")
    user.press(tab, "#give-up")
    user.sees(copy, OUT)
    user.has_forgotten(copy)


def finishes_in_the_duplicate(user):
    """The copy is the one that goes on. The first tab forgets the login too."""
    tab = user.open()
    user.begin(tab)
    tab.back()
    user.sees(tab, OPEN)
    copy = tab.duplicate()
    if user.origin.sample == "backend":
        # The backend has one login for both.
        user.sees(copy, OPEN)
    else:
        user.sees(copy, "This login continues in another window.")
    address = at_the_e_id_in(user, tab)
    copy.go(address)
    user.decide(copy)
    tab.back()
    user.is_in(copy)
    if user.origin.sample == "backend":
        user.is_in(tab)
    else:
        user.sees(tab, USER, OUT, "This login is over")
        user.has_forgotten(tab)


def at_the_e_id_in(user, tab):
    user.press(tab, "#continue")
    return user.is_at_the_e_id(tab)


def returns_in_another_tab(user):
    """The e-ID's app opens a new tab. It has no login, and gives the link to the one that has."""
    first = user.open()
    address = user.begin(first)
    other = user.person.open(address)
    first.back()
    user.sees(first, OPEN)
    user.decide(other)
    user.is_in(first)
    user.is_clean(other)
    if user.origin.sample == "backend":
        user.sees(other, USER)
    else:
        # Both texts begin with this one. A tab that answers late has the login all the same.
        user.sees(other, HANDED_OVER)


def returns_in_another_tab_that_nobody_hears(user):
    """The first tab is still at the e-ID. The user goes back to it, and the login goes on there."""
    first = user.open()
    address = user.begin(first)
    other = user.person.open(address)
    user.decide(other)
    user.is_clean(other)
    if user.origin.sample == "backend":
        user.is_in(other)
    else:
        user.sees(other, ELSEWHERE)
        first.back()
        # The link was in the other tab only. The last page of the server has it again, and the six digits.
        user.press(first, "#continue")
        user.press(first, "#back")
        user.is_in(first)


def types_the_digits(user):
    """Another browser finishes the login. Its page shows six digits, and the user types them where it began."""
    first = user.open()
    address = user.begin(first)
    first.back()
    user.sees(first, OPEN)
    try:
        stranger = User(user.browser, user.origin, user.server, user.another_person())
        tab = stranger.person.open(address)
        stranger.has(tab, "input[name=person]")
        tab.click("input[name=person][value=freja]")
        tab.click("button[name=decision][value=approve]")
        stranger.comes_to(tab, user.server + "/done/")
        digits = until(lambda: tab.run("document.querySelector('#code .code').textContent"), "there must be digits")
        for code in ("000000" if digits != "000000" else "000001", digits):
            user.has(first, "#digits")
            first.type("#digits", code)
            first.click("#code button")
            if code != digits:
                user.sees(first, "digits are wrong")
        user.is_in(first)
    finally:
        if stranger.person is not user.person:
            stranger.end()


def loses_the_tab(user):
    """The tab is killed while the user is at the e-ID. Its secret is gone, and a new login begins."""
    tab = user.open()
    address = user.begin(tab)
    new = user.open()
    tab.close()
    if user.origin.sample == "backend":
        # The secret is on the server: nothing is lost.
        user.sees(new, OPEN)
        user.press(new, "#continue")
        user.decide(new)
        return user.is_in(new)
    user.sees(new, OUT)
    late = user.person.open(address)
    user.decide(late)
    user.sees(late, ELSEWHERE)
    user.begin(new)
    user.decide(new)
    return user.is_in(new)


def gets_the_link_of_somebody_else(user):
    """Whoever sends somebody a link must not log them in."""
    tab = user.open(f"/?{STRANGER}")
    user.sees(tab, ELSEWHERE)
    user.is_clean(tab)
    tab = user.open()
    user.begin(tab)
    user.decide(tab)
    user.is_in(tab)


def has_full_storage(user):
    """There is no room for the secret, so nothing begins, and the page says so. The backend needs none."""
    tab = user.open()
    user.has(tab, user.origin.button)
    tab.run("""(() => {
        let size = 2 ** 22;
        while (size > 0)
            try { sessionStorage.setItem(size + sessionStorage.length, 'x'.repeat(size)); } catch { size >>= 1; }
        try { for (let n = 0; ; n += 1) sessionStorage.setItem(`y${n}`, ''); } catch { }
    })()""")
    if user.origin.sample == "backend":
        user.begin(tab)
        tab.back()
        user.sees(tab, OPEN)
        return
    tab.click(user.origin.button)
    user.sees(tab, "cannot begin (not_stored)")
    tab.run("sessionStorage.clear()")
    user.begin(tab)
    user.decide(tab)
    user.is_in(tab)


def blocks_storage(user):
    """The settings of the browser forbid cookies and storage: the page works, and says that a login cannot begin."""
    tab = user.open()
    user.press(tab, user.origin.button)
    user.sees(tab, "cannot begin (not_stored)")


def breaks_the_policy(user):
    """The rows above would not see that the policy is missing. A script that tries is stopped, and reported."""
    tab = user.open()
    user.has(tab, user.origin.button)
    inline = """(() => {
        const script = document.createElement('script');
        script.append('window.ranInline = true');
        document.head.append(script);
        try { document.createElement('p').innerHTML = '<b>'; } catch { return !window.ranInline; }
        return false;
    })()"""
    if not tab.run(inline):
        raise Wrong("a script of the page may do what the policy forbids")
    reported = []

    def look():
        reported.extend(user.origin.reports(1))
        return "require-trusted-types-for" in " ".join(reported) or Unseen(reported)

    until(look, "trusted types must be reported")


# The samples of each row, and whether it needs a browser with storage blocked.
ROWS = [
    (logs_in, EVERY), (cancels_at_the_e_id, EVERY), (comes_back_without_a_link, EVERY),
    (goes_back_after_the_login, EVERY), (gives_up_on_the_page, EVERY), (loads_the_page_again, EVERY),
    (duplicates_the_tab, PAGES), (gives_up_beside_a_duplicate, PAGES), (finishes_in_the_duplicate, EVERY),
    (returns_in_another_tab, EVERY),
    (returns_in_another_tab_that_nobody_hears, EVERY), (types_the_digits, ("page", "app", "backend")),
    (loses_the_tab, EVERY),
    (gets_the_link_of_somebody_else, EVERY), (has_full_storage, EVERY), (blocks_storage, PAGES),
    (breaks_the_policy, EVERY),
]

# On samples without a backend these go on only in the browser whose cookie the server knows. WebKitGTK takes none over
# http.
NEED_COOKIES = [returns_in_another_tab_that_nobody_hears]

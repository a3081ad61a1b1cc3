"""What happens to the logins: each disturbance is a function of a player."""

from model import Disturbance
from player import need
from program import PATIENCE

WRONG_CODE = "000000"


def plain(player):
    player.start()
    player.approve()
    player.come_back()


def lost(call, fault):
    """The first request of this kind, or its response, comes to nothing."""

    def play(player):
        player.network.fault(call, fault)
        if call == "poll":
            # An app in the background polls no more.
            player.tap()
            report = player.program.hear("open", "open_app")
            player.happened(call, fault)
            player.perform(report)
        else:
            player.start()
        player.approve()
        player.come_back()
        player.happened(call, fault)

    return play


def killed_in_create(player):
    player.network.fault("create", "held")
    player.tap()
    player.happened("create", "held")
    player.kill()
    player.revive()
    player.reach()
    player.approve()
    player.come_back()
    need(len(player.network.answers("create")) == 2, "the create was not repeated")


def closed(times):
    """The browser is closed, and the user continues."""

    def play(player):
        player.start()
        for _ in range(times):
            player.close_browser()
            player.program.hear("paused")
            player.continue_login()
        player.approve()
        player.come_back()

    return play


def falsely_closed(player):
    player.start()
    player.report_closed()
    player.program.hear("paused")
    player.approve()
    player.come_back()


def killed_after_open(player):
    player.start()
    player.kill()
    player.revive()
    player.program.hear("paused")
    if not player.row.survives_kill:
        player.continue_login()
    player.approve()
    player.come_back()


def started_by_link(player):
    """The app was killed while the user was in the browser."""
    player.start()
    player.approve()
    link = player.take_link()
    player.kill()
    player.revive()
    player.order("link", link=link)


def killed_in_return(player):
    player.start()
    player.approve()
    link = player.take_link()
    if player.is_away:
        # The app first says that the user is back.
        player.enter_app()
        need(player.network.wait(lambda net: net.answers("return"), PATIENCE), "the app did not say that it is back")
    player.network.fault("return", "held")
    player.order("link", link=link)
    player.happened("return", "held")
    player.kill()
    player.revive()


def closed_after_approval(player):
    """The link never arrives, and the browser is gone."""
    player.start()
    player.approve()
    if player.row.has_page:
        player.read_code()
    player.close_browser()
    player.program.hear("paused", "enter_code", "show")
    player.continue_login()
    if player.row.facts.ends_in_app:
        player.approve()
    player.come_back()


def foreign_link(player):
    """A link of another login with the same prefix."""
    player.start()
    player.order("link", link=player.foreign_link())
    need(player.network.wait(lambda net: 422 in net.answers("return"), PATIENCE), "the link was not handed in")
    player.approve()
    player.come_back()


def link_twice(player):
    player.start()
    player.approve()
    link = player.take_link()
    player.enter_app(link)
    player.enter_app(link)


def user_cancels(player):
    player.start()
    player.decide("cancel")
    if player.row.provider == "digid":
        player.come_back()
        player.program.hear("paused")
        player.order("cancel")
    else:
        link = player.window.link or player.window.button
        player.enter_app(link if link and player.opens_app(link) else None)


def cancel(fault=None):
    """The user gives up in the app."""

    def play(player):
        player.start()
        player.enter_app()
        if fault:
            player.network.fault("cancel", fault)
        player.order("cancel")
        if fault:
            player.happened("cancel", fault)

    return play


def code(player):
    """The button opens nothing on this phone."""
    player.start()
    player.approve()
    digits = player.read_code()
    player.enter_app()
    player.order("enter_code", code=digits)


def code_of_page_shown_again(player):
    player.start()
    player.approve()
    player.read_code()
    player.close_browser()
    player.program.hear("enter_code", "show")
    player.continue_login()
    digits = player.read_code()
    player.enter_app()
    player.order("enter_code", code=digits)


def type_wrong_codes(player, count):
    player.start()
    player.approve()
    digits = player.read_code()
    player.enter_app()
    for number in range(count):
        player.order("enter_code", code=WRONG_CODE if digits != WRONG_CODE else "111111")
        wrong = player.program.hear("wrong_code")
        need(wrong.get("tries_left") == 2 - number, f"{wrong.get('tries_left')} tries are left")
    return digits


def code_after_wrong_one(player):
    player.order("enter_code", code=type_wrong_codes(player, 1))


def code_three_times_wrong(player):
    type_wrong_codes(player, 3)
    player.come_back()


def switch(closes=False, kills=False):
    """The e-ID's app opens ours, and the browser goes on behind it, or is gone."""

    def play(player):
        player.start()
        link = player.window.need(player.window.switch, "no link to the app")
        if closes or kills:
            player.browsers.close(player.surface)
        if kills:
            player.kill()
            player.revive()
        player.enter_app(link)
        if player.row.facts.resumes:
            # It opens the address only if the window is gone, and then in the browser with the same cookies.
            player.reach()
        elif kills or closes:
            if not kills:
                player.report_closed()
            player.program.hear("paused")
            player.continue_login()
        player.approve()
        if player.window.link or not player.row.facts.switch_proves:
            player.come_back()
        else:
            player.enter_app()

    return play


def resumed_elsewhere(player):
    """Another browser does not have the cookies, so it gets no further, and it ends nothing. An app that mixes its
    surfaces up would stay there, as this matrix would show."""
    player.start()
    link = player.window.need(player.window.switch, "no link to the app")
    player.browsers.close(player.surface)
    player.enter_app(link)
    report = player.program.hear("open")
    other = player.browsers.open("tab" if player.surface == "auth_session" else "auth_session", report["url"])
    other.need("another browser" in other.page and not other.asks, "the login goes on in another browser,")
    player.perform(report)
    player.approve()
    player.enter_app(player.window.link)


DISTURBANCES = [
    Disturbance("plain", plain),
    Disturbance("the create is lost", lost("create", "lost_request")),
    Disturbance("the create's response is lost", lost("create", "lost_response")),
    Disturbance("a hotel answers the create", lost("create", "hotel")),
    Disturbance("the create gets 502", lost("create", "bad_gateway")),
    Disturbance("killed in the create", killed_in_create),
    Disturbance("the browser is closed first", closed(1)),
    Disturbance("the browser is closed three times first", closed(3)),
    Disturbance("the browser seems closed first", falsely_closed),
    Disturbance("killed behind the browser", killed_after_open),
    Disturbance("a poll is lost", lost("poll", "lost_request")),
    Disturbance("a hotel answers a poll", lost("poll", "hotel")),
    Disturbance("a poll gets 502", lost("poll", "bad_gateway")),
    Disturbance("the link starts the app", started_by_link),
    Disturbance("killed in the return", killed_in_return),
    Disturbance("the return is lost", lost("return", "lost_request")),
    Disturbance("the return's response is lost", lost("return", "lost_response")),
    Disturbance("the browser is closed after the approval", closed_after_approval),
    Disturbance("a link of another login comes first", foreign_link),
    Disturbance("the link comes twice", link_twice),
    Disturbance("the user cancels at the e-ID", user_cancels, ends="user"),
    Disturbance("the user cancels in the app", cancel(), ends="app"),
    Disturbance("the cancel's response is lost", cancel("lost_response"), ends="app"),
    Disturbance("the code is typed", code, ends="code", needs="page"),
    Disturbance("the page is shown again, and its code typed", code_of_page_shown_again, ends="code", needs="page"),
    Disturbance("a wrong code is typed first", code_after_wrong_one, ends="code", needs="page"),
    Disturbance("three wrong codes, then the link", code_three_times_wrong, needs="page"),
    Disturbance("the e-ID's app returns", switch(), ends="switch", needs="switch"),
    Disturbance("the e-ID's app returns, the browser is gone", switch(closes=True), ends="switch", needs="switch"),
    Disturbance("the e-ID's app returns, the app is gone", switch(kills=True), ends="switch", needs="switch"),
    Disturbance("it is resumed in another browser first", resumed_elsewhere, ends="switch", needs="resume"),
]

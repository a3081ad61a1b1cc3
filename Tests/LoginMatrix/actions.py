"""Programs that name fewer actions than there are: the proxy writes other `actions` into the create. A page stands in
for what is not named, or the create is refused (`action_required`)."""

from disturbances import closed_after_approval, code, plain, switch
from model import Disturbance

ACTIONS = ("open_browser", "resume_browser", "show_browser", "open_app", "enter_code")
# None, each alone, all but one, all.
SETS = [(), *((action,) for action in ACTIONS),
        *(tuple(other for other in ACTIONS if other != action) for action in ACTIONS), ACTIONS]


def words(named):
    if len(named) == len(ACTIONS):
        return "all actions are named"
    if len(named) > 1:
        missing = next(action for action in ACTIONS if action not in named)
        return f"{missing} is not named"
    return f"only {named[0]} is named" if named else "no action is named"


def made(named):
    name, more = words(named), {"actions": list(named)}
    first = [Disturbance(name, plain, **more),
             Disturbance(f"{name}, at a desk", code, ends="code", needs="page", app="desk", **more)]
    # The others would be refused in the same way.
    return first if "open_browser" not in named else [
        *first,
        Disturbance(f"{name}, the browser is closed after the approval", closed_after_approval, **more),
        Disturbance(f"{name}, the e-ID's app returns", switch(), ends="switch", needs="switch", **more),
        Disturbance(f"{name}, the e-ID's app returns, the browser is gone", switch(closes=True), ends="switch",
                    needs="switch", **more),
    ]


FEWER_ACTIONS = [disturbance for named in SETS for disturbance in made(named)]

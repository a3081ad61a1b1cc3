"""The browsers of the run, one module for each, and how to start one."""

import pathlib
import shutil
import time

import chromium
import firefox
import webkit
from sandbox import PATIENCE

BROWSERS = {"chromium": chromium.Chromium, "webkit": webkit.WebKit, "firefox": firefox.Firefox}



class Wrong(Exception):
    """What a user sees is not what should be there."""


def missing(name):
    """Returns the programs of a browser that are not installed."""
    return [one for one in BROWSERS[name].programs if not (shutil.which(one) or pathlib.Path(one).exists())]


def until(look, what, seconds=PATIENCE):
    """Calls `look` until it returns something true, and returns that. Pages that are just loading may raise."""
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        try:
            last = look()
            if last:
                return last
        except Exception as error:  # The document that was asked has gone.
            last = error
        time.sleep(0.05)
    raise Wrong(f"{what}: it is {last!r}")

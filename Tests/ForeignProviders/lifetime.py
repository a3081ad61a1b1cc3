"""Shared by the foreign providers: when they end, and a line on stderr for each request."""

import logging
import os
import signal
import stat
import sys
import threading


def wait_for_end_of_input():
    # sys.stdin is not used: a waiting thread would hold its lock when Python ends.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def log_requests():
    """Logs requests as werkzeug and http.server do: … "POST /token HTTP/1.1" 200."""
    logger = logging.getLogger("werkzeug")
    logger.setLevel(logging.INFO)
    # One line is enough, even if the provider itself logs requests.
    logger.propagate = False


def end_when_told():
    """Ends on SIGTERM, and when the program that feeds the standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # Only a pipe has a program at its other end, unlike a terminal or /dev/null.
    if stat.S_ISFIFO(os.fstat(0).st_mode):
        threading.Thread(target=wait_for_end_of_input, daemon=True).start()

"""What the foreign providers have in common: when they end, and that they name on stderr each request that they get."""

import logging
import os
import signal
import stat
import sys
import threading


def wait_for_end_of_input():
    # Not sys.stdin, whose lock a thread that still waits would hold when Python ends.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def log_requests():
    """As werkzeug and http.server do it: … "POST /token HTTP/1.1" 200."""
    logger = logging.getLogger("werkzeug")
    logger.setLevel(logging.INFO)
    # Once is enough, also where the provider logs by itself.
    logger.propagate = False


def end_when_told():
    """On SIGTERM, and when the program that feeds the standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # A terminal or /dev/null is nobody who waits for us.
    if stat.S_ISFIFO(os.fstat(0).st_mode):
        threading.Thread(target=wait_for_end_of_input, daemon=True).start()

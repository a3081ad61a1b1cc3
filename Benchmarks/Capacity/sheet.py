"""The sheet: what the figures of a machine say about how much one server does, and which limit comes first."""

import collections
import re
import textwrap

from measure import median

GB = 1e9
DAY = 86_400
# A processor that is busier answers late when users come in bursts.
BUSY = 0.6

# What a login takes outside of the server. Measure your own: the second and the third are in the server's metrics.
Use = collections.namedtuple("Use", "login_seconds abandoned broker_seconds trip_seconds")
USUAL = Use(login_seconds=60, abandoned=0.2, broker_seconds=0.3, trip_seconds=0.002)
SIZES = (1, 10, 100)
NAMES = {"memory": "memory", "sqlite": "SQLite", "postgresql": "PostgreSQL"}


class Limit:
    """`most` is how many logins a second one server of these settings reaches it with."""

    def __init__(self, name, most, formula):
        self.name, self.most, self.formula = name, most, formula


def pending(use, settings):
    """Seconds for which a login is pending, on average: a login that is abandoned stays until it expires."""
    return use.login_seconds * (1 - use.abandoned) + settings["login_lifetime"] * use.abandoned


def memory(figures, use, settings):
    """Bytes for each login a second, beside the process's own. The kernel's part of a connection is in it."""
    return (pending(use, settings) * figures.pending_memory
            + use.login_seconds * (figures.poll_memory + figures.poll_kernel))


def limits(store, figures, use, settings, descriptors):
    """The limits of one server with the default settings, on one core with one GB."""
    connections = min(settings["connections"], descriptors - 500)
    found = [
        Limit("one core of the server", BUSY * 1e6 / median(figures.cost), "0.6 s ÷ `c`"),
        Limit("`limits.broker_connections`", settings["broker_connections"] / use.broker_seconds,
              f"{settings['broker_connections']} ÷ `b`"),
        Limit("`limits.connections`", connections / use.login_seconds, f"{connections:,} ÷ `u`"),
        Limit("`limits.pending_logins`", settings["pending_logins"] / pending(use, settings),
              f"{settings['pending_logins']:,} ÷ `p`"),
        Limit("1 GB of memory", (GB - figures.base_memory) / memory(figures, use, settings),
              "(1 GB − the process) ÷ (`p` × a login + `u` × a poll)"),
        Limit("28,000 ports of one proxy", 28_000 / use.login_seconds, "28,000 ÷ `u`"),
    ]
    if store == "postgresql":
        found += [
            Limit("one core of PostgreSQL", BUSY * 1e6 / median(figures.database), "0.6 s ÷ `d`"),
            Limit("`postgresql.connections`",
                  settings["postgresql_connections"] / (figures.transactions * use.trip_seconds),
                  f"{settings['postgresql_connections']} ÷ (`x` × `t`)"),
        ]
    return sorted(found, key=lambda limit: limit.most)


def spread(values):
    return f"{median(values):,.0f}" + (f" ({min(values):,.0f}–{max(values):,.0f})" if len(values) > 1 else "")


def table(head, aligned, rows):
    return [f"| {' | '.join(head)} |", f"|{'|'.join(aligned)}|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def number(value, form="{:,.0f}"):
    return "–" if value is None else form.format(value)


def rounded(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def sheet(figures, settings, descriptors, about, use=USUAL):
    """The lines of the sheet."""
    lines = [*about, "", "**A login**, from its create to the deleted result: create, link, callback with the code's"
             " exchange, done page, `return`, poll, `DELETE`.", ""]
    lines += table(
        ["store", "`c`: µs of the server", "logins a second and core", "`d`: µs in PostgreSQL", "`x`: transactions",
         "bytes of WAL", "bytes of its row for a day", "a day of one login a second"],
        ["---"] + ["--:"] * 7,
        [[NAMES[store], spread(one.cost), f"{1e6 / median(one.cost):,.0f}",
          spread(one.database) if store == "postgresql" else "–", number(one.transactions, "{:.1f}"), number(one.wal),
          number(one.tombstone_row),
          "–" if one.tombstone_row is None else f"{one.tombstone_row * DAY / 1e6:,.0f} MB"]
         for store, one in figures.items()])
    lines += ["**Waiting**: a login that is pending, and an app that waits for it in a long poll.", ""]
    lines += table(
        ["store", "the process, MB", "bytes of a login, in memory", "in the store", "bytes of a poll", "in the kernel",
         "descriptors of a poll", "polls in a GB", "µs a second for a poll"],
        ["---"] + ["--:"] * 8,
        [[NAMES[store], f"{one.base_memory / 1e6:.0f}", number(one.pending_memory), number(one.pending_row),
          number(one.poll_memory), number(one.poll_kernel), f"{one.poll_descriptors:.2f}",
          f"{(GB - one.base_memory) / max(1, one.pending_memory + one.poll_memory + one.poll_kernel):,.0f}",
          f"{one.held_cpu * 1e6 / settings['held']:.1f}"]
         for store, one in figures.items()])
    lines += ["**Sessions**, which an app renews at most every few minutes:", ""]
    lines += table(
        ["store", "µs of a renewal", "renewals a second and core", "µs in PostgreSQL", "bytes of a session's row",
         "sessions in a GB of the store"],
        ["---"] + ["--:"] * 5,
        [[NAMES[store], spread(one.renewal), f"{1e6 / median(one.renewal):,.0f}",
          spread(one.renewal_database) if store == "postgresql" else "–",
          number(one.session_row or one.session_memory),
          f"{GB / max(1, one.session_row or one.session_memory):,.0f}"] for store, one in figures.items()])
    lines += assumptions(use, settings)
    for store in ("sqlite", "postgresql"):
        lines += first_limits(store, figures[store], use, settings, descriptors)
    return lines + sizes(figures, use, settings, descriptors)


def assumptions(use, settings):
    return [
        f"**Assumed**: `u` = {use.login_seconds} s from the create to the result, for which the app waits;"
        f" {use.abandoned:.0%} of the logins are abandoned and expire after `login_lifetime`"
        f" ({settings['login_lifetime']} s), so a login is pending for `p` = {pending(use, settings):.0f} s on average;"
        f" the broker answers in `b` = {use.broker_seconds} s, and PostgreSQL in `t` = {use.trip_seconds * 1000:.0f} ms."
        " A core is full at 60 %.", ""]


def first_limits(store, figures, use, settings, descriptors):
    lines = [f"**What comes first** for one server with {NAMES[store]} and the default settings:", ""]
    return lines + table(
        ["limit", "logins a second", "formula"], ["---", "--:", "---"],
        [[limit.name, rounded(limit.most), limit.formula]
         for limit in limits(store, figures, use, settings, descriptors)])


def sizes(figures, use, settings, descriptors):
    rows = []
    for rate in SIZES:
        for store in ("sqlite", "postgresql"):
            one = figures[store]
            first = limits(store, one, use, settings, descriptors)[0]
            rows.append([
                str(rate), NAMES[store], f"{rate * median(one.cost) / 1e6:.2f}",
                f"{rate * median(one.database) / 1e6:.2f}" if store == "postgresql" else "–",
                f"{rate * use.login_seconds:,.0f}", f"{rate * pending(use, settings):,.0f}",
                f"{(one.base_memory + rate * memory(one, use, settings)) / 1e6:,.0f}",
                f"{rate * DAY * one.tombstone_row / GB:.1f}",
                "–" if one.wal is None else f"{rate * DAY * one.wal / GB:.1f}",
                f"{first.name}: {rate / first.most:.0%}"])
    return ["**Three sizes**, on one server:", ""] + table(
        ["logins a second", "store", "cores, server", "cores, PostgreSQL", "polls and descriptors", "pending logins",
         "memory, MB", "store, GB", "WAL a day, GB", "nearest limit"],
        ["--:", "---"] + ["--:"] * 7 + ["---"], rows)


def wrapped(lines):
    """Rows of tables stay as they are."""
    for line in lines:
        yield from textwrap.wrap(line, 118) if line and not line.startswith("|") else [line]


# The page

BEGIN = "<!-- Generated by Benchmarks/capacity --write. -->"
END = "<!-- End of the generated part. -->"


def written(page, lines):
    """The page with these lines between its marks."""
    pattern = re.compile(f"{re.escape(BEGIN)}\n.*?{re.escape(END)}", re.S)
    if len(pattern.findall(page)) != 1:
        raise SystemExit(f"The page has no part between {BEGIN} and {END}")
    text = "\n".join(wrapped(lines)).strip()
    return pattern.sub(lambda _: f"{BEGIN}\n\n{text}\n\n{END}", page)

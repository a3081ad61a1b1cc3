"""What a login, a waiting poll and a session cost, for each store."""

import asyncio
import collections
import contextlib
import resource
import sqlite3
import statistics
import time

import phone as phones
import postgres
import processes
import provider as providers
import server as servers
import wire

# What a run measures. The short one only shows that everything still works.
Extent = collections.namedtuple("Extent", "rounds logins held sessions renewals idle")
WHOLE = Extent(rounds=5, logins=150, held=10_000, sessions=400, renewals=4, idle=10)
SHORT = Extent(rounds=1, logins=4, held=20, sessions=3, renewals=2, idle=1)

STORES = {
    "memory": "store: memory",
    "sqlite": "store: sqlite\nsqlite: {path: FOLDER/data/switchback.db}",
    "postgresql": "store: postgresql\npostgresql: {url: \"URL\"}",
}
# No limit of the defaults is to be reached by one client, which has one address.
LIMITS = """\
login_lifetime: 3600
limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0, broker_calls_per_address_per_minute: 0,
  connections_per_address: 15000, pending_logins: 1000000}
poll: {wait: 120}
"""
# How many logins run at a time.
WIDTH = 16


class Figures:
    """`cost` is microseconds of the server's processor time, `database` those of PostgreSQL. Both have a figure for each
    round of logins. The others are single figures, or None where the store has no such thing."""

    def __init__(self):
        self.cost, self.database, self.renewal, self.renewal_database = [], [], [], []
        self.transactions = self.wal = None
        self.base_memory = self.base_descriptors = 0
        self.pending_memory = self.poll_memory = self.poll_kernel = self.poll_descriptors = self.held_cpu = 0.0
        self.pending_row = self.tombstone_row = self.session_row = self.session_memory = None


class Bench:
    """A server with one store."""

    def __init__(self, program, store, provider, cluster):
        self.store, self.provider, self.cluster, self.figures = store, provider, cluster, Figures()
        url = cluster.new_database("capacity") if store == "postgresql" else ""
        self.server = servers.Server(program, provider, STORES[store].replace("URL", url), LIMITS)
        self.server.start()
        self.client = wire.Client(self.server.port)
        self.empty = self.rows("login")

    @property
    def pid(self):
        return self.server.process.pid

    def sql(self, text):
        return self.cluster.sql(text, "capacity")

    def now(self):
        """The processor time so far: the server's and PostgreSQL's."""
        database = processes.tree_cpu_seconds(self.cluster.postmaster) if self.store == "postgresql" else 0
        return processes.cpu_seconds(self.pid), database

    async def many(self, count, work):
        gate = asyncio.Semaphore(WIDTH)

        async def one(number):
            async with gate:
                return await work(number)

        return await asyncio.gather(*(one(number) for number in range(count)))

    async def costs(self, count, work):
        """Microseconds of each piece of work, of the server and of PostgreSQL."""
        before = self.now()
        await self.many(count, work)
        return [(then - start) * 1e6 / count for start, then in zip(before, self.now())]

    # Logins

    async def log_in(self, count):
        cost, database = await self.costs(count, lambda _: phones.log_in(self.client, self.provider))
        self.figures.cost.append(cost)
        self.figures.database.append(database)

    async def warm_up(self, count):
        await self.many(count, lambda _: phones.log_in(self.client, self.provider))
        self.figures.base_memory = processes.memory_bytes(self.pid)
        self.figures.base_descriptors = processes.descriptors(self.pid)

    async def trips(self, count):
        """What a login writes into PostgreSQL, beside what the server does there anyway."""
        if self.store != "postgresql":
            return
        # Autovacuum comes when it likes, and what it does is no login's.
        with self.cluster.setting("autovacuum", "off"):
            start, before = time.monotonic(), self.counters()
            await self.many(count, lambda _: phones.log_in(self.client, self.provider))
            after, middle = self.counters(), time.monotonic()
            idle, end = self.counters(), time.monotonic()
        # In as many seconds without a login.
        anyway = [(then - now) * (middle - start) / (end - middle) for now, then in zip(after, idle)]
        self.figures.transactions, self.figures.wal = (
            (then - now - other) / count for now, then, other in zip(before, after, anyway))
        # The rows of all logins so far, which have become tombstones.
        self.figures.tombstone_row = (self.live_rows() - self.empty) / int(
            self.sql("SELECT count(*) FROM switchback.login"))

    def counters(self):
        # A session that is idle reports what it has done after ten seconds at the latest (PGSTAT_IDLE_INTERVAL).
        time.sleep(11)
        text = self.sql("SELECT xact_commit, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
                        " FROM pg_stat_database WHERE datname = 'capacity'")
        return [int(word) for word in text.split("|")]

    def live_rows(self):
        """The bytes of the logins' tables without earlier versions of their rows."""
        for table in self.sql("SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                              " WHERE n.nspname = 'switchback' AND c.relkind = 'r' AND c.relname LIKE 'login%'").split():
            self.sql(f"VACUUM FULL {table}")
        return self.rows("login")

    # Polls

    async def hold(self, count, seconds):
        """Logins that nobody opens, and then an app that waits for each."""
        before = processes.memory_bytes(self.pid)
        table = self.rows("login")
        logins = [phones.Login(self.client, self.provider) for _ in range(count)]
        await self.many(count, lambda number: logins[number].create())
        created = processes.memory_bytes(self.pid)
        self.figures.pending_memory = max(0, created - before) / count
        if table is not None:
            self.figures.pending_row = (self.rows("login") - table) / count
        kernel, descriptors = processes.kernel_bytes(), processes.descriptors(self.pid)
        waiting = await self.many(count, lambda number: self.wait(logins[number]))
        await self.until_held(count)
        self.figures.poll_memory = max(0, processes.memory_bytes(self.pid) - created) / count
        # Both ends of each connection are on this machine.
        self.figures.poll_kernel = max(0, processes.kernel_bytes() - kernel) / count / 2
        self.figures.poll_descriptors = (processes.descriptors(self.pid) - descriptors) / count
        start = processes.cpu_seconds(self.pid)
        await asyncio.sleep(seconds)
        self.figures.held_cpu = (processes.cpu_seconds(self.pid) - start) / seconds
        for connection in waiting:
            connection[1].close()

    async def wait(self, login):
        connection = await self.client.open()
        wire.write(connection, self.client.port, "GET", login.path, [
            ("Authorization", f"Bearer {login.secret}"), ("Prefer", "wait=120"),
            ("If-None-Match", f'W/"{login.login["version"]}"')])
        return connection

    async def until_held(self, count):
        end = time.monotonic() + servers.PATIENCE
        while time.monotonic() < end:
            if f"\nswitchback_held_polls {count}\n" in self.server.metrics():
                return
            await asyncio.sleep(0.1)
        raise RuntimeError(f"not all of {count} polls are held:\n{self.server.log()}")

    # Sessions

    async def sessions(self, count, renewals):
        memory, table = processes.memory_bytes(self.pid), self.rows("session")
        phones_ = [phones.Phone(self.client, self.provider, self.server.url) for _ in range(count)]
        await self.many(count, lambda number: phones_[number].begin())
        if table is not None:
            self.figures.session_row = (self.rows("session") - table) / count
        self.figures.session_memory = max(0, processes.memory_bytes(self.pid) - memory) / count
        # The first renewal of a session writes that it is used.
        await self.many(count, lambda number: phones_[number].renew())
        cost, database = await self.costs(count * renewals, lambda number: phones_[number % count].renew())
        self.figures.renewal.append(cost)
        self.figures.renewal_database.append(database)

    # What is on the disk

    def rows(self, name):
        """The bytes of a table with its indexes. None if the store cannot say while it runs."""
        if self.store != "postgresql":
            return None
        own = f"c.relname {'LIKE' if name == 'login' else '='} '{name}{'%' if name == 'login' else ''}'"
        return int(self.sql(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            f" WHERE n.nspname = 'switchback' AND c.relkind = 'r' AND {own}"))

    def files(self):
        """The rows of SQLite's file, when the server has stopped."""
        self.client.close()
        self.server.stop()
        if self.store == "sqlite":
            with contextlib.closing(sqlite3.connect(self.server.path / "data" / "switchback.db")) as file:
                for table, figure in (("login", "pending_row"), ("tombstones", "tombstone_row"),
                                      ("sessions", "session_row")):
                    setattr(self.figures, figure, row_bytes(file, table))
        self.server.remove()


def row_bytes(file, table):
    """The pages of a table and of its indexes, for each row."""
    names = [table] + [name for name, in file.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", [table])]
    count = file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    pages = file.execute(f"SELECT sum(pgsize) FROM dbstat WHERE name IN ({','.join('?' * len(names))})", names)
    return pages.fetchone()[0] / count if count else None


async def run(program, extent, say):
    """Figures by store. The stores take turns, so that a machine whose speed changes changes it for all of them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    provider = providers.Provider()
    await provider.start()
    benches = []
    with postgres.Cluster() as cluster:
        try:
            benches = [Bench(program, store, provider, cluster) for store in STORES]
            for bench in benches:
                await bench.warm_up(extent.logins)
            for number in range(extent.rounds):
                for bench in benches:
                    await bench.log_in(extent.logins)
                say(f"round {number + 1} of {extent.rounds}: " + ", ".join(
                    f"{bench.store} {bench.figures.cost[-1]:.0f} µs" for bench in benches))
            for bench in benches:
                await bench.trips(extent.logins)
                await bench.sessions(extent.sessions, extent.renewals)
                say(f"{bench.store}: {extent.sessions} sessions, a renewal {bench.figures.renewal[-1]:.0f} µs")
                await bench.hold(extent.held, extent.idle)
                say(f"{bench.store}: {extent.held} polls are held")
                bench.files()
            return {bench.store: bench.figures for bench in benches}
        finally:
            for bench in benches:
                bench.server.remove()
            await provider.stop()


def median(values):
    return statistics.median(values)

"""The incidents: each has a server and a broker of its own, users who log in all the time, and the alerts that it must
raise. `calm` is the same without an incident.
"""

import asyncio
import contextlib
import fcntl
import os
import re
import signal
import subprocess

import phone as phones
import postgres
import provider as providers
import server as servers
import wire

# The usual traffic comes first, so that what is unusual can be seen. In minutes of the rules.
USUAL, INCIDENT = 10, 18


class Play:
    """`alerts` are those that the incident raises, and no others. `more` is YAML."""

    alerts = ()
    store = "store: memory"
    more = ""

    # Whether the server can be scraped until the end.
    stays = True

    def __init__(self, program, minute):
        self.program, self.minute = program, minute
        self.provider = providers.Provider()
        self.happens = False

    @property
    def job(self):
        return "switchback" + re.sub("([A-Z])", r"-\1", type(self).__name__).lower()

    async def begin(self):
        await self.provider.start()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self.start)
        self.client = wire.Client(self.server.port)

    def start(self):
        self.server = servers.Server(self.program, self.provider, self.store, self.more)
        self.change_files()
        self.server.start()

    def change_files(self):
        """Before the start."""

    async def incident(self):
        """What goes wrong."""

    async def run(self):
        traffic = asyncio.create_task(self.traffic())
        await asyncio.sleep(USUAL * self.minute)
        await self.incident()
        self.happens = True
        await asyncio.sleep(INCIDENT * self.minute)
        traffic.cancel()

    async def traffic(self):
        running = set()
        while True:
            task = asyncio.create_task(self.user())
            running.add(task)
            task.add_done_callback(running.discard)
            await asyncio.sleep(0.7)

    async def user(self):
        """A login. What fails is what the server counts."""
        with contextlib.suppress(phones.Failed, OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            await self.log_in()

    async def log_in(self):
        await phones.log_in(self.client, self.provider)

    async def end(self):
        self.client.close()
        await asyncio.get_running_loop().run_in_executor(None, self.server.remove)
        await self.provider.stop()


class Calm(Play):
    """Nothing goes wrong: logins, sessions, a waiting app, callbacks of nobody, a broker whose clock is two seconds ahead."""

    async def incident(self):
        self.provider.skew = 2
        self.waiting = phones.Login(self.client, self.provider)
        await self.waiting.create()
        self.poll = asyncio.create_task(
            self.waiting.send("GET", self.waiting.path, None, [
                ("Prefer", "wait=60"), ("If-None-Match", f'W/"{self.waiting.login["version"]}"')], wait=90))
        self.others = asyncio.create_task(self.now_and_then())

    async def now_and_then(self):
        while True:
            phone = phones.Phone(self.client, self.provider, self.server.url)
            await phone.begin()
            await phone.renew()
            await self.client.send("GET", "/callback/main?code=x&state=nobody")
            await asyncio.sleep(2)

    async def run(self):
        await super().run()
        self.poll.cancel()
        self.others.cancel()


class BrokerDown(Play):
    """The broker does not answer."""

    alerts = ("SwitchbackBrokerDown", "SwitchbackLoginsFail")

    async def incident(self):
        await self.provider.stop()


class WrongSecret(Play):
    """The broker refuses our secret."""

    alerts = ("SwitchbackBrokerRefusesUs", "SwitchbackLoginsFail")

    async def incident(self):
        self.provider.refuses = True


class FrontError(Play):
    """The broker sends users back with an error, before any code."""

    alerts = ("SwitchbackLoginsFail",)

    async def log_in(self):
        if not self.happens:
            return await super().log_in()
        login = phones.Login(self.client, self.provider)
        await login.create()
        await login.open()
        await login.come_back(self.provider.error(login.location, "server_error"))


class StoreDown(Play):
    """The database is down."""

    alerts = ("SwitchbackStoreFails", "SwitchbackRequestsFail")

    async def begin(self):
        self.cluster = postgres.Cluster("fsync=off")
        await asyncio.get_running_loop().run_in_executor(None, self.cluster.__enter__)
        self.store = f'store: postgresql\npostgresql: {{url: "{self.cluster.new_database("play")}"}}'
        await super().begin()

    async def incident(self):
        await asyncio.get_running_loop().run_in_executor(None, self.cluster.stop)

    async def end(self):
        await super().end()
        self.cluster.__exit__()


class LimitReached(Play):
    """One address begins more logins than it may."""

    alerts = ("SwitchbackLimitReached",)
    more = "limits: {create_per_address_per_minute: 200}\n"

    async def incident(self):
        await asyncio.gather(*(self.create() for _ in range(400)))

    async def create(self):
        with contextlib.suppress(phones.Failed, OSError):
            await phones.Login(self.client, self.provider).create()


class SlowBroker(Play):
    """Users come faster than the broker answers."""

    alerts = ("SwitchbackUsersWait",)
    more = "limits: {broker_connections: 1}\n"

    async def incident(self):
        self.provider.delay = 1.5


class ClockAhead(Play):
    """The broker's clock is 45 seconds ahead."""

    alerts = ("SwitchbackClockSkew",)

    async def incident(self):
        self.provider.skew = 45


class CertificateEnds(Play):
    """Our certificate for the broker has five days left."""

    alerts = ("SwitchbackCertificateEnds",)

    def change_files(self):
        folder = self.server.path
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "5",
             "-subj", "/CN=us", "-keyout", folder / "client.key", "-out", folder / "client.pem"], check=True,
            capture_output=True)
        self.server.write(self.server.text().replace(
            "    kind: oidc\n", f"    kind: oidc\n    client_certificate_file: {folder}/client.pem\n"
            f"    client_key_file: {folder}/client.key\n"))


class KeyIsOld(Play):
    """The key of assertions has been active since 2024."""

    alerts = ("SwitchbackKeyIsOld",)

    def change_files(self):
        key = self.server.path / "assertion.key"
        key.write_text("# created: 2024-01-30T12:00:00Z\n# active: 2024-01-31T12:00:00Z\n" + key.read_text())


class ConfigurationRefused(Play):
    """The configuration has a mistake, and is reloaded."""

    alerts = ("SwitchbackConfigurationRefused",)

    async def incident(self):
        self.server.write(self.server.text() + "no_such_setting: 1\n")
        self.server.process.send_signal(signal.SIGHUP)


class NeedsRestart(Play):
    """A setting has changed that is read only at the start."""

    alerts = ("SwitchbackNeedsRestart",)

    async def incident(self):
        self.server.write(self.server.text() + "limits: {head: 20000}\n")
        self.server.process.send_signal(signal.SIGHUP)


class AuditRefuses(Play):
    """Nobody reads the pipe of the audit, and `audit.on_full` is `refuse`."""

    alerts = ("SwitchbackAuditFails", "SwitchbackRequestsFail")
    on_full = "refuse"

    def change_files(self):
        pipe = self.server.path / "audit"
        self.server.audit(pipe, f", on_full: {self.on_full}, waiting: 16")
        os.mkfifo(pipe, 0o600)
        # Both ends, so that the pipe has a reader when the server opens it. A few records fill it.
        self.pipe = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, 4096)

    async def begin(self):
        await super().begin()
        asyncio.get_running_loop().add_reader(self.pipe, os.read, self.pipe, 4096)

    async def incident(self):
        asyncio.get_running_loop().remove_reader(self.pipe)

    async def end(self):
        asyncio.get_running_loop().remove_reader(self.pipe)
        await super().end()
        os.close(self.pipe)


class AuditDrops(AuditRefuses):
    """Nobody reads the pipe of the audit, and `audit.on_full` is `drop`."""

    alerts = ("SwitchbackAuditFails",)
    on_full = "drop"


class ServerGone(Play):
    """The server is killed."""

    alerts = ("SwitchbackDown",)
    stays = False

    async def incident(self):
        self.server.process.kill()
        self.server.process.wait()


PLAYS = (Calm, BrokerDown, WrongSecret, FrontError, StoreDown, LimitReached, SlowBroker, ClockAhead, CertificateEnds,
         KeyIsOld, ConfigurationRefused, NeedsRestart, AuditRefuses, AuditDrops, ServerGone)

"""The two servers with all that they write, and the search in it."""

import asyncio
import gzip
import os
import pathlib
import subprocess
import sys
import urllib.request

import provider as providers
import server as servers
import wire
from secrets_seen import SHORTEST


class Client(wire.Client):
    """Notes what is secret in each request and each response."""

    def __init__(self, port, seen):
        super().__init__(port)
        self.seen = seen

    async def send(self, method, target, fields=(), body=b"", wait=wire.PATIENCE):
        self.seen.request(target, fields, body)
        answer = await super().send(method, target, fields, body, wait)
        self.seen.response(answer)
        return answer


class Both:
    """Each request goes to the next server, and to the other one if the first is being restarted."""

    def __init__(self, clients):
        self.clients, self.turn = clients, 0

    async def send(self, method, target, fields=(), body=b"", wait=wire.PATIENCE):
        for tries_left in range(40, 0, -1):
            self.turn += 1
            try:
                return await self.clients[self.turn % len(self.clients)].send(method, target, fields, body, wait)
            except (OSError, asyncio.IncompleteReadError):
                if tries_left == 1:
                    raise
                await asyncio.sleep(0.25)

    def close(self):
        for client in self.clients:
            client.close()


class Provider(providers.Provider):
    """Notes what it gives and gets. Its users have names and numbers of their own."""

    def __init__(self, seen):
        super().__init__()
        self.seen, self.number = seen, 0

    def code(self, location):
        url = super().code(location)
        self.seen.url(url)
        return url

    async def answer(self, path, body):
        self.seen.form(body)
        status, answer = await super().answer(path, body)
        if path == "/token":
            self.seen.value(answer)
        return status, answer

    def signed(self, claims):
        self.number += 1
        person = {"name": f"Ida Planted the {self.number}th", "email": f"planted-{self.number}@people.example",
                  "national_id": f"01-01-90-PLANTED-{self.number:06}"}
        for name, value in person.items():
            self.seen.add(name, value)
        self.seen.add("sub", claims["sub"])
        return super().signed(claims | person)


class Collector:
    """A collector of traces that keeps what it gets."""

    def __init__(self, path):
        self.path, self.writers = path, set()
        path.touch()

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def stop(self):
        self.server.close()
        for writer in list(self.writers):
            writer.close()
        await asyncio.sleep(0.1)

    async def serve(self, reader, writer):
        self.writers.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
                body = await reader.readexactly(int(lines["content-length"]))
                with self.path.open("ab") as file:
                    file.write(gzip.decompress(body) if lines.get("content-encoding") == "gzip" else body)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.writers.discard(writer)
            writer.close()


class Stage:
    """Two servers of one database and one public URL."""

    def __init__(self, program, database, seen, collector, folder):
        self.program, self.database, self.seen, self.folder = program, database, seen, folder
        self.collector, self.provider, self.servers = collector, Provider(seen), []
        self.token = "a-token-of-the-operators"

    async def start(self):
        await self.provider.start()
        await asyncio.get_running_loop().run_in_executor(None, self.start_servers)
        self.clients = [Client(server.port, self.seen) for server in self.servers]
        self.client = Both(self.clients)
        self.issuer = self.servers[0].url

    def start_servers(self):
        more = (f'recorder: {{keep: 86400, token: {self.token}}}\n'
                f'tracing: {{endpoint: "http://127.0.0.1:{self.collector.port}/v1/traces", ratio: 1.0,'
                ' headers: "authorization=Bearer%20a-token-of-the-collector"}\n'
                "limits: {connections_per_address: 15000}\n")
        store = f'store: postgresql\npostgresql: {{url: "{self.database}"}}'
        for number in range(2):
            server = servers.Server(self.program, self.provider, store, more, log="trace")
            server.audit(self.folder / f"audit-{number}")
            text = server.text()
            if self.servers:
                # All servers of a database have the same keys and the same public URL.
                first = self.servers[0]
                text = text.replace(f"public_url: {server.url}\n", f"public_url: {first.url}\n")
                for key in ("server", "assertion", "access", "session", "audit"):
                    text = text.replace(f"{server.path}/{key}.key", f"{first.path}/{key}.key")
            server.write(text)
            self.servers.append(server)
        for key in ("server", "assertion", "access", "session", "audit"):
            self.seen.file(f"the key {key}", self.servers[0].path / f"{key}.key")
        for kind, text in (("the client secret", providers.SECRET), ("the operators' token", self.token),
                           ("the collector's token", "a-token-of-the-collector")):
            self.seen.everywhere(kind, text)
        subprocess.run([self.program, "migrate", "--config", self.servers[0].path / "switchback.yaml"], check=True,
                       capture_output=True)
        for server in self.servers:
            server.start()

    async def ask_operators(self):
        """Keeps the metrics, and what operators are told of some logins."""
        loop = asyncio.get_running_loop()
        for number, server in enumerate(self.servers):
            (self.folder / f"metrics-{number}").write_text(await loop.run_in_executor(None, server.metrics))
        notes = [await loop.run_in_executor(None, self.note, one) for one in sorted(self.seen.references)[-300:]]
        (self.folder / "notes").write_bytes(b"\n".join(notes))
        command = [self.program, "login", min(self.seen.references), "--config", self.servers[0].path / "switchback.yaml"]
        with (self.folder / "notes").open("ab") as file:
            await loop.run_in_executor(None, lambda: subprocess.run(command, stdout=file, stderr=file, check=False))

    def note(self, reference):
        request = urllib.request.Request(f"http://127.0.0.1:{self.servers[0].operations}/logins/{reference}",
                                         headers={"Authorization": f"Bearer {self.token}"})
        with servers.OPENER.open(request, timeout=servers.PATIENCE) as answer:
            return answer.read()

    async def stop(self):
        self.client.close()
        loop = asyncio.get_running_loop()
        for number, server in enumerate(self.servers):
            await loop.run_in_executor(None, server.stop)
            os.replace(server.path / "log", self.folder / f"log-{number}")
            server.remove()
        await self.provider.stop()


class Streams:
    """What was written, and the search for what was noted."""

    # The least share of the last 300 logins that a stream names. An audit has only what was given to somebody.
    NAMES = {"log": 0.3, "audit": 0.02, "spans": 0.6, "notes": 0.02}

    def __init__(self, stage):
        self.stage, self.seen, self.failed, self.passed = stage, stage.seen, [], 0
        # All secrets with the same first bytes. A search for one after the other would take hours.
        self.beginnings = {}
        for secret in map(str.encode, self.seen.kinds):
            self.beginnings.setdefault(secret[:SHORTEST], []).append(secret)

    def check(self):
        files = sorted(self.stage.folder.iterdir())
        for path in files:
            self.search(path)
        size = sum(path.stat().st_size for path in files)
        print(f"   {len(self.seen.kinds)} secrets of {len(set(self.seen.kinds.values()))} kinds,"
              f" {len(self.seen.references)} logins, {size / 1e6:.0f} MB in {len(files)} streams")
        if self.failed:
            sys.exit("\n".join(self.failed))
        return self.passed

    def search(self, path):
        if found := self.kinds_in(path):
            # Which text it is stays untold.
            self.failed.append(f"{path.name} contains {', '.join(f'{kind} ({count})' for kind, count in found.items())}")
        else:
            self.hold(f"{path.name}: {path.stat().st_size} bytes without a secret")
        share = self.NAMES.get(path.name.split("-")[0], 0)
        if share:
            text = path.read_bytes()
            named = sum(reference.encode() in text for reference in sorted(self.seen.references)[-300:])
            if named < share * min(300, len(self.seen.references)):
                self.failed.append(f"{path.name} names only {named} of the logins, so it says nothing")
        self.fails_with_one(path)

    def fails_with_one(self, path):
        """The search finds a secret in the middle of a stream."""
        secret = next(text for text, kind in self.seen.kinds.items() if kind == "poll_secret").encode()
        text, copy = path.read_bytes()[:100_000], pathlib.Path(f"{path}.copy")
        copy.write_bytes(text[:len(text) // 2] + secret + text[len(text) // 2:])
        if self.kinds_in(copy) != {"poll_secret": 1}:
            self.failed.append(f"{path.name}: a secret that was put there is not found")
        copy.unlink()

    def kinds_in(self, path):
        """How often each kind of secret is in a file."""
        data, found = path.read_bytes(), {}
        for place in range(len(data) - SHORTEST + 1):
            for secret in self.beginnings.get(data[place:place + SHORTEST], ()):
                if data.startswith(secret, place):
                    kind = self.seen.kinds[secret.decode()]
                    found[kind] = found.get(kind, 0) + 1
        return found

    def hold(self, text):
        self.passed += 1
        print(f"ok {text}", flush=True)

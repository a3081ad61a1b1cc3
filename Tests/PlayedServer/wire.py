"""HTTP/1.1 as far as the plays need it: a client that keeps its connections, on asyncio."""

import asyncio

# How long a request, or whatever else must come, may take on a machine that is busy, in seconds.
PATIENCE = 180


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Client:
    """Sends requests to one port of loopback. A request takes an idle connection, or opens one."""

    def __init__(self, port):
        self.port, self.idle = port, []

    async def open(self):
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def send(self, method, target, fields=(), body=b"", wait=PATIENCE):
        """Sends again on a new connection if an idle one has been closed meanwhile."""
        while self.idle:
            connection = self.idle.pop()
            try:
                return await asyncio.wait_for(self.exchange(connection, method, target, fields, body), wait)
            except (ConnectionError, asyncio.IncompleteReadError):
                connection[1].close()
        return await asyncio.wait_for(self.exchange(await self.open(), method, target, fields, body), wait)

    async def exchange(self, connection, method, target, fields, body):
        write(connection, self.port, method, target, fields, body)
        answer = await read(connection[0])
        if answer.fields.get("connection") == "close":
            connection[1].close()
        else:
            self.idle.append(connection)
        return answer

    def close(self):
        for _, writer in self.idle:
            writer.close()
        self.idle = []


def write(connection, port, method, target, fields, body=b""):
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", *(f"{name}: {value}" for name, value in fields)]
    if body or method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    connection[1].write("\r\n".join([*lines, "", ""]).encode() + body)


async def read(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    status = int(head[0].split(" ")[1])
    fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    length = 0 if status in (204, 304) else int(fields.get("content-length", 0))
    return Answer(status, fields, await reader.readexactly(length))

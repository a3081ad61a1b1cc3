"""What `switchback login` prints of logins that failed at a real server: recorder.py BINARY prints it. `run.py` demands
that each block of the page after `<!-- test: recorder NAME -->` is what a login with that failure gets. References, ids
and times are others in each run, so of these only the form is compared.
"""

import asyncio
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "Tests" / "PlayedServer"))

import phone as phones
import provider as providers
import server as servers
import wire

PAGE = TOP / "docs" / "how-to" / "why-did-a-login-fail.md"
BLOCK = re.compile(r"^<!-- test: recorder ([\w ]+) -->\n```\w*\n(.*?)^```$", re.M | re.S)
TOKEN = "a-token-of-the-operators-alone"
CONFIG = "/etc/switchback/switchback.yaml"
CHANGING = [
    (re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b"), "‹reference›"),
    (re.compile(r"\blogin [A-Za-z0-9_-]{22}"), "login ‹id›"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+\.\d s"), "‹time›"),
]


class RecorderError(Exception):
    pass


async def wrong_nonce(login, provider):
    callback = provider.code(login.location)
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(callback).query)["code"][0]
    provider.codes[code] = "a-nonce-of-another-login"
    await login.come_back(callback)


async def broker_down(login, provider):
    callback = provider.code(login.location)
    await provider.stop()
    await login.come_back(callback)


FAILURES = {"wrong nonce": wrong_nonce, "broker down": broker_down}


async def fail(binary, name):
    """Returns what the command prints of a login that fails so, at a server of its own."""
    provider = providers.Provider()
    await provider.start()
    loop = asyncio.get_running_loop()
    server = await loop.run_in_executor(
        None, lambda: servers.Server(binary, provider, more=f"recorder: {{keep: 3600, token: {TOKEN}}}\n").start())
    client = wire.Client(server.port)
    try:
        login = phones.Login(client, provider)
        await login.create()
        await login.open()
        await FAILURES[name](login, provider)
        result = await login.result()
        if result["status"] != "failed":
            raise RecorderError(f"{name}: the login is {result['status']}")
        command = [binary, "login", result["reference"], "--config", server.path / "switchback.yaml"]
        ran = await loop.run_in_executor(None, lambda: subprocess.run(
            command, capture_output=True, text=True, timeout=servers.PATIENCE, env=environment()))
        if ran.returncode or ran.stderr:
            raise RecorderError(f"{name}: the command ends with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
        return f"$ switchback login {result['reference']} --config {CONFIG}\n{ran.stdout}"
    finally:
        client.close()
        await loop.run_in_executor(None, server.remove)
        await provider.stop()


def environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("SWITCHBACK_")}


def stable(text):
    for pattern, replacement in CHANGING:
        text = pattern.sub(replacement, text)
    return text


def problem(binary):
    """What is wrong with the samples of the page; None when nothing is."""
    blocks = dict(BLOCK.findall(PAGE.read_text()))
    if set(blocks) != set(FAILURES):
        return f"there are samples of {list(blocks)}, and not of {list(FAILURES)}"
    for name, text in blocks.items():
        try:
            found = asyncio.run(fail(binary, name))
        except (RecorderError, RuntimeError, OSError) as error:
            return f"{name}: {error}"
        if stable(found) != stable(text):
            return f"the page shows for {name}:\n{text}\nand it is:\n{found}"
    return None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for failure in FAILURES:
        print(f"--- {failure}\n{asyncio.run(fail(str(pathlib.Path(sys.argv[1]).resolve()), failure))}")

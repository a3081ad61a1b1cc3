"""The examples of openapi.yaml and the README's curl lines, run as they stand against a running sandbox."""

import json
import pathlib
import re
import subprocess
import urllib.error
import urllib.request

import yaml

TOP = pathlib.Path(__file__).resolve().parents[2]
METHODS = ("get", "post", "put", "patch", "delete")
# A login's life, so that each call finds it as it should be. Others come first, in the file's order.
ORDER = ["createLogin", "pollLogin", "returnToApp", "cancelLogin", "deleteLogin"]


def check(sandbox):
    yield from check_file(sandbox.public)
    yield "README: curl", check_readme(sandbox.public)


def check_file(url):
    """Every operation of apps with the example of its body, its parameters and its headers."""
    document = yaml.safe_load((TOP / "Public" / "openapi.yaml").read_text())
    calls = {operation["operationId"]: (method, path, item, operation)
             for path, item in document["paths"].items()
             for method, operation in item.items() if method in METHODS and "app" in operation["tags"]}
    names = sorted(calls, key=lambda name: ORDER.index(name) if name in ORDER else -1)
    login = {}
    for name in names:
        method, path, item, operation = calls[name]
        body = example_of_body(operation)
        if name == "createLogin":
            secret = body["poll_secret"]
        headers = {} if name not in ORDER or name == "createLogin" else {"Authorization": f"Bearer {secret}"}
        for parameter in item.get("parameters", []) + operation.get("parameters", []):
            parameter = resolved(document, parameter)
            if parameter["in"] == "header" and "example" in parameter:
                headers[parameter["name"]] = parameter["example"]
        # Nothing has happened to the login, so the poll would be held for as long as its example says.
        headers.update({"Prefer": "wait=1"} if name == "pollLogin" else {})
        status, answer = send(method, url + path.replace("{id}", login.get("id", "")), body, headers)
        login = answer if name == "createLogin" else login
        expected = {int(one) for one in operation["responses"] if one[0] in "23"}
        yield f"example: {name}", None if status in expected else f"{status} {answer}"


def example_of_body(operation):
    content = operation.get("requestBody", {}).get("content", {})
    return next((one["example"] for one in content.values() if "example" in one), None)


def resolved(document, thing):
    for name in thing.get("$ref", "").split("/")[1:]:
        document = document[name]
    return document if "$ref" in thing else thing


def send(method, url, body, headers):
    data = None if body is None else json.dumps(body).encode()
    headers = headers if data is None else {**headers, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method.upper())
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return error.code, error.read()[:300]


def check_readme(url):
    """What is wrong. A stream never ends by itself here, so every curl is given two seconds."""
    blocks = re.findall(r"```sh\n(.*?)```", (TOP / "README.md").read_text(), re.S)
    blocks = [block for block in blocks if "curl " in block]
    script = "set -e\ncurl() { command curl --max-time 2 --fail-with-body \"$@\" || [ $? = 28 ]; }\n" + "".join(blocks)
    script = script.replace("http://127.0.0.1:8080", url)
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    if ran.returncode != 0:
        return f"{ran.returncode} {ran.stdout[-300:]} {ran.stderr[-300:]}"
    is_stream = '"status":"pending"' in ran.stdout and ran.stdout.count("id: 1") == 1
    return None if blocks and is_stream else f"no stream: {ran.stdout[-300:]}"

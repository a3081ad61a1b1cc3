"""The examples of openapi.yaml, run unchanged against a running sandbox."""

import json
import pathlib
import urllib.error
import urllib.request

import yaml

TOP = pathlib.Path(__file__).resolve().parents[2]
METHODS = ("get", "post", "put", "patch", "delete")
# The order of a login's life, so that each call finds the login ready for it. Other calls come first, in the file's
# order.
ORDER = ["createLogin", "pollLogin", "returnToApp", "cancelLogin", "deleteLogin"]


def check(sandbox):
    """Calls every operation of apps with the examples of its body, its parameters and its headers."""
    url = sandbox.public
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
        # The login does not change, so the poll would wait for as long as its example says.
        headers.update({"Prefer": "wait=1"} if name == "pollLogin" else {})
        status, answer = exchange(method, url + path.replace("{id}", login.get("id", "")), body, headers)
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


def exchange(method, url, body, headers):
    data = None if body is None else json.dumps(body).encode()
    headers = headers if data is None else {**headers, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method.upper())
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    return status, json.loads(text) if text else None

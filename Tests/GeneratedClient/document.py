"""What openapi-app.yaml says: the schema of a response, and what of a response a client must read."""

import collections
import pathlib
import re

import yaml

FILE = pathlib.Path(__file__).resolve().parents[2] / "Public" / "openapi-app.yaml"
DOCUMENT = yaml.safe_load(FILE.read_text())
METHODS = ("get", "post", "put", "patch", "delete")
EMPTY = (None, [], {})

# A response for a client to read: its name in the output, the name of its schema, and its JSON.
Response = collections.namedtuple("Response", "name schema body")


def resolved(thing):
    """Follows a reference, and leaves out the null of a choice with null."""
    while "$ref" in thing or "oneOf" in thing:
        if "oneOf" in thing:
            thing = next(one for one in thing["oneOf"] if one.get("type") != "null")
            continue
        found = DOCUMENT
        for name in thing["$ref"].split("/")[1:]:
            found = found[name]
        thing = found
    return thing


def schema_called(name):
    return DOCUMENT["components"]["schemas"][name]


def answers():
    """Yields the operation, the status and the content of every response that has JSON."""
    for item in DOCUMENT["paths"].values():
        for method in METHODS:
            for status, response in item.get(method, {}).get("responses", {}).items():
                for kind, content in resolved(response).get("content", {}).items():
                    if kind.endswith("json"):
                        yield item[method]["operationId"], status, content


def name_of_schema(content):
    return content["schema"]["$ref"].rpartition("/")[2]


def schema_of(method, path, status):
    """Returns the name of the schema of a response to this request."""
    for template, item in DOCUMENT["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) and method.lower() in item:
            responses = item[method.lower()]["responses"]
            response = resolved(responses.get(str(status), responses.get("default")))
            contents = [content for kind, content in response.get("content", {}).items() if kind.endswith("json")]
            return name_of_schema(contents[0]) if contents else None
    raise AssertionError(f"{method} {path} is not in {FILE.name}")


def examples():
    """Yields the responses that stand in the file as examples."""
    for operation, status, content in answers():
        if "example" in content:
            yield Response(f"the example of {operation}, {status}", name_of_schema(content), content["example"])


def differences(schema, sent, read, place="it"):
    """Yields where `read` lacks a member that was sent and that the schema has, or has one that was not sent."""
    schema = resolved(schema)
    if isinstance(sent, dict) and isinstance(read, dict):
        members = schema.get("properties", {})
        others = schema.get("additionalProperties")
        for name, value in sent.items():
            if name in members or isinstance(others, dict):
                yield from differences(members.get(name, others), value, read.get(name), f"{place}.{name}")
            elif others and not members and read.get(name) != value:
                yield f"{place}.{name} is {read.get(name)!r}"
        for name in set(read) - set(sent):
            # A generated class may have null or an empty list for an absent member.
            if read[name] not in EMPTY:
                yield f"{place}.{name} is {read[name]!r} and was not sent"
    elif isinstance(sent, list) and isinstance(read, list) and len(sent) == len(read):
        for index, (one, other) in enumerate(zip(sent, read)):
            yield from differences(schema["items"], one, other, f"{place}[{index}]")
    elif sent != read or isinstance(sent, bool) != isinstance(read, bool):
        yield f"{place} is {str(read)[:80]!r}, not {str(sent)[:80]!r}"

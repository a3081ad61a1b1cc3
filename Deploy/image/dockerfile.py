"""Reads from the Dockerfile how its last stage runs: the one home of the image's user, variables, ports and labels."""

import json
import re
import shlex
import sys

NANOSECONDS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9}


def instructions(file):
    """(word, rest) of the last stage."""
    text = re.sub(r"^[ \t]*#.*\n", "", file.read_text(encoding="utf-8"), flags=re.M)
    lines = re.sub(r"\\\n", " ", text).splitlines()
    parts = [line.strip().split(maxsplit=1) for line in lines if line.strip()]
    last = max(index for index, part in enumerate(parts) if part[0] == "FROM")
    return parts[last:]


def pairs(text, arguments):
    for word in shlex.split(text):
        name, _, value = word.partition("=")
        yield name, re.sub(r"\$\{(\w+)\}", lambda found: arguments[found[1]], value)


def health(text):
    options, command = text.split(" CMD ", 1)
    check = {"Test": ["CMD", *json.loads(command)]}
    for name, value in re.findall(r"--([a-z-]+)=(\S+)", options):
        key = "".join(word.capitalize() for word in name.split("-"))
        number, unit = re.fullmatch(r"(\d+)(\w*)", value).groups()
        check[key] = int(number) * (NANOSECONDS[unit] if unit else 1)
    return check


def configuration(file, arguments):
    """The `config` of an image (https://github.com/opencontainers/image-spec, config.md). Health checks are Docker's."""
    found = {"Env": [], "ExposedPorts": {}, "Volumes": {}, "Labels": {}}
    for word, rest in instructions(file):
        if word == "FROM":
            if rest.split()[0] != "scratch":
                sys.exit(f"{file}: the last stage has a base, {rest}, and this image has none")
        elif word == "ARG":
            name, _, default = rest.partition("=")
            arguments.setdefault(name, default)
        elif word == "LABEL":
            # A label of an argument that nobody gave says nothing.
            found["Labels"] |= {name: value for name, value in pairs(rest, arguments) if value}
        elif word == "ENV":
            found["Env"] += [f"{name}={value}" for name, value in pairs(rest, arguments)]
        elif word == "EXPOSE":
            found["ExposedPorts"] |= {f"{port}/tcp": {} for port in rest.split()}
        elif word == "VOLUME":
            found["Volumes"] |= {path: {} for path in rest.split()}
        elif word == "USER":
            found["User"] = rest
        elif word == "STOPSIGNAL":
            found["StopSignal"] = rest
        elif word == "HEALTHCHECK":
            found["Healthcheck"] = health(rest)
        elif word in ("ENTRYPOINT", "CMD"):
            found[word.capitalize()] = json.loads(rest)
        # `files` has what the stage copies. Anything else would be missing in the image that `build` makes.
        elif word != "COPY":
            sys.exit(f"{file}: Deploy/image/build does not know {word} in the last stage")
    return found

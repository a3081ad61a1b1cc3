#!/usr/bin/env python3
"""Applies the blocks of docs/how-to/add-a-broker.md to a copy of the sources: apply.py PAGE FOLDER. Prints the files."""

import pathlib
import re
import sys

BLOCK = re.compile(r"<!-- test: add-a-broker (file (?P<path>\S+)|diff) -->\n```\w+\n(?P<text>.*?)^```$", re.M | re.S)

# What a new kind changes in the server, beside its own files: the list of kinds, and the file with all settings.
SERVER = {"Sources/Brokers/Kinds/KnownKind.swift", "Config/switchback.yaml"}


class PageError(Exception):
    pass


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    blocks = list(BLOCK.finditer(page.read_text()))
    if len(blocks) < 5:
        raise PageError(f"{page} has {len(blocks)} marked blocks: the markers have changed")
    check(name for block in blocks if not block["path"] for name in re.findall(r"^--- (.*)$", block["text"], re.M))
    for block in blocks:
        if block["path"]:
            write(folder / block["path"], block["text"])
        else:
            apply(folder, block["text"])


def check(changed):
    """The sandbox has places of its own; its folders are in the table of modules."""
    tables = ("/House.swift", "/Wing.swift")
    others = {name for name in changed if "Sandbox" not in name and not name.endswith(tables)} - SERVER
    if others:
        raise PageError(f"a kind is its folder, a line of a list and its docs, but the page changes {sorted(others)}")


def write(path, text):
    if path.exists():
        raise PageError(f"{path} exists already: the page adds it")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(path)


def apply(folder, diff):
    """A diff without line numbers: each hunk must fit at exactly one place of its file."""
    for part in re.split(r"^--- ", diff, flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        path = folder / name.strip()
        text = path.read_text()
        for hunk in re.split(r"^@@\n", body, flags=re.M):
            lines = hunk.splitlines()
            unknown = [line for line in lines if line and line[0] not in " +-"]
            if unknown:
                raise PageError(f"{name}: a line of the diff begins with neither blank, + nor -: {unknown[0]}")
            old = "\n" + "".join(line[1:] + "\n" for line in lines if line[:1] != "+")
            new = "\n" + "".join(line[1:] + "\n" for line in lines if line[:1] != "-")
            if text.count(old) != 1:
                raise PageError(f"{name}: these lines are there {text.count(old)} times, not once:{old}")
            text = text.replace(old, new)
        path.write_text(text)
        print(path)


if __name__ == "__main__":
    try:
        main()
    except PageError as error:
        sys.exit(f"{error}")

"""Compares the part of the public API that only Apple's platforms have with Clients/Swift/API/MODULE-Apple.txt.

`Clients/api` makes the lines, and judges what a difference means for apps. What Linux has too is in MODULE.txt.
"""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

from compiling import TOP, public_symbols

API = TOP / "Clients" / "Swift" / "API"


def clients_api():
    """The script `Clients/api` as a module: its name does not end in `.py`."""
    loader = SourceFileLoader("clients_api", str(TOP / "Clients" / "api"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def check(name, writes):
    """Writes the file of a module, or finds how the module differs from it. Returns its lines and the differences."""
    api = clients_api()
    common = set((API / f"{name}.txt").read_text(encoding="utf-8").splitlines())
    graph = public_symbols(name)
    # The stand-in of Foundation has another name than Foundation.
    lines = [line.replace("AppleFoundation.", "") for line in api.lines(graph)]
    # A member that a type has by a protocol stands at the protocol.
    graph["symbols"] = [one for one in graph["symbols"] if "::SYNTHESIZED::" not in one["identifier"]["precise"]]
    own = sorted({line.replace("AppleFoundation.", "") for line in api.lines(graph)} - common)
    file = API / f"{name}-Apple.txt"
    if writes:
        file.write_text("".join(line + "\n" for line in own), encoding="utf-8")
        return own, []
    before = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    breaking, adding = api.compare(before, own)
    found = [f"{name}, breaks apps: {line}" for line in breaking] + [f"{name}, adds: {line}" for line in adding]
    # What Linux has, and Apple's platforms do not: an app could not use it.
    missing = sorted(line for line in common - set(lines))
    found += [f"{name}: only Linux has this: {line}" for line in missing]
    return own, found

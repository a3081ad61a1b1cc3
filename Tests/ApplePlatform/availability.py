"""Finds uses of what the oldest supported iOS and macOS do not have, outside `#available`.

The compiler on Linux reads `@available(iOS …)` and enforces nothing. So this walks the syntax trees that the compiler
has checked, and looks up each declaration and type in the symbol graphs of the system's modules and of the stand-ins.
Parts of Foundation say nothing on Linux: `OLD_ENOUGH` names those that somebody has looked up.
"""

import re
import subprocess

# The platforms in `Package.swift`. An app's page is for iOS only.
LIBRARY_FLOOR = {"iOS": (15, 0), "macOS": (12, 0)}
APP_FLOOR = {"iOS": (15, 0)}
SYSTEM = ["Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Dispatch", "Foundation",
          "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking"]
# Modules whose declarations must say since when they exist, here or in OLD_ENOUGH.
MUST_SAY = {"Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking"}
# Each is in iOS 13 and macOS 10.15 or older, says its page: https://developer.apple.com/documentation/foundation
OLD_ENOUGH = set("""
    Bundle.bundleIdentifier Bundle.infoDictionary Bundle.main Bundle.url(forResource:withExtension:)
    Bundle.bundleURL CocoaError.Code.fileReadNoSuchFile CocoaError.fileReadNoSuchFile FileManager.temporaryDirectory
    NSError.domain NSData.WritingOptions.noFileProtection
    URLSessionConfiguration.httpMaximumConnectionsPerHost
    NotificationCenter.addObserver(forName:object:queue:using:) NotificationCenter.default
    HTTPURLResponse.value(forHTTPHeaderField:) JSONSerialization.jsonObject(with:options:)
    PropertyListSerialization.propertyList(from:options:format:) StringProtocol.trimmingCharacters(in:)
    URLError.Code.badURL URLError.Code.notConnectedToInternet URLSession.shared
    StringProtocol.contains(_:) StringProtocol.replacingOccurrences(of:with:options:range:)
    NSError.code NSError.userInfo NSLocalizedFailureReasonErrorKey
    OperatingSystemVersion.majorVersion OperatingSystemVersion.minorVersion OperatingSystemVersion.patchVersion
    ProcessInfo.operatingSystemVersion ProcessInfo.processInfo
    CGFloat.infinity CGFloat.init(_:) CGFloat.init(integerLiteral:) CharacterSet.init(charactersIn:)
    NSLock.init() NSLock.lock() NSLock.unlock() NSObject.init()
    StringProtocol.addingPercentEncoding(withAllowedCharacters:)
    FileAttributeKey.posixPermissions FileManager.contentsOfDirectory(atPath:) FileManager.default
    FileManager.createDirectory(at:withIntermediateDirectories:attributes:) FileManager.fileExists(atPath:)
    FileManager.removeItem(at:) FileManager.setAttributes(_:ofItemAtPath:) FileManager.urls(for:in:)
    FileManager.SearchPathDirectory.applicationSupportDirectory FileManager.SearchPathDomainMask.userDomainMask
    URL.setResourceValues(_:) URLResourceValues.init() URLResourceValues.isExcludedFromBackup
    HTTPCookie.AcceptPolicy.never HTTPURLResponse.allHeaderFields HTTPURLResponse.statusCode
    NSURLRequest.CachePolicy.reloadIgnoringLocalCacheData URLError.Code.badServerResponse
    URLRequest.httpBody URLRequest.httpMethod URLRequest.setValue(_:forHTTPHeaderField:) URLRequest.url
    URLRequest.init(url:cachePolicy:timeoutInterval:) URLSession.init(configuration:delegate:delegateQueue:)
    URLSessionConfiguration.ephemeral URLSessionConfiguration.httpCookieAcceptPolicy
    URLSessionConfiguration.httpShouldSetCookies URLSessionConfiguration.urlCache
    URLSessionConfiguration.urlCredentialStorage NSLog(_:_:)
""".split("\n"))
OLD_ENOUGH = {name for line in OLD_ENOUGH for name in re.findall(r"\S+(?:\(.*?\))?", line)}
# `for await` calls it where it is there, and `next()` elsewhere. The compiler chooses by the target's oldest system.
LOOP = "Iterator.next(isolation:)"
TYPE_KEYS = {"type", "interface_type", "result", "written_type", "type_usr", "extended_type"}
NOMINAL = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias"}


def numbers(version):
    parts = [int(part) for part in version.split(".")]
    return (parts + [0])[0], (parts + [0])[1]


class Symbols:
    """What each declaration of the system needs: {"iOS": (16, 0), …}. An empty answer means that nothing says it."""

    def __init__(self, graphs):
        self.by_usr, self.by_name, types = {}, {}, {}
        for name, graph in graphs:
            for symbol in graph["symbols"]:
                path = tuple(symbol["pathComponents"])
                if symbol["kind"]["identifier"] in NOMINAL:
                    types[path] = self.since(symbol)
        for name, graph in graphs:
            for symbol in graph["symbols"]:
                path = tuple(symbol["pathComponents"])
                needs = {}
                # A member needs what its type needs.
                for part in [types.get(path[:length], {}) for length in range(1, len(path))] + [self.since(symbol)]:
                    for system, version in part.items():
                        needs[system] = max(needs.get(system, (0, 0)), version)
                self.by_usr[symbol["identifier"]["precise"]] = (".".join(path), needs, set(name.split("@")))
                if symbol["kind"]["identifier"] in NOMINAL:
                    for module in name.split("@"):
                        self.by_name[f"{module}.{'.'.join(path)}"] = needs

    @staticmethod
    def since(symbol):
        return {one["domain"]: (one["introduced"]["major"], one["introduced"].get("minor", 0))
                for one in symbol.get("availability", []) if "introduced" in one}


def demangled(types):
    """The names in each mangled type."""
    types = sorted(types)
    output = subprocess.run(["swift", "demangle", "-compact"], input="\n".join(types), capture_output=True, text=True,
                            check=True).stdout.splitlines()
    return {one: set(re.findall(r"[A-Za-z_]\w*(?:\.\w+)+", name)) for one, name in zip(types, output, strict=True)}


class Uses:
    """The declarations and types that a syntax tree uses, each with its place and with what is available there."""

    def __init__(self, tree, floor):
        self.found, self.start = [], 0
        self.walk(tree["items"], floor)

    def walk(self, node, floor):
        if isinstance(node, list):
            for one in node:
                self.walk(one, floor)
                if isinstance(one, dict) and one.get("_kind") == "guard_stmt":
                    floor = self.after(one["conditions"], floor)
            return
        if not isinstance(node, dict):
            return
        self.start = node.get("range", {}).get("start", self.start)
        for attribute in node.get("attrs", []):
            if attribute.get("_kind") == "available_attr" and "introduced" in attribute:
                floor = self.raised(floor, attribute["domain"], attribute["introduced"])
        if node.get("decl_usr"):
            self.found.append(("usr", node["decl_usr"], self.start, floor))
        for key, value in node.items():
            if key in TYPE_KEYS and isinstance(value, str) and value.startswith("$s"):
                self.found.append(("type", value, self.start, floor))
            elif key == "conditions" and isinstance(value, list):
                self.conditions(value, floor)
            elif key == "then_stmt" or key == "body" and node["_kind"] == "while_stmt":
                self.walk(value, self.after(node.get("conditions"), floor))
            else:
                self.walk(value, floor)

    def conditions(self, conditions, floor):
        for one in conditions:
            self.walk(one, floor)
            floor = self.after([one], floor)

    def after(self, conditions, floor):
        """What is available where the conditions hold."""
        for one in conditions if isinstance(conditions, list) else []:
            if isinstance(one, dict) and one.get("_kind") == "#available":
                for query in one["queries"]:
                    floor = self.raised(floor, query["domain"], query.get("version"))
        return floor

    @staticmethod
    def raised(floor, system, version):
        return floor | {system: max(floor[system], numbers(version))} if system in floor and version else floor


def problems(tree, text, symbols, floor):
    """Lines such as (12, "URL.appending(path:) needs iOS 16.0"), in their order."""
    uses = Uses(tree, floor).found
    names = demangled({what for kind, what, _, _ in uses if kind == "type"})
    found = set()

    def compare(name, needs, start, available):
        for system, version in available.items():
            if needs.get(system, (0, 0)) > version:
                line = text.encode()[:start].count(b"\n") + 1
                found.add((line, f"{name} needs {system} {'.'.join(map(str, needs[system]))}"))

    for kind, what, start, available in uses:
        if kind == "type":
            for name in names[what]:
                compare(name, symbols.by_name.get(name, {}), start, available)
        elif what in symbols.by_usr and not symbols.by_usr[what][0].endswith(LOOP):
            name, needs, modules = symbols.by_usr[what]
            if not needs and modules & MUST_SAY and name not in OLD_ENOUGH:
                line = text.encode()[:start].count(b"\n") + 1
                found.add((line, f"{name} does not say since when it exists: look it up, and add it to OLD_ENOUGH"))
            compare(name, needs, start, available)
    return sorted(found)

"""Finds closures that belong to the main actor although their type does not say so.

A closure in the code of the main actor belongs to it too. If the system calls it on another thread, the program ends.
`ASWebAuthenticationSession` does that, and no compiler warns. A closure that is `@Sendable` belongs to no actor.
"""

# What the compiler writes for the main actor, and what the type of a function of the main actor contains.
MAIN_ACTOR, IN_TYPE = "$sScMD", "ScMYc"

# A statement in a method of the main actor each, and whether it has such a closure.
ROWS = [
    ('_ = ASWebAuthenticationSession(url: url, callbackURLScheme: "a") { _, _ in self.count = 1 }', True),
    ("let ended: (URL?, (any Error)?) -> Void = { _, _ in Task { self.count = 1 } }; _ = ended", True),
    ('_ = ASWebAuthenticationSession(url: url, callbackURLScheme: "a") { @Sendable _, _ in print(1) }', False),
    ("let ended: @Sendable (URL?, (any Error)?) -> Void = { _, _ in Task { @MainActor in self.count = 1 } }; _ = ended",
     False),
    ("UIApplication.shared.open(url) { _ in self.count = 1 }", False),
    ("self.count = [1].map { $0 + self.count }.count", False),
    ("Task { self.count = 1 }", False),
]
AROUND = """import AuthenticationServices; import UIKit
@MainActor final class Rows: NSObject {{ var count = 0
{}
}}
"""


def rows_file():
    return AROUND.format("\n".join(f"func row{number}(_ url: URL) {{ {row} }}" for number, (row, _) in enumerate(ROWS)))


def problems(tree, text):
    """Lines such as (12, "This closure …"), in their order."""
    found = set()

    def walk(node):
        if isinstance(node, list):
            for one in node:
                walk(one)
        elif isinstance(node, dict):
            # A task's closure inherits the actor on purpose, and the task runs it there.
            if (node.get("_kind") == "closure_expr" and node.get("escaping") and "inherits_actor_context" not in node
                    and node.get("global_actor_isolated") == MAIN_ACTOR and IN_TYPE not in node["type"]):
                line = text.encode()[:node["range"]["start"]].count(b"\n") + 1
                found.add((line, "This closure belongs to the main actor and its type does not say so: @Sendable?"))
            for value in node.values():
                walk(value)

    walk(tree["items"])
    return sorted(found)


def missed(tree, text):
    """The rows that are found and should not be, and the other way round."""
    lines = {line for line, _ in problems(tree, text)}
    return [row for number, (row, wanted) in enumerate(ROWS) if (number + 3 in lines) != wanted]

"""Finds closures that belong to the main actor although their type does not say so.

A closure in the code of the main actor belongs to it too. If the system calls it on another thread, the program ends.
`ASWebAuthenticationSession` does that, and no compiler warns. A closure that is `@Sendable` belongs to no actor.
SwiftUI calls what its views and modifiers get on the main thread, so that is left out.
"""

# What the compiler writes for the main actor, and what the type of a function of the main actor contains.
MAIN_ACTOR, IN_TYPE = "$sScMD", "ScMYc"
SWIFTUI = "s:7SwiftUI"

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
    ('_ = Text("a").onOpenURL { _ in self.count = 1 }', False),
    ('_ = Text("a").onOpenURL { _ in Other.call { self.count = 1 } }', True),
    ("Other.call { self.count = 1 }", True),
]
AROUND = """import AuthenticationServices; import SwiftUI; import UIKit
enum Other {{ static func call(_ closure: @escaping () -> Void) {{ closure() }} }}
@MainActor final class Rows: NSObject {{ var count = 0
{}
}}
"""
# The line of the first row.
FIRST = AROUND[:AROUND.index("{}\n}}")].count("\n") + 1


def rows_file():
    return AROUND.format("\n".join(f"func row{number}(_ url: URL) {{ {row} }}" for number, (row, _) in enumerate(ROWS)))


def callee(node):
    """The declaration that a call calls."""
    while isinstance(node, dict) and "decl" not in node:
        node = node.get("fn")
    return node["decl"].get("decl_usr", "") if isinstance(node, dict) else ""


def problems(tree, text):
    """Lines such as (12, "This closure …"), in their order."""
    found = set()

    def walk(node, is_of_swiftui):
        if isinstance(node, list):
            for one in node:
                walk(one, is_of_swiftui)
        elif isinstance(node, dict):
            kind = node.get("_kind")
            # A task's closure inherits the actor on purpose, and the task runs it there.
            if (kind == "closure_expr" and node.get("escaping") and "inherits_actor_context" not in node
                    and node.get("global_actor_isolated") == MAIN_ACTOR and IN_TYPE not in node["type"]
                    and not is_of_swiftui):
                line = text.encode()[:node["range"]["start"]].count(b"\n") + 1
                found.add((line, "This closure belongs to the main actor and its type does not say so: @Sendable?"))
            for key, value in node.items():
                if kind == "call_expr" and key == "args":
                    walk(value, callee(node).startswith(SWIFTUI))
                else:
                    walk(value, is_of_swiftui and kind != "closure_expr")

    walk(tree["items"], False)
    return sorted(found)


def missed(tree, text):
    """The rows that are found and should not be, and the other way round."""
    lines = {line for line, _ in problems(tree, text)}
    return [row for number, (row, wanted) in enumerate(ROWS) if (number + FIRST in lines) != wanted]

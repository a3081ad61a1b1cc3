/// A variable that documentation, a comment or a file of the system names, with the value that stands there.
package struct NamedVariable: Hashable, Sendable {
    package let name: String
    package let value: String?

    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// What it is tried with.
    package var text: String { self.value ?? (self.name.hasSuffix("_FILE") ? "/run/secrets/x" : "x") }

    /// Whether the value that stands there is a value, and not made by a shell.
    package var hasValue: Bool { self.value?.contains("$") == false }

    /// Small letters too: a name that is misspelt so is one all the same.
    package static func all(in text: String) -> [NamedVariable] {
        text.matches(of: /(SWITCHBACK_[A-Za-z0-9_]*[A-Za-z0-9])(=(['"]?)([^\s'"`)]+))?/).map { match in
            NamedVariable(name: String(match.1), value: match.4.map { String($0) })
        }
    }
}

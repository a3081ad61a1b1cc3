/// A variable that documentation, a comment or a system file names, with the value given there.
package struct NamedVariable: Hashable, Sendable {
    package let name: String
    package let value: String?

    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// The value that a test sets.
    package var text: String { self.value ?? (self.name.hasSuffix("_FILE") ? "/run/secrets/x" : "x") }

    /// Whether the given value is literal, and not made by a shell.
    package var hasValue: Bool { self.value?.contains("$") == false }

    /// Small letters match too, so that misspelt names are found.
    package static func all(in text: String) -> [NamedVariable] {
        text.matches(of: /(SWITCHBACK_[A-Za-z0-9_]*[A-Za-z0-9])(=(['"]?)([^\s'"`)]+))?/).map { match in
            NamedVariable(name: String(match.1), value: match.4.map { String($0) })
        }
    }
}

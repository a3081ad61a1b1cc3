/// A variable that documentation, a comment or a file of the system names, with the value that stands there.
struct NamedVariable: Hashable, Sendable {
    let name: String
    let value: String?

    /// What it is tried with.
    var text: String { self.value ?? (self.name.hasSuffix("_FILE") ? "/run/secrets/x" : "x") }

    /// Whether the value that stands there is a value, and not made by a shell.
    var hasValue: Bool { self.value?.contains("$") == false }

    /// Small letters too: a name that is misspelt so is one all the same.
    static func all(in text: String) -> [NamedVariable] {
        text.matches(of: /(SWITCHBACK_[A-Za-z0-9_]*[A-Za-z0-9])(=(['"]?)([^\s'"`)]+))?/).map { match in
            NamedVariable(name: String(match.1), value: match.4.map { String($0) })
        }
    }
}

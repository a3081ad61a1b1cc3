/// One thing that is wrong with a configuration: where it stands, which setting, what is wrong and what to do about it.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    package enum Level: String, Sendable {
        /// The server does not start, and a reload changes nothing.
        case error
        /// The server runs; somebody should look.
        case warning
    }

    package let level: Level
    package let origin: SettingOrigin?
    /// The setting's path, or empty when it is about no setting.
    package let path: String
    /// Never holds the value of a secret.
    package let message: String

    package init(_ origin: SettingOrigin?, _ path: String, _ message: String, _ level: Level = .error) {
        self.level = level
        self.origin = origin
        self.path = path
        self.message = message
    }

    package var description: String {
        [self.origin?.description, self.path, self.message].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: ": ")
    }
}

/// Everything that is wrong with a configuration, at once.
package struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    package let errors: [Diagnostic]
    package let warnings: [Diagnostic]

    /// Flags and variables first, then the file from its top.
    init(_ diagnostics: [Diagnostic]) {
        let sorted = diagnostics.enumerated().sorted { a, b in
            (Self.line(a.element), a.offset) < (Self.line(b.element), b.offset)
        }.map(\.element)
        self.errors = sorted.filter { $0.level == .error }
        self.warnings = sorted.filter { $0.level == .warning }
    }

    package var description: String {
        self.errors.map(\.description).joined(separator: "\n")
    }

    private static func line(_ diagnostic: Diagnostic) -> Int {
        guard case .file(_, let line) = diagnostic.origin else { return 0 }
        return line ?? 0
    }
}

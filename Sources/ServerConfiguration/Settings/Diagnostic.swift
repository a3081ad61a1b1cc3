/// One problem of a configuration: where it is, which setting, what is wrong and what to do.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    package enum Level: String, Sendable {
        /// The server does not start, and a reload changes nothing.
        case error
        /// The server runs, but the operator should look at it.
        case warning
    }

    package let level: Level
    package let origin: SettingOrigin?
    /// The setting's path; empty if the problem is not about a setting.
    package let path: String
    /// Never contains the value of a secret.
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

/// All problems of a configuration at once.
package struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    package let errors: [Diagnostic]
    package let warnings: [Diagnostic]

    /// Sorts flags and variables first, then the file from its top, then what the file does not have.
    package init(_ diagnostics: [Diagnostic]) {
        let sorted = diagnostics.enumerated().sorted { a, b in
            (Self.line(a.element), a.offset) < (Self.line(b.element), b.offset)
        }.map(\.element)
        self.errors = sorted.filter { $0.level == .error }
        self.warnings = sorted.filter { $0.level == .warning }
    }

    /// What is wrong with the value of a setting that the caller knows: it adds where the setting is.
    init(ofValue messages: [String]) { self.init(messages.map { Diagnostic(nil, "", $0) }) }

    init(_ message: String) { self.init(ofValue: [message]) }

    var messages: [String] { self.errors.map(\.message) }

    package var description: String {
        self.errors.map(\.description).joined(separator: "\n")
    }

    private static func line(_ diagnostic: Diagnostic) -> Int {
        switch diagnostic.origin {
        case .file(_, let line), .secretFile(_, let line, _): line ?? .max
        case .flag, .variable, .variableFile, .standard, nil: 0
        }
    }
}

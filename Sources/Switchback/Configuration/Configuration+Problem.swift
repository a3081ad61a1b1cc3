/// One thing that is wrong with a configuration: where it stands, which setting, what is wrong and what to do about it.
extension Configuration {
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package enum Level: String, Sendable {
            /// The server does not start, and a reload changes nothing.
            case error
            /// The server runs; somebody should look.
            case warning
        }

        package let level: Level
        package let origin: Origin?
        /// The setting's path, or empty when it is about no setting.
        package let path: String
        /// Never holds the value of a secret.
        package let message: String

        init(_ origin: Origin?, _ path: String, _ message: String, _ level: Level = .error) {
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

    /// Everything that is wrong, at once.
    package struct Problems: Error, Sendable, CustomStringConvertible {
        package let errors: [Problem]
        package let warnings: [Problem]

        /// Flags and variables first, then the file from its top.
        init(_ problems: [Problem]) {
            let sorted = problems.enumerated().sorted { a, b in
                (Self.line(a.element), a.offset) < (Self.line(b.element), b.offset)
            }.map(\.element)
            self.errors = sorted.filter { $0.level == .error }
            self.warnings = sorted.filter { $0.level == .warning }
        }

        package var description: String {
            self.errors.map(\.description).joined(separator: "\n")
        }

        private static func line(_ problem: Problem) -> Int {
            guard case .file(_, let line) = problem.origin else { return 0 }
            return line ?? 0
        }
    }
}

import Glibc

/// A system program that a test needs and that is missing or does not start.
package struct MissingTool: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }

    /// Returns nil when all tools are installed.
    package init?(of tools: String...) {
        let missing = tools.filter { Self.path($0) == nil }
        guard !missing.isEmpty else { return nil }
        self.description = "not installed: \(missing.joined(separator: ", "))"
    }

    static func path(_ tool: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + tool }
            .first { access($0, X_OK) == 0 }
    }
}

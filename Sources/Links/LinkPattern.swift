import StrictJSON

/// A path in Apple's link file: `*` matches any number of characters, including none, and `?` matches one.
package struct LinkPattern: Equatable, Sendable {
    package let text: String
    /// Whether matching links are not the app's.
    package let isExcluded: Bool

    package init(_ text: String, isExcluded: Bool = false) {
        self.text = text
        self.isExcluded = isExcluded
    }

    /// Reads the older form, where `NOT ` excludes.
    package init(path: String) {
        let isExcluded = path.hasPrefix("NOT ")
        self.init(String(path.dropFirst(isExcluded ? 4 : 0)), isExcluded: isExcluded)
    }

    /// Returns nil for a pattern that matches our links only by chance: it needs a query, a fragment or a variable.
    package init?(component: JSON) {
        let isExcluded = component["exclude"]?.bool ?? false
        let text = component["/"]?.string ?? "*"
        let isPlain = component["?"] == nil && component["#"] == nil && !text.contains("$(")
        guard isPlain || isExcluded else { return nil }
        self.init(text, isExcluded: isExcluded)
    }

    /// Matches greedily, and returns to the last star after a mismatch.
    package func fits(_ path: String) -> Bool {
        let (pattern, path) = (Array(self.text.utf8), Array(path.utf8))
        var (next, at) = (0, 0)
        var star: (next: Int, at: Int)?
        while at < path.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                next += 1
                star = (next, at)
            } else if next < pattern.count, pattern[next] == path[at] || pattern[next] == UInt8(ascii: "?") {
                next += 1
                at += 1
            } else if let last = star {
                star = (last.next, last.at + 1)
                next = last.next
                at = last.at + 1
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

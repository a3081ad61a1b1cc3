/// A path in Apple's link file: `*` is any number of characters, none too, and `?` is one.
import StrictJSON

package struct LinkPattern: Equatable, Sendable {
    package let text: String
    /// Links that fit are not the app's.
    package let isExcluded: Bool

    package init(_ text: String, isExcluded: Bool = false) {
        self.text = text
        self.isExcluded = isExcluded
    }

    /// The older form, where `NOT ` excludes.
    package init(path: String) {
        let isExcluded = path.hasPrefix("NOT ")
        self.init(String(path.dropFirst(isExcluded ? 4 : 0)), isExcluded: isExcluded)
    }

    /// Nil for one that fits our links only by chance: it asks for a query or a fragment, or for a variable.
    package init?(component: JSON) {
        let isExcluded = component["exclude"]?.bool ?? false
        let text = component["/"]?.string ?? "*"
        let isPlain = component["?"] == nil && component["#"] == nil && !text.contains("$(")
        guard isPlain || isExcluded else { return nil }
        self.init(text, isExcluded: isExcluded)
    }

    /// Greedy, and back to the last star when that was too much.
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

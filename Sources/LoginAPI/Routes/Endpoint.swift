/// One line of a table of routes: a method, a pattern of segments, and the route that they make.
import HTTPWire

// A class, so that a look at the table copies no line of it.
final class Endpoint<Route: Sendable>: Sendable {
    let method: Method
    /// `/v1/logins/*`.
    let path: String
    /// What stands before the `*` and behind it; the path and nil where there is none.
    private let prefix: String
    private let suffix: String?
    private let make: @Sendable (String) -> Route

    /// A pattern without a parameter.
    convenience init(_ method: Method, _ path: String, _ route: Route) {
        self.init(method, path) { _ in route }
    }

    /// A pattern in which one segment is `*`.
    init(_ method: Method, _ path: String, _ make: @escaping @Sendable (String) -> Route) {
        let parts = path.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = path
        self.prefix = String(parts[0])
        self.suffix = parts.count == 2 ? String(parts[1]) : nil
        self.make = make
    }

    /// What stands for the `*` in a path that fits, nothing where there is none; nil when the path does not fit.
    ///
    /// Nothing is decoded: a path is what it is, with every slash.
    func parameter(of path: String) -> Substring? {
        let count = path.utf8.count - self.prefix.utf8.count - (self.suffix?.utf8.count ?? 0)
        guard let suffix else { return count == 0 && path == self.prefix ? "" : nil }
        guard count > 0, path.hasPrefix(self.prefix) else { return nil }
        let rest = path.utf8.dropFirst(self.prefix.utf8.count)
        guard rest.dropFirst(count).elementsEqual(suffix.utf8) else { return nil }
        let segment = Substring(rest.prefix(count))
        return Self.isParameter(segment) ? segment : nil
    }

    func route(with parameter: Substring) -> Route { self.make(String(parameter)) }

    /// Ids, tokens, names: so no parameter holds a percent sign, a slash, or two dots that lead somewhere else.
    private static func isParameter(_ segment: Substring) -> Bool {
        let isPlain = segment.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain && 1...128 ~= segment.utf8.count && !segment.hasPrefix(".")
    }
}

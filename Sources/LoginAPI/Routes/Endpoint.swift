import HTTPWire

// A class, so that a lookup copies no line of the table.
/// One line of a route table: a method, a path pattern, and the route for it.
final class Endpoint<Route: Sendable>: Sendable {
    let method: Method
    /// `/v1/logins/*`.
    let path: String
    /// The text before and after the `*`; the whole path and nil if there is no `*`.
    private let prefix: String
    private let suffix: String?
    private let make: @Sendable (String) -> Route

    /// Makes a line whose pattern has no parameter.
    convenience init(_ method: Method, _ path: String, _ route: Route) {
        self.init(method, path) { _ in route }
    }

    /// Makes a line whose pattern has one segment `*`.
    init(_ method: Method, _ path: String, _ make: @escaping @Sendable (String) -> Route) {
        let parts = path.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = path
        self.prefix = String(parts[0])
        self.suffix = parts.count == 2 ? String(parts[1]) : nil
        self.make = make
    }

    /// Returns what the `*` matches, an empty text if the pattern has no `*`, and nil if the path does not match.
    ///
    /// It decodes nothing: a path must match byte for byte.
    func parameter(of path: String) -> Substring? {
        let count = path.utf8.count - self.prefix.utf8.count - (self.suffix?.utf8.count ?? 0)
        guard let suffix else { return count == 0 && path == self.prefix ? "" : nil }
        guard count > 0, path.hasPrefix(self.prefix) else { return nil }
        let rest = path.utf8.dropFirst(self.prefix.utf8.count)
        guard rest.dropFirst(count).elementsEqual(suffix.utf8) else { return nil }
        let segment = Substring(rest.prefix(count))
        return Self.isParameter(segment) ? segment : nil
    }

    var hasParameter: Bool { self.suffix != nil }

    func route(with parameter: Substring) -> Route { self.make(String(parameter)) }

    /// Parameters are ids, tokens and names. So none contains a percent sign or a slash, or begins with a dot.
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

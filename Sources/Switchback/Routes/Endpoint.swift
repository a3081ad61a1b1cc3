/// One line of a table of routes: a method, a pattern of segments, and the route that they make.
import HTTPWire

struct Endpoint<Route: Sendable>: Sendable {
    let method: Method
    /// `/v1/logins/*`.
    let path: String
    private let pattern: [Substring]
    private let make: @Sendable (String) -> Route

    /// A pattern without a parameter.
    init(_ method: Method, _ path: String, _ route: Route) {
        self.init(method, path) { _ in route }
    }

    /// A pattern in which one segment is `*`.
    init(_ method: Method, _ path: String, _ make: @escaping @Sendable (String) -> Route) {
        self.method = method
        self.path = path
        self.pattern = Self.segments(of: path)
        self.make = make
    }

    /// The route, if these are its segments.
    func route(for segments: [Substring]) -> Route? {
        guard segments.count == self.pattern.count else { return nil }
        var parameter = ""
        for (segment, expected) in zip(segments, self.pattern) {
            if expected == "*" {
                guard Self.isParameter(segment) else { return nil }
                parameter = String(segment)
            } else {
                guard segment.utf8.elementsEqual(expected.utf8) else { return nil }
            }
        }
        return self.make(parameter)
    }

    /// What stands between the slashes, empty ones too; nothing is decoded and nothing is left out.
    static func segments(of path: String) -> [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }

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

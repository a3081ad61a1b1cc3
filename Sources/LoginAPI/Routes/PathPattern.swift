/// The pattern of a path, which may have one segment `*`. It finds the route of a request, and makes the links to it.
package struct PathPattern: Equatable, Sendable, ExpressibleByStringLiteral {
    /// `/v1/logins/*`.
    package let text: String
    /// The text before and after the `*`; the whole path and nil if there is no `*`.
    private let prefix: String
    private let suffix: String?

    package init(stringLiteral text: String) {
        let parts = text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        self.text = text
        self.prefix = String(parts[0])
        self.suffix = parts.count == 2 ? String(parts[1]) : nil
    }

    var hasParameter: Bool { self.suffix != nil }

    /// The path of a pattern without `*`.
    package var path: String { self.text }

    /// Returns the path that has this parameter in the place of `*`.
    package func path(_ parameter: String) -> String {
        guard let suffix else { return self.prefix }
        return self.prefix + parameter + suffix
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

/// The paths that responses, pages and reports link to. Each other one is written in its row of `PublicRoutes` alone.
extension PathPattern {
    package static let callback: PathPattern = "/callback/*"
    static let login: PathPattern = "/v1/logins/*"
    static let page: PathPattern = "/done/*"
    static let token: PathPattern = "/oauth/token"
    static let revocation: PathPattern = "/oauth/revoke"
    /// The keys of access tokens.
    package static let accessKeys: PathPattern = "/.well-known/access-jwks.json"
    /// The keys of assertions.
    package static let assertionKeys: PathPattern = "/.well-known/jwks.json"
    /// The keys for brokers.
    package static let clientKeys: PathPattern = "/client/jwks.json"
    static let openAPI: PathPattern = "/openapi.yaml"
    /// The page that a problem's `type` links to, and the list of all.
    static let problem: PathPattern = "/problems/*"
    static let problems: PathPattern = "/problems"
    static let asset: PathPattern = "/assets/*"
    static let securityText: PathPattern = "/.well-known/security.txt"
}

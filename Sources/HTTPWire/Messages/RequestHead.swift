/// A request without its body.
package struct RequestHead: Equatable, Sendable {
    package let method: Method
    package let target: Target
    package let version: Version
    package var fields: Fields
    package let framing: BodyFraming

    package init(
        _ method: Method, _ target: Target, version: Version = .http11, fields: Fields = [:],
        framing: BodyFraming = .none
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.framing = framing
    }

    init(_ line: RequestLine, _ fields: Fields, limits: MessageLimits) throws(ParseError) {
        try Self.checkHost(fields, version: line.version)
        let framing = try BodyFraming(fields, version: line.version, limit: limits.body)
        self.init(line.method, line.target, version: line.version, fields: fields, framing: framing)
    }

    package var expectation: Expectation { Expectation(self.fields, version: self.version, framing: self.framing) }

    /// Whether the client would like to send another request on the connection (RFC 9112 §9.3).
    package var keepsAlive: Bool { self.version.keepsAlive(self.fields) }

    /// HTTP/1.1 requires exactly one Host, HTTP/1.0 allows at most one (RFC 9112 §3.2).
    private static func checkHost(_ fields: Fields, version: Version) throws(ParseError) {
        var hosts = 0
        try fields.each(.host) { host throws(ParseError) in
            hosts += 1
            guard hosts == 1, Authority.isValid(host.utf8.span) else { throw .badHost }
        }
        guard hosts == 1 || version == .http10 else { throw .badHost }
    }
}

/// `method SP request-target SP HTTP-version` (RFC 9112 §3).
struct RequestLine: Sendable {
    let method: Method
    let target: Target
    let version: Version

    /// RFC 9112 §3 also allows other white space between the parts. We accept one space. HTTP/0.9 has only two parts.
    init(_ line: Span<UInt8>, targetLimit: Int) throws(ParseError) {
        guard let first = line.firstIndex(of: .space) else { throw .badRequestLine }
        let rest = line.extracting((first + 1)...)
        guard let second = rest.firstIndex(of: .space) else { throw .badRequestLine }
        guard let method = Method(line.extracting(0..<first)) else { throw .badRequestLine }
        let version = try Version(rest.extracting((second + 1)...))
        guard second <= targetLimit else { throw .targetTooLong }
        self.target = try Target(rest.extracting(0..<second), of: method)
        self.method = method
        self.version = version
    }
}

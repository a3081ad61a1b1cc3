// `method SP request-target SP HTTP-version` (RFC 9112 §3).

struct RequestLine: Sendable {
    let method: Method
    let target: Target
    let version: Version

    /// RFC 9112 §3 lets us take other white space between the parts; one space it is, and HTTP/0.9 has no third part.
    init(_ line: Span<UInt8>, targetLimit: Int) throws(ParseError) {
        guard let first = line.firstIndex(of: .space) else { throw .badRequestLine }
        let rest = line.extracting((first + 1)...)
        guard let second = rest.firstIndex(of: .space) else { throw .badRequestLine }
        guard let method = Method(line.extracting(0..<first)) else { throw .badRequestLine }
        let version = try Version(rest.extracting((second + 1)...), orThrow: .badRequestLine)
        guard second <= targetLimit else { throw .targetTooLong }
        self.target = try Target(rest.extracting(0..<second), of: method)
        self.method = method
        self.version = version
    }
}

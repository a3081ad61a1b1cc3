/// A request method (RFC 9110 §9). Its case matters.
package struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = Method(rawValue: "GET")
    package static let head = Method(rawValue: "HEAD")
    package static let post = Method(rawValue: "POST")
    package static let put = Method(rawValue: "PUT")
    package static let patch = Method(rawValue: "PATCH")
    package static let delete = Method(rawValue: "DELETE")
    package static let options = Method(rawValue: "OPTIONS")
    package static let connect = Method(rawValue: "CONNECT")
    package static let trace = Method(rawValue: "TRACE")

    package var description: String { self.rawValue }

    /// Returns nil if it is not a token.
    init?(_ bytes: Span<UInt8>) {
        // Nearly all clients send one of these.
        if bytes.isEqual(to: "GET") {
            self = .get
        } else if bytes.isEqual(to: "POST") {
            self = .post
        } else {
            self.init(token: bytes)
        }
    }

    private init?(token bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return nil }
        for index in bytes.indices where !bytes[index].isToken { return nil }
        self.rawValue = String(ascii: bytes)
    }
}

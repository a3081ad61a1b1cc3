/// A request method (RFC 9110 §9). Its case matters.
package enum Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    case get, head, post, put, patch, delete, options, connect, trace
    /// Any other one. Indirect, so that every method fits in eight bytes: thousands of requests wait.
    indirect case other(String)

    package init(rawValue: String) {
        self =
            switch rawValue {
            case "GET": .get
            case "HEAD": .head
            case "POST": .post
            case "PUT": .put
            case "PATCH": .patch
            case "DELETE": .delete
            case "OPTIONS": .options
            case "CONNECT": .connect
            case "TRACE": .trace
            default: .other(rawValue)
            }
    }

    package var rawValue: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .connect: "CONNECT"
        case .trace: "TRACE"
        case .other(let name): name
        }
    }

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
        self.init(rawValue: String(ascii: bytes))
    }
}

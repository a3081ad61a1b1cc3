/// A response without its body, as a client reads it.
package struct ResponseHead: Equatable, Sendable {
    package let status: Status
    package let version: Version
    package let fields: Fields
    package let framing: BodyFraming

    init(_ line: StatusLine, _ fields: Fields, to method: Method, limits: MessageLimits) throws(ParseError) {
        self.status = line.status
        self.version = line.version
        self.fields = fields
        self.framing = try BodyFraming(
            fields, version: line.version, status: line.status, to: method, limit: limits.body)
    }

    /// Whether another response may follow on the connection (RFC 9112 §9.3).
    package var keepsAlive: Bool {
        self.framing != .untilClose && ConnectionOptions.keepsAlive(self.fields, version: self.version)
    }
}

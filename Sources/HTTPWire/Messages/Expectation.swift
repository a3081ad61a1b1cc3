/// What a request waits for before it sends its body (RFC 9110 §10.1.1).
package enum Expectation: Sendable {
    case none
    /// The client sends the body once it has received `100 Continue`, or no longer wants to wait.
    case `continue`
    /// Something that we do not know: 417.
    case unknown

    /// HTTP/1.0 has no expectations, and a request without a body waits for nothing.
    init(_ fields: Fields, version: Version, framing: BodyFraming) {
        guard version == .http11, fields.has(.expect) else {
            self = .none
            return
        }
        guard let value = fields.only(.expect), value.utf8.span.isEqualIgnoringCase(to: "100-continue") else {
            self = .unknown
            return
        }
        self = framing == .none || framing == .length(0) ? .none : .continue
    }
}

/// What a request wants to be told before it goes on (RFC 9110 §10.1.1).
package enum Expectation: Sendable {
    case none
    /// The client sends the body once it has seen `100 Continue`, or is tired of waiting.
    case `continue`
    /// Something that nobody here knows: 417.
    case unknown

    /// Of a request that has a body or not. HTTP/1.0 knows no expectations, and one without a body waits for nothing.
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

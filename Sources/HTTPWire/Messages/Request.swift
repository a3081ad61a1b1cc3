/// A whole request.
package struct Request: Equatable, Sendable {
    package var head: RequestHead
    package var body: [UInt8]

    package init(head: RequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Makes a request in code, above all in tests. Returns nil if the method cannot have this target.
    package init?(_ method: Method, _ target: String, fields: Fields = [:], body: [UInt8] = []) {
        guard let target = Target(target, of: method) else { return nil }
        let framing = body.isEmpty ? BodyFraming.none : .length(body.count)
        self.init(head: RequestHead(method, target, fields: fields, framing: framing), body: body)
    }

    package var method: Method { self.head.method }
    package var target: Target { self.head.target }
    package var version: Version { self.head.version }
    package var fields: Fields { self.head.fields }
}

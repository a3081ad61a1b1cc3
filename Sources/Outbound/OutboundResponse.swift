/// An answer, of any status: a redirect is not followed but handed over like everything else.
package struct OutboundResponse: Sendable, CustomStringConvertible {
    package var status: Int
    /// Names in lower case, in the order they came.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first value of a field; `name` in lower case.
    package subscript(_ name: String) -> String? {
        self.fields.first { $0.name == name }?.value
    }

    package var description: String { "\(self.status), \(self.body.count) bytes" }
}

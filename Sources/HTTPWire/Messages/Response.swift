/// A whole response. The writer adds the fields of the connection, such as the length.
package struct Response: Equatable, Sendable {
    package var status: Status
    package var fields: Fields
    package var body: [UInt8]
    /// How to compress the body when it is sent; the fields will say so. The body here is not compressed yet.
    package var coding = ContentCoding.identity

    package init(_ status: Status, fields: Fields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// A whole response. What belongs to the connection and not to it (its length, for one) is the writer's to add.
package struct Response: Equatable, Sendable {
    package var status: Status
    package var fields: Fields
    package var body: [UInt8]
    /// How the body is packed on its way, which is then said in the fields. It is not yet.
    package var coding = ContentCoding.identity

    package init(_ status: Status, fields: Fields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

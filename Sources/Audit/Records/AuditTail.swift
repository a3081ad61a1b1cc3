/// The last record of a file, as a server finds it when it starts.
package struct AuditTail: Equatable, Sendable {
    package let chain: String
    package let number: Int
    /// The hash of the record.
    package let hash: String
    /// The hash of what follows the last whole record, if a server was killed while it wrote.
    package var torn: String?

    package init(chain: String, number: Int, hash: String, torn: String? = nil) {
        self.chain = chain
        self.number = number
        self.hash = hash
        self.torn = torn
    }
}

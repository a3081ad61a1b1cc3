/// All server keys: the first seals, every one opens.
package struct ServerKeys: Sendable {
    package let first: ServerKey
    private let others: [ServerKey]

    /// Nil when there is none.
    package init?(_ keys: [ServerKey]) {
        guard let first = keys.first else { return nil }
        self.first = first
        self.others = Array(keys.dropFirst())
    }

    var all: [ServerKey] { [self.first] + self.others }

    /// The key that a row names, or nil when it has been retired.
    func key(_ id: [UInt8]) -> ServerKey? {
        self.first.id == id ? self.first : self.others.first { $0.id == id }
    }
}
